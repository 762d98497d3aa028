"""The voice of the rules people wrote. Deny beats ask beats allow, in whatever order they stand."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from assent.policy.call import Call, Opinion, Scene
from assent.policy.rules.coverage import Cover
from assent.policy.rules.pattern import CommandPattern, Pattern, covers_act
from assent.policy.rules.rule import Rule, Says
from assent.policy.shell.acts import Act
from assent.protocol.decision import Allow, Deny, Prompt, Risk
from assent.protocol.events import Event

_MOST_TOOLS = 1000
# What an allow may silence the stance about: a wildcard cannot have meant the worst case, a name can.
SILENCES = {Cover.WIDE: Risk.CARE, Cover.EXACT: Risk.DANGER}


class Rules:
    """A fixed list of rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        self._by_tool: dict[frozenset[str], _Concerned] = {}

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        call = Call.of(event, scene)
        if call is None:
            return None
        call.acts(scene)
        concerned = self._concerned(call.words)
        for rule in _near(concerned.deny, call):
            if pattern := rule.restricts(call, scene):
                return Opinion(Deny(_why(rule)), rule.by, _why(rule), pattern.text)
        for rule in _near(concerned.ask, call):
            if pattern := rule.restricts(call, scene):
                return Opinion(Prompt(_why(rule)), rule.by, _why(rule), pattern.text)
        return _allowing(_near(concerned.allow, call), call, scene)

    def naming(self, call: Call, scene: Scene, act: Act) -> str:
        """The rule that allows one command of a line, as people know it; "" for none."""
        for rule in _near(self._concerned(call.words).allow, call):
            patterns = [pattern for pattern in rule.patterns if isinstance(pattern, CommandPattern)]
            base = rule.base or str(scene.project)
            if covers_act(act, patterns) and rule.when.holds(call, scene, base, if_unknown=False):
                return rule.by
        return ""

    def _concerned(self, words: frozenset[str]) -> "_Concerned":
        """The rules that can speak about such a tool, found once."""
        if words not in self._by_tool:
            if len(self._by_tool) >= _MOST_TOOLS:
                self._by_tool.clear()
            by_decision: dict[Says, list[tuple[Rule, frozenset[str] | None]]] = {"deny": [], "ask": [], "allow": []}
            for rule in self._rules:
                named = [pattern for pattern in rule.patterns if pattern.concerns(words)]
                if named:
                    by_decision[rule.says].append((rule, _heads(named)))
            self._by_tool[words] = _Concerned(**{says: tuple(rules) for says, rules in by_decision.items()})
        return self._by_tool[words]


# Each rule with the first words of all commands it names; None where these may be any.
_Indexed = tuple[tuple[Rule, frozenset[str] | None], ...]


class _Concerned(NamedTuple):
    deny: _Indexed
    ask: _Indexed
    allow: _Indexed


def _heads(patterns: Sequence[Pattern]) -> frozenset[str] | None:
    heads = [pattern.glob.head if isinstance(pattern, CommandPattern) else None for pattern in patterns]
    return frozenset(head for head in heads if head is not None) if None not in heads else None


def _near(rules: _Indexed, call: Call) -> Iterator[Rule]:
    """Those that may have something to say about it."""
    heads = call.heads if call.command is not None else None
    for rule, named in rules:
        if heads is None or named is None or not named.isdisjoint(heads):
            yield rule


def _allowing(rules: Iterable[Rule], call: Call, scene: Scene) -> Opinion | None:
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
