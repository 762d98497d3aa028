"""The ways in which a command can be written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.policy.calls import call


def forms(text: str) -> tuple[str, ...]:
    return call("Bash", command=text).forms


def test_forms_keep_every_way_a_rule_may_write_it() -> None:
    """As written, without quotes, and freed step by step."""
    assert forms("A=1 sudo 'rm' x") == ("A=1 sudo 'rm' x", "sudo rm x", "rm x")


@pytest.mark.parametrize(
    "text",
    [
        "A=1 B=2 rm x",
        "sudo -n -u root rm x",
        "sudo --user=root -- rm x",
        "/usr/bin/sudo rm x",
        "doas -u me rm x",
        "env -u A -C /tmp rm x",
        "command -p rm x",
        "nohup nice -n 5 rm x",
        "timeout --signal=KILL 5 rm x",
        "stdbuf -oL rm x",
        "uv run --with y rm x",
        "exec -a name rm x",
        "! rm x",
        "bash -lc 'ls; rm x'",
        "su root -c 'rm x'",
        "bash -c \"eval 'rm x'\"",
        "bash <<EOF\nrm x\nEOF",
        "while sleep 1; do rm x; done",
        "f() { rm $1; }; f x",
        "$y rm x",
        "rm$y x",
        "r${y}m x",
        "`true`rm x",
        "${y:-rm x}",
        "/bin/rm x",
    ],
)
def test_forms_hold_the_command_wherever_it_runs(text: str) -> None:
    """Behind wrappers, as text for a shell, in a function, and where a variable may be empty."""
    assert "rm x" in forms(text)


def test_forms_keep_one_word_one_word() -> None:
    """Blanks in a name are not blanks between names; a rule may mean either."""
    assert forms('F="a b"; rm "$F"')[-2:] == ("rm a b", "rm 'a b'")


def test_forms_leave_text_for_others_alone() -> None:
    """What cat prints is not run."""
    assert "rm x" not in forms("cat <<EOF\nrm x\nEOF")


@given(st.text(alphabet=st.sampled_from("ab '\"\\$`<>|&;()#\n-=c")) | st.text())
def test_forms_begin_with_the_line(text: str) -> None:
    """Whatever an agent sends, readable or not."""
    assert forms(text)[:1] == ((text.strip(),) if text.strip() else forms(text)[:1])
