"""Where the person is, kept up to date from what agents report, what pages say, and what people say themselves."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assent.asks.patience import Attention
from assent.asks.presence import Kept, Presence, is_typed_by_a_person
from assent.config import Presence as Settings
from assent.hub.saved import Saved
from assent.protocol.record import Record


@dataclass(slots=True)
class Whereabouts:
    saved: Saved
    settings: Callable[[], Settings]
    clock: Callable[[], int]
    # Whether a push would reach somebody.
    can_push: Callable[[], bool] = lambda: False
    # Told when something changed that may let an ask climb, or hold it back: of which session, or "" for all.
    changed: Callable[[str], None] = lambda _: None
    # Told that the dialog of a session waits and nobody types there.
    still_open: Callable[[str], None] = lambda _: None
    presence: Presence = field(default_factory=Presence)

    def __post_init__(self) -> None:
        content = self.saved.read()
        try:
            self.presence.said = msgspec.json.decode(content, type=Kept) if content else Kept()
        except msgspec.DecodeError:
            pass  # Whoever was away is asked as if they were here, and is told so by every screen.

    def heard(self, record: Record) -> None:
        """An event that may tell something about a person."""
        body = record.body
        name, payload = body.get("event"), body.get("payload")
        if record.session is None or not isinstance(payload, dict):
            return
        if name == "UserPromptSubmit":
            if is_typed_by_a_person(payload, body.get("env") or {}):
                self.presence.typed(record.session, record.at)
        elif name == "Notification" and payload.get("notification_type") == "permission_prompt":
            self.presence.unheeded(record.session, record.at)
            self.still_open(record.session)
            self.changed(record.session)

    def attention(self) -> Attention:
        now = self.clock()
        return Attention(away=self.presence.is_away(now), reachable=self.can_push() or self.presence.has_a_page(now))

    def page(self, name: str, *, focused: bool) -> None:
        self.presence.page(name, self.clock(), focused=focused)
        if not focused:
            self.changed("")

    def go_away(self, seconds: float | None) -> None:
        now = self.clock()
        self.presence.go_away(now, None if seconds is None else now + int(seconds * 1_000))
        self._said()

    def come_back(self) -> None:
        self.presence.come_back()
        self._said()

    def be_quiet(self, until: int | None) -> None:
        self.presence.be_quiet(until)
        self._said()

    def _said(self) -> None:
        self.saved.put(msgspec.json.encode(self.presence.said))
        self.changed("")

    def told(self) -> dict[str, Any]:
        """As every screen shows it."""
        now, presence = self.clock(), self.presence
        is_away = presence.is_away(now)
        sign = presence.sign(now)
        return {
            "away": is_away,
            "away_since": presence.said.away_since if is_away else None,
            "away_until": presence.said.away_until if is_away else None,
            "quiet_until": presence.quiet_until(now, self.settings().quiet),
            "at_desk": sign is not None,
            "why": sign.words if sign else "",
            "last_seen": presence.last_seen(),
            "reachable": self.attention().reachable,
        }
