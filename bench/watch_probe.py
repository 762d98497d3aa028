"""Runs in a terminal of its own: the terminal UI, or a bare Textual app, with a stopwatch on every picture.

``python -m bench.watch_probe watch|bare RESULT``. SIGUSR2 begins the load of the bare app, SIGUSR1 brings a hundred
thousand rows; the end writes what was measured: when each picture was done, what it took, how late the loop was."""

# ruff: noqa: SLF001 - nothing public tells when a picture is drawn

import asyncio
import inspect
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widgets import Log

from assent import paths
from assent.client import Client
from assent.tui.app import Watch
from assent.tui.drawing.look import found_look
from assent.tui.ending import settle_soon
from assent.tui.feed.pane import FeedPane
from bench.terminal import BARE_IS_UP, RATE, ROWS

LOOK_EVERY = 0.005


class Stopwatch:
    def __init__(self) -> None:
        # When it was done, and the processor time of what came before it and of the picture itself: what else runs on
        # the machine is not in it.
        self.pictures: list[tuple[float, float, float]] = []
        # When the loop was looked at, and how late that was.
        self.late: list[tuple[float, float]] = []
        self._taken = 0.0
        self._is_drawn = False

    def install(self) -> None:
        draw, show = Screen._on_timer_update, App._display

        def drawn(screen: Screen[Any]) -> None:
            self._is_drawn, start = False, time.thread_time()
            draw(screen)
            if self._is_drawn:
                self.pictures.append((time.monotonic(), self._taken, time.thread_time() - start))
                self._taken = 0.0

        def shown(app: App[Any], screen: Screen[Any], renderable: Any) -> None:
            self._is_drawn |= renderable is not None
            show(app, screen, renderable)

        Screen._on_timer_update = drawn  # type: ignore[assignment,method-assign]
        App._display = shown  # type: ignore[assignment,method-assign]

    def timed(self, act: Callable[..., None]) -> Callable[..., None]:
        """What happens before a picture counts as part of it."""

        def timed(*arguments: Any) -> None:
            start = time.thread_time()
            act(*arguments)
            self._taken += time.thread_time() - start

        return timed

    async def look(self) -> None:
        while True:
            start = time.perf_counter()
            await asyncio.sleep(LOOK_EVERY)
            self.late.append((time.monotonic(), max(0.0, time.perf_counter() - start - LOOK_EVERY)))


class Bare(App[None]):
    """What Textual itself takes for a list of lines that grows."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        super().__init__()
        self._write = stopwatch.timed(self._written)
        self._is_loaded = threading.Event()

    def compose(self) -> ComposeResult:
        yield Log()

    def on_mount(self) -> None:
        self.query_one(Log).write_line(BARE_IS_UP)
        self.query_one(Log).focus()
        loop = asyncio.get_running_loop()
        # As the terminal UI hears of events: from a thread, several at once.
        threading.Thread(target=self._hear, args=(loop,), daemon=True).start()

    def _hear(self, loop: asyncio.AbstractEventLoop) -> None:
        for number in range(sys.maxsize):
            time.sleep(0.05)
            if self._is_loaded.is_set():
                lines = [_words(number * 10 + each) for each in range(RATE // 20)]
                loop.call_soon_threadsafe(self._write, lines)

    def begin(self) -> None:
        self._is_loaded.set()

    def fill(self) -> None:
        self.query_one(Log).write_lines([_words(number) for number in range(ROWS)])

    def held(self) -> int:
        return self.query_one(Log).line_count

    def _written(self, lines: list[str]) -> None:
        self.query_one(Log).write_lines(lines)


class Watched(Watch):
    # Looked for beside the file of the class.
    CSS_PATH = str(Path(inspect.getfile(Watch)).with_name("watch.tcss"))

    def __init__(self, stopwatch: Stopwatch) -> None:
        super().__init__(Client(paths.find()), found_look(os.environ, is_ascii=False, is_light=None), lambda: None)
        self._following._take = stopwatch.timed(self._take)

    def begin(self) -> None:
        """The hub tells what happens."""

    def fill(self) -> None:
        """Older rows, as the hub would tell them page by page."""
        rows = self._feed.rows
        before, like = rows.at(rows.first).seq, rows.at(rows.end - 1)
        older = [
            msgspec.structs.replace(like, id=f"older-{number}", seq=before - number - 1, what=_words(number))
            for number in range(ROWS - len(rows))
        ]
        rows.put_older(older)
        self._feed.track.reload()

    def held(self) -> int:
        return len(self._feed.rows)

    @property
    def _feed(self) -> FeedPane:
        return next(pane for pane in self.panes if isinstance(pane, FeedPane))


def _words(number: int) -> str:
    return f" 12:34:56  webshop  Bash  npm run build -- --mode production --number {number}"


def main() -> int:
    kind, result = sys.argv[1], Path(sys.argv[2])
    # As `assent watch` does it; the bare app is as Textual leaves it.
    if kind == "watch":
        settle_soon()
    stopwatch = Stopwatch()
    stopwatch.install()
    app = Bare(stopwatch) if kind == "bare" else Watched(stopwatch)

    def fill() -> None:
        app.fill()
        result.with_suffix(".rows").write_text(str(app.held()))

    async def run() -> None:
        loop = asyncio.get_running_loop()
        # As a call of the app: what goes wrong in it ends the program, and is seen.
        loop.add_signal_handler(signal.SIGUSR1, lambda: app.call_later(fill))
        loop.add_signal_handler(signal.SIGUSR2, lambda: app.call_later(app.begin))
        looking = asyncio.create_task(stopwatch.look())
        await app.run_async()
        looking.cancel()

    asyncio.run(run())
    result.write_text(json.dumps({"pictures": stopwatch.pictures, "late": stopwatch.late}))
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
