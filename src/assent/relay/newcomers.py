"""Machines that joined a moment ago: announced to the other hubs of their owner, also to those that connect later."""

from assent.protocol.team import NEW_MACHINE_MS, KeyId, NewMachine
from assent.relay.hubs import KnownHub
from assent.relay.live import owner_name
from assent.relay.streams import Stream, Streams, event


class Newcomers:
    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        self._by_owner: dict[str, dict[KeyId, KnownHub]] = {}

    def announce(self, hub: KnownHub, now: int) -> None:
        """Once for each that is one."""
        if hub.is_workload or hub.revoked_at is not None or now - hub.joined_at >= NEW_MACHINE_MS:
            return
        of_owner = self._by_owner.setdefault(hub.owner.id, {})
        if hub.id in of_owner:
            return
        of_owner[hub.id] = hub
        for stream in self._streams.named([owner_name(hub.owner)]):
            if stream.hub.owner.id == hub.owner.id:
                _tell(stream, hub)

    def greet(self, stream: Stream) -> None:
        """Tell one that connected now."""
        if not stream.hub.is_workload:
            for hub in self._by_owner.get(stream.hub.owner.id, {}).values():
                _tell(stream, hub)

    def remove(self, hub: KeyId) -> None:
        for of_owner in self._by_owner.values():
            of_owner.pop(hub, None)

    def forget_old(self, now: int) -> None:
        for owner, hubs in list(self._by_owner.items()):
            left = {hub: known for hub, known in hubs.items() if now - known.joined_at < NEW_MACHINE_MS}
            if left:
                self._by_owner[owner] = left
            else:
                del self._by_owner[owner]


def _tell(stream: Stream, hub: KnownHub) -> None:
    if stream.hub.id != hub.id:
        stream.write(event("machine", NewMachine(hub.id, hub.machine, hub.joined_at)))
