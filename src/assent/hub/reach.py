"""Everything that brings asks to people beyond the page, as the daemon builds it."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assent import keys
from assent.asks.patience import Attention
from assent.config import Config, for_project
from assent.config import Presence as Settings
from assent.hub import settings_file
from assent.hub.connect_api import ConnectApi
from assent.hub.connecting import Connecting
from assent.hub.connections import Connections
from assent.hub.log_api import Endpoint
from assent.hub.notices import Notices
from assent.hub.outreach import Outreach
from assent.hub.presence_api import PresenceApi
from assent.hub.pretending import Pretender
from assent.hub.push_api import PushApi
from assent.hub.rehearsals import Rehearsals
from assent.hub.saved import Saved
from assent.hub.subscriptions import Subscriptions
from assent.hub.unlocking import unlock
from assent.hub.whereabouts import Whereabouts
from assent.paths import Paths
from assent.protocol.card import ShownAsk
from assent.protocol.record import Draft, Record
from assent.protocol.scope import Scope
from assent.surfaces.inbox import Inbox
from assent.surfaces.kind import Addresses
from assent.surfaces.outside import Outside
from assent.surfaces.webpush import CONTACT, WebPush
from assent.vault import Vault
from assent.views.sessions import Session


@dataclass(slots=True)
class Reach:
    paths: Paths
    config: Callable[[], Config]
    record: Callable[[Sequence[Draft]], object]
    clock: Callable[[], int]
    # Whether a device may still come in.
    is_let_in: Callable[[str], bool]
    # Whether somebody looks at a page or a terminal that would show an ask.
    is_watched: Callable[[], bool]
    # Told that the dialog of a session waits and nobody types there.
    still_open: Callable[[str], None]
    # The settings were written.
    reread: Callable[[], None]
    # What people do from a surface.
    inbox: Callable[[str], Inbox]
    # Where an ask can be opened from elsewhere; "" where it cannot.
    link: Callable[[str], str]
    # What stands in the settings file.
    written: Callable[[], Mapping[str, Any]]
    # What is known of a session.
    session: Callable[[str], Session | None]
    # Asks what nobody wants to know, so that people can try a surface.
    pretender: Pretender
    # For tests, whose services run on loopback.
    may_be_local: bool = False
    addresses: Addresses = field(default_factory=Addresses)
    whereabouts: Whereabouts = field(init=False)
    outreach: Outreach = field(init=False)
    notices: Notices = field(init=False)
    subscriptions: Subscriptions = field(init=False)
    push: WebPush = field(init=False)
    connections: Connections = field(init=False)
    connecting: Connecting = field(init=False)
    rehearsals: Rehearsals = field(init=False)
    _saved: list[Saved] = field(init=False)

    def __post_init__(self) -> None:
        presence, outreach, notices, push = (Saved(path) for path in self._files())
        self._saved = [presence, outreach, notices, push]
        self.subscriptions = Subscriptions(push, self.is_let_in, self._look_again)
        self.push = WebPush(
            keys.load_or_create(self.paths.keys / "push.key"),
            self.subscriptions,
            Outside(may_be_local=self.may_be_local),
            self._contact,
        )
        self.whereabouts = Whereabouts(
            presence,
            lambda: self.config().presence,
            self.clock,
            self._can_push,
            self._look_again,
            self.still_open,
        )
        self.connections = Connections(
            tables=lambda: self.config().surface,
            vault=Vault(self.paths),
            key=keys.load_or_create(self.paths.keys / "surfaces.key").encode(),
            inbox=self.inbox,
            link=self.link,
            keep=self._keep,
            changed=self._look_again,
            addresses=self.addresses,
            surfaces={self.push.name: self.push},
        )
        self.connecting = Connecting(
            self.paths,
            self.config,
            self.written,
            self.connections,
            self.reread,
            lambda what: self._note(what, "person:desk"),
        )
        self.rehearsals = Rehearsals(
            self.pretender, self.connections.surfaces, lambda what: self._note(what, "person:desk")
        )
        self.outreach = Outreach(
            self.connections.surfaces, self.whereabouts.presence, self._settings, self.record, outreach, self.clock
        )
        self.notices = Notices(
            self.connections.surfaces,
            self.whereabouts.presence,
            self._settings,
            self.session,
            self.outreach.delivery,
            self.record,
            notices,
            self.clock,
        )
        self.outreach.turn_asked = self.notices.asked

    def routes(self) -> list[tuple[str, str, Scope, Endpoint]]:
        push = PushApi(self.subscriptions, lambda: self.push.public_key, may_be_local=self.may_be_local)
        connect = ConnectApi(self.connecting, self.rehearsals)
        return [
            *PresenceApi(self.whereabouts, self.told, self._note).routes(),
            *push.routes(),
            *connect.routes(),
        ]

    async def unlock(self) -> None:
        """Know the secrets that are in the system's keyring."""
        await unlock(self.connections.vault, self.connections.refresh)

    def start(self, waiting: Iterable[ShownAsk]) -> None:
        self.connections.refresh()
        self.outreach.start(waiting)
        self.notices.start()

    async def close(self) -> None:
        await self.connections.close()
        await self.outreach.close()
        await self.notices.close()
        for saved in self._saved:
            await saved.flush()

    def attention(self) -> Attention:
        said = self.whereabouts.attention()
        return Attention(away=said.away, reachable=said.reachable or self.is_watched())

    def told(self) -> dict[str, Any]:
        """Where the person is, and how many devices would be notified."""
        return {**self.whereabouts.told(), "reachable": self.attention().reachable, "push": self._pushed_to()}

    def _pushed_to(self) -> int:
        return len(self.subscriptions.current())

    def heard(self, record: Record) -> None:
        self.whereabouts.heard(record)
        self.notices.heard(record)

    def _can_push(self) -> bool:
        """Whether somebody would be reached beyond the page."""
        return any(not surface.trouble for surface in self.connections.surfaces.values())

    async def _keep(self, surface: str, setting: str, value: Any) -> None:
        """A table of the settings, changed in its file: nothing else in there moves."""
        await asyncio.to_thread(settings_file.keep, self.paths, f"surface.{surface}", {setting: value})
        self.reread()

    def _files(self) -> tuple[Path, ...]:
        return self.paths.presence, self.paths.outreach, self.paths.notices, self.paths.keys / "push.json"

    def _look_again(self, session: str = "") -> None:
        self.outreach.look_again(session)
        self.notices.look_again()

    def _settings(self, project: str) -> Settings:
        return for_project(self.config(), Path(project or "/")).presence

    def _contact(self) -> str:
        said = self.config().surface.get("push", {}).get("contact")
        return said if isinstance(said, str) and said.startswith(("mailto:", "https://")) else CONTACT

    def _note(self, what: str, by: str) -> None:
        self.record([Draft(at=self.clock(), kind="hub", by=by, body={"what": what})])
