"""Validation of a filled-in form."""

from typing import Any

import pytest

from assent.forms import problems
from assent.protocol.card import FieldView, FormView


def problem(field: FieldView, value: Any) -> str:
    return problems(FormView("lab", fields=(field,)), {field.name: value}).get(field.name, "")


TEXT = FieldView("a", "text")
OPTIONS = (("a", "A"), ("b", "B"))


@pytest.mark.parametrize(
    ("field", "good", "bad", "why"),
    [
        (TEXT, "x", 3, "This must be a text."),
        (FieldView("a", "text", min_length=2), "xx", "x", "This must have at least 2 characters."),
        (FieldView("a", "text", max_length=1), "x", "xx", "This must have at most 1 character."),
        (FieldView("a", "text", pattern="^a+$"), "aa", "ab", "This must fit the pattern ^a+$"),
        (FieldView("a", "text", format="email"), "a@b.example", "a@", "This must be an e-mail address."),
        (FieldView("a", "text", format="date"), "2026-02-28", "2026-02-30", "This must be a date, such as 2026-03-31."),
        (
            FieldView("a", "text", format="date-time"),
            "2026-02-28T10:00:00Z",
            "2026-02-28",
            "This must be a date and time with a zone, such as 2026-03-31T14:00:00Z.",
        ),
        (
            FieldView("a", "text", format="uri"),
            "https://example.com",
            "example",
            "This must be a whole address, such as https://example.com/.",
        ),
        (FieldView("a", "number"), 1.5, "1.5", "This must be a number."),
        (FieldView("a", "number"), 1, True, "This must be a number."),
        (FieldView("a", "integer"), 3, 3.5, "This must be a whole number."),
        (FieldView("a", "number", minimum=1), 1, 0.5, "This must be at least 1."),
        (FieldView("a", "number", maximum=1), 1, 2, "This must be at most 1."),
        (FieldView("a", "boolean"), False, "no", "This must be yes or no."),
        (FieldView("a", "choice", options=OPTIONS), "b", "B", "This must be one of the choices."),
        (FieldView("a", "choices", options=OPTIONS), ["a"], ["a", "c"], "These must be among the choices."),
        (FieldView("a", "choices", options=OPTIONS), [], "a", "These must be among the choices."),
        (FieldView("a", "choices", options=OPTIONS), ["a"], [["a"]], "These must be among the choices."),
        (FieldView("a", "choices", options=OPTIONS), ["b"], ["b", "b"], "Each choice counts once."),
        (FieldView("a", "choices", options=OPTIONS, min_length=2), ["a", "b"], ["a"], "Choose at least 2."),
        (FieldView("a", "choices", options=OPTIONS, max_length=1), ["a"], ["a", "b"], "Choose at most 1."),
    ],
)
def test_value_is_checked(field: FieldView, good: Any, bad: Any, why: str) -> None:
    """With a sentence that says what to do."""
    assert problem(field, good) == ""
    assert problem(field, bad) == why


@pytest.mark.parametrize("content", [None, {}, {"a": None}, {"a": ""}])
def test_required_field_must_be_filled_in(content: dict[str, Any] | None) -> None:
    """An empty text is no answer."""
    form = FormView("lab", fields=(FieldView("a", "text", required=True),))
    assert problems(form, content) == {"a": "This must be filled in."}


def test_other_fields_may_be_left_out() -> None:
    """Nothing is asked for twice."""
    assert problems(FormView("lab", fields=(TEXT,)), {}) == {}


def test_unknown_field_is_refused() -> None:
    """Only what was on the screen is sent."""
    assert problems(FormView("lab", fields=(TEXT,)), {"a": "x", "b": 1}) == {"b": "The form has no such field."}


def test_form_with_trouble_is_never_filled_in() -> None:
    """What could not be shown cannot have been read."""
    assert problems(FormView("lab", trouble="x"), {}) == {"": "This form cannot be filled in here."}


def test_visit_takes_no_content() -> None:
    """The page asks for it, not we."""
    assert problems(FormView("lab", mode="url", url="https://e.example"), {}) == {}
    assert problems(FormView("lab", mode="url", url="https://e.example"), {"a": 1}) != {}
