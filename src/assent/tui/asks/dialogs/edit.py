"""The input of a call in a text field; what was changed is looked at once more before it is allowed."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.widgets import TextArea

from assent.hidden import drawn
from assent.protocol.card import ShownAsk
from assent.tui.asks.sheets.edited import Input, input_of
from assent.tui.asks.sheets.paper import Did, Done, Wrong
from assent.tui.asks.sheets.sheet import Sheet
from assent.tui.drawing.parts import hung
from assent.tui.drawing.text import Line
from assent.tui.shared import Shared
from assent.tui.widgets.drawn import Drawn

_JUDGED = "What you send is judged once more before it runs."
_MARKS = "Secrets are shown as marks. A mark that you leave is sent as what it stands for."
_SPELLED = "It holds characters that cannot be seen, so it is edited as JSON, where they are spelled out."
_INSTEAD = "Filled in with the safer command. Ctrl+O changes between that and the one that was asked."
# Frame, title, what Esc and the other keys do, and three lines of text.
_LEAST = 9


class Look:
    """What changed: Enter is the second press, in another place."""

    is_yes: ClassVar[bool] = True
    cursor: int | None = None

    def __init__(self, edited: Input) -> None:
        self._input = edited
        self.title = edited.title
        self.text = ""
        self.done: Done | None = None

    def lines(self, width: int) -> list[Line]:
        if self.done is None:
            return []
        return [[(" This is what will run in its place:", "text-2")], [], *self._input.difference(self.text, width)]

    def key(self, key: str) -> Did:
        return self.done if key == "Enter" and self.done is not None else False

    def keys(self) -> list[tuple[str, str]]:
        return [("Enter", "allow this")] if self.done else [("Ctrl+S", "look at it, then allow")]


class _Field(TextArea):
    """Pasted text may hold what nobody sees: it is spelled out, like everything else."""

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")
        if result := self._replace_via_keyboard(drawn(text, is_command=True), *self.selection):
            self.move_cursor(result.end_location)


class EditSheet(Sheet):
    """Begins with the safer command, where there is one."""

    paper: Look

    def __init__(self, shared: Shared, ask: ShownAsk) -> None:
        self._input = input_of(ask)
        super().__init__(shared, Look(self._input), ask)
        self._has_marks = "redacted" in ask.flags
        self._is_instead = bool(self._input.instead)
        first = self._input.instead if self._is_instead else self._input.before
        self._field = _Field(first, soft_wrap=True, show_line_numbers=False, compact=True, id="sheet-field")
        self._intro = Drawn(self._draw_intro, shared.look, ground="on:surface", id="sheet-intro")
        self._wants_out = False

    def middle(self) -> ComposeResult:
        self._body.display = False
        yield self._intro
        yield self._field
        yield self._body

    def on_mount(self) -> None:
        self._field.focus()
        self._field.move_cursor(self._field.document.end)

    @property
    def is_editing(self) -> bool:
        return self.paper.done is None

    def redraw(self) -> None:
        intro = self._draw_intro(max(20, self.box.size.width))
        self._intro.styles.height = len(intro) if self.is_editing else 0
        self._intro.refresh()
        super().redraw()

    def height_for(self, _: int) -> int:
        """The same for both of its pages."""
        return self.most_height

    def _draw_intro(self, width: int) -> list[Line]:
        told = [_MARKS] if self._has_marks else []
        told += [_SPELLED] if self._input.is_spelled_out else []
        told += [_INSTEAD] if self._is_instead else []
        lines: list[Line] = []
        for text in [*told, _JUDGED]:
            lines += hung([(text, "text-2")], width - 1, [(" ", "")])
        # On small screens the text itself comes first.
        return [*lines[: max(0, self.most_height - _LEAST)], []]

    def live_keys(self) -> list[tuple[str, str]]:
        swap = [("Ctrl+O", "the other one")] if self._input.instead and self.is_editing else []
        return [*swap, *super().live_keys()]

    def leaving(self) -> str:
        return "leave it" if self.is_editing else "edit on"

    @property
    def is_typing(self) -> bool:
        return self.is_editing

    def on_key(self, event: events.Key) -> None:
        """Keys that mean nothing in a text field."""
        if not self.is_editing:
            return
        if event.key in ("ctrl+s", "ctrl+o", "escape"):
            event.stop()
            event.prevent_default()
        if event.key == "ctrl+s":
            self._look()
        elif event.key == "ctrl+o" and self._input.instead:
            self._swap()
        elif event.key == "escape":
            self._leave()
        else:
            self._wants_out = False
            self.complain("")

    def pressed(self, key: str) -> None:
        if key in ("Escape", "q"):
            self._edit_on()
        else:
            super().pressed(key)

    def _look(self) -> None:
        did = self._input.read(self._field.text)
        if isinstance(did, Wrong):
            self.complain(did.why)
            return
        self.paper.done, self.paper.text = did, self._field.text
        self._show()
        self.set_focus(None)
        # Nobody has read it yet.
        self.grace.begin()
        self.call_after_refresh(self._painted)

    def _edit_on(self) -> None:
        self.paper.done = None
        self._show()
        self._field.focus()

    def _show(self) -> None:
        self._field.display = self.is_editing
        # Keys must never end up in a field nobody sees.
        self._field.disabled = not self.is_editing
        self._body.display = not self.is_editing
        self.complain("")
        self.call_after_refresh(self.redraw)

    def _swap(self) -> None:
        self._is_instead = not self._is_instead
        self._field.load_text(self._input.instead if self._is_instead else self._input.before)
        self._field.move_cursor(self._field.document.end)
        self.redraw()

    def _leave(self) -> None:
        is_begun = self._field.text not in (self._input.before, self._input.instead)
        if is_begun and not self._wants_out:
            self._wants_out = True
            self.complain("Esc once more drops what you changed. Nothing was sent.")
        else:
            self.close()
