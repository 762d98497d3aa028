"""The input of a call in a text field; what was changed is looked at once more before it is allowed."""

import json
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.widgets import TextArea

from assent.harnesses import registry
from assent.protocol.card import ShownAsk
from assent.text.invisible import drawn, has_hidden
from assent.tui.asks.ask_views.diff import changed_words
from assent.tui.asks.dialogs.dialog import Did, Done, Sheet, Wrong
from assent.tui.drawing.text import Line, hung, safe_text
from assent.tui.shared import Shared
from assent.tui.widgets.rows import Drawn

# More lines than this are not compared, only shown.
MOST_COMPARED = 2_000
_OLD: Line = [(" − ", "care strong")]
_NEW: Line = [(" + ", "change strong")]
_SAME: Line = [("   ", "")]


@dataclass(frozen=True, slots=True)
class Input:
    """What is edited. Invisible characters are spelled out, which only JSON can take back."""

    raw: dict[str, Any]
    # The text's name in the input; "" where the whole input is edited.
    name: str
    before: str
    # A command offered in place of this one.
    instead: str = ""
    is_spelled_out: bool = False

    @property
    def title(self) -> str:
        return f"Edit the {self.name.replace('_', ' ')}" if self.name else "Edit the input, as JSON"

    def read(self, text: str) -> Done | Wrong:
        """The answer, if the text can be one."""
        if self.name and not text.strip():
            return Wrong(f"The {self.name.replace('_', ' ')} is empty.")
        try:
            edited = {**self.raw, self.name: text} if self.name else json.loads(text)
        except json.JSONDecodeError as error:
            return Wrong(f"This is not JSON: line {error.lineno}, column {error.colno}: {error.msg}.")
        except RecursionError:
            return Wrong("This is nested too deeply.")
        if not isinstance(edited, dict):
            return Wrong("The input must be a JSON object, in braces.")
        if edited == self.raw:
            return Wrong("Nothing was changed.")
        return Done({"choice": "allow_edited", "edited": edited})

    def difference(self, text: str, width: int) -> list[Line]:
        """What was asked and what will run, line by line; words that changed are marked."""
        old, new = self.before.split("\n"), text.split("\n")
        if len(old) + len(new) > MOST_COMPARED:
            return [line for each in new for line in _drawn(each, width, _NEW)]
        lines: list[Line] = []
        for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind == "equal":
                lines += [line for each in old[a:b] for line in _drawn(each, width, _SAME)]
                continue
            words = changed_words(old[a], new[c]) if b - a == d - c == 1 else None
            if words is not None:
                lines += hung(_marked(words[0], "del struck"), width, _OLD)
                lines += hung(_marked(words[1], "add under"), width, _NEW)
                continue
            lines += [line for each in old[a:b] for line in _drawn(each, width, _OLD)]
            lines += [line for each in new[c:d] for line in _drawn(each, width, _NEW)]
        return lines


def input_of(ask: ShownAsk) -> Input:
    raw = ask.view.raw
    name = registry.edited_field(ask.subject.harness, ask.view.tool)
    text = raw.get(name)
    if isinstance(text, str) and not has_hidden(text):
        return Input(raw, name, text, ask.risk.instead)
    return Input(raw, "", _spelled(raw), is_spelled_out=isinstance(text, str))


def _spelled(raw: dict[str, Any]) -> str:
    """The same JSON in visible characters."""
    text = json.dumps(raw, indent=2, ensure_ascii=False)
    # The last of the controls is the only one that JSON leaves as it is.
    return json.dumps(raw, indent=2).replace("\x7f", "\\u007f") if has_hidden(text) else text


def _drawn(text: str, width: int, before: Line) -> list[Line]:
    return hung([(safe_text(text, is_command=True), "")], width, before)


def _marked(words: list[tuple[str, bool]], style: str) -> Line:
    return [(safe_text(text, is_command=True), style if is_changed else "") for text, is_changed in words]


_JUDGED = "What you send is judged once more before it runs."
_MARKS = "Secrets are shown as marks. A mark that you leave is sent as what it stands for."
_SPELLED = "It holds characters that cannot be seen, so it is edited as JSON, where they are spelled out."
_INSTEAD = "Filled in with the safer command. Ctrl+O changes between that and the one that was asked."
# Frame, title, what Esc and the other keys do, and three lines of text.
_LEAST = 9


class LastLook:
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
    """Pasted text may hold invisible characters: they are spelled out, like everywhere else."""

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")
        if result := self._replace_via_keyboard(drawn(text, is_command=True), *self.selection):
            self.move_cursor(result.end_location)


class EditSheet(Sheet):
    """Begins with the safer command, where there is one."""

    paper: LastLook

    def __init__(self, shared: Shared, ask: ShownAsk) -> None:
        self._input = input_of(ask)
        super().__init__(shared, LastLook(self._input), ask)
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
        texts = [_MARKS] if self._has_marks else []
        texts += [_SPELLED] if self._input.is_spelled_out else []
        texts += [_INSTEAD] if self._is_instead else []
        lines: list[Line] = []
        for text in [*texts, _JUDGED]:
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
        # It has not been read yet.
        self.grace.begin()
        self.call_after_refresh(self._painted)

    def _edit_on(self) -> None:
        self.paper.done = None
        self._show()
        self._field.focus()

    def _show(self) -> None:
        self._field.display = self.is_editing
        # Keys must never end up in a hidden field.
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
