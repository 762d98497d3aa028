"""The rules that hold in a folder: whose they are, what they say, and what they make of one command."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, structs

from assent.harness import claude_code
from assent.learn.trial import Trials
from assent.policy import agent_settings, matching
from assent.policy.call import Call
from assent.policy.matching import Match as Match
from assent.policy.matching import Outcome as Outcome
from assent.policy.pattern import Pattern
from assent.policy.rule import Rule, Says
from assent.policy.trial import event_of
from assent.protocol.trial import Question, Trial
from assent.toml.document import ConfigError

_NOT_YOURS = "The agent's client obeys it; Assent does not, because it came with the repository."
_MANAGED_ONLY = "Managed settings let no other allow rules count (allowManagedPermissionRulesOnly)."


class Listed(Struct, frozen=True, omit_defaults=True):
    # user, project, or where the agent's settings have it.
    level: str
    file: str
    number: int
    decision: str
    match: tuple[str, ...]
    when: str = ""
    reason: str = ""
    # Why it is not heard.
    unheard: str = ""


class Explained(Struct, frozen=True):
    """What each rule makes of a call, and what is decided."""

    trial: Trial
    rules: tuple[tuple[Listed, Match], ...]


def listed(trials: Trials, cwd: str) -> list[Listed]:
    """In the order in which they stand in their files; those that are not heard are among them."""
    return [told for told, _ in _rules(trials, cwd)]


def explained(trials: Trials, question: Question) -> Explained:
    placed, scene = trials.placed(question)
    call = Call.of(event_of(placed))
    assert call is not None
    found = tuple((told, matching.match(rule, call, scene)) for told, rule in _rules(trials, placed.cwd))
    return Explained(trials.hold(question), found)


def _rules(trials: Trials, cwd: str) -> Iterator[tuple[Listed, Rule]]:
    _, scene = trials.placed(Question(cwd=cwd))
    for file in trials.court.files(scene.project):
        unheard = {ignored.rule.number: ignored for ignored in file.ignored}
        rules = [*file.rules, *(ignored.rule for ignored in file.ignored)]
        for rule in sorted(rules, key=lambda rule: rule.number):
            why = unheard[rule.number].why if rule.number in unheard else ""
            yield _told(rule, str(file.path), why), rule
    yield from _of_agent(scene.project)


def _of_agent(project: Path) -> Iterator[tuple[Listed, Rule]]:
    """The client applies these itself; a file that cannot be read says nothing here."""
    files = []
    for scope, path in claude_code.settings_here(project):
        with contextlib.suppress(ConfigError):
            files.append((scope, path, agent_settings.load(path)))
    heard = agent_settings.allowing_scopes((scope, found) for scope, _, found in files)
    for scope, path, found in files:
        why = _MANAGED_ONLY if scope not in heard else _NOT_YOURS if scope in ("project", "local") else ""
        by_word: tuple[tuple[Says, tuple[Pattern, ...]], ...] = (
            ("deny", found.deny),
            ("ask", found.ask),
            ("allow", found.allow),
        )
        for says, patterns in by_word:
            for number, named in enumerate(patterns, start=1):
                rule = Rule(level="user", number=number, patterns=(named,), says=says)
                unheard = why if says == "allow" else ""
                yield structs.replace(_told(rule, str(path), unheard), level=f"agent.{scope}"), rule


def _told(rule: Rule, file: str, unheard: str) -> Listed:
    return Listed(
        level=rule.level,
        file=file,
        number=rule.number,
        decision=rule.says,
        match=tuple(pattern.text for pattern in rule.patterns),
        when=rule.when.in_words(),
        reason=rule.reason or "",
        unheard=unheard,
    )
