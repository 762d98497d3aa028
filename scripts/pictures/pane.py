"""A program in a terminal of some size, pressed as by a person and photographed as it stands."""

import itertools
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from playwright.sync_api import Browser

from scripts.pictures.ansi import as_html
from tests.component.hub_process import until

# Letters of whole pixels: a cell is 8 wide and 16 high, so that what touches in a terminal touches here.
PAGE = """<style>body{margin:0;background:#0f1216}
#t{display:inline-block;padding:12px 16px;background:%s;font:13.288px/16px 'DejaVu Sans Mono',monospace}
#t div{height:16px;white-space:pre}
#t span,#t i{display:inline-block;height:16px;vertical-align:top;font-style:inherit}
#t i{overflow:hidden}</style><div id="t">%s</div>"""
# After a change keys that would answer are ignored for a moment; the screen says so.
JUST_CHANGED = "just changed, one moment"
READ = 0.5
SETTINGS = ("-g remain-on-exit on", "-g status off", "-sg escape-time 0", "-g default-terminal tmux-256color")
_numbers = itertools.count()


class Pane:
    def __init__(
        self, folder: Path, command: Sequence[str], env: Mapping[str, str], size: tuple[int, int], cwd: Path
    ) -> None:
        self.size = size
        self._socket = folder / f"tmux-{next(_numbers)}.sock"
        settings = self._socket.with_suffix(".conf")
        settings.write_text("".join(f"set {line}\n" for line in SETTINGS))
        whole = ["env", "-i", *(f"{name}={value}" for name, value in env.items()), *command]
        wide, high = map(str, size)
        self._tmux("-f", str(settings), "new-session", "-d", "-s", "p", "-x", wide, "-y", high, "-c", str(cwd), *whole)

    def shows(self, *texts: str) -> bool:
        screen = self._tmux("capture-pane", "-p", "-t", "p")
        return all(text in screen for text in texts)

    def wait(self, *texts: str) -> "Pane":
        """Until it shows this, and takes keys."""
        what = f"{' and '.join(texts)} in the terminal"
        try:
            until(lambda: self.shows(*texts) and not self.shows(JUST_CHANGED), what)
        except AssertionError as problem:
            raise AssertionError(f"{problem}\n{self._tmux('capture-pane', '-p', '-t', 'p')}") from None
        return self

    def press(self, *keys: str) -> "Pane":
        self._tmux("send-keys", "-t", "p", *keys)
        return self

    def type(self, text: str) -> "Pane":
        self._tmux("send-keys", "-t", "p", "-l", text)
        return self

    def rest(self, seconds: float = READ) -> "Pane":
        """Long enough for what is drawn bit by bit to be whole."""
        time.sleep(seconds)
        return self

    def photograph(self, browser: Browser, file: Path, ground: str = "#0f1216") -> None:
        screen = self._tmux("capture-pane", "-e", "-p", "-N", "-t", "p")
        page = browser.new_page(viewport={"width": 100, "height": 100}, device_scale_factor=1.5)
        page.set_content(PAGE % (ground, as_html(screen)))
        page.locator("#t").screenshot(path=file)
        page.close()
        file.with_suffix(".txt").write_text(self._tmux("capture-pane", "-p", "-t", "p"))

    def close(self) -> None:
        self._tmux("kill-server")

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-u", "-S", str(self._socket), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout
