"""The notifications of Linux desktops, over the session's bus by way of ``gdbus``, which comes with GLib."""

import asyncio
import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from assent.surfaces.base import FailedError, GoneError, RateLimitedError
from assent.surfaces.desktop import program
from assent.surfaces.desktop.program import Buttons

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
CALM = 2.0
_NO_SESSION = "no desktop session runs here"
_PRESSED = re.compile(rf"{PATH}: {re.escape(NAME)}\.ActionInvoked \(uint32 (\d+), '([\w:.-]{{1,400}})'\)")
_NUMBER = re.compile(r"\(uint32 (\d+),\)")
_WORDS = re.compile(r"'([^']*)'")
_TOO_MANY = ("ExcessNotificationGeneration", "LimitsExceeded")
_NOBODY = ("ServiceUnknown", "NameHasNoOwner", "Spawn.")
_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def session_bus() -> str:
    """Where the session's bus is; "" where there is none. A variable is not asked: a hub may have been started by a
    hook in an agent's environment, and is not to show people's asks on a bus of the agent's."""
    usual = Path(f"/run/user/{os.getuid()}/bus")
    return f"unix:path={usual}" if usual.exists() else ""


@dataclass(slots=True)
class Bus:
    # Told of every press: where the notification stands, and what was pressed.
    on_press: Callable[[str, str], Awaitable[None]]
    gdbus: str = ""
    address: Callable[[], str] = session_bus
    can_press: bool = True
    # What a desktop is able to, and which one.
    _able: tuple[str, frozenset[str]] = ("", frozenset())

    @property
    def trouble(self) -> str:
        if not self.gdbus:
            return "the program gdbus is not installed (Debian: libglib2.0-bin)"
        return "" if self.address() else _NO_SESSION

    async def show(self, title: str, text: str, buttons: Buttons, *, is_loud: bool, link: str, place: str) -> str:
        desk = await self._desk()
        able = await self._abilities(desk)
        if "body-markup" in able:
            text = "".join(_ESCAPED.get(c, c) for c in text)
        if link:
            # What a click on the notification itself does.
            buttons = (*buttons, ("default", "Open"))
        pairs = [quoted(word) for pair in buttons for word in pair] if "actions" in able else []
        number, _, where = place.partition("@")
        answer = await self._call(
            f"{NAME}.Notify",
            quoted("Assent"),
            f"uint32 {number if number and where == desk else 0}",
            quoted(""),
            quoted(title),
            quoted(text),
            f"[{', '.join(pairs)}]" if pairs else "@as []",
            f"@a{{sv}} {{'urgency': <byte {2 if is_loud else 1}>}}",
            # It stays until it is over.
            "int32 0",
        )
        shown = _NUMBER.search(answer)
        if shown is None:
            raise FailedError("The desktop answered something that cannot be read.")
        return f"{shown[1]}@{desk}"

    async def remove(self, place: str) -> None:
        number, _, where = place.partition("@")
        # After somebody logged in anew, the same number may be another program's.
        if where == await self._desk():
            await self._call(f"{NAME}.CloseNotification", f"uint32 {number}")

    async def probe(self) -> None:
        await self._desk()

    async def pressed(self) -> None:
        if self.trouble:
            raise FailedError(f"{self.trouble[:1].upper()}{self.trouble[1:]}.")
        args = (self.gdbus, "monitor", "--session", "--dest", NAME, "--object-path", PATH)
        process = await program.started(args, self._env())
        try:
            assert process.stdout is not None
            while line := await process.stdout.readline():
                if press := _PRESSED.fullmatch(line.decode(errors="replace").rstrip("\n")):
                    await self.on_press(f"{press[1]}@{await self._desk()}", press[2])
        except ValueError:
            # A line far longer than any of ours.
            pass
        finally:
            await program.end(process)
        raise FailedError("The desktop's bus is not heard any more.")

    async def open(self, url: str) -> None:
        """By the desktop itself, for the hub has no screen."""
        await self._called(
            "org.freedesktop.portal.Desktop",
            "/org/freedesktop/portal/desktop",
            "org.freedesktop.portal.OpenURI.OpenURI",
            (quoted(""), quoted(url), "@a{sv} {}"),
        )

    async def _abilities(self, desk: str) -> frozenset[str]:
        if self._able[0] != desk:
            self._able = (desk, frozenset(_WORDS.findall(await self._call(f"{NAME}.GetCapabilities"))))
        return self._able[1]

    async def _desk(self) -> str:
        """Which life of which desktop this is: numbers of notifications begin anew with each."""
        bus = "org.freedesktop.DBus"
        ids, owner = await asyncio.gather(
            self._called(bus, "/", f"{bus}.GetId", ()), self._called(bus, "/", f"{bus}.GetNameOwner", (quoted(NAME),))
        )
        return "/".join(word for answer in (ids, owner) for word in _WORDS.findall(answer))

    async def _call(self, method: str, *args: str) -> str:
        return await self._called(NAME, PATH, method, args)

    async def _called(self, name: str, path: str, method: str, args: tuple[str, ...]) -> str:
        if self.trouble:
            raise FailedError(f"{self.trouble[:1].upper()}{self.trouble[1:]}.")
        head = (self.gdbus, "call", "--session", "--dest", name, "--object-path", path, "--method", method, "--")
        try:
            ended = await program.run((*head, *args), self._env())
        except TimeoutError:
            raise FailedError("The desktop did not answer in time.") from None
        except OSError as error:
            raise FailedError(f"gdbus could not be started ({type(error).__name__}).") from None
        if ended.code == 0:
            return ended.out
        if any(word in ended.err for word in _TOO_MANY):
            raise RateLimitedError("The desktop wants fewer notifications.", CALM)
        if any(word in ended.err for word in _NOBODY):
            raise GoneError("Nothing shows notifications on this desktop.")
        raise FailedError("The desktop did not take the notification.")

    def _env(self) -> dict[str, str]:
        return {
            "DBUS_SESSION_BUS_ADDRESS": self.address(),
            "PATH": program.PLACES,
            "LC_ALL": "C.UTF-8",
        }


def quoted(text: str) -> str:
    """A string in GVariant's text format, in plain letters: nothing in it ends it."""
    return '"' + "".join(_spelled(c) for c in text) + '"'


def _spelled(c: str) -> str:
    if c in '"\\':
        return f"\\{c}"
    if " " <= c <= "~":
        return c
    # A half of a pair is no character, and a zero ends every argument.
    code = 0xFFFD if "\ud800" <= c <= "\udfff" or c == "\0" else ord(c)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
