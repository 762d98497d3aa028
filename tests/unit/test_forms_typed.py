"""Conversion of typed text into the value of a field."""

import pytest

from assent.forms import first, toggled, value
from assent.protocol.card import FieldView

OPTIONS = (("a", "A"), ("b", "B"))


def test_typed_text_becomes_the_field_s_value() -> None:
    """Numbers where numbers are asked for; nothing for an empty line."""
    assert value(FieldView("f", "text"), "12") == "12"
    assert value(FieldView("f", "integer"), "12") == 12
    assert value(FieldView("f", "number"), "1.5") == 1.5
    assert value(FieldView("f", "number"), "") is None


@pytest.mark.parametrize(("kind", "given"), [("integer", "1.5"), ("number", "nan"), ("number", "inf"), ("number", "x")])
def test_typed_text_that_is_no_number_is_explained(kind: str, given: str) -> None:
    """A sentence, not a traceback."""
    with pytest.raises(ValueError, match=r"This must be a .*number\."):
        value(FieldView("f", kind), given)  # type: ignore[arg-type]


def test_pressed_options_turn_over() -> None:
    """One of them, or any number in the order of the form; none is nothing."""
    one, any_of = FieldView("f", "choice", options=OPTIONS), FieldView("f", "choices", options=OPTIONS)
    assert [toggled(one, None, 1), toggled(one, "b", 1), toggled(one, "a", 9)] == ["b", None, "a"]
    assert [toggled(any_of, ["b"], 0), toggled(any_of, ["b"], 1)] == [["a", "b"], None]


def test_untouched_fields_hold_their_default() -> None:
    """Only where it is one of the field's own kind."""
    assert first(FieldView("f", "integer", default=True)) is None
    assert first(FieldView("f", "choice", options=OPTIONS, default=["a"])) is None
    assert first(FieldView("f", "text", default=3)) is None
    assert first(FieldView("f", "boolean")) is False
