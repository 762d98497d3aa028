"""Where an agent's screen is, as far as there is a way to go there: tmux, an editor, or iTerm2.

It comes from the environment of a hook. So it says where to look and grants nothing, and what is not exactly as it
should be counts as unknown. Whether the socket may be used is looked at when it is (``hub/tmux.py``)."""

import re
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import quote

import msgspec
from msgspec import Struct

from assent.expressions import later

# What a hub wants to know of a hook's environment for this, whatever the harness.
VARIABLES = (
    "TMUX",
    "TMUX_PANE",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "ITERM_SESSION_ID",
    # By these another program, or a window on another machine, is told from the editor here.
    "CURSOR_TRACE_ID",
    "SSH_CONNECTION",
    "REMOTE_CONTAINERS",
    "WSL_DISTRO_NAME",
)
_ELSEWHERE = ("CURSOR_TRACE_ID", "SSH_CONNECTION", "REMOTE_CONTAINERS", "WSL_DISTRO_NAME")
# Where the record of an event holds it.
FIELD = "terminal"

PANE = later(r"%[0-9]{1,9}", re.ASCII)
# A Unix socket's path is shorter than 108 bytes. tmux separates path, process and session by commas.
_SOCKET = later(r"/[^\x00-\x1f\x7f,]{1,106}")
# Window, tab and pane when it was opened, and what stays the same when they move.
_ITERM = later(r"w[0-9]{1,4}t[0-9]{1,4}p[0-9]{1,4}:[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", re.ASCII)
_TMUX = later(r"(?P<socket>[^,]+),[0-9]{1,12},[0-9]{1,12}", re.ASCII)


class Terminal(Struct, frozen=True, omit_defaults=True):
    kind: Literal["tmux", "vscode", "vscode-insiders", "iterm2"]
    # Of tmux.
    socket: str = ""
    pane: str = ""
    # Of iTerm2.
    session: str = ""


def of(env: Mapping[str, str]) -> Terminal | None:
    """None where no way is known."""
    if env.keys().isdisjoint(VARIABLES):
        return None
    if tmux := env.get("TMUX"):
        # Inside of it, all else is what surrounded the terminal in which its server was started.
        match, pane = _TMUX.fullmatch(tmux), env.get("TMUX_PANE", "")
        return valid(Terminal("tmux", match["socket"], pane)) if match else None
    if any(env.get(name) for name in _ELSEWHERE):
        return None
    if env.get("TERM_PROGRAM") == "iTerm.app":
        return valid(Terminal("iterm2", session=env.get("ITERM_SESSION_ID", "")))
    if env.get("TERM_PROGRAM") != "vscode":
        return None
    is_insiders = env.get("TERM_PROGRAM_VERSION", "").endswith("-insider")
    return Terminal("vscode-insiders" if is_insiders else "vscode")


def valid(terminal: Terminal) -> Terminal | None:
    """The same, if every part of it has the form it must have."""
    if terminal.kind == "iterm2":
        return terminal if _ITERM.fullmatch(terminal.session) else None
    if terminal.kind != "tmux":
        return terminal
    is_path = _SOCKET.fullmatch(terminal.socket) is not None and ".." not in terminal.socket.split("/")
    return terminal if is_path and PANE.fullmatch(terminal.pane) else None


def origin(terminal: Terminal, env: Mapping[str, str]) -> str:
    """The pane of the same tmux in which a program with this environment runs; "" where it does not."""
    own = of(env)
    return own.pane if own and own.kind == "tmux" and own.socket == terminal.socket else ""


def link(terminal: Terminal, folder: str) -> str:
    """The address that brings the editor's window with this folder, or the session of iTerm2, to the front; "" where
    there is none."""
    if terminal.kind == "iterm2":
        return f"iterm2:reveal?sessionid={terminal.session}"
    return (
        f"{terminal.kind}://file{quote(folder.rstrip('/'))}/" if terminal.kind != "tmux" and folder[:1] == "/" else ""
    )


def read(body: Mapping[str, Any]) -> Terminal | None:
    """What the record of an event says."""
    if FIELD not in body:
        return None
    try:
        return valid(msgspec.convert(body[FIELD], Terminal))
    except msgspec.ValidationError:
        return None
