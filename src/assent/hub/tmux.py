"""Going to a pane of tmux: selects it, and switches the client in front of which its person sits.

Socket and pane come from the environment of an agent's hook. The socket is used only if it belongs to the hub's user
and lies in a folder that no other user can write to; nothing is passed through a shell."""

import asyncio
import os
import shutil
import stat
import subprocess
from dataclasses import dataclass

from assent.protocol.terminal import PANE, Terminal
from assent.text.safe import plain_line

PATIENCE = 3.0
LARGEST = 1 << 16
_CLIENTS = "#{client_activity} #{client_control_mode} #{pane_id} #{client_name}"


class TmuxError(Exception):
    """What did not work, as a sentence."""


@dataclass(frozen=True, slots=True)
class _Attached:
    activity: int
    pane: str
    name: str


def check(socket: str) -> None:
    """Raise TmuxError where the socket must not be used."""
    folder = os.path.dirname(socket)  # noqa: PTH120 - text that came from elsewhere
    try:
        of_socket, of_folder = os.lstat(socket), os.stat(folder)  # noqa: PTH116
    except (OSError, ValueError):
        raise TmuxError("The tmux server of this session is gone.") from None
    mine = os.getuid()
    if not stat.S_ISSOCK(of_socket.st_mode) or of_socket.st_uid != mine:
        raise TmuxError("What the session names as its tmux server is no socket of yours.")
    if of_folder.st_uid != mine or of_folder.st_mode & 0o022:
        raise TmuxError("The socket of the session's tmux lies in a folder that others can write to.")


async def jump(terminal: Terminal, origin: str = "") -> bool:
    """Whether a client was switched to the pane; otherwise it is selected for the next one that attaches. ``origin`` is
    the pane from which the person goes there: its client is the one to switch. Raises TmuxError."""
    check(terminal.socket)
    pane = terminal.pane
    if not PANE.fullmatch(pane):
        raise TmuxError("The session names no pane of tmux.")
    clients = [
        found
        for line in (await _run(terminal.socket, "list-clients", "-F", _CLIENTS)).splitlines()
        if (found := _read(line))
    ]
    await _run(terminal.socket, "select-window", "-t", pane, ";", "select-pane", "-t", pane)
    if not clients:
        return False
    chosen = max(clients, key=lambda each: (bool(origin) and each.pane == origin, each.activity))
    await _run(terminal.socket, "switch-client", "-c", chosen.name, "-t", pane)
    return True


def _read(line: str) -> _Attached | None:
    """None for a program that drives tmux instead of a person."""
    activity, _, rest = line.partition(" ")
    control, _, rest = rest.partition(" ")
    pane, _, name = rest.partition(" ")
    return _Attached(int(activity), pane, name) if activity.isdigit() and control == "0" and name else None


def _done(argv: list[str], env: dict[str, str]) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        argv, env=env, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False
    )


async def _run(socket: str, *words: str) -> str:
    program = shutil.which("tmux")
    if program is None:
        raise TmuxError("tmux is not in the hub's PATH.")
    # Nothing of the hub's own surroundings, in which it may itself run below tmux.
    env = {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"}
    try:
        done = await asyncio.to_thread(_done, [program, "-S", socket, *words], env)
    except subprocess.TimeoutExpired:
        raise TmuxError("tmux did not answer.") from None
    if done.returncode:
        words_of_tmux = plain_line(done.stderr[:LARGEST].decode("utf-8", "replace"), 200)
        raise TmuxError(f"tmux could not go there: {words_of_tmux or 'it said nothing'}.")
    return done.stdout[:LARGEST].decode("utf-8", "replace")
