"""Lines never grow wider than they are given, and nothing in a text is lost or hidden on the way."""

import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from assent.tui.drawing import glyphs
from assent.tui.drawing.glyphs import one_line
from assent.tui.drawing.text import Line, ends, fit, hints, label, pad, safe_text, width, wrap
from tests.hostile import texts

lines = st.lists(st.tuples(texts, st.sampled_from(["", "strong", "danger"])), max_size=4)
widths = st.integers(4, 240)


@pytest.fixture
def in_letters() -> Iterator[None]:
    glyphs.plain_only(True)
    yield
    glyphs.plain_only(False)


def plain(line: Line) -> str:
    return "".join(text for text, _ in line)


@given(texts)
def test_one_line_is_printable_and_done_with(text: str) -> None:
    """What it lets pass it lets pass again, unchanged, and it measures what its characters measure."""
    made = one_line(text)
    assert made.isprintable()
    assert one_line(made) == made
    assert cell_len(made) == sum(map(cell_len, made))


@given(texts, st.booleans())
def test_inert_leaves_nothing_but_line_ends(text: str, is_command: bool) -> None:
    """Every line of it is printable and passes the last guard as it is."""
    for line in safe_text(text, is_command=is_command).split("\n"):
        assert line.isprintable()
        assert one_line(line) == line


@given(texts)
def test_inert_keeps_every_visible_letter(text: str) -> None:
    """Letters and digits stand there in their order; what is added stands in brackets."""
    kept = [c for c in text if c.isascii() and c.isalnum()]
    shown = iter(safe_text(text))
    assert all(any(c == found for found in shown) for c in kept)


@given(lines, widths, st.sampled_from(["", "  ", "     "]), st.sampled_from(["", "\\"]))
def test_wrapped_lines_fit_and_hold_all_of_it(line: Line, cells: int, indent: str, mark: str) -> None:
    """None is wider than allowed; put together again they are the text, but for blanks where it broke."""
    made = wrap(line, cells, indent, mark=mark)
    assert all(width(each) <= cells for each in made)
    texts = [plain(each) for each in made]
    bare = [text[len(indent) :] if at and indent and text.startswith(indent) else text for at, text in enumerate(texts)]
    written = "".join(one_line(part) for part in plain(line).split("\n"))
    if not mark:
        assert "".join(bare).replace(" ", "") == written.replace(" ", "")
    else:
        assert len("".join(bare).replace(" ", "")) >= len(written.replace(" ", ""))


@given(lines, st.integers(0, 60))
def test_fitted_line_fits_and_says_where_it_was_cut(line: Line, cells: int) -> None:
    """A line that fits is left alone, another one ends with dots."""
    made = fit(line, cells)
    assert width(made) <= cells
    if width(line) <= cells:
        assert plain(made) == "".join(one_line(text) for text, _ in line)
    elif cells:
        assert plain(made).endswith("…")


@given(lines, lines, st.integers(1, 80))
def test_both_ends_fit_on_one_line(left: Line, right: Line, cells: int) -> None:
    """The left one gives way, and the line is exactly as wide as asked where there is a right one."""
    made = ends(left, right, cells)
    assert width(made) <= cells
    if 0 < width(right) < cells - 1:
        assert width(made) == cells
        assert plain(made).endswith(plain([(one_line(text), "") for text, _ in right]))


@given(lines, st.integers(0, 60))
def test_padded_line_has_the_width(line: Line, cells: int) -> None:
    """It grows to the width, and not beyond."""
    assert width(pad(line, cells)) == max(cells, width(line))


@given(texts, widths)
def test_wrapped_text_is_the_same_in_letters_only(text: str, cells: int) -> None:
    """Everything still fits, and nothing but plain letters comes out."""
    glyphs.plain_only(True)
    try:
        made = wrap([(safe_text(text, is_command=True), "")], cells, mark="\\")
        assert all(plain(line).isascii() and width(line) <= cells for line in made)
    finally:
        glyphs.plain_only(False)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("e\u0301\u0302\u0303", "e\u0301\u0302⟨U+0303⟩"),
        ("\u0301", "⟨U+0301⟩"),
        ("👨\u200d👩", "👨⟨U+200D⟩👩"),
        ("👍🏽", "👍⟨U+1F3FD⟩"),
        ("🇩🇪", "⟨U+1F1E9⟩⟨U+1F1EA⟩"),
        ("⚠️ careful", "⚠ careful"),
        ("a\ufe0f", "a⟨U+FE0F⟩"),
        ("\u1112\u1161\u11ab", "한"),
        ("☰", "⟨U+2630⟩"),
        ("\x1b[2J", "⟨U+001B⟩[2J"),
        ("\x9b2J", "⟨U+009B⟩2J"),
        ("a\tb", "a   b"),
        ("a\u3000b\u00a0c", "a  b c"),
        ("a" + " " * 40 + "5", "a⟨␣×40⟩5"),
        ("    indented", "    indented"),
        ("\t" * 9 + "x", "⟨⇥×9⟩x"),
        ("a\n\n\n\n\nb", "a⟨↵×5⟩\nb"),
        ("a\n \n \n \n \nb", "a⟨↵×5⟩\nb"),
        ("one\r\ntwo", "one\ntwo"),
        ("中文 é", "中文 é"),
    ],
)
def test_text_is_drawn_the_same_in_every_terminal(text: str, drawn: str) -> None:
    """What terminals disagree on is spelled out, runs of nothing are counted."""
    assert safe_text(text) == drawn


@pytest.mark.parametrize(
    ("command", "drawn"),
    [
        ("ls \\\n -la", "ls \\↵\n -la"),
        ("a\r\nb", "a⟨U+000D⟩↵\nb"),
        ("rm\u00a0-rf", "rm⟨U+00A0⟩-rf"),
        ("rm \u2212rf", "rm ⟨U+2212⟩rf"),
        ("❤\ufe0f", "❤⟨U+FE0F⟩"),
        ("p\u0430ypal", "p⟨U+0430⟩ypal"),
        ("a\n\n\n\nb", "a⟨↵×4⟩\nb"),
    ],
)
def test_command_is_drawn_to_the_letter(command: str, drawn: str) -> None:
    """Its line ends are seen, and nothing in it passes for something else."""
    assert safe_text(command, is_command=True) == drawn


@pytest.mark.usefixtures("in_letters")
@pytest.mark.parametrize(
    ("text", "prose", "command"),
    [
        ("caf\u00e9", "caf<U+00E9>", "caf<U+00E9>"),
        ("a \u2026", "a ...", "a <U+2026>"),
        ("\u201cx\u201d", '"x"', "<U+201C>x<U+201D>"),
        ("a" + " " * 30 + "b", "a<_x30>b", "a<_x30>b"),
    ],
)
def test_letters_only_loses_nothing(text: str, prose: str, command: str) -> None:
    """In prose quotes and dots have plain twins; in a command nothing stands for anything else."""
    assert one_line(safe_text(text)) == prose
    assert one_line(safe_text(text, is_command=True)) == command


def test_words_are_kept_together_and_cuts_within_them_are_marked() -> None:
    """A line breaks between words; where a word is too long, the mark says that it goes on."""
    made = [plain(line) for line in wrap([("rm -rf /a/very/long/path now", "")], 12, mark="\\")]
    assert made == ["rm -rf", "/a/very/lon\\", "g/path now"]


def test_styles_follow_their_text() -> None:
    """Wrapping cuts pieces, and each part keeps the style of its piece."""
    made = wrap([("one two ", "a"), ("three four", "b")], 9)
    assert made == [[("one two", "a")], [("three", "b")], [("four", "b")]]


def test_label_is_one_line() -> None:
    """Names and titles have no line ends."""
    assert label("two\nlines\t here ") == "two lines here"


@pytest.mark.parametrize("unit", ["x", "\u4e2d", "e\u0301", "a b ", " ", "ab\u4e2d "], ids=ascii)
def test_long_lines_take_time_in_proportion(unit: str) -> None:
    """A hundred thousand characters in a line are drawn in an instant."""
    text = unit * (100_000 // len(unit))
    start = time.process_time()
    made = wrap([(safe_text(text), "")], 80)
    assert time.process_time() - start < 1.0
    assert all(width(line) <= 80 for line in made)


@given(st.lists(st.sampled_from([("a", "allow"), ("Enter", "allow and stop asking"), ("j k", "move")])), widths)
def test_hints_are_not_broken(keys: list[tuple[str, str]], cells: int) -> None:
    """Each is on one line whole, wherever a line has room for it."""
    made = hints(keys, cells)
    assert all(width(line) <= cells for line in made)
    if cells >= 30:
        assert " ".join(" ".join(map(plain, made)).split()) == " ".join(f"{key} {words}" for key, words in keys)
        assert all(sum(f"{key} {words}" in plain(line) for line in made) for key, words in keys)
