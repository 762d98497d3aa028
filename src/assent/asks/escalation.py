"""Escalation of asks to further surfaces, with the reason where it is held back. Pure."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from assent.asks.presence import Presence
from assent.config import Ladder
from assent.config import Presence as Settings
from assent.protocol.card import ShownAsk

# The page needs no push: it shows every ask the moment there is one.
PAGE = "page"
# Waits this short are for a person at the desk: without one they are skipped.
FOR_THE_DESK = 60_000
# Signs of life hold back a Danger no longer than this, and anything else that was typed no longer than that.
DANGER_WAITS = 60_000
TYPING_WAITS = 300_000


@dataclass(frozen=True, slots=True)
class Rung:
    """One step of a ladder."""

    surface: str
    after: int

    @property
    def key(self) -> str:
        """Known again whatever ladder it stands in, for settings change, and so does the risk of an ask."""
        return f"{self.surface}@{self.after}"


@dataclass(frozen=True, slots=True)
class Withheld:
    """A step whose time has come, and why it is not taken. ``kind`` stays the same while the words count on."""

    rung: Rung
    kind: str
    why: str
    until: int | None


@dataclass(frozen=True, slots=True)
class Plan:
    due: tuple[Rung, ...] = ()
    # Steps that are done with these: a surface is told once, however late it is.
    passed: tuple[Rung, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    # When to look again if nothing happens before.
    look_at: int | None = None


def plan(ask: ShownAsk, presence: Presence, settings: Settings, taken: Collection[str], now: int) -> Plan:
    """What to do about an ask that waits for a person."""
    nobody_there = presence.is_away(now) or presence.is_unheeded(ask.subject.session, ask.opened_at)
    rungs = _timed(_rungs(settings.ladder_of(ask.risk.level)), ask.opened_at, nobody_there=nobody_there)
    return _planned(rungs, lambda rung: _held(ask, presence, settings, rung, now), taken, now)


def plan_of_end(
    session: str, ended: int, presence: Presence, settings: Settings, taken: Collection[str], now: int
) -> Plan:
    """What to do about a turn that ended then: announced once on each surface, without reminders."""
    firsts: dict[str, Rung] = {}
    for rung in sorted(_rungs(settings.ladder), key=lambda rung: rung.after):
        firsts.setdefault(rung.surface, rung)
    rungs = _timed(firsts.values(), ended, nobody_there=presence.is_away(now))
    return _planned(rungs, lambda rung: _end_held(session, ended, presence, settings, rung, now), taken, now)


def _planned(
    rungs: Iterable[tuple[Rung, int]], held_back: Callable[[Rung], Withheld | None], taken: Collection[str], now: int
) -> Plan:
    due: dict[str, Rung] = {}
    passed: list[Rung] = []
    withheld: dict[str, Withheld] = {}
    looks: list[int] = []
    for rung, at in rungs:
        if rung.key in taken:
            continue
        if now < at:
            looks.append(at)
        elif held := held_back(rung):
            withheld.setdefault(rung.surface, held)
            looks += [] if held.until is None else [held.until]
        else:
            due.setdefault(rung.surface, rung)
            passed.append(rung)
    return Plan(tuple(due.values()), tuple(passed), tuple(withheld.values()), min(looks, default=None))


def _rungs(steps: Ladder) -> Iterator[Rung]:
    return (Rung(step.surface, int(step.after.total_seconds() * 1_000)) for step in steps if step.surface != PAGE)


def _timed(rungs: Iterable[Rung], start: int, *, nobody_there: bool) -> Iterator[tuple[Rung, int]]:
    for rung in rungs:
        yield rung, start + (0 if nobody_there and rung.after <= FOR_THE_DESK else rung.after)


def _held(ask: ShownAsk, presence: Presence, settings: Settings, rung: Rung, now: int) -> Withheld | None:
    is_danger = ask.risk.level == "danger"
    quiet = presence.quiet_until(now, settings.quiet)
    if quiet is not None and not (is_danger and settings.wake_for == "danger"):
        return Withheld(rung, "quiet", f"quiet until {_clock(quiet)}", quiet)
    heeded = ask.opened_at + DANGER_WAITS if is_danger else None
    if heeded is not None and now >= heeded:
        return None
    if ask.state == "doubtful":
        return Withheld(rung, "doubtful", "it looks answered at the terminal", heeded)
    if ask.view.stop is not None and ask.view.stop.background:
        return Withheld(rung, "background", "work still goes on in the background", heeded)
    sign = presence.sign(
        now, session=ask.subject.session, since=ask.opened_at, at_terminal="unattended" not in ask.flags
    )
    if sign is None:
        return None
    ends = [sign.until] + ([] if heeded is None else [heeded])
    if sign.kind == "typed":
        # A person who types in another session all day must still hear of it.
        ends.append(ask.opened_at + TYPING_WAITS)
    return Withheld(rung, sign.kind, sign.words, min(ends)) if now < min(ends) else None


def _end_held(
    session: str, ended: int, presence: Presence, settings: Settings, rung: Rung, now: int
) -> Withheld | None:
    quiet = presence.quiet_until(now, settings.quiet)
    if quiet is not None:
        return Withheld(rung, "quiet", f"quiet until {_clock(quiet)}", quiet)
    sign = presence.sign(now, session=session, since=ended)
    if sign is None:
        return None
    until = min(sign.until, ended + TYPING_WAITS) if sign.kind == "typed" else sign.until
    return Withheld(rung, sign.kind, sign.words, until) if now < until else None


def _clock(at: int) -> str:
    return datetime.fromtimestamp(at / 1_000).astimezone().strftime("%H:%M")
