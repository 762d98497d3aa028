"""Why a rule speaks about a call, or why it does not: part by part."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from assent.policy import cover
from assent.policy.call import Call
from assent.policy.cover import Cover
from assent.policy.pattern import CommandPattern
from assent.policy.rule import Rule
from assent.policy.runs import Act
from assent.policy.voice import Scene

# speaks: it has its say. partly: it allows some parts and is silent because of the others.
# not_now: it would, but its conditions do not hold. no: it is about something else.
Outcome = Literal["speaks", "partly", "not_now", "no"]

MOST_PARTS = 5


class Match(Struct, frozen=True, omit_defaults=True):
    outcome: Outcome
    # What it names, and for a rule that allows, what it does not.
    fits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()


def match(rule: Rule, call: Call, scene: Scene) -> Match:
    if rule.says == "allow":
        return _allowing(rule, call, scene)
    if not any(pattern.restricts(call, _base(rule, scene)) for pattern in rule.patterns):
        return Match("no")
    fits = tuple(_named(rule, call))
    return Match("speaks" if rule.restricts(call, scene) else "not_now", fits)


def _allowing(rule: Rule, call: Call, scene: Scene) -> Match:
    acts = call.acts(scene)
    if rule.covers(call, scene) is not Cover.NO:
        return Match("speaks", _texts(acts))
    if call.command is None:
        is_named = any(pattern.covers(call, _base(rule, scene)) is not Cover.NO for pattern in rule.patterns)
        return Match("not_now" if is_named else "no")
    covers = [_cover(rule, call, act) for act in acts]
    fits = _texts([act for act, how in zip(acts, covers, strict=True) if how is not Cover.NO])
    misses = _texts([act for act, how in zip(acts, covers, strict=True) if how is Cover.NO])
    if not fits:
        return Match("no")
    return Match("partly" if misses else "not_now", fits, misses)


def _cover(rule: Rule, call: Call, act: Act) -> Cover:
    patterns = [p for p in rule.patterns if isinstance(p, CommandPattern) and call.tool in p.tools]
    if not patterns:
        return Cover.NO
    return cover.of_line(act.text, [act], lambda form: max(pattern.covers_command(form) for pattern in patterns))


def _named(rule: Rule, call: Call) -> Iterator[str]:
    """The parts of a line that a restricting rule names, in the form it names them."""
    globs = [p.glob for p in rule.patterns if isinstance(p, CommandPattern) and call.tool in p.tools]
    found = [form for form in call.forms if any(glob.fits(form) for glob in globs)]
    # The whole line fits where its first command does: that tells nothing about the parts.
    whole = (call.command or "").strip()
    parts = [form for form in found if form != whole] or found
    yield from parts[:MOST_PARTS]


def _texts(acts: Sequence[Act]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(act.text for act in acts))[:MOST_PARTS]


def _base(rule: Rule, scene: Scene) -> str:
    return rule.base or str(scene.project)
