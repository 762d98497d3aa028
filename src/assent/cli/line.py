"""One-line summary of what waits, for the status line.

It is run every few seconds beside every agent, so it starts without what other verbs need: no library for command
lines, no client, no models; its one request is small. It never waits, and never fails."""

import json
import os
import select
import socket
import sys
import time
from typing import Any

from assent import paths as locations
from assent.text import times, wording

LARGEST = 64 << 10
# For standard input, and for the hub.
PATIENCE = 0.2
HUB_PATIENCE = 0.5
DOWN = "hub down"
# By the role of a colour: whole styles would take too long to load.
_COLOURS = {"care": "33", "danger": "31"}
_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")


def run(*, is_ascii: bool = False) -> None:
    """Print it."""
    session = named(given())
    state = asked(session)
    # The agent's client draws colours though it reads from a pipe; a prompt or tmux would show their codes.
    is_coloured = not os.environ.get("NO_COLOR") and (bool(session) or sys.stdout.isatty())
    line = DOWN if state is None else said(state, is_coloured=is_coloured and not is_ascii)
    shown = wording.plain(line) if is_ascii else line
    encoding = sys.stdout.encoding or "utf-8"
    try:
        # A terminal that cannot show a sign gets a question mark.
        sys.stdout.write(shown.encode(encoding, "replace").decode(encoding) + "\n")
        sys.stdout.flush()
    except (OSError, ValueError):
        # The reader is gone. What is left must not fail on the way out, either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def said(state: dict[str, Any], *, is_coloured: bool = False) -> str:
    """``▲1 ■1 · phone 12s · queue 2``"""
    now, asks = state["now"], state.get("asks", {})
    counted = [_counted(kind, asks[kind], is_coloured) for kind in (*wording.RISKS, *wording.KINDS) if asks.get(kind)]
    parts = [
        " ".join(counted),
        f"phone {times.span(now - state['told'])}" if state.get("told") else "",
        f"phone in {times.span(state['due'] - now)}" if state.get("due") else "",
        f"queue {state['queued']}" if state.get("queued") else "",
        f"{state['elsewhere']} elsewhere" if state.get("elsewhere") else "",
        "away" if state.get("away") else "",
        f"paused {times.span(state['paused_s'] * 1000)}" if state.get("paused_s") else "",
    ]
    return " · ".join(filter(None, parts)) or "✓ assent"


def _counted(kind: str, count: int, is_coloured: bool) -> str:
    sign = wording.KINDS[kind].sign if kind in wording.KINDS else wording.risk_sign(kind)
    colour = _COLOURS.get(kind) if is_coloured else None
    return f"\x1b[{colour}m{sign}{count}\x1b[0m" if colour else f"{sign}{count}"


def named(given: bytes) -> str:
    """The session that the agent's client names; "" where it names none."""
    try:
        session = json.loads(given).get("session_id")
    except (ValueError, AttributeError, RecursionError):
        return ""
    return session if isinstance(session, str) else ""


def given() -> bytes:
    """What stands on standard input by now. Does not wait for more: not for a person, nor for a pipe left open."""
    data, end = b"", time.monotonic() + PATIENCE
    try:
        if sys.stdin is None or sys.stdin.isatty():
            return b""
        fd = sys.stdin.fileno()
        while len(data) <= LARGEST and select.select([fd], [], [], max(0.0, end - time.monotonic()))[0]:
            part = os.read(fd, LARGEST)
            if not part:
                break
            data += part
    except (OSError, ValueError):
        return b""
    return data[:LARGEST]


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
        state = json.loads(body) if head.split(b" ")[1:2] == [b"200"] else None
    except (OSError, ValueError):
        return None
    return state if isinstance(state, dict) and "now" in state else None


def _quoted(text: str) -> str:
    raw = text.encode("utf-8", "replace")[:200]
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in raw)
