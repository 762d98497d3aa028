"""Identity providers that are not ours, with the same two people and one client each, on loopback."""

import os
import shutil
import signal
import socket
import subprocess
import urllib.request
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from scripts import get_clients, get_identity_providers
from tests.e2e.lab.fetched import ALL_WANTED
from tests.waiting import until

HERE = Path(__file__).parent
# A minute of a processor for one of them.
START = 400.0
PASSWORD = "a password of a test"
# Before any test moves HOME.
KEYCLOAK = get_identity_providers.keycloak(os.environ)
OIDC_PROVIDER = get_identity_providers.oidc_provider(os.environ)
NODE = get_clients.node_of(os.environ)


def needed(*paths: Path | None) -> None:
    """Without them the test is skipped, and says so; in `make clients` it fails."""
    if not all(path is not None and path.exists() for path in paths):
        lacking = "an identity provider is not in the cache; `python -m scripts.get_identity_providers` fetches it"
        pytest.fail(lacking) if os.environ.get(ALL_WANTED) else pytest.skip(lacking)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class RealProvider(ABC):
    """Runs from ``start`` to ``stop``; what it says goes into a file of its folder."""

    folder: Path
    port: int = field(default_factory=free_port)
    _process: "subprocess.Popen[bytes] | None" = None

    client_id = "assent-team"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    @abstractmethod
    def issuer(self) -> str: ...

    @abstractmethod
    def answers(self, name: str) -> dict[str, str | None]:
        """What this person types in at its pages."""

    @abstractmethod
    def command(self) -> list[str]:
        """Called once, before it is started."""

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        environ = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LC_ALL": "C.UTF-8", **self.environ()}
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                self.command(), cwd=self.folder, env=environ, stdout=log, stderr=log, start_new_session=True
            )
        until(self._is_up, f"{self.issuer} answers; its log is {self.log}", START)

    def environ(self) -> dict[str, str]:
        return {}

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def _is_up(self) -> bool:
        assert self._process is not None
        if self._process.poll() is not None:
            raise AssertionError(f"it ended: {self.log.read_text(errors='replace')[-2_000:]}")
        try:
            with urllib.request.urlopen(f"{self.issuer}/.well-known/openid-configuration", timeout=60) as reply:
                return bool(reply.status == 200)
        except OSError:
            return False

    def stop(self) -> None:
        if self._process is not None:
            # Its own group: a script starts the program proper.
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


class Keycloak(RealProvider):
    @property
    def issuer(self) -> str:
        return f"{self.address}/realms/acme"

    def answers(self, name: str) -> dict[str, str | None]:
        return {"username": name, "password": PASSWORD, "accept": None}

    def environ(self) -> dict[str, str]:
        return {
            "JAVA_OPTS_KC_HEAP": "-Xmx512m",
            "KC_BOOTSTRAP_ADMIN_USERNAME": "admin",
            "KC_BOOTSTRAP_ADMIN_PASSWORD": PASSWORD,
        }

    def command(self) -> list[str]:
        needed(KEYCLOAK, Path(shutil.which("java") or "java"))
        # It writes beside its own files.
        place = self.folder / "keycloak"
        shutil.copytree(KEYCLOAK, place)
        (place / "data" / "import").mkdir(parents=True)
        shutil.copy(HERE / "keycloak.json", place / "data" / "import")
        own = [f"--http-port={self.port}", "--http-host=127.0.0.1", f"--hostname={self.address}"]
        return ["sh", str(place / "bin" / "kc.sh"), "start-dev", "--import-realm", "--db=dev-mem", *own]

    # What its administrator does.

    def disable(self, name: str) -> None:
        (person,) = self._admin("GET", f"users?username={name}&exact=true")
        self._admin("PUT", f"users/{person['id']}", {**person, "enabled": False})

    def rotate(self) -> None:
        """A new key signs from now on; the old ones are still published."""
        config = {"priority": ["200"], "keySize": ["2048"], "algorithm": ["RS256"]}
        made = {"name": "newer", "providerId": "rsa-generated", "providerType": "org.keycloak.keys.KeyProvider"}
        self._admin("POST", "components", {**made, "config": config})

    def _admin(self, method: str, path: str, body: object = None) -> Any:
        with httpx.Client(trust_env=False, timeout=60) as client:
            form = {"grant_type": "password", "client_id": "admin-cli", "username": "admin", "password": PASSWORD}
            token = client.post(f"{self.address}/realms/master/protocol/openid-connect/token", data=form)
            headers = {"Authorization": f"Bearer {token.raise_for_status().json()['access_token']}"}
            reply = client.request(method, f"{self.address}/admin/realms/acme/{path}", json=body, headers=headers)
            return reply.raise_for_status().json() if reply.content else None


class OidcProvider(RealProvider):
    """The one for Node that is certified by the OpenID Foundation, with its pages for development."""

    @property
    def issuer(self) -> str:
        return self.address

    def answers(self, name: str) -> dict[str, str | None]:
        return {"login": name, "password": PASSWORD, "prompt": None, "xsrf": None}

    def command(self) -> list[str]:
        needed(OIDC_PROVIDER, NODE)
        return [str(NODE), str(HERE / "server.mjs"), str(OIDC_PROVIDER), str(self.port)]
