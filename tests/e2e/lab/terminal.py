"""A client in a real terminal: one tmux server per lab, seen and typed into as a person would."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.e2e.lab.waiting import HANG, let_pass, on_screen

# A key that arrives in the instant a dialog is painted is dropped by the client.
AFTER_PAINT = 0.35
DIALOGS = ("Do you want to", "Would you like to", "Switch model?")
READY = "❯"
RULES = " ─╌▔▁"


class Terminal:
    """One pane. It stays after the client ended, so that its last screen can be read."""

    def __init__(self, folder: Path, cwd: Path, env: Mapping[str, str], argv: Sequence[str]) -> None:
        self._socket = folder / "tmux.sock"
        settings = folder / "tmux.conf"
        settings.write_text("set -g remain-on-exit on\nset -g status off\nset -sg escape-time 0\n")
        # The pane's command empties its environment itself: the tmux server's own must not leak into the client.
        command = ["env", "-i", *(f"{name}={value}" for name, value in env.items()), *argv]
        size = ["-x", "150", "-y", "50"]
        self._tmux("-f", str(settings), "new-session", "-d", "-s", "client", *size, "-c", str(cwd), *command)

    def screen(self) -> str:
        lines = (line.strip(RULES) for line in self._tmux("capture-pane", "-p", "-t", "client").splitlines())
        return "\n".join(line for line in lines if line)

    def shows(self, *texts: str) -> bool:
        screen = self.screen()
        return all(text in screen for text in texts)

    def wait_for(self, text: str, seconds: float = HANG) -> str:
        """The screen, once it shows the text."""
        on_screen(lambda: self.shows(text), f"{text!r} on the screen", seconds)
        return self.screen()

    def wait_for_dialog(self, seconds: float = HANG) -> str:
        """The screen, once a dialog is painted and takes keys."""
        on_screen(self.has_dialog, "a dialog on the screen", seconds)
        let_pass(AFTER_PAINT)
        return self.screen()

    def has_dialog(self) -> bool:
        screen = self.screen()
        return any(text in screen for text in DIALOGS)

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", "-t", "client", *keys)

    def type(self, line: str) -> None:
        self._tmux("send-keys", "-t", "client", "-l", line)

    def submit(self, line: str) -> None:
        """Type a line, see it in the prompt box, send it."""
        self.type(line)
        on_screen(lambda: self.shows(line), f"{line!r} in the prompt box")
        let_pass(AFTER_PAINT)
        self.press("Enter")

    def has_ended(self) -> bool:
        return self._tmux("display-message", "-p", "-t", "client", "#{pane_dead}").strip() == "1"

    def leave(self) -> None:
        """End the session as a person does."""
        self.submit("/exit")
        on_screen(self.has_ended, "the client ended after /exit")

    def kill(self) -> None:
        """For a client that survives a hang-up: it and what it started in its process group."""
        if not self.has_ended():
            os.killpg(int(self._tmux("display-message", "-p", "-t", "client", "#{pane_pid}")), signal.SIGKILL)
            on_screen(self.has_ended, "the killed client is gone")

    def close(self) -> None:
        """Hang up, and wait until the client is gone: it must not write into a folder that is being removed."""
        try:
            if not self.has_ended():
                os.kill(int(self._tmux("display-message", "-p", "-t", "client", "#{pane_pid}")), signal.SIGHUP)
                on_screen(self.has_ended, "the client ended after the hang-up")
        finally:
            self._tmux("kill-server")

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-u", "-S", str(self._socket), *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=HANG,
        )
        if done.returncode:
            raise AssertionError(f"tmux {arguments[0]} failed: {done.stderr.strip()}")
        return done.stdout
