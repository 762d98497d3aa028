"""A server's form, field by field. What is typed into a secret one is not shown."""

from typing import Any

from assent.cli import output
from assent.cli.answering.card import title
from assent.cli.answering.screen import Screen
from assent.cli.answering.text import flat
from assent.forms import typed
from assent.forms.answer import problem
from assent.protocol.card import FieldView, ShownAsk

_YES, _NO = ("y", "yes", "true", "1"), ("n", "no", "false", "0")


def filled(screen: Screen, ask: ShownAsk) -> dict[str, Any] | None:
    """The values, or None if somebody left. The hub checks them once more against the server's schema."""
    form = ask.view.form
    if form is None or form.mode == "url":
        return {}
    content: dict[str, Any] = {}
    for field in form.fields:
        while True:
            given = screen.keyboard.line(f"{title(field)}{_hint(field)}: ", hides=field.secret)
            if given is None:
                return None
            try:
                value = _value(field, given)
            except ValueError as error:
                output.say(str(error))
                continue
            if value is None:
                break
            if not (why := problem(field, value)):
                content[field.name] = value
                break
            output.say(flat(why, code=False))
    return {"content": content}


def _hint(field: FieldView) -> str:
    parts = {"boolean": " [y/n]", "choice": f" [1–{len(field.options)}]", "choices": " [numbers with commas]"}
    known = _default(field)
    shown = "" if known is None or field.secret else f" (Enter: {flat(_told(field, known), code=False)})"
    return parts.get(field.kind, "") + shown


def _told(field: FieldView, value: Any) -> str:
    if field.kind == "boolean":
        return "yes" if value else "no"
    labels = dict(field.options)
    return ", ".join(labels.get(str(each), str(each)) for each in (value if isinstance(value, list) else [value]))


def _value(field: FieldView, given: str) -> Any:
    """None for what is left empty. Raises ValueError with a sentence."""
    if not given:
        if (known := _default(field)) is None and field.required:
            raise ValueError("This must be filled in.")
        return known
    match field.kind:
        case "boolean":
            if given.lower() not in (*_YES, *_NO):
                raise ValueError("Answer y or n.")
            return given.lower() in _YES
        case "choice":
            return _option(field, given)
        case "choices":
            return [_option(field, part.strip()) for part in given.split(",")]
    return typed.value(field, given)


def _default(field: FieldView) -> Any:
    return None if field.default is None else typed.first(field)


def _option(field: FieldView, given: str) -> str:
    """By its number, or as it is called."""
    if given.isascii() and given.isdigit() and 1 <= int(given) <= len(field.options):
        return field.options[int(given) - 1][0]
    found = next((value for value, label in field.options if given in (value, label)), None)
    if found is None:
        raise ValueError(f"Pick from 1 to {len(field.options)}.")
    return found
