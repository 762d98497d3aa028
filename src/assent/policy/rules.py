"""The voice of the rules people wrote. Deny beats ask beats allow, in whatever order they stand."""

from collections.abc import Iterable
from typing import NamedTuple

from assent.policy.call import Call
from assent.policy.cover import Cover
from assent.policy.rule import Rule
from assent.policy.voice import Opinion, Scene
from assent.protocol.decision import Allow, Deny, Prompt
from assent.protocol.events import Event
from assent.protocol.risk import Risk

_MOST_TOOLS = 1000
# What an allow may silence the stance about: a wildcard cannot have meant the worst case, a name can.
SILENCES = {Cover.WIDE: Risk.CARE, Cover.EXACT: Risk.DANGER}


class Rules:
    """A fixed list of rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        self._by_tool: dict[str, _Concerned] = {}

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        call = Call.of(event)
        if call is None:
            return None
        concerned = self._concerned(call.tool)
        for rule in concerned.deny:
            if pattern := rule.restricts(call, scene):
                return Opinion(Deny(_why(rule)), rule.by, _why(rule), pattern.text)
        for rule in concerned.ask:
            if pattern := rule.restricts(call, scene):
                return Opinion(Prompt(_why(rule)), rule.by, _why(rule), pattern.text)
        return _allowing(concerned.allow, call, scene)

    def _concerned(self, tool: str) -> "_Concerned":
        """The rules that can speak about this tool, found once."""
        if tool not in self._by_tool:
            if len(self._by_tool) >= _MOST_TOOLS:
                self._by_tool.clear()
            rules = [rule for rule in self._rules if any(pattern.concerns(tool) for pattern in rule.patterns)]
            self._by_tool[tool] = _Concerned(
                deny=tuple(rule for rule in rules if rule.says == "deny"),
                ask=tuple(rule for rule in rules if rule.says == "ask"),
                allow=tuple(rule for rule in rules if rule.says == "allow"),
            )
        return self._by_tool[tool]


class _Concerned(NamedTuple):
    deny: tuple[Rule, ...]
    ask: tuple[Rule, ...]
    allow: tuple[Rule, ...]


def _allowing(rules: tuple[Rule, ...], call: Call, scene: Scene) -> Opinion | None:
    best, chosen = Cover.NO, None
    for rule in rules:
        cover = rule.covers(call, scene)
        if cover > best:
            best, chosen = cover, rule
            if best is Cover.EXACT:
                break
    if chosen is None:
        return None
    named = ", ".join(pattern.text for pattern in chosen.patterns)
    return Opinion(Allow(), chosen.by, _why(chosen), evidence=named, silences=SILENCES[best])


_SAYS = {"allow": "allows", "ask": "asks about", "deny": "denies"}


def _why(rule: Rule) -> str:
    return rule.reason or f"Rule {rule.number} of the {rule.level} {_SAYS[rule.says]} this."
