"""Programs that show notifications. What they show is an argument of theirs, and never goes through a shell."""

import asyncio
import shutil
from collections.abc import Mapping
from typing import NamedTuple, Protocol

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
    said, complained = (text[:LARGEST].decode(errors="replace") for text in (out, err))
    return Ended(process.returncode or 0, said, complained)


async def started(args: tuple[str, ...], env: Mapping[str, str]) -> asyncio.subprocess.Process:
    """Whoever is cancelled meanwhile leaves no process behind. Raises OSError."""
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
