"""What a command line would run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.unwrap import read


def runs(text: str) -> list[str]:
    return [" ".join(command.words) for command in read(text).commands]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("rm x", "rm x"),
        ("A=1 B=2 rm x", "rm x"),
        ("sudo rm x", "rm x"),
        ("sudo -n -u root rm x", "rm x"),
        ("sudo -nu root rm x", "rm x"),
        ("sudo --user root rm x", "rm x"),
        ("sudo --user=root -- rm x", "rm x"),
        ("/usr/bin/sudo rm x", "rm x"),
        ("doas -u me rm x", "rm x"),
        ("env -i A=1 rm x", "rm x"),
        ("env -u A -C /tmp rm x", "rm x"),
        ("command -p rm x", "rm x"),
        ("time -p rm x", "rm x"),
        ("nohup nice -n 5 rm x", "rm x"),
        ("nice -5 rm x", "rm x"),
        ("timeout 5 rm x", "rm x"),
        ("timeout -s KILL -k 2 5 rm x", "rm x"),
        ("timeout --signal=KILL 5 rm x", "rm x"),
        ("stdbuf -oL rm x", "rm x"),
        ("xargs -n 1 rm x", "rm x"),
        ("uv run --with y rm x", "rm x"),
        ("exec -a name rm x", "rm x"),
        ("then rm x", "rm x"),
        ("! rm x", "rm x"),
        ("X=1 sudo env Y=2 timeout 5 nohup rm x", "rm x"),
        ("'rm' \"x\"", "rm x"),
        ("uv pip install rm", "uv pip install rm"),
        ("sudo", ""),
        ("A=1", ""),
    ],
)
def test_read_frees_the_command_of_what_stands_before_it(text: str, command: str) -> None:
    """Assignments, wrappers with their options, and keywords."""
    assert runs(text) == [command]


@pytest.mark.parametrize(
    "text",
    [
        "bash -c 'rm x'",
        "bash -lc 'ls; rm x'",
        "sh -e -c 'rm x' name",
        "su root -c 'rm x'",
        "eval rm x",
        "eval 'rm x'",
        "bash -c \"eval 'rm x'\"",
        "find . -name '*.o' -exec rm x {} +",
        "bash <<EOF\nrm x\nEOF",
        "sudo bash <<< 'rm x'",
        "echo $(rm x)",
        "if true; then rm x; fi",
        "while sleep 1; do rm x; done",
        "(cd a && rm x)",
        "f() { rm x; }; f",
    ],
)
def test_read_finds_commands_given_as_text(text: str) -> None:
    """To a shell, to eval, to find, or in its input."""
    assert any(command.startswith("rm x") for command in runs(text))


@pytest.mark.parametrize("text", ["$x rm x", "rm$x x", "r${y}m x", "$x $(true) rm x", "`true`rm x", "${y:-rm x}"])
def test_read_counts_with_empty_variables(text: str) -> None:
    """They are the oldest way to make a command look like another."""
    assert any(command.startswith("rm x") for command in runs(text))


def test_read_leaves_a_here_document_for_others_alone() -> None:
    """Text for cat is not run."""
    assert runs("cat <<EOF\nrm x\nEOF") == ["cat"]


def test_read_keeps_every_way_a_rule_may_write_it() -> None:
    """As written, without quotes, and freed step by step."""
    (command,) = read("A=1 sudo 'rm' x").commands
    assert command.texts == ("A=1 sudo 'rm' x", "A=1 sudo rm x", "sudo 'rm' x", "sudo rm x", "'rm' x", "rm x")


@pytest.mark.parametrize(
    ("text", "privileged"),
    [("rm x", False), ("sudo rm x", True), ("doas rm x", True), ("sudo sh -c 'rm x'", True), ("su -c 'rm x'", True)],
)
def test_read_knows_who_runs_with_more_rights(text: str, privileged: bool) -> None:
    """Also inside the text given to a privileged shell."""
    assert read(text).commands[-1].privileged is privileged


def test_read_tells_pipelines_apart() -> None:
    """Commands inside substitutions belong to none of the outer ones."""
    pipelines = {command.words[0]: command.pipeline for command in read("a | b $(c | d) | e; f").commands}
    assert pipelines["a"] == pipelines["b"] == pipelines["e"]
    assert pipelines["c"] == pipelines["d"]
    assert len({pipelines["a"], pipelines["c"], pipelines["f"]}) == 3


@pytest.mark.parametrize("text", ["sudo " * 50 + "rm", "eval " * 50 + "rm", "x" * 70_000, "find -exec " * 300])
def test_read_gives_up_on_what_is_wrapped_too_deeply(text: str) -> None:
    """And says so, so that a person looks."""
    assert read(text).over


@given(
    st.text(alphabet=st.sampled_from("ab '\"\\$`<>|&;()#\n-=c"))
    | st.lists(st.sampled_from(["sudo", "eval", "bash", "-c", "'", "x=1", "find", "-exec", ";", "--", "timeout"])).map(
        " ".join
    )
)
def test_read_never_raises(text: str) -> None:
    """Whatever an agent sends."""
    assert read(text).line.text == text
