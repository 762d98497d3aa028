"""The voice of the rules people wrote. Deny beats ask beats allow, in whatever order they stand."""

from collections.abc import Iterable

from assent.policy.call import Call, Opinion, Scene
from assent.policy.rules.coverage import Cover
from assent.policy.rules.index import RuleIndex
from assent.policy.rules.pattern import CommandPattern, covers_act
from assent.policy.rules.rule import Rule, Says
from assent.policy.shell.acts import Act
from assent.protocol.decision import Allow, Deny, Prompt, Risk
from assent.protocol.events import Event

# What an allow may silence the stance about: a wildcard cannot have meant the worst case, a name can.
SILENCES = {Cover.WIDE: Risk.CARE, Cover.EXACT: Risk.DANGER}


class Rules:
    """Rules in a fixed order."""

    def __init__(self, rules: Iterable[Rule] = (), *more: RuleIndex) -> None:
        """``more`` are the rules of whole files, which stand after the others."""
        given = tuple(rules)
        self._parts = (RuleIndex(given), *more) if given else more

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        call = Call.of(event, scene)
        if call is None:
            return None
        near = self._near(call, scene)
        for says in _RESTRICTING:
            for rule in near:
                if rule.says == says and (pattern := rule.restricts(call, scene)):
                    decision = Deny(_why(rule)) if says == "deny" else Prompt(_why(rule))
                    return Opinion(decision, rule.by, _why(rule), pattern.text)
        return _allowing([rule for rule in near if rule.says == "allow"], call, scene)

    def naming(self, call: Call, scene: Scene, act: Act) -> str:
        """The rule that allows one command of a line, as people know it; "" for none."""
        for rule in self._near(call, scene):
            if rule.says != "allow":
                continue
            patterns = [pattern for pattern in rule.patterns if isinstance(pattern, CommandPattern)]
            base = rule.base or str(scene.project)
            if covers_act(act, patterns) and rule.when.holds(call, scene, base, if_unknown=False):
                return rule.by
        return ""

    def _near(self, call: Call, scene: Scene) -> list[Rule]:
        """Those that may have something to say about it, in order."""
        parts = [part for part in self._parts if part.concerns(call.words)]
        if not parts:
            return []
        call.acts(scene)
        project = str(scene.project)
        return [rule for part in parts for rule in part.near(call, project)]


_RESTRICTING: tuple[Says, ...] = ("deny", "ask")


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
