"""What somebody typed or picked, as the value that a field of a form takes."""

import math
from typing import Any

from assent.protocol.card import FieldView

# Farther than this not every program counts exactly.
LARGEST = 1 << 53


def first(field: FieldView) -> Any:
    """What a field holds before anybody touched it; None where that is nothing."""
    known = [value for value, _ in field.options]
    match field.kind:
        case "boolean":
            return field.default is True
        case "choice":
            return field.default if field.default in known else None
        case "choices":
            given = field.default if isinstance(field.default, list) else []
            return [value for value in known if value in given] or None
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
