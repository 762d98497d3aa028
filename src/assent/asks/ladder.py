"""When an ask climbs to the next screen, and in words why it does not: pure, so that every push can be explained."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from assent.asks.presence import Presence
from assent.config import Presence as Settings
from assent.protocol.card import ShownAsk

# The page needs no push: it shows every ask the moment there is one.
PAGE = "page"
# Waits this short are for somebody at the desk: when nobody is, they are skipped.
FOR_THE_DESK = 60_000
# Signs of life hold back a Danger no longer than this, and anything else that was typed no longer than that.
DANGER_WAITS = 60_000
TYPING_WAITS = 300_000


@dataclass(frozen=True, slots=True)
class Rung:
    """One step of the ladder, known by its place in the settings."""

    number: int
    surface: str


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
    passed: tuple[int, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    # When to look again if nothing happens before.
    look_at: int | None = None


def plan(ask: ShownAsk, presence: Presence, settings: Settings, taken: Collection[int], now: int) -> Plan:
    """What to do about an ask that waits for a person."""
    due: dict[str, Rung] = {}
    passed: list[int] = []
    withheld: dict[str, Withheld] = {}
    looks: list[int] = []
    for rung, at in _rungs(ask, presence, settings, now):
        if rung.number in taken:
            continue
        if now < at:
            looks.append(at)
        elif held := _held(ask, presence, settings, rung, now):
            withheld.setdefault(rung.surface, held)
            looks += [] if held.until is None else [held.until]
        else:
            due.setdefault(rung.surface, rung)
            passed.append(rung.number)
    return Plan(tuple(due.values()), tuple(passed), tuple(withheld.values()), min(looks, default=None))


def _rungs(ask: ShownAsk, presence: Presence, settings: Settings, now: int) -> Iterator[tuple[Rung, int]]:
    nobody_there = presence.is_away(now) or presence.is_unheeded(ask.subject.session, ask.opened_at)
    for number, step in enumerate(settings.ladder):
        if step.surface != PAGE:
            wait = int(step.after.total_seconds() * 1_000)
            yield Rung(number, step.surface), ask.opened_at + (0 if nobody_there and wait <= FOR_THE_DESK else wait)


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
        # Somebody who types all day elsewhere must still hear of it.
        ends.append(ask.opened_at + TYPING_WAITS)
    return Withheld(rung, sign.kind, sign.words, min(ends)) if now < min(ends) else None


def _clock(at: int) -> str:
    return datetime.fromtimestamp(at / 1_000).astimezone().strftime("%H:%M")
