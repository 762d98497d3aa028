"""Where a shell wants a number, what stands in subscripts runs."""

import pytest

from assent.policy.shell.limits import running
from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk

EVIL = "a[$(rm -rf ~)]"


@pytest.mark.parametrize(
    "line",
    [
        "let x",
        "echo $((x))",
        "((x))",
        "[[ x -eq 0 ]]",
        "[[ 1 -lt x ]]",
        "y=12; echo ${y:x}",
        "a[x]=1",
        "echo ${a[x]}",
        "declare -i n=x",
        "declare -i n; n=x",
        "y=x; echo $((y + 1))",
        "for ((i = x; 0; )); do :; done",
        "f() { echo $(($1)); }; f x",
    ],
)
def test_value_that_is_worked_out_runs(line: str) -> None:
    """However the number is asked for."""
    assert risk(f"x='{EVIL}'; {line}") == Risk.DANGER


@pytest.mark.parametrize("line", ["echo $x", "[[ x == y ]]", "y=x", "echo ${#x}", "printf %s x"])
def test_value_that_is_only_shown_does_not_run(line: str) -> None:
    """Text is text where no number is wanted."""
    assert risk(f"x='{EVIL}'; {line}") == Risk.LOOK


def test_names_that_name_each_other_are_followed_once() -> None:
    """A circle of names has an end."""
    assert list(running(["a"], {"a": ["b"], "b": ["a", "c[`x`]"], "c": []}.get)) == ["c[`x`]"]  # type: ignore[arg-type]
