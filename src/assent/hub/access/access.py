"""Access control as the daemon builds it: devices, gatekeeper, routes, and the listener for other machines."""

import asyncio
import logging
import ssl
from dataclasses import dataclass, field
from typing import Any

from assent import keys
from assent.config import Remote
from assent.hub.access.agents import Agents
from assent.hub.access.api import AccessApi, shown
from assent.hub.access.devices import Devices, Kind
from assent.hub.access.gatekeeper import Gatekeeper
from assent.hub.access.origin import Origins
from assent.hub.access.places import Places, places, with_port
from assent.hub.access.remote import DoorError, RemoteDoor, open_door
from assent.hub.bus import now_ms
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.hub.recorder import Recording
from assent.paths import Paths

log = logging.getLogger("assent.hub")

TUNNEL_PORT = 443
# Between two looks at the certificate.
REFRESH = 3600.0
WITHOUT_TLS = "Devices may answer without TLS ([remote] allow_without_tls): anyone on the network can answer for you."


@dataclass(slots=True)
class Access:
    paths: Paths
    policy: SettingsInForce
    agents: Agents
    recorder: Recording
    # Of the loopback door.
    port: int | None
    gatekeeper: Gatekeeper = field(init=False)
    api: AccessApi = field(init=False)
    door: RemoteDoor | None = field(init=False, default=None)
    trouble: str | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.gatekeeper = Gatekeeper(
            post_token=keys.post_token(self.paths),
            cookie_key=keys.cookie_key(self.paths),
            origins=Origins(self.agents),
            devices=Devices(self.paths.keys / "devices.json"),
            policy=self.policy,
            places=self._open(),
            # Cookies ignore ports: two hubs on this machine must not overwrite each other's.
            cookie_name=f"assent-{self.port}",
        )
        self.api = AccessApi(self.gatekeeper, self, self.recorder)

    @property
    def remote(self) -> Remote:
        return self.policy.config.remote

    def _open(self) -> Places:
        """The door for other machines. The settings as they are now hold until the hub starts again."""
        port, remote = self.port, self.remote
        try:
            self.door = open_door(remote, self.paths.keys)
        except DoorError as error:
            self.trouble = f"{error} Mend [remote] in {self.paths.config}, then `assent restart`."
            log.error("%s", self.trouble)
        if door := self.door:
            asyncio.get_running_loop().call_later(REFRESH, self._refresh)
            log.info("other machines reach the hub at %s", door.url)
            return places(port, remote=door.name, remote_port=door.port, tls=door.tls is not None)
        return places(port, tunnel=_tunnel(remote))

    def _refresh(self) -> None:
        """Reload a certificate that was renewed, by us or by its issuer."""
        assert self.door is not None
        try:
            self.door.refresh()
        except (OSError, ssl.SSLError) as error:
            log.error("the certificate for other machines could not be renewed: %s", error)
        asyncio.get_running_loop().call_later(REFRESH, self._refresh)

    def address(self, kind: Kind) -> tuple[str, str]:
        """Where a browser finds the page, and what is wrong with that."""
        local = f"http://localhost:{self.port}"
        if kind == "desk":
            return local, ""
        if self.door:
            lifted = self.door.tls is None and self.remote.allow_without_tls
            return self.door.url, WITHOUT_TLS if lifted else _note(self.door)
        if tunnel := _tunnel(self.remote):
            return f"https://{tunnel}", ""
        return local, self.trouble or ""

    def status(self) -> dict[str, Any]:
        return {
            "new_devices": [shown(device) for device in self.gatekeeper.devices.new(now_ms())],
            "remote": self.elsewhere(),
            "remote_trouble": self.trouble,
            # Stays as long as it is so.
            "remote_warning": WITHOUT_TLS if self.remote.allow_without_tls else None,
        }

    def elsewhere(self) -> str | None:
        """The address for other machines, if they have one."""
        tunnel = _tunnel(self.remote)
        return self.door.url if self.door else f"https://{tunnel}" if tunnel else None

    def link(self, ask: str) -> str:
        """Where a phone can open it: not on loopback, which is another machine there."""
        url = self.elsewhere()
        return f"{url}/a/{ask}" if url else ""

    def authority_certificate(self) -> bytes:
        return self.door.authority.download() if self.door and self.door.authority else b""


def _note(door: RemoteDoor) -> str:
    if door.tls is None:
        return "Without TLS the device may watch and deny, and anyone on the network can read along."
    if door.authority is None:
        return ""
    return (
        "Once for each device: it must trust the hub's own certificate. Open this address there and install it,\n"
        f"if its SHA-256 fingerprint is the one below (docs/remote.md shows where):\n  {door.url}/ca.crt\n"
        f"  {door.authority.fingerprint()}"
    )


def _tunnel(remote: Remote) -> str:
    """What a browser at the far end of a tunnel calls this machine."""
    if remote.bind or not remote.name:
        return ""
    return with_port(remote.name, TUNNEL_PORT if remote.port is None else remote.port, "https")
