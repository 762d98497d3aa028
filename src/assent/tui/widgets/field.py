"""A line to type into. Textual hands what stands in it to the terminal as it is, so nothing may stand in it that steers
a terminal or cannot be seen: neither what a program put there nor what was pasted."""

from textual import events
from textual.widgets import Input

from assent.hidden import drawn


class Field(Input):
    def _on_paste(self, event: events.Paste) -> None:
        """All of it, on one line. What is shown as dots stays as it is."""
        event.prevent_default()
        event.stop()
        text = event.text.strip("\r\n") if self.password else typed(event.text)
        if self.selection.is_empty:
            self.insert_text_at_cursor(text)
        else:
            self.replace(text, *self.selection)

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
