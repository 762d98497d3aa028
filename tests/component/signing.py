"""A browser's key, for tests: claims a link and signs requests as the page's own script does."""

import base64
import hashlib
import json
import os
import time
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from tests.component.hub_process import HubProcess


def packed(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


@dataclass
class Browser:
    """One browser on one hub. ``claim`` makes it a device."""

    hub: HubProcess
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    device: str = ""
    cookie: str = ""

    @property
    def public(self) -> str:
        spki = serialization.PublicFormat.SubjectPublicKeyInfo
        return packed(self.key.public_key().public_bytes(serialization.Encoding.DER, spki))

    def claim(self, code: str, name: str = "test", *, key: str | None = None) -> tuple[int, Any]:
        body = {"code": code, "name": name, "key": self.public if key is None else key}
        return self._taken(*self.hub.raw("POST", "/api/pair/claim", json.dumps(body).encode(), self.hub.own_page()))

    def finish(self, claim: str) -> tuple[int, Any]:
        body = json.dumps({"claim": claim}).encode()
        return self._taken(*self.hub.raw("POST", "/api/pair/finish", body, self.hub.own_page()))

    def _taken(self, status: int, text: bytes, headers: dict[str, str]) -> tuple[int, Any]:
        answer = json.loads(text)
        if "device" in answer:
            self.device = answer["device"]["id"]
        self.cookie = headers.get("set-cookie", self.cookie).partition(";")[0]
        return status, answer

    def headers(
        self, method: str, path: str, body: bytes, *, at: int | None = None, nonce: str | None = None
    ) -> dict[str, str]:
        moment, once = time.time_ns() // 1_000_000 if at is None else at, nonce or os.urandom(16).hex()
        whole = f"{method}\n{path}\n{moment}\n{once}\n{hashlib.sha256(body).hexdigest()}".encode()
        r, s = decode_dss_signature(self.key.sign(whole, ec.ECDSA(hashes.SHA256())))
        return {
            **self.hub.own_page(),
            "Assent-Device": self.device,
            "Assent-Time": str(moment),
            "Assent-Nonce": once,
            "Assent-Signature": packed(r.to_bytes(32) + s.to_bytes(32)),
        }

    def signed(self, method: str, path: str, value: Any = None) -> tuple[int, Any]:
        body = b"" if value is None else json.dumps(value).encode()
        return self.hub.tcp(method, path, body, self.headers(method, path, body))

    def read(self, path: str) -> tuple[int, Any]:
        return self.hub.tcp("GET", path, headers={"Cookie": self.cookie})


def desk_browser(hub: HubProcess) -> Browser:
    """A browser on the hub's machine whose user opened the printed link."""
    browser = Browser(hub)
    status, _ = browser.claim(hub.api("POST", "/api/pair")[1]["code"])
    assert status == 200
    return browser


def paired_phone(hub: HubProcess, scope: str = "answer") -> Browser:
    """A phone whose words were compared just now."""
    phone = Browser(hub)
    wanted = json.dumps({"for": "phone", "scope": scope}).encode()
    _, waiting = phone.claim(hub.api("POST", "/api/pair", wanted)[1]["code"])
    confirmation = json.dumps({"id": phone.device, "match": True}).encode()
    assert hub.api("POST", "/api/pair/confirm", confirmation)[0] == 200
    assert phone.finish(waiting["claim"])[0] == 200
    return phone
