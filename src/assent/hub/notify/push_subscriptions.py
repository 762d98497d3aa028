"""Which devices want notifications, and how to reach them. The addresses are secrets: they are in this file alone."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from assent.hub.saved import Saved
from assent.surfaces.webpush import Subscription

log = logging.getLogger("assent.hub")

MOST = 64


class _File(msgspec.Struct, frozen=True):
    subscriptions: list[Subscription]


@dataclass(slots=True)
class Subscriptions:
    saved: Saved
    # A device that was sent away is told nothing more.
    is_let_in: Callable[[str], bool] = lambda _: True
    # Told when somebody can be reached who could not, or the other way round.
    changed: Callable[[], None] = lambda: None
    _by_device: dict[str, Subscription] = field(default_factory=dict)

    def __post_init__(self) -> None:
        content = self.saved.read()
        try:
            known = msgspec.json.decode(content, type=_File).subscriptions if content else []
        except msgspec.DecodeError:
            known = []
            log.error("%s cannot be read: devices have to turn notifications on again", self.saved.path.name)
        self._by_device = {one.device: one for one in known}

    def current(self) -> Sequence[Subscription]:
        return [one for one in self._by_device.values() if self.is_let_in(one.device)]

    def of(self, device: str) -> Subscription | None:
        return self._by_device.get(device) if self.is_let_in(device) else None

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
        self.changed()
