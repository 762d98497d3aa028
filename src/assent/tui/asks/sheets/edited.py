"""The input of a call, changed before it is allowed: as text where one text is the whole point, else as JSON. Pure."""

import json
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from assent.hidden import has_hidden
from assent.protocol.card import ShownAsk
from assent.tui.asks.sheets.paper import Done, Wrong
from assent.tui.asks.things.changed import changed_words
from assent.tui.drawing.parts import hung
from assent.tui.drawing.text import Line, inert
from assent.words.offered import TEXTS

# More lines than this are not compared, only shown.
MOST_COMPARED = 2_000
_OLD: Line = [(" − ", "care strong")]
_NEW: Line = [(" + ", "change strong")]
_SAME: Line = [("   ", "")]


@dataclass(frozen=True, slots=True)
class Input:
    """What is edited. Characters nobody sees are spelled out, which only JSON can take back."""

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
    name = TEXTS.get(ask.view.tool, "")
    text = raw.get(name)
    if isinstance(text, str) and not has_hidden(text):
        return Input(raw, name, text, ask.risk.instead)
    return Input(raw, "", _spelled(raw), is_spelled_out=isinstance(text, str))


def _spelled(raw: dict[str, Any]) -> str:
    """JSON that says the same in characters everybody sees."""
    text = json.dumps(raw, indent=2, ensure_ascii=False)
    # The last of the controls is the only one that JSON leaves as it is.
    return json.dumps(raw, indent=2).replace("\x7f", "\\u007f") if has_hidden(text) else text


def _drawn(text: str, width: int, before: Line) -> list[Line]:
    return hung([(inert(text, is_command=True), "")], width, before)


def _marked(words: list[tuple[str, bool]], style: str) -> Line:
    return [(inert(text, is_command=True), style if is_changed else "") for text, is_changed in words]
