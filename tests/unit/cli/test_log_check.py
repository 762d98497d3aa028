"""What is said of the chain, and what is not."""

import json
from collections.abc import Callable

from tests.unit.cli.conftest import Run

HEAD = {"hub": "ab12", "seq": 7, "hash": "f" * 64}
WRITTEN = f"ab12:7:{'f' * 64}"


def test_verify_says_how_many_hold_and_what_was_not_checked(assent: Run, answers: Callable[..., None]) -> None:
    """Without a kept head nothing is claimed about the end."""
    answers(verify={"head": HEAD, "against": None, "broken": None})
    result = assent("log", "verify")
    assert (result.code, result.out) == (
        0,
        f"7 records hold, up to {WRITTEN}\n"
        "Checked against no head kept elsewhere: records cut off the end would not show.\n",
    )


def test_verify_names_the_head_it_checked_against(assent: Run, answers: Callable[..., None]) -> None:
    """The kept head is repeated."""
    answers(verify={"head": HEAD, "against": {**HEAD, "seq": 3}, "broken": None})
    out = assent("log", "verify", "--against", "x").out
    assert out.splitlines()[1] == f"The head that was kept is among them: ab12:3:{'f' * 64}"


def test_verify_names_the_first_break_and_fails(assent: Run, answers: Callable[..., None]) -> None:
    """A break is exit code 1, in text and in JSON."""
    checked = {"head": HEAD, "against": None, "broken": {"seq": 8, "why": "record 8 was changed"}}
    answers(verify=checked)
    result = assent("log", "verify")
    assert (result.code, result.out) == (1, "The chain is broken at record 8: record 8 was changed.\n")
    as_json = assent("log", "verify", "--json")
    assert (as_json.code, json.loads(as_json.out)) == (1, checked)


def test_heads_are_printed_to_be_kept(assent: Run, answers: Callable[..., None]) -> None:
    """One line that verify takes back."""
    answers(heads=[HEAD])
    assert assent("log", "heads").out == f"{WRITTEN}\n"
    assert json.loads(assent("log", "heads", "--json").out) == HEAD
