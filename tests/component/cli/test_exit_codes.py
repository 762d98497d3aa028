"""What scripts rely on: exit codes, quiet pipes, clean interrupts."""

import signal
import subprocess
import sys

import pytest

from tests.component.cli.conftest import Terminal
from tests.waiting import HANG


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("--version",), 0),
        (("schema",), 0),
        (("down", "--now"), 2),
        (("stauts",), 2),
        (("session",), 2),
        (("schema", "Nonsense"), 2),
        (("status",), 4),
        (("sessions",), 4),
        (("log",), 4),
        (("pause",), 4),
        (("resume",), 4),
    ],
)
def test_exit_code_without_a_hub(terminal: Terminal, argv: tuple[str, ...], code: int) -> None:
    """0 done, 2 usage, 4 no hub; never a traceback."""
    done = terminal.run(*argv)
    assert done.returncode == code
    assert "Traceback" not in done.stdout + done.stderr


def test_no_hub_is_told_with_the_remedy(terminal: Terminal) -> None:
    """The sentence and the hint go to stderr."""
    done = terminal.run("sessions")
    assert (done.stdout, done.stderr) == ("", "assent: No hub is running.\nhint: `assent up` starts it.\n")


def follower(terminal: Terminal) -> "subprocess.Popen[str]":
    """`log --follow` that has shown its first line, so it is past its start."""
    process = terminal.start("log", "--follow", "-n", "1")
    assert process.stdout is not None
    assert process.stdout.readline()
    return process


def test_interrupt_exits_130_without_traceback(terminal: Terminal) -> None:
    """Ctrl-C ends a follower with one empty line that closes the ^C."""
    terminal.up()
    process = follower(terminal)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=HANG)
    assert (process.returncode, out, err) == (130, "", "\n")


def test_reader_that_went_away_is_no_failure(terminal: Terminal) -> None:
    """`assent log | head -1` is quiet and succeeds, though most of the log was never read."""
    for _ in range(4):
        terminal.ok("demo", "--speed", "0")
    process = terminal.start("log", "--json", "-n", "1000")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith("{")
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=HANG) == 0


def in_a_shell(terminal: Terminal, script: str, **environ: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "assent"],
        env=terminal.environ | environ,
        cwd=terminal.user,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=HANG,
    )


def test_closed_streams_are_no_bug(terminal: Terminal) -> None:
    """A program started without streams keeps its exit code."""
    assert in_a_shell(terminal, '"$@" status >&-').returncode == 4
    assert in_a_shell(terminal, '"$@" status >&- 2>&-').returncode == 4
    assert in_a_shell(terminal, '"$@" install <&- >&-').returncode == 2
    assert in_a_shell(terminal, '"$@" sessions 2>&-').returncode == 4


def test_full_disk_under_the_output_is_one_sentence(terminal: Terminal) -> None:
    """What could not be printed is said where it can be."""
    done = in_a_shell(terminal, '"$@" status > /dev/full')
    assert (done.returncode, done.stderr) == (1, b"assent: The output could not be written: No space left on device.\n")


def test_terminal_without_arrows_gets_question_marks(terminal: Terminal) -> None:
    """No character of ours, and none of an agent's, is too much for a stream."""
    terminal.up()
    done = in_a_shell(terminal, '"$@" demo --speed 0', PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"    ? deny: " in done.stdout
