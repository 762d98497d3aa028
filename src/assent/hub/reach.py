"""Everything that brings asks to people beyond the page, as the daemon builds it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assent import keys
from assent.asks.patience import Attention
from assent.config import Config, for_project
from assent.config import Presence as Settings
from assent.hub.log_api import Endpoint
from assent.hub.outreach import Outreach
from assent.hub.presence_api import PresenceApi
from assent.hub.push_api import PushApi
from assent.hub.saved import Saved
from assent.hub.subscriptions import Subscriptions
from assent.hub.whereabouts import Whereabouts
from assent.paths import Paths
from assent.protocol.card import ShownAsk
from assent.protocol.record import Draft, Record
from assent.protocol.scope import Scope
from assent.surfaces.outside import Outside
from assent.surfaces.webpush import CONTACT, WebPush


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
    # For tests, whose push service runs on loopback.
    may_be_local: bool = False
    whereabouts: Whereabouts = field(init=False)
    outreach: Outreach = field(init=False)
    subscriptions: Subscriptions = field(init=False)
    push: WebPush = field(init=False)
    _saved: list[Saved] = field(init=False)

    def __post_init__(self) -> None:
        presence, outreach, push = (Saved(path) for path in self._files())
        self._saved = [presence, outreach, push]
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
            lambda: not self.push.trouble,
            self._look_again,
            self.still_open,
        )
        surfaces = {self.push.name: self.push}
        self.outreach = Outreach(surfaces, self.whereabouts.presence, self._settings, self.record, outreach, self.clock)

    def routes(self) -> list[tuple[str, str, Scope, Endpoint]]:
        push = PushApi(self.subscriptions, lambda: self.push.public_key, may_be_local=self.may_be_local)
        return [*PresenceApi(self.whereabouts, self.told, self._note).routes(), *push.routes()]

    def start(self, waiting: Iterable[ShownAsk]) -> None:
        self.outreach.start(waiting)

    async def close(self) -> None:
        await self.outreach.close()
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

    def _files(self) -> tuple[Path, Path, Path]:
        return self.paths.presence, self.paths.outreach, self.paths.keys / "push.json"

    def _look_again(self, session: str = "") -> None:
        self.outreach.look_again(session)

    def _settings(self, project: str) -> Settings:
        return for_project(self.config(), Path(project or "/")).presence

    def _contact(self) -> str:
        said = self.config().surface.get("push", {}).get("contact")
        return said if isinstance(said, str) and said.startswith(("mailto:", "https://")) else CONTACT

    def _note(self, what: str, by: str) -> None:
        self.record([Draft(at=self.clock(), kind="hub", by=by, body={"what": what})])
