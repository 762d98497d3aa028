"""``[[rule.test]]``: whether the rules of a file say what their author expects of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from assent.policy.rule import Rule, RuleTest
from assent.policy.rules import Rules
from assent.policy.voice import Scene
from assent.policy.when import When
from assent.protocol.decision import Allow, Decision, Deny, Prompt
from assent.protocol.events import PreToolUse

_WORDS: dict[type[Decision], str] = {Allow: "allow", Prompt: "ask", Deny: "deny"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """``said`` is allow, ask, deny or none; ``by`` the rule that said so, as in a trace."""

    rule: Rule
    test: RuleTest
    said: str
    by: str | None

    @property
    def is_good(self) -> bool:
        return self.said == self.test.expect


def run(rules: Iterable[Rule], project: Path) -> Iterator[Outcome]:
    """Every test of these rules, tried with all of them together and with nobody else.

    Conditions on the moment (branch, mode, time, agent, harness, working folder) count as met, so that a test means the
    same on every machine; those on the call itself (risk, effect, path) are tried."""
    given = tuple(rules)
    voice = Rules(replace(rule, when=_of_the_call(rule.when)) for rule in given)
    for rule in given:
        for test in rule.tests:
            event = PreToolUse(session_id="", cwd=str(project), tool_name=test.tool, tool_input=test.input)
            opinion = voice.speak(event, Scene(project))
            said = "none" if opinion is None else _WORDS[type(opinion.decision)]
            yield Outcome(rule, test, said, None if opinion is None else opinion.by)


def _of_the_call(when: When) -> When:
    return When(risk=when.risk, effect=when.effect, path=when.path)
