"""Forms that an MCP server asks to be filled in: one set of checks for typing and for receiving."""

import datetime
import math
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from assent.protocol.card import FieldView, FormView

# Farther than this not every program counts exactly.
LARGEST = 1 << 53


def first(field: FieldView) -> Any:
    """Initial value of a field; None where it has none."""
    options = [value for value, _ in field.options]
    match field.kind:
        case "boolean":
            return field.default is True
        case "choice":
            return field.default if field.default in options else None
        case "choices":
            given = field.default if isinstance(field.default, list) else []
            return [value for value in options if value in given] or None
        case "text":
            return field.default if isinstance(field.default, str) and field.default else None
        case _:
            is_number = isinstance(field.default, int | float) and not isinstance(field.default, bool)
            return field.default if is_number else None


def value(field: FieldView, text: str) -> Any:
    """None for an empty line. Raises ValueError with a sentence."""
    if not text:
        return None
    if field.kind not in ("number", "integer"):
        return text
    try:
        number = int(text) if field.kind == "integer" else float(text)
    except ValueError:
        whole = "whole " if field.kind == "integer" else ""
        raise ValueError(f"This must be a {whole}number.") from None
    if not math.isfinite(number):
        raise ValueError("This must be a number.")
    if abs(number) > LARGEST:
        raise ValueError("This number is too large.")
    return number


def toggled(field: FieldView, before: Any, at: int) -> Any:
    """The options after one of them was pressed. One that was picked is let go again."""
    if not 0 <= at < len(field.options):
        return before
    pressed = field.options[at][0]
    if field.kind == "choice":
        return None if before == pressed else pressed
    given = {*(before or ())} ^ {pressed}
    return [option for option, _ in field.options if option in given] or None


LONGEST_PATTERN = 200
LONGEST_TEXT = 1_000
# Each one without a limit multiplies the work by the length of the text.
MOST_UNBOUNDED = 2
_NEVER = re.compile(r"\(\?|\\[1-9gk]|\)[*+?{]")
_UNBOUNDED = re.compile(r"[*+]|\{\d*,\d*\}")


def is_tame(pattern: str) -> bool:
    """Whether it can be read, and looks at a text in a time that can be foreseen."""
    if len(pattern) > LONGEST_PATTERN or _NEVER.search(pattern) or len(_UNBOUNDED.findall(pattern)) > MOST_UNBOUNDED:
        return False
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def fits(pattern: str, text: str) -> bool:
    """Somewhere in the text, as JSON Schema means it."""
    return len(text) <= LONGEST_TEXT and is_tame(pattern) and re.search(pattern, text) is not None


_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)*", re.ASCII)


def problems(form: FormView, content: dict[str, Any] | None) -> dict[str, str]:
    """By the name of the field; "" for the form as a whole. Empty where it may be sent."""
    if form.trouble:
        return {"": "This form cannot be filled in here."}
    given = content or {}
    if form.mode == "url":
        return {"": "There is nothing to fill in: the page asks for it."} if given else {}
    fields = {field.name: field for field in form.fields}
    errors = {name: "The form has no such field." for name in given if name not in fields}
    for name, field in fields.items():
        value = given.get(name)
        if value is None:
            if field.required:
                errors[name] = "This must be filled in."
        elif why := problem(field, value):
            errors[name] = why
    return errors


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
    if field.pattern and not fits(field.pattern, value):
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
    options = [option for option, _ in field.options]
    if not isinstance(value, list) or any(each not in options for each in value):
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


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
