"""What is wrong with a form somebody filled in, in a sentence for each field."""

import datetime
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from assent.forms import patterns
from assent.protocol.card import FieldView, FormView

_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)*", re.ASCII)


def problems(form: FormView, content: dict[str, Any] | None) -> dict[str, str]:
    """By the name of the field; "" for the form as a whole. Empty where it may be sent."""
    if form.trouble:
        return {"": "This form cannot be filled in here."}
    given = content or {}
    if form.mode == "url":
        return {"": "There is nothing to fill in: the page asks for it."} if given else {}
    known = {field.name: field for field in form.fields}
    found = {name: "The form has no such field." for name in given if name not in known}
    for name, field in known.items():
        value = given.get(name)
        if value is None:
            if field.required:
                found[name] = "This must be filled in."
        elif why := problem(field, value):
            found[name] = why
    return found


def problem(field: FieldView, value: Any) -> str:
    """What is wrong with the value of one field; "" if nothing is."""
    return next(_CHECKS[field.kind](field, value), "")


def _text(field: FieldView, value: Any) -> Iterator[str]:
    if not isinstance(value, str):
        yield "This must be a text."
        return
    if field.required and not value and not field.min_length:
        yield "This must be filled in."
    if field.min_length is not None and len(value) < field.min_length:
        yield f"This must have at least {_count(field.min_length, 'character')}."
    if field.max_length is not None and len(value) > field.max_length:
        yield f"This must have at most {_count(field.max_length, 'character')}."
    if field.pattern and not patterns.fits(field.pattern, value):
        yield f"This must fit the pattern {field.pattern}"
    if value and field.format in _FORMATS:
        is_fit, words = _FORMATS[field.format]
        if not is_fit(value):
            yield f"This must be {words}."


def _number(field: FieldView, value: Any) -> Iterator[str]:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        yield "This must be a number."
        return
    if field.kind == "integer" and isinstance(value, float) and not value.is_integer():
        yield "This must be a whole number."
    if field.minimum is not None and value < field.minimum:
        yield f"This must be at least {field.minimum:g}."
    if field.maximum is not None and value > field.maximum:
        yield f"This must be at most {field.maximum:g}."


def _boolean(_: FieldView, value: Any) -> Iterator[str]:
    if not isinstance(value, bool):
        yield "This must be yes or no."


def _choice(field: FieldView, value: Any) -> Iterator[str]:
    if value not in [option for option, _ in field.options]:
        yield "This must be one of the choices."


def _choices(field: FieldView, value: Any) -> Iterator[str]:
    known = [option for option, _ in field.options]
    if not isinstance(value, list) or any(each not in known for each in value):
        yield "These must be among the choices."
        return
    if len(value) != len(set(value)):
        yield "Each choice counts once."
    least = max(field.min_length or 0, 1 if field.required and field.min_length is None else 0)
    if len(value) < least:
        yield f"Choose at least {least}."
    if field.max_length is not None and len(value) > field.max_length:
        yield f"Choose at most {field.max_length}."


_CHECKS: dict[str, Callable[[FieldView, Any], Iterator[str]]] = {
    "text": _text,
    "number": _number,
    "integer": _number,
    "boolean": _boolean,
    "choice": _choice,
    "choices": _choices,
}


def _is_date(text: str) -> bool:
    try:
        return len(text) == 10 and datetime.date.fromisoformat(text) is not None
    except ValueError:
        return False


def _is_moment(text: str) -> bool:
    try:
        return len(text) > 10 and datetime.datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return bool(parts.scheme and (parts.netloc or parts.path)) and text.isprintable() and " " not in text


_FORMATS: dict[str, tuple[Callable[[str], object], str]] = {
    "email": (_EMAIL.fullmatch, "an e-mail address"),
    "uri": (_is_address, "a whole address, such as https://example.com/"),
    "date": (_is_date, "a date, such as 2026-03-31"),
    "date-time": (_is_moment, "a date and time with a zone, such as 2026-03-31T14:00:00Z"),
}


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
