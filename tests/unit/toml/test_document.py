"""Reading a TOML file, and pointing into it."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.toml.document import LARGEST, ConfigError, parse, read

FILE = Path("rules.toml")


def test_syntax_error_shows_the_line_and_a_caret_under_the_culprit() -> None:
    """The message is the parser's; the place is drawn."""
    with pytest.raises(ConfigError) as raised:
        parse(FILE, b"[hub]\nport = = 3\n")
    assert str(raised.value) == "rules.toml:2: This is not TOML: Invalid value.\n    port = = 3\n           ^"
    assert (raised.value.line, raised.value.column) == (2, 8)


def test_syntax_error_at_the_end_points_behind_the_last_line() -> None:
    """A list that is never closed breaks where the file ends."""
    with pytest.raises(ConfigError) as raised:
        parse(FILE, b"a = [1,\n  2")
    assert raised.value.line == 2
    assert raised.value.source == "  2"


def test_text_that_is_not_utf8_names_the_place() -> None:
    """The line up to the bad byte is shown."""
    with pytest.raises(ConfigError, match=r"rules\.toml:2: This file is not UTF-8") as raised:
        parse(FILE, b"a = 1\nb = '\xff'\n")
    assert raised.value.column == 6


def test_wrong_value_points_at_the_value_and_wrong_key_at_the_key() -> None:
    """People look first where the caret is."""
    document = parse(FILE, b"[hub]\nport = 70000\n")
    assert document.wrong_value(("hub", "port"), "Too large.").column == 8
    assert document.wrong_key(("hub", "port"), "Unknown.").column == 1


def test_error_draws_hostile_text_inert() -> None:
    """A file from another person's repository cannot send escape codes to the terminal."""
    error = ConfigError(FILE, 1, 3, "Wrong.", source="a\x1b[31m\tb\u202e")
    assert str(error) == "rules.toml:1: Wrong.\n    a [31m b \n      ^"


def test_error_does_not_repeat_a_password() -> None:
    """The address of a database may carry one."""
    error = ConfigError(FILE, 1, 1, "Wrong.", source='url = "postgresql://me:geheim@db/assent"')
    assert "geheim" not in str(error)


def test_error_cuts_long_lines_around_the_caret() -> None:
    """A line of ten thousand characters stays readable, and the caret under its place."""
    error = ConfigError(FILE, 1, 5001, "Wrong.", source="x" * 5000 + "!" + "x" * 5000)
    _, shown, caret = str(error).split("\n")
    assert len(shown) < 120
    assert shown[caret.index("^")] == "!"


def test_read_gives_none_where_there_is_no_file(tmp_path: Path) -> None:
    """A missing file is not an error."""
    assert read(tmp_path / "none.toml") is None
    assert read(tmp_path / "none" / "none.toml") is None


def test_read_refuses_what_is_not_a_regular_file(tmp_path: Path) -> None:
    """A named pipe must not stop the hub, nor a folder crash it."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(ConfigError, match="not a regular file"):
            read(path)


def test_read_follows_links_only_where_asked(tmp_path: Path) -> None:
    """People link their own settings; a repository's link could lead anywhere."""
    (tmp_path / "real.toml").write_text("a = 1")
    (tmp_path / "link.toml").symlink_to(tmp_path / "real.toml")
    document = read(tmp_path / "link.toml")
    assert document is not None
    assert document.data == {"a": 1}
    with pytest.raises(ConfigError, match="could not be read"):
        read(tmp_path / "link.toml", follow=False)


def test_read_refuses_a_huge_file(tmp_path: Path) -> None:
    """A megabyte of settings is not one that a person wrote."""
    (tmp_path / "huge.toml").write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(ConfigError, match="larger than"):
        read(tmp_path / "huge.toml")


def test_parse_survives_deep_nesting() -> None:
    """The parser's recursion limit becomes a message."""
    with pytest.raises(ConfigError):
        parse(FILE, b"a = " + b"[" * 100_000)


@given(st.binary(max_size=200) | st.text(alphabet='[]{}="\n\r a#\\').map(str.encode))
def test_parse_raises_config_errors_only(content: bytes) -> None:
    """And every one of them can be drawn."""
    drawn = ""
    try:
        parse(FILE, content)
    except ConfigError as e:
        drawn = str(e)
    assert not drawn or drawn.startswith("rules.toml")
