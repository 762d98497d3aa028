"""One value of a TOML file changed in its text."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import AssentError
from assent.toml.edit import with_value, without_table, without_value

FILE = b"""# mine
version = 1
stance = "balanced" # for now

[asks]
wait = "10m"

# where it listens
[hub]
port = 1
"""


def test_known_value_changes_where_it_stands() -> None:
    """Everything else stays byte for byte."""
    changed = with_value(FILE, "asks", "wait", '"5m"')
    assert changed == FILE.replace(b'wait = "10m"', b'wait = "5m"')


def test_new_value_goes_to_the_end_of_its_table() -> None:
    """A comment above the next table stays with that table."""
    changed = with_value(FILE, "asks", "hold_stops", '"always"')
    assert changed == FILE.replace(b'wait = "10m"\n', b'wait = "10m"\nhold_stops = "always"\n')


def test_new_table_goes_to_the_end() -> None:
    """A table that is not there is made."""
    assert with_value(FILE, "presence", "quiet", '"22:00-07:00"').endswith(b'\n\n[presence]\nquiet = "22:00-07:00"\n')


def test_value_at_the_top_changes() -> None:
    """The top has no header."""
    assert tomllib.loads(with_value(FILE, "", "stance", '"strict"').decode())["stance"] == "strict"


@pytest.mark.parametrize(
    "data",
    [
        b"asks = 1\n",
        b'asks = { wait = "10m" }\n',
        b'[asks]\nwait = """\n[asks]\n"""\nwait2 = 1\n[other]\nx = """\n[asks]\nwait = 1\n"""\n[asks.more]\n',
        b"[asks\n",
        b"\xff",
    ],
)
def test_file_that_cannot_be_changed_safely_is_refused(data: bytes) -> None:
    """No half-understood file is written."""
    try:
        changed = with_value(data, "asks", "wait", '"5m"')
    except AssentError:
        return
    assert tomllib.loads(changed.decode())["asks"]["wait"] == "5m"


@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=30))
def test_any_text_comes_back_as_it_was_given(text: str) -> None:
    """Typed text is a value and nothing else."""
    changed = with_value(FILE, "presence", "quiet", json.dumps(text, ensure_ascii=False))
    assert tomllib.loads(changed.decode()) == {**tomllib.loads(FILE.decode()), "presence": {"quiet": text}}


CONNECTED = (
    FILE
    + b"""
[surface.telegram] # the bot
users = [1]

[surface.telegram.more]
x = 1

# of the other one
[surface.ntfy]
own = true
"""
)


def test_table_goes_with_what_is_below_it() -> None:
    """Every other line stays, and so do comments, which may be about anything."""
    left = without_table(CONNECTED, "surface.telegram")
    assert left == FILE + b"\n# of the other one\n[surface.ntfy]\nown = true\n"
    assert without_table(left, "surface.ntfy") == FILE + b"\n# of the other one\n"


def test_table_that_is_not_there_changes_nothing() -> None:
    """Nor does the end of a file that never had it."""
    assert without_table(CONNECTED, "surface.slack") == CONNECTED
    assert without_table(b"", "surface.slack") == b""


def test_table_written_in_one_line_is_left_to_its_owner() -> None:
    """It is not taken out where that is not certain to leave the rest as it is."""
    with pytest.raises(AssentError):
        without_table(b"[surface]\ntelegram = { users = [1] }\n", "surface.telegram")
    with pytest.raises(AssentError):
        without_table(
            b'[surface.ntfy]\nnote = """\n[surface.telegram]\nx = 1\n"""\n[surface."telegram"]\n', "surface.telegram"
        )


def test_value_is_taken_out_and_the_rest_stays() -> None:
    """Comments, other values and other tables."""
    data = b"# a\n[features]\n# b\nhooks = true\nshell = 1\n\n[other]\nhooks = true\n"
    assert without_value(data, "features", "hooks") == data.replace(b"hooks = true\nshell", b"shell")


def test_table_goes_with_its_last_value() -> None:
    """It was made for it."""
    assert without_value(b'model = "o"\n\n[features]\nhooks = true\n', "features", "hooks") == b'model = "o"\n'


def test_value_that_is_not_there_changes_nothing() -> None:
    """Nor does a table that is not there."""
    assert without_value(b"[a]\nx = 1\n", "a", "y") == b"[a]\nx = 1\n"
    assert without_value(b"[a]\nx = 1\n", "b", "x") == b"[a]\nx = 1\n"


@pytest.mark.parametrize("data", [b"features = { hooks = true, shell = 1 }\n", b'["features"]\nhooks = true\nx = 1\n'])
def test_value_in_another_spelling_is_refused(data: bytes) -> None:
    """Its place in the text is not known for certain."""
    with pytest.raises(AssentError):
        without_value(data, "features", "hooks")
