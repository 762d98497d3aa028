"""Notifications of macOS: ``terminal-notifier`` where it is installed, else the system's own ``osascript``.

Neither brings presses back; what is shown by the first can be replaced and removed."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from assent.surfaces.base import FailedError
from assent.surfaces.desktop import program
from assent.surfaces.desktop.program import Buttons

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

    async def _run(self, *args: str) -> None:
        if not args[0]:
            raise FailedError(f"{self.trouble[:1].upper()}{self.trouble[1:]}.")
        try:
            ended = await program.run(args, {"PATH": program.PLACES, "HOME": str(Path.home())})
        except TimeoutError:
            raise FailedError("The desktop did not answer in time.") from None
        except OSError as error:
            raise FailedError(f"The notification could not be shown ({type(error).__name__}).") from None
        if ended.code != 0:
            raise FailedError("The desktop did not take the notification.")
