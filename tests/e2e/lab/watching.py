"""``assent watch`` in a terminal of its own, beside the one of the agent."""

import sys
import time
from collections.abc import Mapping
from pathlib import Path

from tests.e2e.lab.terminal import Terminal
from tests.e2e.lab.waiting import HANG, let_pass, on_screen

# A key that answered counts again only after it was let go for so long.
LET_GO = 1.05
# A key that comes sooner is ignored.
READ = 0.5
# What stands below an ask as long as keys meant for what was there before are ignored.
JUST_CHANGED = "just changed, one moment"


class Watching(Terminal):
    def __init__(self, folder: Path, cwd: Path, env: Mapping[str, str]) -> None:
        folder.mkdir(exist_ok=True)
        own = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "TZ": "UTC"}
        super().__init__(folder, cwd, {**env, **own}, [sys.executable, "-I", "-m", "assent", "watch"])
        self._pressed: dict[str, float] = {}

    def lines(self) -> list[str]:
        """Of the whole screen, each where it is."""
        return self._tmux("capture-pane", "-p", "-t", "client").splitlines()

    def place(self, text: str) -> int | None:
        return next((at for at, line in enumerate(self.lines()) if text in line), None)

    def read(self, *texts: str, seconds: float = HANG) -> str:
        """The screen, once it shows this and takes answers."""
        on_screen(
            lambda: self.shows(*texts) and not self.shows(JUST_CHANGED), f"{' and '.join(texts)} in the watch", seconds
        )
        return self.screen()

    def answer(self, key: str, *texts: str) -> None:
        """Press a key on what shows this, as a person does who let go of it after the last time."""
        self.read(*texts)
        let_pass(self._pressed.get(key, 0.0) + LET_GO - time.monotonic())
        self._pressed[key] = time.monotonic()
        self.press(key)

    def choose(self, key: str, text: str) -> None:
        """Press a key on a sheet over the screen, which was read."""
        self.wait_for(text)
        let_pass(READ)
        self.press(key)

    def go_on(self, verb: str) -> None:
        """To the next ask, once it is in the list."""
        self.wait_for(verb)
        self.press("n")

    def leave(self) -> None:
        self.press("C-c")
        on_screen(self.has_ended, "the watch ended after Ctrl-C")
