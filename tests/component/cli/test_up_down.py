"""The hub's life as a person commands it."""

import fcntl
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from assent.cli import hub_process
from assent.client import Client
from assent.harnesses.site import shim_command
from assent.lock import Holder, Lock, read_holder
from assent.shim import stopped
from tests.component.cli.conftest import Terminal
from tests.component.hub_process import until
from tests.waiting import HANG

# Always denied by the floor.
BYPASS = (
    b'{"hook_event_name":"PreToolUse","session_id":"s1","transcript_path":"/t","cwd":"/p","tool_use_id":"t1",'
    b'"permission_mode":"bypassPermissions","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}'
)


def pid_of(terminal: Terminal) -> int:
    holder = read_holder(terminal.paths.lock)
    assert holder is not None
    return holder.pid


def hook(terminal: Terminal, payload: bytes) -> bytes:
    """What a PreToolUse hook prints."""
    shim = subprocess.run(
        shim_command(terminal.paths, "claude-code", "PreToolUse", 60, 2),
        input=payload,
        env=terminal.environ,
        capture_output=True,
        timeout=HANG,
    )
    assert (shim.returncode, shim.stderr) == (0, b"")
    return shim.stdout


def test_up_detached_runs_on_and_says_what_to_do_next(terminal: Terminal) -> None:
    """The hub is a session of its own, in no folder of a user, and the page's link works once."""
    out = terminal.ok("up", "--detach")
    pid = pid_of(terminal)
    port = read_holder(terminal.paths.lock)
    assert port is not None
    shown = re.fullmatch(
        rf"The hub is running \(pid {pid}\)\.\n"
        rf"page    http://localhost:{port.port}/#open=[\w-]{{20,}}\n"
        rf"log     {terminal.paths.log}\n"
        r"next    `assent setup` .*\n",
        out,
    )
    assert shown, out
    assert os.getsid(pid) == pid
    assert Client(terminal.paths).status()["pid"] == pid


def test_second_up_names_the_holder(terminal: Terminal) -> None:
    """In the foreground it is refused with the pid; in the background there is nothing left to do."""
    terminal.up()
    pid = pid_of(terminal)
    second = terminal.run("up")
    assert second.returncode == 1
    assert second.stderr == (
        f"assent: A hub is already running (pid {pid}, version {Client(terminal.paths).status()['version']}). "
        "Nothing was started.\nhint: `assent status` shows it, `assent restart` replaces it.\n"
    )
    assert terminal.ok("up", "--detach").startswith(
        f"The hub is already running (pid {pid}).\npage    http://localhost:"
    )
    assert pid_of(terminal) == pid


def test_two_ups_at_once_make_one_hub(terminal: Terminal) -> None:
    """The slower one finds the other's hub and succeeds."""
    racers = [terminal.start("up", "--detach") for _ in range(3)]
    ends = [racer.communicate(timeout=HANG) for racer in racers]
    assert [racer.returncode for racer in racers] == [0, 0, 0], ends
    assert {int(re.search(r"pid (\d+)", out)[1]) for out, _ in ends} == {pid_of(terminal)}  # type: ignore[index]


def test_up_in_the_foreground_ends_with_ctrl_c(terminal: Terminal) -> None:
    """It tells where the page is, and stops in order."""
    process = terminal.start("up")
    assert process.stdout is not None
    first = process.stdout.readline()
    assert first == f"The hub is running (pid {process.pid}). Ctrl-C stops it.\n"
    assert process.stdout.readline().startswith("page    http://localhost:")
    process.stdout.readline()
    assert process.stdout.readline().startswith("next    ")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=HANG)
    assert (process.returncode, out, err) == (0, "The hub stopped.\n", "")
    assert not hub_process.is_held(terminal.paths)


def test_down_stops_the_hub_and_shims_decide_nothing_until_up(terminal: Terminal) -> None:
    """After `down` a hook tells its session once, decides and starts nothing, and leaves a gap; `up` ends that."""
    terminal.ok("up", "--detach")
    pid = pid_of(terminal)
    assert terminal.ok("down") == (
        f"The hub (pid {pid}) stopped.\nHooks stay silent and start no hub until `assent up`.\n"
    )
    assert terminal.paths.stopped_mark.stat().st_mode & 0o777 == 0o600
    assert stopped.is_left(terminal.paths)
    told = hook(terminal, BYPASS)
    assert b"Assent was stopped" in told
    assert b"permissionDecision" not in told
    assert hook(terminal, BYPASS) == b""
    assert not hub_process.is_held(terminal.paths)
    assert (terminal.paths.spool / "gaps.ndjson").read_bytes().count(b"PreToolUse") == 2
    terminal.ok("up", "--detach")
    assert not terminal.paths.stopped_mark.exists()
    until(lambda: Client(terminal.paths).status()["gaps"] == 2, "the gaps in the record")


def test_down_without_a_hub_says_so(terminal: Terminal) -> None:
    """It is no failure, and the mark is left all the same."""
    assert terminal.ok("down") == "No hub was running.\nHooks stay silent and start no hub until `assent up`.\n"
    assert stopped.is_left(terminal.paths)


def test_mark_of_an_earlier_down_is_stale_after_up(terminal: Terminal) -> None:
    """A mark that was copied and put back after the next start means nothing: the hub is started and judges."""
    terminal.ok("down")
    old = terminal.paths.stopped_mark.read_bytes()
    terminal.up()
    pid = pid_of(terminal)
    terminal.paths.stopped_mark.write_bytes(old)
    os.kill(pid, signal.SIGKILL)
    until(lambda: not hub_process.is_held(terminal.paths), "the end of the hub")
    assert b'"permissionDecision":"deny"' in hook(terminal, BYPASS)
    assert pid_of(terminal) != pid


def test_down_wins_against_a_hub_that_is_starting(terminal: Terminal) -> None:
    """A hub that a shim has started and that is not there yet finds the mark and does not come up."""
    terminal.up()
    terminal.ok("down")
    (terminal.paths.run / "starts").unlink(missing_ok=True)
    starting = terminal.start("up", "--from-shim")
    terminal.ok("down")
    _, err = starting.communicate(timeout=HANG)
    assert not hub_process.is_held(terminal.paths)
    assert stopped.is_left(terminal.paths)
    assert (starting.returncode, "stays stopped" in err) in ((1, True), (0, False))


def test_down_before_the_shims_hub_has_its_lock_keeps_it_down(terminal: Terminal) -> None:
    """Only `up` ends a stop: a start without an order leaves mark and silence as they are."""
    terminal.ok("down")
    done = terminal.run("up", "--from-shim")
    assert done.returncode == 1
    assert done.stderr == (
        "assent: The hub was stopped with `assent down` and stays stopped. Nothing was started.\n"
        "hint: `assent up` starts it.\n"
    )
    assert stopped.is_left(terminal.paths)


@pytest.mark.parametrize("argv", [("demo", "--speed", "0"), ("watch", "--plain")])
def test_other_verbs_do_not_end_a_stop(terminal: Terminal, argv: tuple[str, ...]) -> None:
    """Who looks at something does not take back what the person said."""
    terminal.ok("down")
    done = terminal.run(*argv)
    assert done.returncode == 1
    assert "stopped with `assent down`" in done.stderr
    assert stopped.is_left(terminal.paths)


def test_down_waits_for_an_up_under_way(terminal: Terminal) -> None:
    """Of two orders the later one counts: what `up` is just starting is stopped."""
    first = terminal.start("up", "--detach")
    until(lambda: terminal.paths.starting.exists() or None, "the start")
    until(lambda: is_starting(terminal) or first.poll() is not None, "the right to start, taken")
    terminal.ok("down")
    first.communicate(timeout=HANG)
    assert not hub_process.is_held(terminal.paths)
    assert stopped.is_left(terminal.paths)


def is_starting(terminal: Terminal) -> bool:
    with open(terminal.paths.starting, "r+") as lock:
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def test_killed_hub_leaves_no_mark(terminal: Terminal) -> None:
    """SIGTERM is no order of the person's: the next hook starts a hub again."""
    terminal.up()
    pid = pid_of(terminal)
    os.kill(pid, signal.SIGTERM)
    until(lambda: not hub_process.is_held(terminal.paths), "the end of the hub")
    assert not stopped.is_left(terminal.paths)
    assert b'"permissionDecision":"deny"' in hook(terminal, BYPASS)


def test_hook_that_comes_while_the_hub_ends_waits_for_the_next(terminal: Terminal) -> None:
    """A hub that ends still has its lock when the next one starts; that one waits for it."""
    terminal.up()
    os.kill(pid_of(terminal), signal.SIGTERM)
    assert b'"permissionDecision":"deny"' in hook(terminal, BYPASS)


def test_down_names_the_sessions_it_leaves_ungated(terminal: Terminal) -> None:
    """In bypassPermissions there is no other prompt: without a terminal to ask on, only --yes goes ahead."""
    terminal.up()
    hook(terminal, BYPASS)
    until(lambda: Client(terminal.paths).sessions() or None, "the session")
    refused = terminal.run("down")
    assert refused.returncode == 2
    assert "bypass" in refused.stdout
    assert "  s1  " in refused.stdout
    assert Client(terminal.paths).healthy()
    assert "The hub (pid" in terminal.ok("down", "--yes")


@pytest.mark.parametrize("variable", ["CLAUDECODE", "CLAUDE_PID"])
def test_agent_does_not_stop_the_hub(terminal: Terminal, variable: str) -> None:
    """Neither one that runs nor, where none does, by leaving the mark itself."""
    terminal.up()
    person = dict(terminal.environ)
    terminal.environ[variable] = "1"
    # The hub reads with what a process was started, so this one is started and not forked.
    with terminal.start("down", "--yes") as by_agent:
        by_agent.communicate()
    assert by_agent.returncode == 1
    assert Client(terminal.paths).healthy()
    os.kill(pid_of(terminal), signal.SIGKILL)
    until(lambda: not hub_process.is_held(terminal.paths), "the end of the hub")
    refused = terminal.run("down", "--yes")
    assert (refused.returncode, "Only a person" in refused.stderr) == (1, True)
    assert not stopped.is_left(terminal.paths)
    terminal.environ = person


def test_down_asks_nothing_where_all_sessions_are_gated(terminal: Terminal) -> None:
    """In other modes the client asks by itself."""
    terminal.up()
    hook(terminal, BYPASS.replace(b"bypassPermissions", b"default"))
    until(lambda: Client(terminal.paths).sessions() or None, "the session")
    assert terminal.ok("down").startswith("The hub (pid")


def test_restart_replaces_the_hub(terminal: Terminal) -> None:
    """Another process, the same journal; without a hub it just starts one."""
    assert terminal.ok("restart").startswith("The hub is running")
    old = pid_of(terminal)
    seq = Client(terminal.paths).status()["journal"]["seq"]
    assert terminal.ok("restart").startswith(f"The hub (pid {old}) stopped.\nThe hub is running (pid ")
    assert pid_of(terminal) != old
    until(lambda: Client(terminal.paths).status()["journal"]["seq"] > seq, "the record of the start")


def test_down_never_signals_a_pid_left_in_the_file(terminal: Terminal) -> None:
    """A killed hub leaves its pid behind, and that number may be any process by now."""
    bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        terminal.paths.state.mkdir(parents=True)
        note = Holder(pid=bystander.pid, version="0", started=1)
        terminal.paths.lock.write_bytes(msgspec.json.encode(note))
        assert terminal.ok("down").startswith("No hub was running.\n")
        assert bystander.poll() is None
    finally:
        bystander.communicate(b"\n", timeout=HANG)
    assert bystander.returncode == 0


def test_stop_does_not_believe_a_stale_note_of_a_held_lock(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a hub is starting the file still names the one before it; no process is signalled because of it."""
    monkeypatch.setattr(hub_process, "DEADLINE", 0.3)
    signalled: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, _: signalled.append(pid))
    terminal.paths.state.mkdir(parents=True)
    lock = Lock.take(terminal.paths.lock)
    lock.write(Holder(pid=os.getpid(), version="0", started=1))
    try:
        with pytest.raises(Exception, match="A hub is starting but does not get ready"):
            hub_process.stop(terminal.paths)
    finally:
        lock.release()
    assert signalled == []


def test_port_in_use_leaves_the_gates_working(terminal: Terminal) -> None:
    """The page is off and people are told how to move it; the hub runs."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        terminal.configure(f"[hub]\nport = {port}\n")
        out = terminal.ok("up", "--detach")
    sentence = f"Port {port} on 127.0.0.1 cannot be used (Address already in use)"
    assert f"trouble {sentence}" in out
    assert "\npage  " not in out
    status = terminal.ok("status")
    assert f"port      {sentence}" in status
    assert f"Set another [hub] port in {terminal.paths.config}" in status
    assert "demo-" in terminal.ok("demo", "--speed", "0")


@pytest.mark.parametrize("argv", [("up",), ("up", "--detach"), ("demo",)])
def test_unusable_state_folder_is_one_sentence(terminal: Terminal, argv: tuple[str, ...]) -> None:
    """What stands in the way is named, with a remedy and no traceback."""
    terminal.paths.state.write_text("in the way")
    done = terminal.run(*argv)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        f"assent: Cannot use the folder {terminal.paths.state}: File exists. The hub did not start.\n"
        "hint: make it writable for you, or set ASSENT_HOME to another folder.\n"
    )


def test_down_with_an_unusable_state_folder_is_one_sentence(terminal: Terminal) -> None:
    """A mark that cannot be left is said, because the next hook would start the hub again."""
    terminal.paths.state.write_text("in the way")
    done = terminal.run("down")
    assert done.returncode == 1
    assert done.stderr.startswith(f"assent: Cannot write {terminal.paths.stopped_mark}: File exists.")


def test_wrong_config_points_at_the_line_and_the_hub_starts(terminal: Terminal) -> None:
    """File, line and caret, at the start and in the status; defaults hold meanwhile."""
    terminal.configure('stance = "balanced"\n[hub]\nport = 0\nunreachabel = "deny"\n')
    # Without a readable config the hub takes the default port; whether that is free makes no difference here.
    out = terminal.ok("up", "--detach")
    place_and_line = f"{terminal.paths.config}:4: "
    assert f"trouble {place_and_line}" in out
    assert 'unreachabel = "deny"' in out
    status = terminal.run("status")
    assert status.returncode == 0
    assert f"config    {place_and_line}" in status.stdout
    assert re.search(r'\n +unreachabel = "deny"\n +\^\n', status.stdout)
    assert "stance    balanced" in status.stdout


def test_hub_that_does_not_come_up_shows_its_last_words(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A start that fails without a sentence of ours still tells the code and the log."""
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 7\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(broken))
    terminal.paths.state.mkdir(parents=True)
    terminal.paths.log.write_text("first\nlast line\n")
    with pytest.raises(
        Exception, match=r"The hub ended at once \(exit code 7\)\.\n  first\n  last line\nhint: the whole"
    ):
        hub_process.start(terminal.paths)
