"""One way to the terminal, and what it makes of any line."""

from collections.abc import Iterator

import pytest
from textual.scrollbar import ScrollBar

from assent.tui.drawing import glyphs
from assent.tui.drawing import look as look_
from assent.tui.drawing.look import Look, depth, found_look


@pytest.fixture(autouse=True)
def signs_again() -> Iterator[None]:
    yield
    found_look({"COLORFGBG": "15;0"})


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "all"),
        ({"TERM": "xterm-256color"}, "256"),
        ({"TERM": "xterm"}, "16"),
        ({"TERM": "dumb"}, "none"),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, "none"),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "256"),
    ],
)
def test_colours_are_as_many_as_the_terminal_has(environ: dict[str, str], expected: str) -> None:
    """They follow from the environment, and NO_COLOR is honoured."""
    assert depth(environ) == expected


def test_without_colours_nothing_is_coloured() -> None:
    """Bold and reversed print remain, and no other code is sent."""
    look = Look(depth="none")
    for words in ("danger strong", "on:raised text-3", "danger-block", "add", "del hue-2"):
        style = look.style(words)
        assert style.color is None
        assert style.bgcolor is None
    assert look.style("danger strong").bold
    assert look.style("danger-block").reverse


@pytest.mark.parametrize("colours", ["none", "16"])
def test_selected_row_is_reversed_where_grounds_are_few(colours: str) -> None:
    """All of it, but for what has a ground of its own."""
    look = Look(depth=colours)  # type: ignore[arg-type]
    strip = look.strip([("a", ""), ("b", "danger strong"), ("c", "on:bg")], 5, "on:raised")
    segments = list(strip)
    assert [segment.style.reverse for segment in segments if segment.style] == [True, True, False, True]
    assert not look.style("on:bg danger").reverse


def test_strip_is_as_wide_as_asked_and_holds_nothing_that_steers() -> None:
    """Whatever a piece holds, also one that was not cleaned."""
    look = Look()
    for text in (
        "\x1b[31mred\x1b[0m",
        "tab\there",
        "wide 中文",
        "two\nlines",
        "bell\x07",
        "\u202eback",
        "e\u0301" * 30,
    ):
        for width in (1, 7, 40):
            strip = look.strip([(text, "danger")], width)
            assert strip.cell_length == width
            assert strip.text.isprintable()


def test_plain_letters_replace_signs_before_anything_is_measured() -> None:
    """A look that was found for letters only also tells those who draw."""
    found_look({"TERM": "xterm", "COLORFGBG": "15;0"}, is_ascii=True)
    assert glyphs.one_line("■ Danger … ⟨U+202E⟩") == "[#] Danger ... <U+202E>"
    strip = Look(is_ascii=True).strip([("│ né", "")], 12)
    assert strip.text == "| n<U+00E9> "
    bar = ScrollBar.renderer.render_bar(size=7, virtual_size=100, window_size=13, position=11)
    assert {segment.text for segment in bar.segments} == {" "}


@pytest.mark.parametrize(
    ("colours", "is_light"),
    [("15;0", False), ("0;15", True), ("0;default;15", True), ("12;8", False), ("15;default", None), ("", None)],
)
def test_ground_is_as_the_environment_says(
    colours: str, is_light: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terminal is asked only where the environment says nothing."""
    asked: list[str] = []

    def ask(terminal: str) -> bytes:
        asked.append(terminal)
        return b""

    monkeypatch.setattr(look_, "ask", ask)
    look = found_look({"TERM": "xterm", "COLORFGBG": colours})
    assert look.is_dark is not bool(is_light)
    assert bool(asked) is (is_light is None)


@pytest.mark.parametrize("environ", [{"TERM": "dumb"}, {"TERM": "xterm", "SSH_CONNECTION": "::1 1 ::1 22"}, {}])
def test_terminal_that_may_answer_late_is_not_asked(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer would be taken for keys."""
    monkeypatch.setattr(look_, "ask", lambda _: pytest.fail("asked"))
    assert found_look(environ).is_dark


def test_own_wish_comes_first() -> None:
    """The setting light or dark is followed."""
    assert not found_look({"COLORFGBG": "15;0"}, is_light=True).is_dark
    assert found_look({"COLORFGBG": "0;15"}, is_light=False).is_dark


@pytest.mark.parametrize(
    ("answer", "is_bright"),
    [
        (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62c", True),
        (b"\x1b]11;rgb:fd/f6/e3\x07\x1b[?1;2c", True),
        (b"\x1b]11;rgba:1e1e/1e1e/1e1e/ffff\x1b\\", False),
        (b"\x1b[?1;2c", False),
        (b"", False),
        (b"\x1b]11;rgb:zz/00/00\x1b\\", False),
    ],
)
def test_answer_of_a_terminal_is_understood(answer: bytes, is_bright: bool) -> None:
    """In every spelling; none is taken for dark."""
    assert (look_.brightness(answer) > 0.5) is is_bright
