"""Changes of rules leave the approvals of the file as they are."""

from pathlib import Path

import pytest

from assent.learn import trusting
from assent.policy.rules.file import load_user

RULE = '[[rule]]\nmatch = "Bash({0} *)"\ndecision = "allow"\n'
APPROVAL = """
[[approval]]
match = "terraform"
from = "owner"
wait = "5m"

[[approval.test]]
command = "ls"
expect = "not_needed"

"""
TEXT = f"{RULE.format('make')}{APPROVAL}{RULE.format('npm')}"


@pytest.mark.parametrize("number", [1, 2])
def test_rule_that_is_taken_out_takes_no_approval_with_it(tmp_path: Path, number: int) -> None:
    """Also one that stands right behind it."""
    file = tmp_path / "rules.toml"
    file.write_text(TEXT)
    before = load_user(file)
    file.write_bytes(trusting.without_rule(file, TEXT.encode(), number))
    after = load_user(file)
    assert after.approvals == before.approvals
    assert len(after.rules) == 1


def test_rule_that_is_added_leaves_them(tmp_path: Path) -> None:
    """It stands behind them."""
    file = tmp_path / "rules.toml"
    before = f"{RULE.format('make')}{APPROVAL}"
    file.write_text(before)
    approvals = load_user(file).approvals
    file.write_bytes(trusting.with_plain_rule(file, before.encode(), "Bash(npm *)", "allow"))
    assert (len(load_user(file).rules), load_user(file).approvals) == (2, approvals)
