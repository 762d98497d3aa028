"""A terminal for what is measured: programs draw on it, its output is read, keys can be pressed."""

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Iterator, Mapping, Sequence

COLUMNS, LINES = 120, 40
PATIENCE = 30.0
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[=>])")
BARE_IS_UP = "the bare app is up"
# What is shown there and how fast it comes.
ROWS, RATE = 100_000, 200


class Terminal:
    def __init__(self, argv: Sequence[str], environ: Mapping[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self._seen = b""
        self.drawn = 0
        self._news = threading.Condition()
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            argv,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"},
            start_new_session=True,
        )
        os.close(theirs)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                piece = os.read(self._ours, 1 << 16)
            except OSError:  # how a terminal says that its other side is gone
                return
            with self._news:
                self._seen = self._seen[-(1 << 16) :] + piece
                self.drawn += len(piece)
                self._news.notify_all()

    def wait_for(self, text: str) -> float:
        """Seconds from the start of the program until it has drawn this."""
        with self._news:
            if not self._news.wait_for(lambda: text.encode() in self._seen, PATIENCE):
                raise AssertionError(f"{text!r} was not drawn; the end of what was: {self._seen[-2000:]!r}")
            return time.perf_counter() - self.started

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def tell(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def close(self) -> None:
        """By the key for it; by force where that does not help."""
        with contextlib.suppress(OSError):
            self.press("\x11")
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError("it did not end at ctrl+q") from None
        finally:
            self._reader.join()
            os.close(self._ours)
        assert self.process.returncode == 0, f"it failed: {_ESCAPES.sub(b'', self._seen)[-2000:].decode()}"


@contextlib.contextmanager
def opened(argv: Sequence[str], environ: Mapping[str, str]) -> Iterator[Terminal]:
    terminal = Terminal(argv, environ)
    try:
        yield terminal
    finally:
        terminal.close()
