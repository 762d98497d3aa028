"""`assent exec` with the real hub and the real shim, and a stand-in for the agent's client."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.client import Client
from tests.component.cli.conftest import Terminal
from tests.component.hub_process import until
from tests.waiting import HANG

FAKE = Path(__file__).with_name("fake_claude.py")
PUSH = "git push --force origin main"
ASSENT = (sys.executable, "-m", "assent")
CALLS = json.dumps(["ls", PUSH])


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """One hub for all of them, and an agent on the PATH."""
    shell = Terminal(tmp_path_factory.mktemp("h"), tmp_path_factory.mktemp("u"))
    folder = tmp_path_factory.mktemp("bin")
    agent = folder / "claude"
    agent.write_text(f'#!/bin/sh\nexec {sys.executable} {FAKE} "$@"\n')
    agent.chmod(0o755)
    shell.environ["PATH"] = f"{folder}:{shell.environ['PATH']}"
    yield shell
    shell.run("down")


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_run_is_gated_and_told(shell: Terminal, tmp_path: Path) -> None:
    """The first run starts the hub; the agent's output is its own, every record is a line, and the sum comes last."""
    events = tmp_path / "events.jsonl"
    done = shell.run("exec", "--events", str(events), "--", "claude", "-p", CALLS)
    assert (done.returncode, done.stdout) == (0, f"allow ls\ndeny {PUSH}\n")
    assert f"assent: refused Bash {PUSH}: it needs a person, and this run asks nobody.\n" in done.stderr
    assert "assent: 2 calls, 1 allowed, 1 denied, 1 needed a person, 1 unanswered." in done.stderr
    told = lines(events.read_text())
    summary = told.pop()
    assert [line["event"] for line in told if line["kind"] == "event"] == [
        "SessionStart", "PreToolUse", "PostToolUse", "PreToolUse", "Stop", "SessionEnd",
    ]  # fmt: skip
    denied = next(line for line in told if line.get("decision") == "deny")
    assert (denied["tool"], denied["what"], denied["by"], denied["risk"]) == ("Bash", PUSH, "run:deny", "danger")
    assert {line["session"] for line in told} == {summary["session"]}
    assert summary | {"run": "", "session": ""} == {
        "kind": "summary", "run": "", "session": "", "calls": 2, "allowed": 1, "denied": 1, "asked": 1,
        "unanswered": 1, "unjudged": 0, "exit": 0,
    }  # fmt: skip
    assert events.stat().st_mode & 0o777 == 0o600
    assert list(shell.paths.run.glob("exec-*")) == []
    assert "by this run's own choice" in shell.ok("log", "decision:deny")


@pytest.mark.parametrize(
    ("options", "arguments", "code"),
    [
        (("--fail-on", "denied"), ("-p", CALLS), 121),
        (("--fail-on", "denied", "--on-ask", "hand-back"), ("-p", CALLS), 121),
        (("--fail-on", "asked"), ("-p", CALLS), 122),
        (("--fail-on", "asked"), ("-p", '["ls"]'), 0),
        (("--fail-on", "denied"), ("-p", CALLS, "--code", "7"), 7),
        ((), ("-p", "[]", "--code", "1"), 1),
    ],
)
def test_exit_code_is_the_agents_unless_something_else_is_wanted(
    shell: Terminal, options: tuple[str, ...], arguments: tuple[str, ...], code: int
) -> None:
    """An agent's own failure is never hidden; a run it ended well fails only where that was asked for."""
    assert shell.run("exec", *options, "--", "claude", *arguments).returncode == code


def test_run_without_events_is_ungated(shell: Terminal, tmp_path: Path) -> None:
    """An agent that runs past the hooks does not end well, whatever it says itself."""
    past = tmp_path / "claude"
    past.write_text("#!/bin/sh\necho done\n")
    past.chmod(0o755)
    done = shell.run("exec", "--json", "--", str(past), "-p", "go")
    assert (done.returncode, done.stdout) == (123, "done\n")
    assert "No event of this run reached Assent" in json.loads(done.stderr)["ungated"]
    assert json.loads(done.stderr)["exit"] == 123


def test_no_hub_means_no_agent(tmp_path_factory: pytest.TempPathFactory, shell: Terminal) -> None:
    """Where the hub cannot start, the agent does not either."""
    other = Terminal(tmp_path_factory.mktemp("x"), shell.user)
    other.environ["PATH"] = shell.environ["PATH"]
    other.paths.state.write_text("a file where the folder should be")
    done = other.run("exec", "--", "claude", "-p", '["ls"]')
    assert (done.returncode, done.stdout) == (4, "")
    assert "The agent was not started." in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signal_ends_the_agent_too(shell: Terminal, number: signal.Signals, code: int) -> None:
    """Ending the run ends the agent, and the sum is still told."""
    process = shell.start("exec", "--json", "--", "claude", "-p", '["ls"]', "--stay")
    assert process.stdout is not None
    assert process.stdout.readline() == "allow ls\n"
    # A hub that it had to start is its child, too, and stays.
    hub = str(Client(shell.paths).status()["pid"])
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.send_signal(number)
    _, output = process.communicate(timeout=HANG)
    assert process.returncode == code
    summary = next(line for line in lines("\n".join(t for t in output.splitlines() if "summary" in t)))
    assert (summary["calls"], summary["exit"]) == (1, code)
    for child in {*children} - {hub}:
        until(lambda child=child: not Path(f"/proc/{child}").exists(), "the agent is gone")  # type: ignore[misc]


def test_person_may_answer_a_waiting_run(shell: Terminal) -> None:
    """A person at another screen says no, and the agent is told; events come over a descriptor of one's own."""
    read, write = os.pipe()
    process = subprocess.Popen(
        [*ASSENT, "exec", "--on-ask", "wait", "--events", str(write), "--", "claude", "-p", json.dumps([PUSH])],
        env=shell.environ,
        cwd=shell.user,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=[write],
    )
    os.close(write)
    with os.fdopen(read, encoding="ascii") as told:
        ask = next(line for line in map(json.loads, told) if line["kind"] == "ask")
        assert shell.run("answer", ask["ask"], "deny", "--message", "Open a pull request.").returncode == 0
        rest = lines(told.read())
    out, err = process.communicate(timeout=HANG)
    assert out == f"deny {PUSH}\n"
    assert f"assent: waits Bash {PUSH}: until " in err
    assert (rest[-1]["asked"], rest[-1]["unanswered"], rest[-1]["denied"]) == (1, 0, 1)
