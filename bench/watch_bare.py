"""The least that Textual draws: one list with one line."""

from textual.app import App, ComposeResult
from textual.widgets import Log

from bench.terminal import BARE_IS_UP


class Bare(App[None]):
    def compose(self) -> ComposeResult:
        yield Log()

    def on_mount(self) -> None:
        self.query_one(Log).write_line(BARE_IS_UP)


if __name__ == "__main__":
    Bare().run()
