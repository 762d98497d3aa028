"""What a tool would do, and the keys that show it another way."""

import time

from assent.protocol.card import FileDiff, Hunk
from assent.tui.asks.ask_views.permission import Permission
from tests.unit.tui import shown_asks as asks
from tests.unit.tui.drawn import texts


def test_keys_change_how_a_diff_is_drawn_and_where_one_is() -> None:
    """They never answer; without a diff they do nothing."""
    many = FileDiff("a.py", 2, 0, (Hunk(1, 1, ("+x",)), Hunk(9, 10, ("+y",))))
    thing = Permission(asks.edit(asks.EDIT, many))
    thing.lines(80)
    assert thing.keys() == [("v", "words"), ("[ ]", "hunks")]
    stops = []
    for key in ("]", "]", "]", "]", "["):
        assert thing.key(key) is True
        stops.append(thing.cursor)
    assert stops == [0, 7, 10, 10, 7]
    assert thing.key("v") is True
    assert thing.keys()[0] == ("v", "unified")
    assert thing.cursor is None
    thing.lines(200)
    thing.key("v")
    assert thing.keys()[0] == ("v", "split")
    assert not Permission(asks.permission()).key("v")
    assert not thing.key("a")
    assert Permission(asks.permission()).keys() == []
    assert thing.read("allow") == {}


def test_split_falls_back_where_the_screen_became_narrow() -> None:
    """The next press goes on from there."""
    thing = Permission(asks.edit())
    thing.lines(200)
    thing.key("v")
    assert any(" │ " in line for line in texts(thing.lines(200)))
    assert not any(" │ " in line for line in texts(thing.lines(80)))
    assert thing.keys() == [("v", "unified")]


def test_everything_of_the_input_is_shown() -> None:
    """Facts by name; where there is nothing else, the input itself."""
    facts = asks.permission(card_view={"segments": (), "facts": (("url", "https://x/\u202e"), ("body", "a\nb"))})
    assert texts(Permission(facts).lines(40)) == ["url  │ https://x/⟨U+202E⟩", "body", "│ a↵", "│ b"]
    bare = asks.permission(card_view={"segments": (), "raw": {"x": 1}})
    assert texts(Permission(bare).lines(40)) == ["{", '  "x": 1', "}"]


def test_short_values_stand_in_two_columns_and_prose_is_markdown() -> None:
    """As a person reads a call of a server: names, values, and the text it sends."""
    facts = (("owner", "acme"), ("draft", "false"), ("body", "## Why\n- **slow**"))
    ask = asks.permission(card_view={"segments": (), "facts": facts, "prose": ("body",)})
    assert texts(Permission(ask).lines(40)) == ["owner  │ acme", "draft  │ false", "body", "│ ## Why", "│", "│ - slow"]


def test_megabytes_are_drawn_once() -> None:
    """In less than a second, and then not again for the same width."""
    text = "some words of a long text, and more\n" * 60_000
    thing = Permission(asks.permission(text))
    start = time.process_time()
    first = thing.lines(100)
    assert time.process_time() - start < 2.0
    assert len(first) == 60_001
    assert thing.lines(100) is first
