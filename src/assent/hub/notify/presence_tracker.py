"""Presence of the user, tracked from events of agents, reports of pages, and their own settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from assent.asks.presence import Kept, Presence, is_typed_by_a_person
from assent.asks.timeouts import Attention
from assent.config import Presence as Settings
from assent.hub.bus import Bus, Clock, now_ms
from assent.hub.notify.push_subscriptions import PushSubscriptions
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.hub.recorder import Live
from assent.hub.state_file import DebouncedFile
from assent.protocol.record import Record, client_of
from assent.surfaces.base import Surface


class Connected(Protocol):
    @property
    def is_connected(self) -> bool: ...


@dataclass(slots=True)
class PresenceTracker:
    saved: DebouncedFile
    policy: SettingsInForce
    bus: Bus
    live: Live
    # Through which people can be reached beyond the page.
    surfaces: Mapping[str, Surface]
    # Devices that want notifications.
    subscriptions: PushSubscriptions
    clock: Clock = now_ms
    # To their other machines, and to whom they named.
    team: Connected | None = None
    presence: Presence = field(default_factory=Presence)

    def __post_init__(self) -> None:
        content = self.saved.read()
        try:
            self.presence.said = msgspec.json.decode(content, type=Kept) if content else Kept()
        except msgspec.DecodeError:
            pass  # Without the file the user counts as present, which every screen shows.

    @property
    def settings(self) -> Settings:
        return self.policy.config.presence

    def on_signal(self, record: Record) -> None:
        """An event that may tell something about a person."""
        body = record.body
        name, payload = body.get("event"), body.get("payload")
        if record.session is None or not isinstance(payload, dict):
            return
        if name == "UserPromptSubmit":
            if is_typed_by_a_person(payload, attended=client_of(body).attended):
                self.presence.typed(record.session, record.at)
        elif name == "Notification" and payload.get("notification_type") == "permission_prompt":
            self.presence.unheeded(record.session, record.at)
            self.bus.presence(record.session)

    def attention(self) -> Attention:
        now = self.clock()
        can_push = any(not surface.trouble for surface in self.surfaces.values())
        is_shown_elsewhere = self.team is not None and self.team.is_connected and self.policy.config.team.share
        is_reachable = can_push or self.presence.has_a_page(now) or self.live.watched or is_shown_elsewhere
        return Attention(away=self.presence.is_away(now), reachable=is_reachable)

    def page(self, name: str, *, focused: bool) -> None:
        self.presence.page(name, self.clock(), focused=focused)
        if not focused:
            self.bus.presence()

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
        self.bus.presence()

    def told(self) -> dict[str, Any]:
        """As every screen shows it."""
        now, presence = self.clock(), self.presence
        is_away = presence.is_away(now)
        sign = presence.sign(now)
        return {
            "away": is_away,
            "away_since": presence.said.away_since if is_away else None,
            "away_until": presence.said.away_until if is_away else None,
            "quiet_until": presence.quiet_until(now, self.settings.quiet),
            "at_desk": sign is not None,
            "why": sign.words if sign else "",
            "last_seen": presence.last_seen(),
            "reachable": self.attention().reachable,
            # How many devices would be notified.
            "push": len(self.subscriptions.current()),
        }
