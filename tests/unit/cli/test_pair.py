"""A camera must be able to read what a terminal shows."""

import click
import pytest

from assent.cli.pair import drawn

ROWS = ["000", "011", "010"]


def test_code_is_drawn_dark_on_light_in_half_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows in a line, an odd last row alone; the colours are set, whatever those of the terminal are."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = drawn(ROWS)
    assert click.unstyle(text) == " ▄▄\n ▀ "
    assert all(line.startswith("\x1b[30m\x1b[107m") for line in text.splitlines())


def test_code_without_colours_leaves_dark_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a dark terminal the light is drawn."""
    monkeypatch.setenv("NO_COLOR", "1")
    assert drawn(ROWS) == "█▀▀\n█▄█"


def test_code_in_ascii_is_two_wide() -> None:
    """Letters are twice as high as wide."""
    assert drawn(ROWS, ascii_only=True) == "######\n##    \n##  ##"
