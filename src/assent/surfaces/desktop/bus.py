"""The notifications of Linux desktops, over the session's D-Bus."""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jeepney import DBusAddress, DBusErrorResponse, HeaderFields, Message, MessageType, new_method_call
from jeepney.auth import BEGIN, Authenticator
from jeepney.bus import get_bus
from jeepney.bus_messages import MatchRule, message_bus
from jeepney.io.asyncio import DBusConnection
from jeepney.wrappers import unwrap_msg

from assent.surfaces.base import FailedError, GoneError, RateLimitedError, SurfaceError
from assent.surfaces.desktop.program import PATIENCE, Buttons

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
CALM = 2.0
_NO_SESSION = "no desktop session runs here"
_UNREADABLE = "The desktop answered something that cannot be read."
_NOTIFICATIONS = DBusAddress(PATH, NAME, NAME)
_PORTAL = "org.freedesktop.portal"
_OPENER = DBusAddress("/org/freedesktop/portal/desktop", f"{_PORTAL}.Desktop", f"{_PORTAL}.OpenURI")
_PRESSES = MatchRule(type="signal", sender=NAME, interface=NAME, member="ActionInvoked", path=PATH)
_ACTION = re.compile(r"[\w:.-]{1,400}")
_TOO_MANY = ("ExcessNotificationGeneration", "LimitsExceeded")
_NOBODY = ("ServiceUnknown", "NameHasNoOwner", "Spawn.")
_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
# A half of a pair is no character, and no string of the bus contains a zero.
_NO_TEXT = re.compile("[\ud800-\udfff\0]")


def session_bus() -> str:
    """Where the session's bus is; "" where there is none. A variable is not asked: a hub may have been started by a
    hook in an agent's environment, and is not to show people's asks on a bus of the agent's."""
    usual = Path(f"/run/user/{os.getuid()}/bus")
    return f"unix:path={usual}" if usual.exists() else ""


class Line:
    """A connection to the bus. Its errors are those of a surface."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._wire = DBusConnection(reader, writer)

    async def open(self) -> None:
        """Says who we are, which the socket proves."""
        login = Authenticator()
        async with _in_time():
            for request in login:
                self._wire.writer.write(request)
                login.feed(await self._wire.reader.readuntil(b"\r\n"))
            self._wire.writer.write(BEGIN)
        await self.call(message_bus.Hello())

    async def call(self, message: Message) -> tuple[Any, ...]:
        """What is answered."""
        serial = next(self._wire.outgoing_serial)
        async with _in_time():
            await self._wire.send(message, serial=serial)
            while True:
                answer = await self._wire.receive()
                if answer.header.fields.get(HeaderFields.reply_serial) == serial:
                    body: tuple[Any, ...] = unwrap_msg(answer)
                    return body

    async def desk(self) -> str:
        """Which life of which desktop this is: numbers of notifications begin anew with each."""
        (bus,) = await self.call(message_bus.GetId())
        (owner,) = await self.call(message_bus.GetNameOwner(NAME))
        return f"{bus}/{owner}"

    async def heard(self) -> Message:
        """The next signal, whenever it comes."""
        with _in_words():
            while (message := await self._wire.receive()).header.message_type is not MessageType.signal:
                pass
            return message


@dataclass(slots=True)
class Bus:
    # Told of every press: where the notification stands, and what was pressed.
    on_press: Callable[[str, str], Awaitable[None]]
    address: Callable[[], str] = session_bus
    can_press: bool = True
    # What a desktop is able to, and which one.
    _able: tuple[str, frozenset[str]] = ("", frozenset())

    @property
    def trouble(self) -> str:
        return "" if self.address() else _NO_SESSION

    async def show(self, title: str, text: str, buttons: Buttons, *, is_loud: bool, link: str, place: str) -> str:
        async with self._line() as line:
            desk = await line.desk()
            able = await self._abilities(line, desk)
            if "body-markup" in able:
                text = "".join(_ESCAPED.get(c, c) for c in text)
            if link:
                # What a click on the notification itself does.
                buttons = (*buttons, ("default", "Open"))
            actions = [_clean(word) for pair in buttons for word in pair] if "actions" in able else []
            number, _, where = place.partition("@")
            replaced = int(number) if number and where == desk else 0
            hints = {"urgency": ("y", 2 if is_loud else 1)}
            # With 0 at the end it stays until it is over.
            args = ("Assent", replaced, "", _clean(title), _clean(text), actions, hints, 0)
            answer = await line.call(new_method_call(_NOTIFICATIONS, "Notify", "susssasa{sv}i", args))
        match answer:
            case (int(shown),):
                return f"{shown}@{desk}"
        raise FailedError(_UNREADABLE)

    async def remove(self, place: str) -> None:
        number, _, where = place.partition("@")
        async with self._line() as line:
            # After a new login, the same number may be another program's.
            if where == await line.desk():
                await line.call(new_method_call(_NOTIFICATIONS, "CloseNotification", "u", (int(number),)))

    async def probe(self) -> None:
        await self._desk()

    async def pressed(self) -> None:
        async with self._line() as line:
            await line.call(message_bus.AddMatch(_PRESSES))
            while True:
                try:
                    signal = await line.heard()
                except SurfaceError:
                    raise FailedError("The desktop's bus is not heard any more.") from None
                match signal.body:
                    case (int(number), str(action)) if _ACTION.fullmatch(action):
                        desk = await self._desk()
                        # A signal may also be sent to us alone, and then by any program on the bus.
                        if desk.endswith(f"/{signal.header.fields.get(HeaderFields.sender)}"):
                            await self.on_press(f"{number}@{desk}", action)

    async def open(self, url: str) -> None:
        """By the desktop itself, for the hub has no screen."""
        async with self._line() as line:
            await line.call(new_method_call(_OPENER, "OpenURI", "ssa{sv}", ("", _clean(url), {})))

    async def _abilities(self, line: Line, desk: str) -> frozenset[str]:
        if self._able[0] != desk:
            match await line.call(new_method_call(_NOTIFICATIONS, "GetCapabilities")):
                case (list(able),):
                    self._able = (desk, frozenset(able))
                case _:
                    raise FailedError(_UNREADABLE)
        return self._able[1]

    async def _desk(self) -> str:
        async with self._line() as line:
            return await line.desk()

    @asynccontextmanager
    async def _line(self) -> AsyncIterator[Line]:
        """One for each thing that is done: a desktop that was started anew is found again by itself."""
        if self.trouble:
            raise FailedError(f"{self.trouble[:1].upper()}{self.trouble[1:]}.")
        with _in_words():
            reader, writer = await asyncio.open_unix_connection(get_bus(self.address()))
        try:
            line = Line(reader, writer)
            await line.open()
            yield line
        finally:
            writer.close()


@asynccontextmanager
async def _in_time() -> AsyncIterator[None]:
    with _in_words():
        async with asyncio.timeout(PATIENCE):
            yield


@contextmanager
def _in_words() -> Iterator[None]:
    try:
        yield
    except DBusErrorResponse as refusal:
        if any(word in refusal.name for word in _TOO_MANY):
            raise RateLimitedError("The desktop wants fewer notifications.", CALM) from None
        if any(word in refusal.name for word in _NOBODY):
            raise GoneError("Nothing shows notifications on this desktop.") from None
        raise FailedError("The desktop did not take the notification.") from None
    except TimeoutError:
        raise FailedError("The desktop did not answer in time.") from None
    except (OSError, EOFError, ValueError, asyncio.LimitOverrunError):
        raise FailedError("The desktop did not take the notification.") from None


def _clean(text: str) -> str:
    return _NO_TEXT.sub("\ufffd", text)
