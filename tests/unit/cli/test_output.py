"""Colour, tables, spans and the question that only a person may answer."""

import io

import pytest

from assent.cli import output


@pytest.mark.parametrize(
    ("seconds", "shown"), [(-1, "0s"), (0.2, "0s"), (89.8, "1m30s"), (900, "15m"), (5400, "1h30m"), (3601, "1h1s")]
)
def test_exact_span_leaves_nothing_out(seconds: float, shown: str) -> None:
    """A time left is told to the second."""
    assert output.exact_span(seconds) == shown


def test_table_aligns_what_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    """Colour codes take no room."""
    output.say_table([("A", "B"), (output.styled("long", "good"), "x"), ("c", "")])
    assert capsys.readouterr().out == "A     B\nlong  x\nc\n"
    output.say_table([])
    assert capsys.readouterr().out == ""


def test_diff_is_coloured_by_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Added blue, removed amber, places cyan, file names bold, the rest plain."""
    monkeypatch.setattr("click._compat.isatty", lambda _: True)
    output.say_diff("--- a\n+++ b\n@@ 1 @@\n-x\n+y\n z\n")
    assert capsys.readouterr().out == (
        "\x1b[1m--- a\x1b[0m\n\x1b[1m+++ b\x1b[0m\n\x1b[36m@@ 1 @@\x1b[0m\n\x1b[33m-x\x1b[0m\n\x1b[94m+y\x1b[0m\n z\n"
    )


@pytest.mark.parametrize(
    ("typed", "agreed"), [("y\n", True), ("YES\n", True), ("\n", False), ("n\n", False), ("", False), ("yep\n", False)]
)
def test_only_a_typed_yes_is_a_yes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, agreed: bool
) -> None:
    """An empty line, a closed terminal and anything unclear are a no."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert output.confirmed("Write this?") is agreed
    assert capsys.readouterr().out.startswith("Write this? [y/N] ")


def test_paragraph_is_broken_between_words_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What reads it elsewhere breaks lines itself."""
    monkeypatch.setenv("COLUMNS", "20")
    output.say_paragraph("Answers given in the terminal are noticed later.")
    assert capsys.readouterr().out.count("\n") == 1
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    output.say_paragraph("Answers given in the terminal are noticed later.")
    assert capsys.readouterr().out.splitlines() == ["Answers given in the", "terminal are noticed", "later."]


def test_paragraph_goes_on_below_what_stands_before_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines of its own and those that were broken alike."""
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    output.say_paragraph("One line that is long.\nTwo.", "✗ ")
    assert capsys.readouterr().out.splitlines() == ["✗ One line that is", "  long.", "  Two."]


def test_long_error_is_broken_between_words_and_a_pointer_stays() -> None:
    """What fits is left as it is, blanks at its beginning as well."""
    assert output.wrapped("nothing was changed here\n  word\n  ^^^^", 20) == [
        "nothing was changed",
        "here",
        "  word",
        "  ^^^^",
    ]
