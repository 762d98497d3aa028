"""One line to type at the bottom of the screen: a match word, a reason, an instruction, a filter."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.suggester import Suggester
from textual.widgets import Input

from assent.text.invisible import drawn
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.text import Line, width
from assent.tui.shared import Shared
from assent.tui.widgets.rows import Drawn


class Field(Input):
    _picks: Mapping[str, str] = MappingProxyType({})

    def _on_paste(self, event: events.Paste) -> None:
        """All of it, on one line. What is shown as dots stays as it is."""
        event.prevent_default()
        event.stop()
        text = event.text.strip("\r\n") if self.password else typed(event.text)
        if self.selection.is_empty:
            self.insert_text_at_cursor(text)
        else:
            self.replace(text, *self.selection)

    def offer(self, picks: Sequence[str]) -> None:
        """Texts that a digit fills in while the line is empty."""
        self._picks = {str(at): text for at, text in enumerate(picks[:9], 1)}
        self.placeholder = "  ".join(f"{at} {typed(text)}" for at, text in self._picks.items())

    async def _on_key(self, event: events.Key) -> None:
        if not self.value and event.key in self._picks:
            event.prevent_default()
            event.stop()
            self.fill(self._picks[event.key])

    def fill(self, text: str) -> None:
        """Begin with this text; where it cannot stand here, with nothing."""
        flat = " ".join(text.split("\n"))
        self.value = flat if is_seen(flat) else ""
        self.cursor_position = len(self.value)


def is_seen(text: str) -> bool:
    return typed(text) == text


def typed(text: str) -> str:
    """A text in one line, with everything unseen spelled out."""
    shown = drawn(" ".join(text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")), is_command=False)
    return "".join(part if part.isprintable() else " " for part in shown)


LONGEST_LABEL = 50


class _Completing(Suggester):
    """Shows how the line may go on; Tab or the right arrow takes it."""

    def __init__(self, typing: Typing) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._typing = typing

    async def get_suggestion(self, value: str) -> str | None:
        completion = self._typing.complete(value) if self._typing.complete else ""
        return completion if completion and is_seen(completion) else None


class Prompt(Horizontal):
    """Hidden until it is needed. While it is open, keys are text and nothing else."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(id="prompt")
        self.shared = shared
        self._typing: Typing | None = None
        self.display = False

    def compose(self) -> ComposeResult:
        yield Drawn(self._label, self.shared.look, ground="on:raised", id="prompt-label")
        # Off while nothing is asked: keys must never end up in a hidden field.
        yield Field(id="prompt-input", compact=True, select_on_focus=False, disabled=True)

    @property
    def is_open(self) -> bool:
        return self._typing is not None

    def open(self, typing: Typing) -> None:
        self._typing = typing
        field, label = self.query_one(Field), self.query_one("#prompt-label", Drawn)
        field.password = typing.is_secret
        field.suggester = _Completing(typing) if typing.complete else None
        field.fill(typing.value)
        field.offer(typing.picks)
        label.styles.width = min(LONGEST_LABEL, width(self._label(LONGEST_LABEL)[0]) + 1)
        label.refresh()
        self.display = True
        field.disabled = False
        field.focus()
        self.shared.refresh_bars()

    def close(self) -> None:
        """What was typed is gone. Letters typed on are not commands."""
        self._typing = None
        field = self.query_one(Field)
        field.value = ""
        field.disabled = True
        self.display = False
        self.screen.set_focus(None)
        self.shared.grace.change()
        self.shared.refresh_bars()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        typing = self._typing
        if typing is None:
            return
        # It may open the next one.
        self._typing = None
        trouble = typing.take(event.value)
        if trouble is not None:
            self._typing = typing
            self.shared.warn(trouble)
        elif self._typing is None:
            self.close()

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.close()
        elif event.key == "tab":
            # Never to another field: there is none.
            event.stop()
            event.prevent_default()
            field = self.query_one(Field)
            field.action_end()
            field.action_cursor_right()

    def _label(self, _: int) -> list[Line]:
        return [[(" > ", "focus strong"), (self._typing.label if self._typing else "", "strong"), (" ", "")]]
