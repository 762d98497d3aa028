"""All of access in one place, as the daemon builds it: devices, gatekeeper, routes, and the door for other machines."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from assent import keys
from assent.config import Remote
from assent.hub.access.api import AccessApi, shown
from assent.hub.access.devices import Devices, Kind
from assent.hub.access.gatekeeper import Gatekeeper, now_ms
from assent.hub.access.places import places, with_port
from assent.hub.access.remote import RemoteDoor
from assent.paths import Paths
from assent.protocol.record import Draft

TUNNEL_PORT = 443


@dataclass(slots=True)
class Access:
    paths: Paths
    remote: Callable[[], Remote]
    agent_pids: Callable[[], Collection[int]]
    record: Callable[[list[Draft]], object]
    gatekeeper: Gatekeeper = field(init=False)
    api: AccessApi = field(init=False)
    door: RemoteDoor | None = None
    trouble: str | None = None
    _port: int | None = None

    def __post_init__(self) -> None:
        self.gatekeeper = Gatekeeper(
            post_token=keys.post_token(self.paths),
            cookie_key=keys.cookie_key(self.paths),
            agent_pids=self.agent_pids,
            devices=Devices(self.paths.keys / "devices.json"),
            remote=self.remote,
        )
        self.api = AccessApi(self.gatekeeper, self.address, self.record)

    def opened(self, port: int | None) -> None:
        """The loopback door has its port. The settings as they are now hold until the hub starts again."""
        self._port = port
        # Cookies ignore ports: two hubs on this machine must not overwrite each other's.
        self.gatekeeper.cookie_name = f"assent-{port}"
        self.gatekeeper.places = places(port, tunnel=_tunnel(self.remote()))

    def address(self, kind: Kind) -> tuple[str, str]:
        """Where a browser finds the page, and what is wrong with that."""
        remote = self.remote()
        if kind == "phone" and (tunnel := _tunnel(remote)):
            return f"https://{tunnel}", ""
        note = ""
        if kind == "phone":
            note = "Only browsers on this machine reach the hub. docs/remote.md tells how to let other machines in."
        return f"http://localhost:{self._port}", note

    def status(self) -> dict[str, Any]:
        return {
            "new_devices": [shown(device) for device in self.gatekeeper.devices.new(now_ms())],
            "remote_trouble": self.trouble,
        }


def _tunnel(remote: Remote) -> str:
    """What a browser at the far end of a tunnel calls this machine."""
    if remote.bind or not remote.name:
        return ""
    return with_port(remote.name, TUNNEL_PORT if remote.port is None else remote.port, "https")
