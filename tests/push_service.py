"""A browser and its push service, as far as a sender can tell: over real HTTP on loopback, reading what it is sent."""

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from assent.surfaces.webpush_crypto import decoded, encoded

LARGEST = 4096


def decrypt(body: bytes, private: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """What a browser makes of an aes128gcm body of one record."""
    salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
    sender = body[21 : 21 + length]
    assert size >= 18
    assert len(body) <= LARGEST
    shared = private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
    info = b"WebPush: info\0" + point(private.public_key()) + sender
    mixed = HKDF(hashes.SHA256(), 32, auth, info).derive(shared)
    key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(mixed)
    nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(mixed)
    padded = AESGCM(key).decrypt(nonce, body[21 + length :], None).rstrip(b"\0")
    assert padded.endswith(b"\x02")
    return padded[:-1]


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass
class Browser:
    """The keys of one subscription."""

    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def p256dh(self) -> str:
        return encoded(point(self.private.public_key()))

    @property
    def auth(self) -> str:
        return encoded(self.secret)

    def read(self, body: bytes) -> bytes:
        return decrypt(body, self.private, self.secret)


@dataclass
class PushService:
    """Takes messages the way the standards say, or refuses as it is told to."""

    # The key subscriptions were made for; others are refused.
    sender: str
    port: int = 0
    browsers: dict[str, Browser] = field(default_factory=dict)
    # What to answer next, instead of taking it: status and headers.
    moods: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    delivered: list[tuple[str, dict[str, Any], dict[str, str]]] = field(default_factory=list)
    requests: int = 0
    # Takes connections, and never answers.
    hangs: bool = False
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    def subscribe(self, name: str) -> tuple[str, Browser]:
        browser = self.browsers[name] = Browser()
        return f"http://127.0.0.1:{self.port}/send/{name}", browser

    def shown(self, name: str) -> dict[str, dict[str, Any]]:
        """What that device shows now, by tag, if it obeys what it was sent."""
        shown: dict[str, dict[str, Any]] = {}
        for to, message, _ in self.delivered:
            if to != name:
                continue
            shown.pop(message["tag"], None)
            if "over" not in message:
                shown[message["tag"]] = message
        return shown

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            status, more = self._take(head[0], headers, body)
            if self.hangs:
                await reader.read()
                return
            lines = [f"HTTP/1.1 {status} Said", "Content-Length: 0", "Connection: close"]
            lines += [f"{name}: {value}" for name, value in more.items()]
            writer.write("\r\n".join([*lines, "", ""]).encode())
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
        async with self.news:
            self.news.notify_all()

    def _take(self, request: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str]]:
        self.requests += 1
        method, path, _ = request.split(" ")
        name = path.removeprefix("/send/")
        if method != "POST" or not path.startswith("/send/") or headers.get("host") != f"127.0.0.1:{self.port}":
            return 400, {}
        if self.hangs:
            return 0, {}
        if self.moods:
            return self.moods.pop(0)
        if name not in self.browsers:
            return 410, {}
        if not self._is_from_the_sender(headers.get("authorization", "")):
            return 403, {}
        if len(body) > LARGEST:
            return 413, {}
        if not headers.get("ttl", "").isdigit() or headers.get("content-encoding") != "aes128gcm":
            return 400, {}
        self.delivered.append((name, json.loads(self.browsers[name].read(body)), headers))
        return 201, {"Location": f"http://127.0.0.1:{self.port}/message/1"}

    def _is_from_the_sender(self, authorization: str) -> bool:
        kind, _, rest = authorization.partition(" ")
        fields = dict(part.strip().split("=", 1) for part in rest.split(",") if "=" in part)
        if kind != "vapid" or fields.get("k") != self.sender:
            return False
        head, claims, signature = fields["t"].split(".")
        raw = decoded(signature)
        der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(fields["k"]))
        key.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        payload = json.loads(decoded(claims))
        return bool(payload["aud"] == f"http://127.0.0.1:{self.port}" and 0 < payload["exp"] - time.time() <= 86_400)


@asynccontextmanager
async def push_service(sender: str) -> AsyncIterator[PushService]:
    service = PushService(sender)
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    service.port = server.sockets[0].getsockname()[1]
    try:
        yield service
    finally:
        server.close()
        await server.wait_closed()
