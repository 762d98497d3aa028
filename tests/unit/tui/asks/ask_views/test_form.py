"""Forms in the terminal."""

from assent.protocol.card import FieldView
from assent.tui.asks.actions import Hands
from assent.tui.asks.ask_view import Typing
from assent.tui.asks.ask_views.form import Address, Form
from tests.unit.tui.measured import text
from tests.unit.tui.shown_asks import form

COLOURS = (("r", "Red"), ("g", "Green"), ("b", "Blue"))


def opened(thing: Form) -> Typing:
    made = thing.key("Enter")
    assert isinstance(made, Typing)
    return made


def test_form_names_the_server_and_its_fields() -> None:
    """Who asks, what for, what must be filled in, and where it goes."""
    shown = text(Form(form()).lines(60), 60)
    assert shown.startswith("tickets asks for this, through the agent.")
    assert "│ Who takes it?" in shown
    assert " 1 Owner · required" in shown
    assert "   > empty" in shown
    assert "[ ] no" in shown
    assert "Sent to tickets and never recorded." in shown


def test_form_is_filled_in_and_sent() -> None:
    """Tab moves, Enter types or turns over; what is empty is left out."""
    thing = Form(form())
    assert thing.key("Enter") is False
    thing.key("Tab")
    assert opened(thing).take("Ada") is None
    thing.key("2")
    thing.key("Enter")
    assert thing.read("submit") == {"content": {"owner": "Ada", "urgent": True}}
    assert thing.read("decline") == {}


def test_form_says_what_is_missing_and_goes_there() -> None:
    """A sentence with the field's name, and the same below the field."""
    thing = Form(form())
    assert thing.read("submit") == "Owner: This must be filled in."
    lines = thing.lines(60)
    assert "▲ This must be filled in." in text(lines, 60)
    assert thing.cursor is not None
    assert "▌1 Owner" in text([lines[thing.cursor]], 60)


def test_form_checks_what_is_typed_before_it_takes_it() -> None:
    """The line stays open with the reason."""
    thing = Form(form(FieldView("n", "integer", "How many", minimum=1), FieldView("m", "text", "Mail", format="email")))
    thing.key("1")
    line = opened(thing)
    assert [line.take(given) for given in ("x", "0", "99999999999999999999")] == [
        "This must be a whole number.",
        "This must be at least 1.",
        "This number is too large.",
    ]
    assert line.take("3") is None
    thing.key("2")
    assert opened(thing).take("ada") == "This must be an e-mail address."
    assert thing.read("submit") == {"content": {"n": 3}}
    thing.key("1")
    assert opened(thing).take("") is None
    assert thing.read("submit") == {"content": {}}


def test_form_shows_a_secret_as_dots() -> None:
    """Neither what was typed nor how long it is; and it does not come back into the line."""
    thing = Form(form(FieldView("key", "text", "Key", secret=True)))
    thing.key("Tab")
    line = opened(thing)
    assert line.is_secret
    line.take("hunter2")
    shown = text(thing.lines(60), 60)
    assert "hunter2" not in shown
    assert "●●●●●●●●" in shown
    assert opened(thing).value == ""
    assert "hunter2" not in repr(thing)
    assert thing.read("submit") == {"content": {"key": "hunter2"}}


def test_form_picks_options_with_arrows_and_enter() -> None:
    """One of several, or any number of them; a second press lets go."""
    thing = Form(form(FieldView("c", "choice", options=COLOURS), FieldView("m", "choices", options=COLOURS)))
    for key in ("1", "Right", "Enter", "2", "Left", "Enter", "Left", "Left", "Enter"):
        assert thing.key(key) is True
    assert thing.read("submit") == {"content": {"c": "g", "m": ["r", "b"]}}
    thing.key("Enter")
    assert thing.read("submit") == {"content": {"c": "g", "m": ["b"]}}
    assert "(●) Green" in text(thing.lines(60), 60)
    assert dict(thing.keys())["←→"] == "option"


def test_form_starts_with_what_the_server_suggests() -> None:
    """Defaults are seen, and those that do not fit are not there."""
    fields = (
        FieldView("a", "text", default="x"),
        FieldView("b", "boolean", default=True),
        FieldView("c", "choice", options=COLOURS, default="none of them"),
        FieldView("d", "number", default="many"),
        FieldView("e", "choices", options=COLOURS, default=["b", "z"]),
    )
    assert Form(form(*fields)).read("submit") == {"content": {"a": "x", "b": True, "e": ["b"]}}


def test_form_that_cannot_be_shown_takes_nothing() -> None:
    """Why it cannot be filled in is said; no key does anything."""
    thing = Form(form(trouble="It holds a list of lists."))
    assert "▲ It holds a list of lists." in text(thing.lines(60), 60)
    assert thing.key("Tab") is False
    assert thing.keys() == []


def test_address_is_opened_by_a_key_and_nothing_else() -> None:
    """The host stands alone, the whole address below it."""
    went: list[str] = []
    url = "https://login.example/oauth?state=1"
    thing = Address(form(mode="url", url=url, host="login.example"), Hands(visit=went.append))
    lines = text(thing.lines(60), 60).splitlines()
    assert "  login.example" in lines
    assert f"  {url}" in lines
    assert not any(thing.key(key) for key in ("Enter", "1", "Tab", "a"))
    assert went == []
    assert thing.read("submit") == {}
    assert thing.key("o") is True
    assert went == [url]


def test_address_that_is_no_web_page_or_has_marks_is_not_opened() -> None:
    """Nothing but http and https, and only what is shown in full."""
    went: list[str] = []
    for url in (
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://a b",
        "https://",
        "https://[x",
        "https://a\x1b[2J",
    ):
        thing = Address(form(mode="url", url=url), Hands(visit=went.append))
        thing.key("o")
        assert "cannot be opened from here" in text(thing.lines(60), 60)
    Address(form(mode="url", url="https://a.example", flags=("redacted",)), Hands(visit=went.append)).key("o")
    assert went == []
