"""Presence of the user: inferred from typed prompts and focused pages, or set by them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any, Literal

from msgspec import Struct

from assent.config import QuietHours

# After a prompt the user still looks at the terminal for this long.
TYPING = 60_000
# A page reports every 20 s that it has focus; a frozen tab reports nothing any more.
FOCUS = 30_000
OPEN = 75_000
# What the terminal UI is called among the pages.
DESK = "desk"
MOST_SESSIONS = 200
MOST_PAGES = 50

SignKind = Literal["typed", "focused"]


class Sign(Struct, frozen=True):
    """Evidence that the user is at the desk, and until when it counts."""

    kind: SignKind
    words: str
    until: int


class Kept(Struct, frozen=True, omit_defaults=True):
    """What a person said about themselves; it outlives the hub."""

    away_since: int | None = None
    away_until: int | None = None
    quiet_until: int | None = None


class _Page(Struct, frozen=True):
    seen: int
    focused: bool


@dataclass(slots=True)
class Presence:
    """All times are Unix milliseconds, given by the caller: nothing here looks at a clock."""

    said: Kept = field(default_factory=Kept)
    # When a person last gave each session a prompt.
    _typed: dict[str, int] = field(default_factory=dict)
    # When the client of each session said that its dialog is open and idle.
    _unheeded: dict[str, int] = field(default_factory=dict)
    _pages: dict[str, _Page] = field(default_factory=dict)

    def typed(self, session: str, at: int) -> None:
        _remember(self._typed, session, at, MOST_SESSIONS)

    def unheeded(self, session: str, at: int) -> None:
        _remember(self._unheeded, session, at, MOST_SESSIONS)

    def page(self, name: str, at: int, *, focused: bool) -> None:
        _remember(self._pages, name, _Page(at, focused), MOST_PAGES)

    def go_away(self, at: int, until: int | None = None) -> None:
        self.said = Kept(at, until, self.said.quiet_until)

    def come_back(self) -> None:
        self.said = Kept(quiet_until=self.said.quiet_until)

    def be_quiet(self, until: int | None) -> None:
        self.said = Kept(self.said.away_since, self.said.away_until, until)

    def is_away(self, now: int) -> bool:
        until = self.said.away_until
        return self.said.away_since is not None and (until is None or now < until)

    def has_a_page(self, now: int) -> bool:
        """Whether a page is open that would show an ask, focused or not."""
        return any(now < page.seen + OPEN for page in self._pages.values())

    def is_unheeded(self, session: str, since: int) -> bool:
        """Whether the dialog that opened then is known to be idle."""
        idle_at = self._unheeded.get(session)
        return idle_at is not None and idle_at >= max(since, self._typed.get(session, 0))

    def sign(self, now: int, *, session: str = "", since: int = 0, at_terminal: bool = True) -> Sign | None:
        """The best evidence that the user will see what this session asked then, without a notification."""
        seen, name = max(((page.seen, name) for name, page in self._pages.items() if page.focused), default=(0, ""))
        if now < seen + FOCUS:
            screen = "`assent watch`" if name == DESK else "the page"
            return Sign("focused", f"{screen} is in front of you", seen + FOCUS)
        if not at_terminal or self.is_away(now):
            # What was typed may have waited in the client's queue; what was said about being away counts more.
            return None
        heeded = {name: at for name, at in self._typed.items() if name != session or not self.is_unheeded(name, since)}
        typed = max(heeded.values(), default=None)
        if typed is not None and now < typed + TYPING:
            return Sign("typed", f"you typed {max(0, now - typed) // 1_000} s ago", typed + TYPING)
        return None

    def last_seen(self) -> int | None:
        focused = [page.seen for page in self._pages.values() if page.focused]
        return max([*self._typed.values(), *focused], default=None)

    def quiet_until(self, now: int, hours: QuietHours | None) -> int | None:
        """When the quiet ends that holds now: the longer of what was asked for and what the settings say."""
        asked = self.said.quiet_until
        ends = [asked] if asked is not None and now < asked else []
        if hours is not None and hours.covers(_local(now).time()):
            ends.append(_next(now, hours.end))
        return max(ends, default=None)


def morning(now: int, hours: QuietHours | None) -> int:
    """When the next morning begins: where quiet hours are set, with their end."""
    return _next(now, hours.end if hours else time(7))


def is_typed_by_a_person(payload: Mapping[str, Any], *, attended: bool | None) -> bool:
    """Whether a prompt was typed by a person: finished background tasks make turns of their own, and a run
    without a terminal is given its prompt by a program."""
    prompt, source = payload.get("prompt"), payload.get("source")
    if attended is False or payload.get("agent_id"):
        return False
    if not isinstance(prompt, str) or (source is not None and source != "user"):
        return False
    return not prompt.lstrip().startswith("<task-notification>")


def _remember(kept: dict[str, Any], name: str, value: Any, most: int) -> None:
    kept.pop(name, None)
    kept[name] = value
    if len(kept) > most:
        del kept[next(iter(kept))]


def _local(now: int) -> datetime:
    return datetime.fromtimestamp(now / 1_000)


def _next(now: int, at: time) -> int:
    """When it is that time of day again, as clocks on walls show it: some days are longer than others."""
    here = _local(now)
    today = datetime.combine(here.date(), at)
    return int((today if today > here else today + timedelta(days=1)).timestamp() * 1_000)
