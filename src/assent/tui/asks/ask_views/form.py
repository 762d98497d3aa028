"""A form that an MCP server asks to be filled in, field by field; or an address it wants opened."""

from typing import Any
from urllib.parse import urlsplit

from assent import forms
from assent.protocol.bodies import Choice
from assent.protocol.card import FieldView, FormView, ShownAsk
from assent.tui.asks.actions import Hands
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.text import Line, fit, hung, label, safe_text

_DOTS = "●" * 8
_LONGEST_LABEL = 40


class Form:
    """Tab goes from field to field, Enter fills in. What is typed stays in here until it is sent."""

    def __init__(self, ask: ShownAsk) -> None:
        self._form = ask.view.form or FormView("")
        self._fields = () if self._form.trouble else self._form.fields
        self._values: dict[str, Any] = {field.name: forms.first(field) for field in self._fields}
        self._faults: dict[str, str] = {}
        self._at: int | None = None
        # The option of the field that Enter marks.
        self._option = 0
        # Where the field stands that was gone to last, to be kept in view.
        self.cursor: int | None = None

    def lines(self, width: int) -> list[Line]:
        self.cursor = None
        form = self._form
        server = label(form.server) or "A server"
        lines = hung([(server, "strong"), (" asks for this, through the agent.", "text-2")], width, [])
        if form.message:
            lines += [[], *hung([(safe_text(form.message), "")], width, [("│ ", "line")], [("│ ", "line")])]
        if form.trouble:
            return [*lines, [], *hung([(safe_text(form.trouble), "care")], width, [("▲ ", "care strong")])]
        for at, field in enumerate(self._fields):
            lines += [[], *self._field(width, len(lines) + 1, at, field)]
        return [*lines, [], *hung([(f"Sent to {server} and never recorded.", "text-2")], width, [])]

    def _field(self, width: int, y: int, at: int, field: FieldView) -> list[Line]:
        is_here = at == self._at
        if is_here:
            self.cursor = y
        key = str(at + 1) if at < 9 else " "
        must: Line = [(" · required", "care")] if field.required else []
        head: Line = [("▌" if is_here else " ", "focus strong"), (f"{key} ", "focus")]
        lines = hung([(_title(field), "strong"), *must], width, head, [("   ", "")])
        if field.description:
            lines += hung([(safe_text(field.description), "text-2")], width, [("   │ ", "line")], [("   │ ", "line")])
        lines += self._options(width, field, is_here) if field.kind in _PICKED else self._value(width, field)
        if fault := self._faults.get(field.name):
            lines += hung([(safe_text(fault), "care strong")], width, [("   ▲ ", "care strong")])
        return lines

    def _value(self, width: int, field: FieldView) -> list[Line]:
        value = self._values.get(field.name)
        before: Line = [("   > ", "text-3")]
        if value is None:
            return hung([("empty", "text-3")], width, before)
        if field.kind == "boolean":
            return hung([("[✓] yes" if value else "[ ] no", "")], width, before)
        return hung([(_DOTS if field.secret else safe_text(str(value)), "")], width, before)

    def _options(self, width: int, field: FieldView, is_here: bool) -> list[Line]:
        chosen = self._values.get(field.name)
        lines: list[Line] = []
        for at, (value, title) in enumerate(field.options):
            is_on = value in chosen if isinstance(chosen, list) else value == chosen
            on, off = ("[✓]", "[ ]") if field.kind == "choices" else ("(●)", "( )")
            mark = "▸" if is_here and at == self._option else " "
            start: Line = [(f"   {mark}", "focus strong"), (f"{on if is_on else off} ", "focus")]
            lines += hung([(label(title or value), "strong" if is_on else "")], width, start)
        return lines

    def key(self, key: str) -> bool | Typing | Choice:
        if not self._fields:
            return False
        if key in ("Tab", "BackTab"):
            return self._go_on(1 if key == "Tab" else -1)
        if len(key) == 1 and key in "123456789":
            # A digit without a field is still no way to somewhere else.
            return int(key) > len(self._fields) or self._go(int(key) - 1)
        if self._at is None:
            return False
        field = self._fields[self._at]
        if key in ("Left", "Right") and field.kind in _PICKED:
            self._option = (self._option + (1 if key == "Right" else -1)) % max(1, len(field.options))
            return True
        return self._enter(field) if key == "Enter" else False

    def _go_on(self, by: int) -> bool:
        start = (-1 if by > 0 else 0) if self._at is None else self._at
        return self._go((start + by) % len(self._fields))

    def _go(self, at: int) -> bool:
        self._at, self._option = at, 0
        return True

    def _enter(self, field: FieldView) -> bool | Typing:
        value = self._values.get(field.name)
        self._faults.pop(field.name, None)
        if field.kind == "boolean":
            self._values[field.name] = not value
            return True
        if field.kind in _PICKED:
            self._values[field.name] = forms.toggled(field, value, self._option)
            return True
        name = fit([(f"{_title(field)}:", "")], _LONGEST_LABEL)
        shown = "" if field.secret or value is None else str(value)
        return Typing("".join(part for part, _ in name), lambda text: self._take(field, text), shown, field.secret)

    def _take(self, field: FieldView, text: str) -> str | None:
        """What was not taken is typed again; an empty line empties the field."""
        try:
            value = forms.value(field, text)
        except ValueError as error:
            return str(error)
        if value is not None and (why := forms.problem(field, value)):
            return why
        self._values[field.name] = value
        return None

    def read(self, choice: Choice) -> dict[str, Any] | str:
        if choice != "submit":
            return {}
        content = {name: value for name, value in self._values.items() if value is not None}
        self._faults = forms.problems(self._form, content)
        for at, field in enumerate(self._fields):
            if field.name in self._faults:
                self._go(at)
                return f"{_title(field)}: {self._faults[field.name]}"
        return self._faults.get("") or {"content": content}

    def keys(self) -> list[tuple[str, str]]:
        if not self._fields:
            return []
        if self._at is None:
            return [("Tab", "fields")]
        kind = self._fields[self._at].kind
        pick = [("←→", "option")] if kind in _PICKED else []
        return [("Tab", "next field"), *pick, ("Enter", _ENTER.get(kind, "fill in"))]


class Address:
    """The host is what one decides by. Nothing is opened but by a key."""

    def __init__(self, ask: ShownAsk, hands: Hands) -> None:
        self._form = ask.view.form or FormView("")
        self._hands = hands
        self._has_marks = "redacted" in ask.flags
        self._was_opened = False
        self.cursor: int | None = None

    def lines(self, width: int) -> list[Line]:
        form = self._form
        server = label(form.server) or "A server"
        lines = hung([(server, "strong"), (" wants you to open a page:", "text-2")], width, [])
        if form.message:
            lines += hung([(safe_text(form.message), "")], width, [("│ ", "line")], [("│ ", "line")])
        host = safe_text(form.host or form.url, is_command=True) or "no address"
        lines += [[], *hung([(host, "focus strong under")], width, [("  ", "")]), []]
        lines += [*hung([(safe_text(form.url, is_command=True), "text-2")], width, [("  ", "")]), []]
        return [*lines, *hung([(self._told(), "text-2" if not self.trouble else "care")], width, [])]

    @property
    def trouble(self) -> str:
        """Why it cannot be opened from here."""
        if self._form.trouble:
            return safe_text(self._form.trouble)
        if self._has_marks:
            return "A secret in this address is shown as a mark, so it cannot be opened from here."
        return "" if _is_web(self._form.url) else "This address cannot be opened from here."

    def _told(self) -> str:
        if self.trouble:
            return self.trouble
        if self._was_opened:
            return "If no page opened, open the address elsewhere. Submit tells the server that you went there."
        return "o opens it in your browser, and only that. What you type there does not pass through assent."

    def key(self, key: str) -> bool | Typing | Choice:
        if key != "o":
            return False
        if not self.trouble:
            self._was_opened = True
            self._hands.visit(self._form.url)
        return True

    def read(self, choice: Choice) -> dict[str, Any] | str:  # noqa: ARG002 - no choice takes anything from it
        return {}

    def keys(self) -> list[tuple[str, str]]:
        return [] if self.trouble else [("o", "open the page")]


_PICKED = frozenset({"choice", "choices"})
_ENTER = {"boolean": "yes / no", "choice": "pick", "choices": "pick"}


def _title(field: FieldView) -> str:
    return label(field.title or field.name)


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and address.isprintable() and " " not in address
