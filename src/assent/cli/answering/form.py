"""A server's form, field by field. What is typed into a secret one is not shown."""

from typing import Any

from assent.cli import output
from assent.cli.answering.card import title
from assent.cli.answering.screen import Screen
from assent.cli.answering.text import flat
from assent.forms.answer import problem
from assent.protocol.card import FieldView, ShownAsk

_YES, _NO = ("y", "yes", "true", "1"), ("n", "no", "false", "0")


class _WrongError(ValueError):
    """A sentence about what was typed."""


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
            except _WrongError as error:
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
    shown = (
        "" if field.default is None or field.secret else f" (Enter: {flat(_told(field, field.default), code=False)})"
    )
    return parts.get(field.kind, "") + shown


def _told(field: FieldView, value: Any) -> str:
    if field.kind == "boolean":
        return "yes" if value else "no"
    labels = dict(field.options)
    return ", ".join(labels.get(str(each), str(each)) for each in (value if isinstance(value, list) else [value]))


def _value(field: FieldView, given: str) -> Any:
    if not given:
        if field.default is not None:
            return field.default
        if field.required:
            raise _WrongError("This must be filled in.")
        return None
    match field.kind:
        case "boolean":
            if given.lower() not in (*_YES, *_NO):
                raise _WrongError("Answer y or n.")
            return given.lower() in _YES
        case "integer" | "number":
            return _number(field, given)
        case "choice":
            return _option(field, given)
        case "choices":
            return [_option(field, part.strip()) for part in given.split(",")]
    return given


def _number(field: FieldView, given: str) -> int | float:
    try:
        value: int | float = int(given) if field.kind == "integer" else float(given)
    except ValueError:
        raise _WrongError(f"This must be a {'whole ' if field.kind == 'integer' else ''}number.") from None
    if value != value or value in (float("inf"), float("-inf")):
        raise _WrongError("This must be a number.")
    return value


def _option(field: FieldView, given: str) -> str:
    """By its number, or as it is called."""
    if given.isascii() and given.isdigit() and 1 <= int(given) <= len(field.options):
        return field.options[int(given) - 1][0]
    found = next((value for value, label in field.options if given in (value, label)), None)
    if found is None:
        raise _WrongError(f"Pick from 1 to {len(field.options)}.")
    return found
