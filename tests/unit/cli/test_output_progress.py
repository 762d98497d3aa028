"""How far something is, for people who look."""

import io
from contextlib import redirect_stderr

import pytest

from assent.cli import output
from assent.cli.output import Progress


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_is_done_soon_is_not_shown() -> None:
    """Nothing flickers for half a second's work."""
    with redirect_stderr(Screen()) as screen, Progress("copied") as shown:
        shown.show("10 %")
    assert screen.getvalue() == ""


def test_line_is_replaced_and_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, written over, and cleared when it is done."""
    monkeypatch.setattr(output, "PATIENCE", 0.0)
    with redirect_stderr(Screen()) as screen, Progress("copied") as shown:
        shown.show("10 %")
        shown.show("11 %")
        shown.show("all of it", at_once=True)
    assert screen.getvalue() == "\r\x1b[Kcopied 10 % …\r\x1b[Kcopied all of it …\r\x1b[K"


def test_nothing_is_shown_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No control characters in a file."""
    monkeypatch.setattr(output, "PATIENCE", 0.0)
    with Progress("copied") as shown:
        shown.show("10 %", at_once=True)
    assert capsys.readouterr().err == ""
