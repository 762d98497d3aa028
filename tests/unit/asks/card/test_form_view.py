"""A server's form as inputs."""

from typing import Any

import pytest

from assent.asks.card.form_view import form_view
from assent.protocol.card import FieldView, FormView
from assent.protocol.events import Elicitation


def form(properties: dict[str, Any], **more: Any) -> FormView:
    schema = {"type": "object", "properties": properties, **more}
    return form_view(Elicitation(session_id="s", mcp_server_name="lab", message="Hi", requested_schema=schema))


def field(**schema: Any) -> FieldView:
    view = form({"it": schema})
    assert view.trouble == ""
    [only] = view.fields
    return only


def visit(url: str) -> FormView:
    return form_view(Elicitation(session_id="s", mcp_server_name="lab", mode="url", url=url))


def test_form_names_the_server_and_its_words() -> None:
    """Who asks is part of the question."""
    view = form({"a": {"type": "string", "title": "Account"}}, required=["a"])
    assert view == FormView("lab", "Hi", fields=(FieldView("a", "text", "Account", required=True),))


@pytest.mark.parametrize(
    ("schema", "kind"), [("string", "text"), ("number", "number"), ("integer", "integer"), ("boolean", "boolean")]
)
def test_plain_types_are_plain_inputs(schema: str, kind: str) -> None:
    """Each has an input of its own."""
    assert field(type=schema).kind == kind


def test_limits_are_kept() -> None:
    """What is checked can be shown before."""
    assert field(type="string", minLength=2, maxLength=5, pattern="^a") == FieldView(
        "it", "text", min_length=2, max_length=5, pattern="^a"
    )
    assert field(type="number", minimum=0, maximum=1.5) == FieldView("it", "number", minimum=0, maximum=1.5)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"]},
        {"type": "string", "oneOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]},
        {"enum": ["a", "b"], "enumNames": ["A", "B"]},
    ],
)
def test_choices_have_names(schema: dict[str, Any]) -> None:
    """In each of the ways in which the protocol writes them."""
    assert field(**schema).options == (("a", "A"), ("b", "B"))
    assert field(**schema).kind == "choice"


@pytest.mark.parametrize(
    "items", [{"type": "string", "enum": ["a", "b"]}, {"anyOf": [{"const": "a", "title": "a"}, {"const": "b"}]}]
)
def test_several_choices_are_a_list(items: dict[str, Any]) -> None:
    """With how many there may be."""
    found = field(type="array", items=items, minItems=1, maxItems=2)
    assert (found.kind, found.options, found.min_length, found.max_length) == (
        "choices",
        (("a", "a"), ("b", "b")),
        1,
        2,
    )


def test_something_or_nothing_is_a_field_that_may_be_empty() -> None:
    """As libraries write an optional field."""
    assert field(anyOf=[{"type": "integer", "minimum": 1}, {"type": "null"}], title="Age").kind == "integer"


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "title": "API key"},
        {"type": "string", "format": "password"},
        {"type": "string", "writeOnly": True},
    ],
)
def test_secrets_are_typed_as_dots(schema: dict[str, Any]) -> None:
    """By their name, or by what the server says."""
    assert field(**schema).secret


@pytest.mark.parametrize(
    ("properties", "trouble"),
    [
        ({"a": {"type": "object", "properties": {}}}, "of a kind that cannot be shown"),
        ({"a": {"type": ["string", "null"]}}, "of a kind that cannot be shown"),
        ({"a": {"type": "string", "contentEncoding": "base64"}}, "says “contentEncoding”"),
        ({"a": {"type": "number", "multipleOf": 3}}, "says “multipleOf”"),
        ({"a": {"type": "integer", "exclusiveMinimum": 3}}, "says “exclusiveMinimum”"),
        ({"a": {"$ref": "#/x"}}, "of a kind that cannot be shown"),
        ({"a": {"type": "array", "items": {"type": "string"}}}, "a list of anything"),
        ({"a": {"type": "array", "items": {"enum": ["a"], "not": {}}}}, "says “not”"),
        ({"a": {"type": "string", "enum": [1, 2]}}, "choices of “a” cannot be shown"),
        ({"a": {"type": "string", "pattern": "(a+)+$"}}, "a pattern that cannot be checked"),
        ({"a": {"type": "string", "minLength": "2"}}, "a limit that is no number"),
        ({"a": 3}, "cannot be read"),
    ],
)
def test_what_cannot_be_shown_in_full_is_trouble(properties: dict[str, Any], trouble: str) -> None:
    """A form is shown whole or not at all."""
    view = form(properties)
    assert trouble in view.trouble
    assert view.fields == ()


def test_rule_about_the_whole_form_is_trouble() -> None:
    """It could make valid what each field alone does not tell."""
    assert "says “oneOf”" in form({"a": {"type": "string"}}, oneOf=[]).trouble
    assert "does not say what that is" in form({}, required=["a"]).trouble


def test_form_without_fields_asks_for_a_yes() -> None:
    """There is nothing to fill in, and nothing wrong."""
    assert form({}).trouble == ""
    assert form_view(Elicitation(session_id="s")) == FormView("")


def test_visit_shows_the_host() -> None:
    """Large on every screen: it says where one would go."""
    view = visit("https://auth.example.com:8443/login?x=1")
    assert (view.mode, view.host, view.trouble) == ("url", "auth.example.com:8443", "")
    assert visit("https://bank.example@evil.example/").host == "evil.example"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://",
        "http://[",
        "https://a\u202eb/",
        "https://a.example\\@b.example/",
    ],
)
def test_visit_of_no_page_is_trouble(url: str) -> None:
    """Only pages are opened."""
    assert visit(url).trouble == "This is not the address of a page."


def test_unknown_way_to_ask_is_trouble() -> None:
    """A newer protocol is not guessed at."""
    assert "not known here: voice" in form_view(Elicitation(session_id="s", mode="voice")).trouble


@pytest.mark.parametrize(
    ("kind", "wrong", "right"),
    [
        ("string", {"innerHTML": "x"}, "Rome"),
        ("number", "many", 1.5),
        ("number", True, 2),
        ("integer", 1.5, 3),
        ("boolean", "yes", True),
    ],
)
def test_default_is_a_valid_value(kind: str, wrong: Any, right: Any) -> None:
    """Anything else would break the screens that draw it."""
    assert field(type=kind, default=wrong).default is None
    assert field(type=kind, default=right).default == right


@pytest.mark.parametrize("wrong", [{"length": 1}, 7, [1], "a"])
def test_default_of_several_choices_is_a_list_of_them(wrong: Any) -> None:
    """Screens look through it."""
    assert field(type="array", items={"enum": ["a", "b"]}, default=wrong).default is None
    assert field(type="array", items={"enum": ["a", "b"]}, default=["a"]).default == ["a"]


def test_required_field_without_a_name_is_trouble() -> None:
    """And not an error of ours."""
    assert "does not say" in form({"a": {"type": "string"}}, required=[["a"]]).trouble
