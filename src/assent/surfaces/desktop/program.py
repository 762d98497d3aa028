"""Programs that show notifications. What they show is an argument of theirs, and never goes through a shell."""

import asyncio
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from assent.surfaces.base import FailedError

PATIENCE = 10.0
LARGEST = 1 << 16
# Where systems put programs. PATH may be an agent's.
PLACES = "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin"

Buttons = tuple[tuple[str, str], ...]


class Ended(NamedTuple):
    code: int
    out: str
    err: str


class Notifier(Protocol):
    """What shows notifications here."""

    # Whether what people press comes back.
    can_press: bool

    @property
    def trouble(self) -> str:
        """Why nothing can be shown, in words; "" where it can."""
        ...

    async def show(self, title: str, text: str, buttons: Buttons, *, is_loud: bool, link: str, place: str) -> str:
        """In the place of an earlier one, where there is one; the place it has now. Raises SurfaceError."""
        ...

    async def remove(self, place: str) -> None: ...

    async def probe(self) -> None:
        """Raises SurfaceError where nothing would be shown."""
        ...

    async def pressed(self) -> None:
        """Raises FailedError when nothing is heard any more."""
        ...

    async def open(self, url: str) -> None:
        """Shows an address on the screen. Raises SurfaceError."""
        ...


def found(name: str) -> str:
    """Where a program is; "" where it is not."""
    return shutil.which(name, path=PLACES) or ""


async def run(args: tuple[str, ...], env: Mapping[str, str]) -> Ended:
    """Raises TimeoutError and OSError."""
    process = await started(args, env)
    try:
        async with asyncio.timeout(PATIENCE):
            out, err = await process.communicate()
    finally:
        await end(process)
    printed, complained = (text[:LARGEST].decode(errors="replace") for text in (out, err))
    return Ended(process.returncode or 0, printed, complained)


async def started(args: tuple[str, ...], env: Mapping[str, str]) -> asyncio.subprocess.Process:
    """Leaves no process behind when cancelled. Raises OSError."""
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(*args, stdin=nothing, stdout=pipe, stderr=pipe, env=dict(env))
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await end(await starting)
        raise


async def end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        try:
            process.kill()
        except ProcessLookupError:
            # It ended by itself.
            pass
    # Reads what is left, so that its pipes are closed, too.
    await process.communicate()


# Title and text are handed over beside the script, so that nothing in them is part of it.
SCRIPT = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"


@dataclass(slots=True)
class Mac:
    notifier: str = ""
    osascript: str = ""
    can_press: bool = False

    @property
    def trouble(self) -> str:
        return "" if self.notifier or self.osascript else "neither terminal-notifier nor osascript is there"

    async def show(self, title: str, text: str, buttons: Buttons, *, is_loud: bool, link: str, place: str) -> str:  # noqa: ARG002
        # Something of ours in front: a text that begins with a dash is no option.
        title, text = f"Assent: {title}", f"· {text}"
        if self.notifier:
            opening = ("-open", link) if link else ()
            await self._run(self.notifier, "-title", title, "-message", text, "-group", place, *opening)
        else:
            await self._run(self.osascript, "-e", SCRIPT, title, text)
        return place

    async def remove(self, place: str) -> None:
        if self.notifier:
            await self._run(self.notifier, "-remove", place)

    async def probe(self) -> None:
        if self.trouble:
            raise FailedError(f"{self.trouble[:1].upper()}{self.trouble[1:]}.")

    async def pressed(self) -> None:
        await asyncio.Event().wait()

    async def open(self, url: str) -> None:
        """Never asked for: no press comes back."""

    async def _run(self, *args: str) -> None:
        if not args[0]:
            raise FailedError(f"{self.trouble[:1].upper()}{self.trouble[1:]}.")
        try:
            ended = await run(args, {"PATH": PLACES, "HOME": str(Path.home())})
        except TimeoutError:
            raise FailedError("The desktop did not answer in time.") from None
        except OSError as error:
            raise FailedError(f"The notification could not be shown ({type(error).__name__}).") from None
        if ended.code != 0:
            raise FailedError("The desktop did not take the notification.")
