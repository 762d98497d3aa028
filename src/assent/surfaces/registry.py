"""Registry of surfaces: made from settings and secrets. No module of one is loaded before it is needed."""

import importlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from msgspec import Struct

from assent.protocol.surfaces import connectable
from assent.surfaces.base import Inbox, Surface


@dataclass(frozen=True, slots=True)
class Tools:
    """What the hub gives each surface."""

    inbox: Inbox
    # Keys what the surface hands out and must know again: buttons, one-time addresses.
    key: bytes
    # Where an ask can be opened on this person's phone; "" where the page is not reachable from elsewhere.
    link: Callable[[str], str] = lambda _: ""
    # Writes one setting of this surface down, such as who was connected: as TOML reads it.
    keep: Callable[[str, Any], Awaitable[None]] | None = None
    # Where the service is, for tests alone: neither a setting nor the environment can say it.
    address: str = ""


class Checked(Struct, frozen=True):
    """What a service said when it was asked whether these secrets and settings work."""

    # "This is @my_agents_bot."
    words: str
    # Settings to write down, by name.
    settings: dict[str, Any] = {}
    # What the person has to do now, such as sending a code, in words; "" where nothing is left to do.
    todo: str = ""


class Kind(Protocol):
    name: str
    # As people call it.
    title: str
    # What must be kept secret, by name, with the words that ask for it.
    secrets: Mapping[str, str]

    async def check(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Checked:
        """Asks the service itself. Raises SurfaceError with a sentence, without secrets in it."""
        ...

    def made(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Surface:
        """Raises BadSettingsError. Does no I/O: it begins with ``listen`` or the first ``show``."""
        ...


def load(name: str) -> Kind:
    """Raises ImportError where its extra is not installed."""
    kind: Kind = importlib.import_module(connectable()[name].module).KIND
    return kind


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where services are, by the name of the surface; empty outside of tests."""

    of: Mapping[str, str] = field(default_factory=dict)
