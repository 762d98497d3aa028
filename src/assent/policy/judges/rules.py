"""The voice of the rules people wrote. Deny beats ask beats allow, in whatever order they stand."""

import itertools
from collections.abc import Iterable, Sequence

from assent.policy.call import Call, Opinion, Scene
from assent.policy.rules.coverage import Cover
from assent.policy.rules.index import RuleIndex
from assent.policy.rules.pattern import CommandPattern, Pattern, covers_act
from assent.policy.rules.rule import Rule, Says
from assent.policy.shell.acts import Act
from assent.protocol.decision import Allow, Deny, Prompt, Risk
from assent.protocol.events import Event
from assent.protocol.operations import Shell

# What an allow may silence the stance about: a wildcard cannot have meant the worst case, a name can.
SILENCES = {Cover.WIDE: Risk.CARE, Cover.EXACT: Risk.DANGER}


class Rules:
    """Rules in a fixed order."""

    def __init__(self, rules: Iterable[Rule] = (), *more: RuleIndex) -> None:
        """``more`` are the rules of whole files, which stand after the others."""
        given = tuple(rules)
        self._parts = (RuleIndex(given), *more) if given else more
        self._number = next(_numbers)

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        call = Call.of(event, scene)
        if call is None:
            return None
        if not (parts := self._concerned(call)):
            return None
        # Conditions are looked at each time; which rules a line fits is known as long as the rules are the same.
        names = "rules", call.tool, call.words, _is_unsandboxed(call)
        restricting, allowing = call.look(scene).fact_of(names, self._number, lambda: _fitting(parts, call, scene))
        for rule, pattern in restricting:
            if rule.holds(call, scene):
                decision = Deny(_why(rule)) if rule.says == "deny" else Prompt(_why(rule))
                return Opinion(decision, rule.by, _why(rule), pattern.text)
        return _allowing(allowing, call, scene)

    def naming(self, call: Call, scene: Scene, act: Act) -> str:
        """The rule that allows one command of a line, as people know it; "" for none."""
        for rule in _near(self._concerned(call), call, scene):
            if rule.says != "allow":
                continue
            patterns = [pattern for pattern in rule.patterns if isinstance(pattern, CommandPattern)]
            base = rule.base or str(scene.project)
            if covers_act(act, patterns) and rule.when.holds(call, scene, base, if_unknown=False):
                return rule.by
        return ""

    def _concerned(self, call: Call) -> list[RuleIndex]:
        return [part for part in self._parts if part.concerns(call.words)]


# Told apart by number, so that what is known of a line does not keep the rules of yesterday.
_numbers = itertools.count()
_RESTRICTING: tuple[Says, ...] = ("deny", "ask")
# Rules that restrict a call, deny first, and those that cover it, whether or not their conditions hold.
_Fitting = tuple[list[tuple[Rule, Pattern]], list[tuple[Rule, Cover]]]


def _near(parts: Iterable[RuleIndex], call: Call, scene: Scene) -> list[Rule]:
    """Those that may have something to say about it, in order."""
    call.acts(scene)
    project = str(scene.project)
    return [rule for part in parts for rule in part.near(call, project)]


def _fitting(parts: Iterable[RuleIndex], call: Call, scene: Scene) -> _Fitting:
    near = _near(parts, call, scene)
    restricting = [
        (rule, pattern)
        for says in _RESTRICTING
        for rule in near
        if rule.says == says and (pattern := rule.may_restrict(call, scene)) is not None
    ]
    covers = [(rule, rule.may_cover(call, scene)) for rule in near if rule.says == "allow"]
    # ``Cover.NO`` is zero.
    return restricting, [(rule, cover) for rule, cover in covers if cover]


def _is_unsandboxed(call: Call) -> bool:
    return isinstance(call.operation, Shell) and call.operation.unsandboxed


def _allowing(rules: Sequence[tuple[Rule, Cover]], call: Call, scene: Scene) -> Opinion | None:
    if not rules:
        return None
    best, chosen = Cover.NO, None
    for rule, cover in rules:
        if cover > best and rule.holds(call, scene):
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
