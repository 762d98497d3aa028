"""Ways by which another machine can reach this hub, as far as this machine tells. Nothing is opened or changed."""

import asyncio
import json
import shutil
import socket
from typing import Any

from msgspec import Struct

PATIENCE = 2.0
# Of a range that no network uses: a route to it tells which address of ours others see. Nothing is sent.
NOWHERE = ("192.0.2.1", 9)


class Way(Struct, frozen=True):
    """One of them, in words, and what to type for it, in order."""

    title: str
    text: str
    commands: tuple[str, ...] = ()
    # This machine has what it needs.
    found: bool = False


CHAT = Way(
    "A chat",
    "Asks come to a chat of yours and are answered there. No port is opened. Also: slack, ntfy.",
    ("assent connect telegram",),
    found=True,
)


async def ways(port: int | None) -> tuple[Way, ...]:
    """From anywhere, from this network, and without any address of ours."""
    return _tailscale(await _tailnet_name(), port), _lan(_own_address()), CHAT


def _tailscale(name: str, port: int | None) -> Way:
    title, serve = "Tailscale", f"tailscale serve --bg {port}"
    if not name:
        text = "Not found here. With it on both machines, a phone reaches the hub from anywhere, over TLS."
        return Way(title, text, (serve, "assent pair --over NAME.ts.net"))
    text = f"This machine is {name}. A phone in the same tailnet reaches the hub from anywhere, over TLS."
    return Way(title, text, (serve, f"assent pair --over {name}"), found=True)


def _lan(address: str) -> Way:
    if not address:
        return Way("This network", "No address of this machine was found that others could use.")
    text = (
        f"Phones in the same network reach {address}. The hub makes a certificate of its own, which each phone "
        "installs once; the next step shows how."
    )
    return Way("This network", text, (f"assent pair --over {address}",), found=True)


async def _tailnet_name() -> str:
    """What Tailscale calls this machine; empty where it is not there, or not on."""
    program = shutil.which("tailscale")
    if program is None:
        return ""
    try:
        process = await asyncio.create_subprocess_exec(
            program,
            "status",
            "--json",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        return ""
    try:
        async with asyncio.timeout(PATIENCE):
            told, _ = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return ""
    return _name_in(told)


def _name_in(told: bytes) -> str:
    try:
        status: Any = json.loads(told)
        name = status["Self"]["DNSName"] if status["BackendState"] == "Running" else ""
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return str(name).rstrip(".").lower()


def _own_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect(NOWHERE)
            address = str(sock.getsockname()[0])
        except OSError:
            return ""
    return "" if address.startswith(("127.", "0.")) else address
