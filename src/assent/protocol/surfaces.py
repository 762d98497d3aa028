"""Scopes of callers, and the table of surfaces: the title of each, its screen, and the module that makes it."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from assent.errors import AssentError

# "page" and "terminal" show all of an ask and take any answer; "chat" shows it as a message, where nothing lasting is
# granted and nothing dangerous agreed to; "glance" is a lock screen, or any view that masks or cuts.
Screen = Literal["page", "terminal", "chat", "glance"]


class UnknownSurfaceError(AssentError):
    """A surface that is not in the table."""

    def __init__(self, name: str) -> None:
        super().__init__(f"No surface is registered as “{name}”, so nothing can be answered on it.")


@dataclass(frozen=True, slots=True)
class SurfaceEntry:
    title: str
    screen: Screen
    # Its ``KIND`` makes the surface from settings and secrets; "" where the hub itself makes it.
    module: str = ""
    # The extra of the package that has to be installed for it.
    extra: str = ""
    # Whether a step of the ladder may name it.
    is_step: bool = True


# By the name that settings and records give it.
SURFACES: dict[str, SurfaceEntry] = {
    "page": SurfaceEntry("the page", "page"),
    "desk": SurfaceEntry("the terminal", "terminal", is_step=False),
    # Answers that people gave on screens of other hubs of theirs; those hubs held them to what each screen may.
    "team": SurfaceEntry("another machine", "page", is_step=False),
    "push": SurfaceEntry("browser notifications", "glance"),
    "telegram": SurfaceEntry("Telegram", "chat", "assent.surfaces.telegram"),
    "ntfy": SurfaceEntry("ntfy", "chat", "assent.surfaces.ntfy"),
    "slack": SurfaceEntry("Slack", "chat", "assent.surfaces.slack", extra="slack"),
    "desktop": SurfaceEntry("desktop notifications", "glance", "assent.surfaces.desktop"),
    "webhook": SurfaceEntry("a webhook", "glance", "assent.surfaces.webhook"),
    "apprise": SurfaceEntry("Apprise", "glance", "assent.surfaces.apprise", extra="apprise"),
}


def screen_of(name: str) -> Screen:
    """Raises UnknownSurfaceError: what may be answered on a surface is never guessed."""
    entry = SURFACES.get(name)
    if entry is None:
        raise UnknownSurfaceError(name)
    return entry.screen


def steps() -> tuple[str, ...]:
    """What a step of the ladder may name. Those that are not connected are passed over."""
    return tuple(name for name, entry in SURFACES.items() if entry.is_step)


def connectable() -> dict[str, SurfaceEntry]:
    """Those that are connected by settings and secrets of their own."""
    return {name: entry for name, entry in SURFACES.items() if entry.module}


class Scope(IntEnum):
    """Each includes the ones before it."""

    NONE = 0
    # Report events, nothing else.
    POST = 1
    WATCH = 2
    DENY = 3
    # Say yes, once.
    ANSWER = 4
    # In words of one's own: edit what runs, queue instructions, tell the agent something.
    INSTRUCT = 5
    # Say yes for longer: always allow, rules, trust.
    GRANT = 6
    # Let others in, connect surfaces, pause.
    ADMIN = 7

    @property
    def word(self) -> str:
        return self.name.lower()
