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


def test_verify_names_the_hub_whose_chain_broke(assent: Run, answers: Callable[..., None]) -> None:
    """Where several hubs share a database all chains are checked, and one that breaks fails the check."""
    other = {"head": {**HEAD, "hub": "cd34"}, "against": None, "broken": None}
    broken = {**other, "broken": {"seq": 3, "why": "record 3 is missing"}}
    own = {"head": HEAD, "against": None, "broken": None}
    answers(verify={**own, "others": [other]})
    result = assent("log", "verify")
    assert (result.code, result.out.splitlines()[1]) == (0, f"7 records hold, up to cd34:7:{'f' * 64}")
    answers(verify={**own, "others": [other, broken]})
    result = assent("log", "verify")
    assert (result.code, result.out.splitlines()[-1]) == (
        1,
        "The chain of hub cd34 is broken at record 3: record 3 is missing.",
    )


def test_verify_says_what_was_removed_on_purpose(assent: Run, answers: Callable[..., None]) -> None:
    """Only what is there is counted, and what was pruned is named."""
    checked = {"head": HEAD, "against": None, "broken": None, "unchecked": None, "pruned_through": 4, "left": 1}
    answers(verify=checked)
    result = assent("log", "verify")
    assert result.code == 0
    assert result.out.splitlines()[:2] == [
        f"4 records hold, up to {WRITTEN}",
        "Those up to 4 were removed on purpose, but for 1 that are left and hold.",
    ]


def test_verify_fails_where_the_kept_head_cannot_be_checked(assent: Run, answers: Callable[..., None]) -> None:
    """Neither right nor wrong: silence must not be taken for a good check."""
    checked = {"head": HEAD, "against": {**HEAD, "seq": 2}, "broken": None, "pruned_through": 4, "left": 0}
    answers(verify={**checked, "unchecked": "record 2 was removed on purpose, with others up to 4"})
    result = assent("log", "verify", "--against", "x")
    assert (result.code, result.out.splitlines()[-1]) == (
        1,
        "The head that was kept cannot be checked: record 2 was removed on purpose, with others up to 4.",
    )
