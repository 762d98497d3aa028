"""What waits, in one line.

It is run every few seconds beside every agent, so it starts without what other verbs need: no library for command
lines, no client, no models; its one request is small. It never waits for anybody, and never fails."""

import json
import os
import select
import socket
import sys
import time
from typing import Any

from assent import paths as locations
from assent.words import signs, times

LARGEST = 64 << 10
# For whoever writes to standard input, and for the hub.
PATIENCE = 0.2
HUB_PATIENCE = 0.5
DOWN = "hub down"
_COLOURS = {"care": "33", "danger": "31"}
_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")


def run(*, is_ascii: bool = False) -> None:
    """Print it."""
    session = named(given())
    known = asked(session)
    # Claude Code draws colours though it reads from a pipe; a prompt or tmux would show their codes.
    is_coloured = not os.environ.get("NO_COLOR") and (bool(session) or sys.stdout.isatty())
    line = DOWN if known is None else said(known, is_coloured=is_coloured and not is_ascii)
    shown = signs.plain(line) if is_ascii else line
    encoding = sys.stdout.encoding or "utf-8"
    try:
        # A terminal that cannot show a sign gets a question mark.
        sys.stdout.write(shown.encode(encoding, "replace").decode(encoding) + "\n")
        sys.stdout.flush()
    except (OSError, ValueError):
        # Nobody reads it. What is left must not fail on the way out, either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def said(known: dict[str, Any], *, is_coloured: bool = False) -> str:
    """``▲1 ■1 · phone 12s · queue 2``"""
    now, asks = known["now"], known.get("asks", {})
    counted = [_counted(kind, asks[kind], is_coloured) for kind in (*signs.RISKS, *signs.KINDS) if asks.get(kind)]
    parts = [
        " ".join(counted),
        f"phone {times.span(now - known['told'])}" if known.get("told") else "",
        f"phone in {times.span(known['due'] - now)}" if known.get("due") else "",
        f"queue {known['queued']}" if known.get("queued") else "",
        f"{known['elsewhere']} elsewhere" if known.get("elsewhere") else "",
        "away" if known.get("away") else "",
        f"paused {times.span(known['paused_s'] * 1000)}" if known.get("paused_s") else "",
    ]
    return " · ".join(filter(None, parts)) or "✓ assent"


def _counted(kind: str, count: int, is_coloured: bool) -> str:
    sign = signs.KINDS[kind][0] if kind in signs.KINDS else signs.risk_sign(kind)
    colour = _COLOURS.get(kind) if is_coloured else None
    return f"\x1b[{colour}m{sign}{count}\x1b[0m" if colour else f"{sign}{count}"


def named(given: bytes) -> str:
    """The session that Claude Code names; "" where nobody does."""
    try:
        found = json.loads(given).get("session_id")
    except (ValueError, AttributeError, RecursionError):
        return ""
    return found if isinstance(found, str) else ""


def given() -> bytes:
    """What stands on standard input by now. Nobody is waited for: not a person, and not whoever forgot to close it."""
    found, end = b"", time.monotonic() + PATIENCE
    try:
        if sys.stdin is None or sys.stdin.isatty():
            return b""
        fd = sys.stdin.fileno()
        while len(found) <= LARGEST and select.select([fd], [], [], max(0.0, end - time.monotonic()))[0]:
            part = os.read(fd, LARGEST)
            if not part:
                break
            found += part
    except (OSError, ValueError):
        return b""
    return found[:LARGEST]


def asked(session: str) -> dict[str, Any] | None:
    """What the hub knows; None if there is none, or it does not answer at once."""
    request = f"GET /api/line?session={_quoted(session)} HTTP/1.0\r\nHost: localhost\r\n\r\n"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as hub:
            hub.settimeout(HUB_PATIENCE)
            hub.connect(str(locations.find().desk_socket))
            hub.sendall(request.encode())
            received = b""
            while len(received) <= LARGEST and (part := hub.recv(LARGEST)):
                received += part
        head, _, body = received.partition(b"\r\n\r\n")
        known = json.loads(body) if head.split(b" ")[1:2] == [b"200"] else None
    except (OSError, ValueError):
        return None
    return known if isinstance(known, dict) and "now" in known else None


def _quoted(text: str) -> str:
    raw = text.encode("utf-8", "replace")[:200]
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in raw)
