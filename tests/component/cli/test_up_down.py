"""The hub's life as a person commands it."""

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
from assent.lock import Holder, Lock, read_holder
from assent.shim import place
from tests.component.cli.conftest import Terminal
from tests.component.hub_process import until
from tests.waiting import HANG


def pid_of(terminal: Terminal) -> int:
    holder = read_holder(terminal.paths.lock)
    assert holder is not None
    return holder.pid


def test_up_detached_runs_on_and_says_what_to_do_next(terminal: Terminal) -> None:
    """The hub is a session of its own, in no folder of anybody's, and the page's link works once."""
    out = terminal.ok("up", "--detach")
    pid = pid_of(terminal)
    port = read_holder(terminal.paths.lock)
    assert port is not None
    shown = re.fullmatch(
        rf"The hub is running \(pid {pid}\)\.\n"
        rf"page    http://localhost:{port.port}/#open=[\w-]{{20,}}\n"
        rf"log     {terminal.paths.log}\n"
        r"next    `assent install` .*\n",
        out,
    )
    assert shown, out
    assert os.getsid(pid) == pid
    assert Client(terminal.paths).status()["pid"] == pid


def test_second_up_names_the_holder(terminal: Terminal) -> None:
    """In the foreground it is refused with the pid; in the background there is nothing left to do."""
    terminal.ok("up", "--detach")
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
    """Whoever is slower finds the other's hub and is content."""
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


def test_down_stops_the_hub_and_shims_stay_silent_until_up(terminal: Terminal) -> None:
    """After `down` a hook says nothing, starts nothing and leaves a gap; `up` ends that."""
    terminal.ok("up", "--detach")
    pid = pid_of(terminal)
    assert terminal.ok("down") == (
        f"The hub (pid {pid}) stopped.\nHooks stay silent and start no hub until `assent up`.\n"
    )
    assert terminal.paths.stopped_mark.stat().st_mode & 0o777 == 0o600
    shim = subprocess.run(
        place.command(terminal.paths, "claude-code", "PreToolUse", 20, 2),
        input=b'{"hook_event_name":"PreToolUse","session_id":"s1"}',
        env=terminal.environ,
        capture_output=True,
        timeout=HANG,
    )
    assert (shim.returncode, shim.stdout, shim.stderr) == (0, b"", b"")
    assert not hub_process.is_held(terminal.paths)
    assert (terminal.paths.spool / "gaps.ndjson").read_bytes().count(b"PreToolUse") == 1
    terminal.ok("up", "--detach")
    assert not terminal.paths.stopped_mark.exists()
    until(lambda: Client(terminal.paths).status()["gaps"] == 1, "the gap in the record")


def test_down_without_a_hub_says_so(terminal: Terminal) -> None:
    """It is no failure, and the mark is left all the same."""
    assert terminal.ok("down") == "No hub was running.\nHooks stay silent and start no hub until `assent up`.\n"
    assert terminal.paths.stopped_mark.exists()


def test_restart_replaces_the_hub(terminal: Terminal) -> None:
    """Another process, the same journal; without a hub it just starts one."""
    assert terminal.ok("restart").startswith("The hub is running")
    old = pid_of(terminal)
    seq = Client(terminal.paths).status()["journal"]["seq"]
    assert terminal.ok("restart").startswith(f"The hub (pid {old}) stopped.\nThe hub is running (pid ")
    assert pid_of(terminal) != old
    until(lambda: Client(terminal.paths).status()["journal"]["seq"] > seq, "the record of the start")


def test_down_never_signals_a_pid_left_in_the_file(terminal: Terminal) -> None:
    """A killed hub leaves its pid behind, and that number may be anybody's by now."""
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
    """While a hub is starting the file still names the one before it; nobody is signalled on that word."""
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
