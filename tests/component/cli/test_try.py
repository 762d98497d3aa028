"""`assent try` as a program of its own: no hub, answers as they are asked for, nothing left behind."""

import json
import subprocess
import sys

from tests.component.cli.conftest import Terminal


def test_try_needs_no_hub_and_leaves_nothing(terminal: Terminal) -> None:
    """Not even the folders that a hub would make."""
    out = terminal.ok("try", "git push --force")
    assert "Decision  ask, by the stance balanced" in out
    assert not terminal.paths.state.exists()


def test_batch_answers_before_the_next_question(terminal: Terminal) -> None:
    """So that a program can talk with it."""
    with subprocess.Popen(
        [sys.executable, "-m", "assent", "try", "--batch"],
        env=terminal.environ,
        cwd=terminal.user,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for command, decision in (
            ("ls", "allow"),
            ("rm -rf /", "deny"),
            ("git push -f", "ask"),
            ("make", "no_opinion"),
        ):
            process.stdin.write(json.dumps({"command": command}) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert (answer["command"], answer["decision"]) == (command, decision)
        process.stdin.close()
        assert process.wait() == 0


def test_batch_ends_quietly_when_its_reader_is_gone(terminal: Terminal) -> None:
    """`assent try --batch | head -1` has seen enough."""
    with subprocess.Popen(
        [sys.executable, "-m", "assent", "try", "--batch"],
        env=terminal.environ,
        cwd=terminal.user,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b'{"command": "ls"}\n')
        process.stdin.flush()
        assert process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b'{"command": "ls"}\n' * 3)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
