"""Markdown as drawn text: nothing in it is left out."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.text.markdown import LONGEST, parse
from assent.tui.drawing.markdown import blocks
from assent.tui.drawing.text import safe_text
from tests.markdown_corpus import CORPUS, outline
from tests.unit.tui.measured import text


def drawn(source: str, cells: int = 60) -> str:
    return "\n".join(text(block.draw(cells), cells) for block in blocks(source))


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("# Title\n", "# Title"),
        ("a **b** *c* ~~d~~ `e f`", "a b c d e f"),
        ("1. one\n1. two\n   - three", "1. one\n1. two\n   - three"),
        ("> said\n> - so", "▌ said\n▌ - so"),
        ("[here](https://x.example/a?b=1%20 'why') ![i](p.png)", "here (https://x.example/a?b=1%20 “why”) !i (p.png)"),
        ("<https://x.example>", "https://x.example"),
        ("<b onclick='x'>bold</b>", "<b onclick='x'>bold</b>"),
        ("<!-- see me -->", "<!-- see me -->"),
        ("&lt;&#8238;", "&lt;&#8238;"),
        ("[//]: # (hidden words)", "[//]: # (hidden words)"),
        ("[ref]: https://x.example 'title'", "[ref]: https://x.example 'title'"),
        ("```python extra words\nx = 1\n```", "│ python extra words\n│ x = 1"),
        ("    indented\n      more", "│ indented\n│   more"),
        ("a\n\n---\n\nb", f"a\n{'─' * 40}\nb"),
        ("| A | B |\n|---|---|\n| x | `yy` |", "A │ B\n─   ──\nx │ yy"),
        ("| A |\n|---|\n| x | gone |", "| A |\n|---|\n| x | gone |"),
        ("- [ ] open\n- [x] done", "- [ ] open\n- [x] done"),
        ("a\x1b[31mb\u202ec", "a⟨U+001B⟩[31mb⟨U+202E⟩c"),
    ],
)
def test_markdown_is_drawn_as_text(source: str, shown: str) -> None:
    """What is known gets a form; everything else stands there as it was written."""
    assert drawn(source) == shown


def test_markdown_table_that_is_too_wide_is_drawn_cell_by_cell() -> None:
    """Each cell under its name, and nothing is cut."""
    wide = f"| Name | Text |\n|---|---|\n| x | {'word ' * 12}|"
    shown = drawn(wide, 30)
    assert "▌ Name: x" in shown
    assert "│ Text: word" in shown
    assert shown.count("word") == 12


def test_markdown_blocks_know_their_line() -> None:
    """A note can quote what it is about."""
    source = "# T\n\ntext\n\n- a\n- b\n\n| A |\n|---|\n| x |\n\n```\ncode\n```\n"
    assert [block.line for block in blocks(source)] == [1, 3, 5, 6, 8, 10, 12]


MARKS = st.text(alphabet="ab1 \n#*_`~[]()<>|!-+.&;\\\t:'\"\u202e\x1b", max_size=120)


@given(source=MARKS, cells=st.integers(20, 100))
def test_markdown_leaves_no_letter_out(source: str, cells: int) -> None:
    """Whatever is written, each letter and digit of it is drawn, in order, on lines that fit."""
    written = [character for character in safe_text(source) if character.isalnum()]
    shown = "".join(drawn(source, cells).split())
    assert [character for character in shown if character.isalnum()] == written


@pytest.mark.parametrize("source", ["[" * 9_000, "*a " * 9_000, "> " * 900 + "x", "|a" * 3_000 + "\n" + "|-" * 3_000])
def test_markdown_made_to_keep_us_busy_does_not(source: str) -> None:
    """A hostile text costs what its length costs."""
    start = time.process_time()
    drawn(source, 80)
    assert time.process_time() - start < 2


def test_markdown_that_is_too_long_is_shown_as_it_was_written() -> None:
    """Not parsed, but whole."""
    source = "# a\n" * (LONGEST // 4 + 1)
    assert len(blocks(source)) == LONGEST // 4 + 1


@pytest.mark.parametrize("name", CORPUS)
def test_blocks_stand_where_the_nodes_do(name: str) -> None:
    """A note is about the same line here and on the page."""

    def lines(parts: list[Any]) -> Iterator[int]:
        for part in parts:
            if isinstance(part, list) and len(part) > 1 and isinstance(part[1], int):
                yield part[1]
            elif isinstance(part, list):
                yield from lines(part)

    shown = {block.line for block in blocks(CORPUS[name])}
    assert set(lines(outline(parse(CORPUS[name])))) <= shown
