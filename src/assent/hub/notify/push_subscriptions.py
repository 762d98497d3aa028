"""Push subscriptions of devices. The addresses are secrets: they are in this file alone."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from assent.hub.bus import Bus
from assent.hub.state_file import DebouncedFile
from assent.surfaces.webpush import Subscription

log = logging.getLogger("assent.hub")

MOST = 64


class _File(msgspec.Struct, frozen=True):
    subscriptions: list[Subscription]


class LetIn(Protocol):
    def is_let_in(self, device: str) -> bool:
        """Whether it may still come in."""


@dataclass(slots=True)
class PushSubscriptions:
    saved: DebouncedFile
    # A device that was sent away is told nothing more.
    devices: LetIn
    bus: Bus = field(default_factory=Bus)
    _by_device: dict[str, Subscription] = field(default_factory=dict)

    def __post_init__(self) -> None:
        content = self.saved.read()
        try:
            subscriptions = msgspec.json.decode(content, type=_File).subscriptions if content else []
        except msgspec.DecodeError:
            subscriptions = []
            log.error("%s cannot be read: devices have to turn notifications on again", self.saved.path.name)
        self._by_device = {one.device: one for one in subscriptions}

    def current(self) -> Sequence[Subscription]:
        return [one for one in self._by_device.values() if self.devices.is_let_in(one.device)]

    def of(self, device: str) -> Subscription | None:
        return self._by_device.get(device) if self.devices.is_let_in(device) else None

    def put(self, subscription: Subscription) -> None:
        # The same browser may have been let in anew.
        others = [one for one in self.current() if subscription.endpoint != one.endpoint]
        others = [one for one in others if one.device != subscription.device][-(MOST - 1) :]
        self._by_device = {one.device: one for one in (*others, subscription)}
        self._write()

    def remove(self, device: str) -> None:
        if self._by_device.pop(device, None) is not None:
            self._write()

    def gone(self, subscription: Subscription) -> None:
        if self._by_device.get(subscription.device) == subscription:
            self.remove(subscription.device)

    def _write(self) -> None:
        self.saved.put(msgspec.json.encode(_File(list(self._by_device.values()))))
        self.bus.presence()
