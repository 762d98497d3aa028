"""A Linux desktop without a screen: a D-Bus on a socket, and what shows notifications on it.

The bus is a stand-in that speaks the real protocol to one client at a time and refuses in the words of a real one;
``RealBusDesktop`` is the same desktop on a bus of ``dbus-daemon``."""

import itertools
import shutil
import socket
import socketserver
import subprocess
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jeepney import DBusAddress, HeaderFields, Message, MessageType, Parser, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
PORTAL = "org.freedesktop.portal.Desktop"
CAPABILITIES = ["actions", "body", "body-markup", "persistence"]
BUS_ID = "5ac2e59f97f7e16704f204606afb49ca"
DAEMON = shutil.which("dbus-daemon")

# Signature and body of an answer.
Answer = tuple[str, tuple[Any, ...]]


@dataclass
class Shown:
    title: str
    text: str
    # What is told when it is pressed, by what stands on it.
    buttons: dict[str, str]
    urgency: int


class BusError(Exception):
    """What is answered instead: the error's name, a colon and its text."""


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
    # Connections that wait for presses.
    listeners: list[Any] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    _numbers: Any = field(default_factory=lambda: itertools.count(1))
    _server: Any = None

    @property
    def address(self) -> str:
        return f"unix:path={self.folder / 'bus'}"

    def __enter__(self) -> "Desktop":
        self._server = _Server(str(self.folder / "bus"), _handler(self))
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()

    def press(self, number: int, words: str) -> None:
        """Press a button of it; all listeners are told."""
        self.tell(number, self.shown[number].buttons[words])

    def tell(self, number: int, what: str, sender: str = "") -> None:
        signal = new_signal(DBusAddress(PATH, interface=NAME), "ActionInvoked", "us", (number, what))
        signal.header.fields[HeaderFields.sender] = sender or self.owner
        for client in self.listeners:
            client.send(signal)

    def call(self, method: str, body: tuple[Any, ...]) -> Answer:
        """What a call answers. Raises BusError."""
        match method, body:
            case "Hello", ():
                return "s", (":1.42",)
            case "AddMatch", (rule,):
                assert f"sender='{NAME}'" in rule
                return "", ()
            case "GetId", ():
                return "s", (BUS_ID,)
            case (("GetNameOwner" | "GetCapabilities"), _) if not self.is_there:
                raise BusError("org.freedesktop.DBus.Error.ServiceUnknown: The name was not provided by any file")
            case "GetNameOwner", ("org.freedesktop.Notifications",):
                return "s", (self.owner,)
            case "GetCapabilities", ():
                return "as", (CAPABILITIES,)
            case "OpenURI", ("", url, {}):
                self.opened.append(url)
                return "o", ("/org/freedesktop/portal/desktop/request/1_7/t",)
            case "CloseNotification", (number,):
                self._tried()
                if self.shown.pop(number, None) is None:
                    raise BusError("org.freedesktop.DBus.Error.Failed: Notification is not known")
                return "", ()
            case "Notify", _:
                self._tried()
                return "u", (self._notify(*body),)
        raise BusError(f"org.freedesktop.DBus.Error.UnknownMethod: No such method {method}")

    def answer(self, call: Message) -> Message:
        fields = call.header.fields
        try:
            signature, body = self.call(fields[HeaderFields.member], call.body)
        except BusError as error:
            name, _, text = str(error).partition(": ")
            return new_error(call, name, "s", (text,))
        return new_method_return(call, signature or None, body)

    def _tried(self) -> None:
        self.tries += 1
        if self.hangs:
            self.released.wait(30)
        if self.moods:
            raise BusError(self.moods.pop(0))

    def _notify(
        self,
        app: str,
        replaces: int,
        icon: str,
        title: str,
        text: str,
        actions: list[str],
        hints: dict[str, tuple[str, Any]],
        expires: int,
    ) -> int:
        assert (app, icon, expires, list(hints)) == ("Assent", "", 0, ["urgency"])
        kind, urgency = hints["urgency"]
        assert kind == "y"
        number = replaces or next(self._numbers)
        pairs = zip(actions[::2], actions[1::2], strict=True)
        buttons = {label: what for what, label in pairs if what != "default"}
        self.shown[number] = Shown(title, text, buttons, urgency)
        return number


class RealBusDesktop(Desktop):
    """On a real bus: it takes the two names there, and answers what the bus brings."""

    _daemon: subprocess.Popen[str]
    _connection: DBusConnection

    def __enter__(self) -> "RealBusDesktop":
        assert DAEMON is not None
        command = [DAEMON, "--session", "--nofork", "--nopidfile", f"--address={self.address}", "--print-address"]
        self._daemon = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._daemon.stdout is not None
        self._daemon.stdout.readline()
        self._connection = open_dbus_connection(self.address)
        self.owner = self._connection.unique_name
        for name in (NAME, PORTAL):
            self._connection.send_and_get_reply(message_bus.RequestName(name))
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._daemon.terminate()
        self._daemon.communicate()
        self._connection.close()

    def tell(self, number: int, what: str, sender: str = "") -> None:
        assert not sender, "a real bus says itself who sent a signal"
        self._connection.send(new_signal(DBusAddress(PATH, interface=NAME), "ActionInvoked", "us", (number, what)))

    def _serve(self) -> None:
        try:
            while True:
                message = self._connection.receive()
                if message.header.message_type is MessageType.method_call:
                    self._connection.send(self.answer(message))
        except (OSError, EOFError):
            # The bus has ended.
            return


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 64


class _Client:
    """The bus's end of one connection."""

    def __init__(self, wire: Any) -> None:
        self._wire = wire
        self._serials = itertools.count(1)

    def send(self, message: Message) -> None:
        self._wire.sendall(message.serialise(next(self._serials)))

    def leave(self) -> None:
        self._wire.shutdown(socket.SHUT_RDWR)


def _handler(desktop: Desktop) -> type[socketserver.StreamRequestHandler]:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            assert self.rfile.readline().startswith(b"\0AUTH EXTERNAL ")
            self.wfile.write(f"OK {BUS_ID}\r\n".encode())
            assert self.rfile.readline() == b"BEGIN\r\n"
            client, parser = _Client(self.request), Parser()
            try:
                while data := self.rfile.read1():
                    parser.add_data(data)
                    while (call := parser.get_next_message()) is not None:
                        client.send(desktop.answer(call))
                        if call.header.fields[HeaderFields.member] == "AddMatch":
                            desktop.listeners.append(client)
            except OSError:
                # The client has left.
                pass
            finally:
                if client in desktop.listeners:
                    desktop.listeners.remove(client)

    return Handler
