"""Starting, stopping, and everything that can stand in the way."""

import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.component.hub.agent_process import agent_of
from tests.component.hub.conftest import RULES, StartHub
from tests.component.hub_process import HubProcess, bash, until
from tests.waiting import HANG

# Starts and ends by the interpreter itself, which a forked hub leaves out.
WHOLE = pytest.mark.usefixtures("as_people_start_it")


@pytest.fixture
def as_people_start_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HubProcess, "forks", False)


def log_lines(hub: HubProcess) -> list[str]:
    return [record["line"] for record in hub.api("GET", "/api/log?limit=1000")[1]["records"]]


@WHOLE
def test_second_hub_says_who_holds_the_lock(hub: HubProcess) -> None:
    """Two hubs would answer for each other; the second one steps back."""
    done = subprocess.run(
        [sys.executable, "-m", "assent", "up"], env=hub.environ, capture_output=True, text=True, timeout=HANG
    )
    assert done.returncode == 1
    assert hub.process is not None
    assert f"pid {hub.process.pid}" in done.stderr
    assert "assent status" in done.stderr


def test_stale_sockets_and_lock_of_a_killed_hub_are_no_obstacle(hub: HubProcess) -> None:
    """After SIGKILL the next hub starts as if nothing were left."""
    assert hub.process is not None
    hub.process.kill()
    hub.process.communicate()
    assert hub.paths.hook_socket.exists()
    hub.start()
    assert hub.send(bash("make build"))["action"] == "json_output"


@WHOLE
def test_stopped_hub_leaves_no_socket_and_says_so_in_the_journal(hub: HubProcess) -> None:
    """A graceful stop flushes, records itself and cleans up."""
    hub.send(bash("git push"))
    hub.stop()
    assert hub.process is not None
    assert hub.process.returncode == 0
    assert not hub.paths.hook_socket.exists()
    assert not hub.paths.desk_socket.exists()
    hub.start()
    lines = log_lines(hub)
    assert "hub: stopped" in lines
    assert any("git push" in line for line in lines)


@WHOLE
def test_path_too_long_for_a_socket_is_no_obstacle(tmp_path: Path) -> None:
    """Sockets of a deep state folder lie in a private one under the temporary folder, and go with the hub."""
    hub = HubProcess(tmp_path / ("deep" * 20) / ("deeper" * 10), rules=RULES).start()
    folder = hub.paths.hook_socket.parent
    assert not folder.is_relative_to(hub.paths.state)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert hub.send(bash("git push"))["action"] == "json_output"
    hub.stop()
    assert not folder.exists()


@WHOLE
def test_stop_does_not_wait_for_an_open_stream(hub: HubProcess) -> None:
    """A watcher must not keep the hub alive."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.connect(str(hub.paths.desk_socket))
        sock.sendall(b"GET /api/stream HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200" in sock.recv(1000)
        hub.stop()


@WHOLE
def test_taken_port_turns_off_the_page_but_not_the_gate(start_hub: StartHub) -> None:
    """The hub says which port, why and what to do; hooks are answered all the same."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        hub = start_hub(config=f"[hub]\nport = {port}\n", rules=RULES)
        assert hub.send(bash("git push"))["action"] == "json_output"
        trouble = hub.api("GET", "/api/status")[1]["port_trouble"]
    assert f"Port {port}" in trouble
    assert "[hub] port" in trouble
    assert trouble in hub.stop().replace("\n", " ")


def test_folders_and_files_are_private(hub: HubProcess) -> None:
    """Other users of the machine cannot look in."""
    for folder in (hub.paths.state, hub.paths.run, hub.paths.keys, hub.paths.hook_socket.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for file in (hub.paths.journal, hub.paths.log, hub.paths.keys / "post.token", hub.paths.hook_socket):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


@WHOLE
def test_bad_config_never_keeps_the_hub_from_starting(start_hub: StartHub) -> None:
    """Defaults and the floor are in force, and status shows the line with a caret."""
    hub = start_hub(config='stance = "balancd"\n[hub]\nport = 0\n')
    trouble = hub.api("GET", "/api/status")[1]["config_trouble"]
    assert "config.toml:2" in trouble
    assert "^" in trouble
    assert "balanced" in trouble
    assert hub.send(bash("rm -rf /"))["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_sessions_are_there_after_a_restart(hub: HubProcess) -> None:
    """What the journal holds is shown again."""
    hub.send(bash("ls", session_id="kept"), env={"CLAUDE_PROJECT_DIR": "/p/web"})
    hub.stop()
    hub.start()
    (session,) = until(lambda: hub.api("GET", "/api/sessions")[1]["sessions"], "the session")
    assert (session["id"], session["project"], session["calls"]) == ("kept", "/p/web", 1)


def test_session_without_process_is_noticed(hub: HubProcess) -> None:
    """A client that was killed sends no SessionEnd; its pid tells."""
    with agent_of(hub) as agent:
        agent.hook()

    def state() -> bool:
        sessions = hub.api("GET", "/api/sessions")[1]["sessions"]
        return any(session.get("state") == "vanished" for session in sessions)

    until(state, "the session as vanished")


def test_gaps_of_the_spool_are_recorded_once(hub: HubProcess) -> None:
    """What happened while no hub ran is in the record, without its payload."""
    hub.paths.spool.mkdir(exist_ok=True)
    gap = '{"at":5,"event":"PreToolUse","session":"s9","size":77,"request_id":"r"}'
    (hub.paths.spool / "gaps.ndjson").write_text(f"{gap}\nbroken\n")
    until(lambda: any(line.startswith("gap: call") for line in log_lines(hub)), "the gap")
    until(lambda: not list(hub.paths.spool.iterdir()), "an empty spool")
    assert sum(line.startswith("gap:") for line in log_lines(hub)) == 1


def test_gaps_of_a_hub_that_was_killed_in_between_are_not_recorded_twice(hub: HubProcess) -> None:
    """A file that was recorded but not removed holds nothing new, and what is new in it is not lost."""
    hub.paths.spool.mkdir(exist_ok=True)
    gap = '{"at":5,"event":"PreToolUse","session":"s9","size":77,"request_id":"r1"}\n'
    (hub.paths.spool / "gaps.ndjson").write_text(gap)
    until(lambda: any(line.startswith("gap: call") for line in log_lines(hub)), "the gap")
    (hub.paths.spool / "gaps.taken").write_text(gap + gap.replace("r1", "r2").replace("PreToolUse", "Stop"))
    until(lambda: any(line.startswith("gap: turn ended") for line in log_lines(hub)), "the other gap")
    until(lambda: not list(hub.paths.spool.iterdir()), "an empty spool")
    assert sum(line.startswith("gap:") for line in log_lines(hub)) == 2


def test_journal_that_cannot_write_stops_allows_and_nothing_else(start_hub: StartHub) -> None:
    """No record, no allow; a deny needs none."""
    hub = start_hub(rules=RULES)
    blocker = (
        "import sqlite3,sys; c=sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN EXCLUSIVE');"
        "print('held', flush=True); input()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", blocker, str(hub.paths.journal)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    try:
        assert hub.send(bash("make build")) == {"action": "passthrough"}
        assert hub.send(bash("git push"))["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "deny"
        assert hub.api("GET", "/api/status")[1]["journal"]["trouble"]
    finally:
        holder.communicate(b"\n")
    assert until(lambda: hub.send(bash("make build")).get("stdout_json"), "allows again")


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_corrupt_journal_is_left_untouched_and_nothing_is_allowed(tmp_path: Path, content: bytes) -> None:
    """The hub starts without it: deny and prompt only."""
    hub = HubProcess(tmp_path, rules=RULES)
    hub.paths.state.mkdir(parents=True, mode=0o700)
    hub.paths.journal.write_bytes(content)
    hub.start()
    try:
        assert hub.send(bash("make build")) == {"action": "passthrough"}
        assert hub.send(bash("git push"))["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "deny"
        assert str(hub.paths.journal) in hub.api("GET", "/api/status")[1]["journal"]["trouble"]
    finally:
        hub.stop()
    assert hub.paths.journal.read_bytes() == content


def test_pause_silences_rules_but_not_the_floor(hub: HubProcess) -> None:
    """A pause ends by itself and never lifts the floor or what is Danger."""
    assert hub.api("PUT", "/api/pause", b'{"seconds":600}')[0] == 200
    assert hub.send(bash("git push origin topic")) == {"action": "passthrough"}
    assert hub.send(bash("rm -rf ~"))["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert hub.send(bash("npm publish x"))["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "ask"
    assert hub.api("PUT", "/api/pause", b'{"seconds":0.05}')[0] == 200
    until(lambda: hub.send(bash("git push origin topic"))["action"] == "json_output", "the end of the pause")


def test_process_that_an_event_names_counts_only_if_it_sent_it(hub: HubProcess) -> None:
    """A session is not taken for vanished because of a forged process id."""
    with agent_of(hub) as agent:
        agent.hook()
        agent.hook(claimed="999999")
        (session,) = hub.api("GET", "/api/sessions")[1]["sessions"]
        assert session["pid"] == agent.pid


def test_stream_resumes_where_it_was_left(hub: HubProcess) -> None:
    """A listener that comes back with its last seq misses nothing and gets nothing twice."""
    hub.send(bash("first"))
    hub.send(bash("second"))
    records = until(lambda: _records_with(hub, "second"), "both")
    since = records[0]["seq"]
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(HANG)
        sock.connect(str(hub.paths.desk_socket))
        sock.sendall(b"GET /api/stream?since=%d HTTP/1.1\r\nHost: x\r\n\r\n" % (since - 1))
        hub.send(bash("third"))
        seen = b""
        deadline = time.monotonic() + HANG
        while b"third" not in seen and time.monotonic() < deadline:
            seen += sock.recv(65536)
    ids = [int(line[4:]) for line in seen.decode().splitlines() if line.startswith("id: ")]
    assert ids == list(range(since, since + len(ids)))


def _records_with(hub: HubProcess, text: str) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = hub.api("GET", "/api/log")[1]["records"]
    events = [record for record in records if record["kind"] == "event"]
    return events if any(text in record["line"] for record in events) else []


@WHOLE
def test_hub_stops_on_hangup_too(hub: HubProcess) -> None:
    """A closed terminal is a reason to stop properly."""
    assert hub.process is not None
    hub.process.send_signal(signal.SIGHUP)
    hub.process.communicate(timeout=HANG)
    assert hub.process.returncode == 0
