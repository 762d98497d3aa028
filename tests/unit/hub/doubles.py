"""What stands in for parts of the hub in unit tests."""

from collections.abc import Awaitable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assent.config import Config
from assent.protocol.record import Draft, Record


class _Done:
    def __await__(self) -> Generator[None, None, None]:
        yield from ()


@dataclass
class Recorded:
    """Stands in for the recorder: keeps what would be on record."""

    drafts: list[Draft] = field(default_factory=list)

    def record(self, drafts: Sequence[Draft]) -> Awaitable[object]:
        self.drafts += drafts
        return _Done()

    def note(self, what: str, by: str = "hub") -> None:
        self.record([Draft(at=0, kind="hub", by=by, body={"what": what})])

    @property
    def notes(self) -> list[str]:
        return [str(draft.body["what"]) for draft in self.drafts]


@dataclass
class InForce:
    """Stands in for the policy in force: settings that stay as they are."""

    config: Config = field(default_factory=Config)
    settings: Mapping[str, Any] = field(default_factory=dict)

    def reload(self) -> None:
        """Nothing is read."""


@dataclass
class Published:
    """Stands in for what is live: keeps what listeners would hear."""

    records: list[Record] = field(default_factory=list)

    def publish(self, records: Iterable[Record]) -> None:
        self.records += records


class Broken:
    """Settings that cannot be looked at."""

    @property
    def config(self) -> Config:
        raise ZeroDivisionError

    @property
    def settings(self) -> Mapping[str, Any]:
        raise ZeroDivisionError

    def reload(self) -> None:
        raise ZeroDivisionError


@dataclass
class Heard:
    """Hears who can be reached."""

    sessions: list[str] = field(default_factory=list)

    def on_presence(self, session: str) -> None:
        self.sessions.append(session)


@dataclass
class LetIn:
    """Stands in for the devices: lets in those of a set, or all."""

    names: set[str] | None = None

    def is_let_in(self, device: str) -> bool:
        return self.names is None or device in self.names
