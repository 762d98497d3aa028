"""A Linux desktop without a screen: what shows notifications, and a ``gdbus`` that reaches it.

The program is a stand-in of a few lines that hands its arguments to this process. What it is told is read by GVariant's
rules, and refused in the words of a real bus."""

import itertools
import re
import socket
import socketserver
import sys
import threading
from dataclasses import dataclass, field
from io import BufferedIOBase
from pathlib import Path
from typing import Any

NAME = "org.freedesktop.Notifications"
CAPABILITIES = "(['actions', 'body', 'body-markup', 'persistence'],)"
# Started some hundred times, so it imports next to nothing. Its parts are divided by 31, and end with 0.
PROGRAM = """#!{python} -IS
import _socket, posix, sys
wire = _socket.socket(_socket.AF_UNIX)
wire.connect(posix.environ[b"DBUS_SESSION_BUS_ADDRESS"].removeprefix(b"unix:path="))
wire.sendall("\\37".join(sys.argv[1:]).encode() + b"\\0")
said = b""
while part := wire.recv(65536):
    said += part
    while b"\\0" in said:
        one, _, said = said.partition(b"\\0")
        code, out, err = one.split(b"\\37")
        posix.write(1, out)
        posix.write(2, err)
        if code:
            posix._exit(int(code))
"""
_STRING = re.compile(r'"((?:[ !#-\[\]-~]|\\.)*)"')
_ESCAPE = re.compile(r"\\(u[0-9a-f]{4}|U[0-9a-f]{8}|.)")


@dataclass
class Shown:
    title: str
    text: str
    # What is told when it is pressed, by what stands on it.
    buttons: dict[str, str]
    urgency: int


class BusError(Exception):
    """What a bus answers instead."""


@dataclass
class Desktop:
    folder: Path
    # The life of the desktop: another one begins to count anew.
    owner: str = ":1.7"
    shown: dict[int, Shown] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)
    moods: list[str] = field(default_factory=list)
    is_there: bool = True
    hangs: bool = False
    tries: int = 0
    listeners: list[Any] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    _numbers: Any = field(default_factory=lambda: itertools.count(1))
    _server: Any = None

    @property
    def gdbus(self) -> str:
        return str(self.folder / "gdbus")

    @property
    def address(self) -> str:
        return f"unix:path={self.folder / 'bus'}"

    def __enter__(self) -> "Desktop":
        program = Path(self.gdbus)
        program.write_text(PROGRAM.format(python=sys.executable))
        program.chmod(0o755)
        self._server = _Server(str(self.folder / "bus"), _handler(self))
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()

    def press(self, number: int, words: str) -> None:
        """Somebody presses what stands on it; everybody who listens is told."""
        self.tell(number, self.shown[number].buttons[words])

    def tell(self, number: int, what: str) -> None:
        line = f"/{NAME.replace('.', '/')}: {NAME}.ActionInvoked (uint32 {number}, '{what}')\n"
        for wire in self.listeners:
            wire.sendall(_packed("", line, ""))

    def call(self, args: list[str]) -> str:
        """What a call answers. Raises BusError."""
        method, given = args[args.index("--method") + 1], args[args.index("--") + 1 :]
        match method.rpartition(".")[2]:
            case "GetId":
                return "('5ac2e59f97f7e16704f204606afb49ca',)"
            case "GetNameOwner" | "GetCapabilities" if not self.is_there:
                raise BusError("org.freedesktop.DBus.Error.ServiceUnknown: The name was not provided by any file")
            case "GetNameOwner":
                return f"('{self.owner}',)"
            case "GetCapabilities":
                return CAPABILITIES
            case "OpenURI":
                self.opened.append(_text(given[1]))
                return "(objectpath '/org/freedesktop/portal/desktop/request/1_7/t',)"
            case "CloseNotification":
                self._tried()
                if self.shown.pop(_number(given[0], "uint32"), None) is None:
                    raise BusError("org.freedesktop.DBus.Error.Failed: Notification is not known")
                return "()"
            case "Notify":
                self._tried()
                return f"(uint32 {self._notify(*given)},)"
        raise BusError(f"org.freedesktop.DBus.Error.UnknownMethod: No such method {method}")

    def _tried(self) -> None:
        self.tries += 1
        if self.hangs:
            self.released.wait(30)
        if self.moods:
            raise BusError(self.moods.pop(0))

    def _notify(
        self, app: str, replaces: str, icon: str, title: str, text: str, actions: str, hints: str, expires: str
    ) -> int:
        assert (_text(app), _text(icon), _number(expires, "int32")) == ("Assent", "", 0)
        words = [_unescaped(word) for word in _STRING.findall(actions)]
        assert actions == "@as []" or len(words) % 2 == 0
        urgency = re.fullmatch(r"@a\{sv\} \{'urgency': <byte (\d)>\}", hints)
        assert urgency is not None
        number = _number(replaces, "uint32") or next(self._numbers)
        buttons = {label: what for what, label in zip(words[::2], words[1::2], strict=True) if what != "default"}
        self.shown[number] = Shown(_text(title), _text(text), buttons, int(urgency[1]))
        return number


def _text(argument: str) -> str:
    found = _STRING.fullmatch(argument)
    assert found is not None, f"not a string of GVariant: {argument!r}"
    return _unescaped(found[1])


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1][1:], 16)) if found[1][0] in "uU" else found[1], text)


def _number(argument: str, kind: str) -> int:
    assert argument.startswith(f"{kind} ")
    return int(argument.removeprefix(f"{kind} "))


def _packed(code: str, out: str, err: str) -> bytes:
    return f"{code}\37{out}\37{err}\0".encode()


def _unpacked(wire: BufferedIOBase) -> list[str]:
    said = b""
    while not said.endswith(b"\0"):
        said += wire.read(1)
    return said[:-1].decode().split("\37")


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 64


def _handler(desktop: Desktop) -> type[socketserver.StreamRequestHandler]:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            args = _unpacked(self.rfile)
            if args[0] == "monitor":
                wire: socket.socket = self.request
                desktop.listeners.append(wire)
                self.rfile.read()
                desktop.listeners.remove(wire)
                return
            try:
                said = _packed("0", f"{desktop.call(args)}\n", "")
            except BusError as error:
                said = _packed("1", "", f"Error: GDBus.Error:{error}\n")
            try:
                self.wfile.write(said)
            except OSError:
                # Nobody waits for it any more.
                return

    return Handler
