"""What the client and the journal get when no hub answers."""

import os
import socket
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from assent.shim import stopped
from tests.component.shim.conftest import BYPASS, Shim

PLAIN = b'{"permission_mode":"default","tool_input":{"command":"echo \\"permission_mode\\":\\"bypassPermissions\\""}}'
ASK = ("PreToolUse", "permissionDecision", "ask")
DENY = ("PreToolUse", "permissionDecision", "deny")
PROMPT = ("PreToolUse", "permissionDecision", "ask")


def decision(out: bytes) -> tuple[str, str, str] | None:
    """Event, field and value of the decision printed."""
    if not out:
        return None
    (output,) = msgspec.json.decode(out).values()
    if isinstance(output.get("decision"), dict):
        assert "assent doctor" in output["decision"]["message"]
        return output["hookEventName"], "behavior", output["decision"]["behavior"]
    assert "assent doctor" in output["permissionDecisionReason"]
    return output["hookEventName"], "permissionDecision", output["permissionDecision"]


@pytest.mark.parametrize(
    ("mode", "event", "payload", "expected"),
    [
        ("prompt_in_bypass", "PreToolUse", BYPASS, ASK),
        ("prompt_in_bypass", "PreToolUse", b'{"permission_mode" :\n  "bypassPermissions"}', ASK),
        (
            "prompt_in_bypass",
            "PreToolUse",
            b'{"permission_mode":"default","x":{"permission_mode":"bypassPermissions"}}',
            ASK,
        ),
        ("prompt_in_bypass", "PreToolUse", b'{"permission_mode":"bypassPermissions","cut off', ASK),
        ("prompt_in_bypass", "PreToolUse", BYPASS + b"x" * (17 << 20), ASK),
        ("prompt_in_bypass", "PreToolUse", PLAIN, None),
        ("prompt_in_bypass", "PreToolUse", b"", None),
        ("prompt_in_bypass", "PermissionRequest", BYPASS, None),
        ("prompt_in_bypass", "Stop", BYPASS, None),
        ("deny_in_bypass", "PreToolUse", BYPASS, DENY),
        ("deny_in_bypass", "PreToolUse", b'{"permission_mode" :\n  "bypassPermissions"}', DENY),
        ("deny_in_bypass", "PreToolUse", b'{"permission_mode":"bypassPermissions","cut off', DENY),
        ("deny_in_bypass", "PreToolUse", BYPASS + b"x" * (17 << 20), DENY),
        ("deny_in_bypass", "PreToolUse", PLAIN, None),
        ("deny_in_bypass", "PreToolUse", b"", None),
        ("deny_in_bypass", "PermissionRequest", BYPASS, None),
        ("deny_in_bypass", "UserPromptSubmit", BYPASS, None),
        ("deny_in_bypass", "ConfigChange", BYPASS, None),
        ("deny_in_bypass", "Stop", BYPASS, None),
        ("no_opinion", "PreToolUse", BYPASS, None),
        ("no_opinion", "PermissionRequest", BYPASS, None),
        ("deny", "PreToolUse", PLAIN, DENY),
        ("deny", "PreToolUse", BYPASS, DENY),
        ("deny", "PermissionRequest", PLAIN, ("PermissionRequest", "behavior", "deny")),
        ("deny", "Stop", PLAIN, None),
        ("deny", "SessionStart", PLAIN, None),
    ],
)
def test_unreachable_hub_is_answered_as_configured(
    shim: Shim, mode: str, event: str, payload: bytes, expected: tuple[str, str, str] | None
) -> None:
    """No mode ever allows; each says what the user chose for a hub that cannot be reached."""
    shim.place(mode)
    result = shim.run(event, payload, deadline=0.3)
    assert result.code == 0
    assert decision(result.out) == expected
    assert result.err.startswith(b"assent: ")
    assert result.err.count(b"\n") == 1


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({b"GROK_HOOK_EVENT": b"pre_tool_use"}, DENY),
        ({b"GROK_HOOK_EVENT": b"pre_tool_use", b"CLAUDE_CODE_SESSION_ID": b"s"}, PROMPT),
        ({b"COPILOT_CLI": b"1"}, PROMPT),
    ],
)
def test_client_that_runs_anothers_hook_is_told_what_it_honours(
    shim: Shim, env: dict[bytes, bytes], expected: tuple[str, str, str]
) -> None:
    """Its own prompts it would answer with yes. A variable that was inherited changes nothing."""
    shim.place("prompt_in_bypass")
    shim.env = env
    assert decision(shim.run("PreToolUse", BYPASS, deadline=0.3).out) == expected


@pytest.mark.parametrize(
    ("harness", "payload"),
    [("qwen", b'{"permission_mode":"yolo"}'), ("codex", BYPASS), ("copilot", b"{}")],
)
@pytest.mark.parametrize("marker", [b"GROK_HOOK_EVENT", b"QWEN_PROJECT_DIR", b"COPILOT_CLI"])
def test_variable_of_another_client_changes_no_answer(shim: Shim, harness: str, payload: bytes, marker: bytes) -> None:
    """A repository can set one, and the answers of another client may be silence in this one's mode."""
    shim.place("deny_in_bypass")
    shim.harness = harness
    event = "preToolUse" if harness == "copilot" else "PreToolUse"
    without = shim.run(event, payload, deadline=0.3).out
    shim.env = {marker: b"1"}
    assert without
    assert shim.run(event, payload, deadline=0.3).out == without


def test_gap_says_that_and_never_what(shim: Shim) -> None:
    """Time, event, session, size and request id are spooled, and not a byte of the payload."""
    shim.env = {b"CLAUDE_CODE_SESSION_ID": b's"1'}
    payload = b'{"command":"TOPSECRET"}'
    shim.run("PreToolUse", payload, deadline=0.2)
    shim.run("Stop", payload, deadline=0.2)
    first, second = shim.gaps()
    assert set(first) == {"at", "event", "session", "size", "request_id"}
    assert (first["event"], first["session"], first["size"]) == ("PreToolUse", 's"1', len(payload))
    assert second["event"] == "Stop"
    assert second["at"] >= first["at"]
    assert b"TOPSECRET" not in (shim.paths.spool / "gaps.ndjson").read_bytes()


def test_gap_is_private(shim: Shim) -> None:
    """Folder and file are the user's alone even if the shim has to make them."""
    shim.paths.spool.rmdir()
    shim.run(deadline=0.2)
    assert stat.S_IMODE(shim.paths.spool.stat().st_mode) == 0o700
    assert stat.S_IMODE((shim.paths.spool / "gaps.ndjson").stat().st_mode) == 0o600


def test_gaps_do_not_grow_for_ever(shim: Shim) -> None:
    """At a mebibyte the file is full."""
    spool = shim.paths.spool / "gaps.ndjson"
    spool.write_bytes(b"x" * (1 << 20))
    assert shim.run(deadline=0.2).code == 0
    assert spool.stat().st_size == 1 << 20


def test_pipe_in_place_of_the_spool_does_not_hold_the_client(shim: Shim) -> None:
    """Opening it would wait for a reader that never comes."""
    os.mkfifo(shim.paths.spool / "gaps.ndjson")
    assert shim.run(deadline=0.2).code == 0


def test_link_in_place_of_the_spool_is_not_followed(shim: Shim) -> None:
    """No line is added to the file it leads to."""
    other = shim.paths.state / "other"
    other.write_bytes(b"")
    (shim.paths.spool / "gaps.ndjson").symlink_to(other)
    assert shim.run(deadline=0.2).code == 0
    assert other.read_bytes() == b""


def test_unwritable_spool_does_not_cost_the_answer(shim: Shim) -> None:
    """Where no gap can be written the client is told all the same."""
    shim.paths.spool.rmdir()
    shim.paths.spool.write_bytes(b"a file where the folder should be")
    result = shim.run(payload=BYPASS, deadline=0.2)
    assert decision(result.out) == ASK
    assert result.code == 0


def test_denial_in_bypass_names_three_ways_out(shim: Shim) -> None:
    """Who reads it can start Assent, work without it, or leave the mode."""
    shim.place("deny_in_bypass")
    reason = msgspec.json.decode(shim.run(payload=BYPASS, deadline=0.3).out)["hookSpecificOutput"][
        "permissionDecisionReason"
    ]
    assert "assent up starts" in reason
    assert "assent down works without it" in reason
    assert "leave bypassPermissions" in reason


def test_harness_without_replies_of_its_own_gets_none(shim: Shim) -> None:
    """What another agent would make of Claude Code's replies is not known, so they are not sent to it."""
    argv = shim.argv("PreToolUse", 0.3, 1)
    shim.argv = lambda *_: [*argv[:5], "other", *argv[6:]]  # type: ignore[method-assign]
    result = shim.run(payload=BYPASS)
    assert (result.code, result.out) == (0, b"")


@pytest.mark.parametrize("mode", ["prompt_in_bypass", "no_opinion", "deny_in_bypass", "deny"])
def test_stopped_hub_is_out_of_the_way(shim: Shim, mode: str) -> None:
    """After `assent down` hooks are silent in every mode and start nothing; only the gap is kept."""
    shim.place(mode)
    shim.start_hub_with('echo started > "$0.started"')
    shim.stop()
    result = shim.run(payload=BYPASS)
    assert (result.code, result.out, result.err) == (0, b"", b"")
    assert not (shim.paths.shim / "start-hub.started").exists()
    assert [gap["event"] for gap in shim.gaps()] == ["PreToolUse"]


def touch(shim: Shim) -> None:
    shim.paths.stopped_mark.touch()


def copy_an_old_one_back(shim: Shim) -> None:
    shim.stop()
    old = shim.paths.stopped_mark.read_bytes()
    stopped.arm(shim.paths)
    shim.paths.stopped_mark.write_bytes(old)


def copy_the_digest(shim: Shim) -> None:
    stopped.arm(shim.paths)
    shim.paths.stopped_mark.write_bytes(shim.paths.stop_digest.read_bytes())


def link_to_a_real_one(shim: Shim) -> None:
    shim.stop()
    shim.paths.stopped_mark.rename(shim.paths.run / "elsewhere")
    shim.paths.stopped_mark.symlink_to(shim.paths.run / "elsewhere")


def make_a_pipe(shim: Shim) -> None:
    os.mkfifo(shim.paths.stopped_mark)


def lose_the_digest(shim: Shim) -> None:
    shim.stop()
    shim.paths.stop_digest.unlink()


@pytest.mark.parametrize(
    "forge", [touch, copy_an_old_one_back, copy_the_digest, link_to_a_real_one, make_a_pipe, lose_the_digest]
)
def test_forged_or_stale_mark_counts_as_none(shim: Shim, forge: Callable[[Shim], None]) -> None:
    """Only the mark of the last hub is the person's word: with any other a hub is started and bypass is denied."""
    shim.place("deny_in_bypass")
    shim.start_hub_with('echo started > "$0.started"')
    forge(shim)
    result = shim.run(payload=BYPASS)
    assert decision(result.out) == DENY
    assert (shim.paths.shim / "start-hub.started").exists()


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop"])
def test_stopped_hub_is_told_once_per_session(shim: Shim, event: str) -> None:
    """The person of each session is told once that nothing is judged, and no decision goes with it."""
    shim.stop()
    said = []
    for session in (b"0f-1", b"0f-1", b"0f-2"):
        shim.env = {b"CLAUDE_CODE_SESSION_ID": session}
        said.append(shim.run(event, BYPASS).out)
    assert [bool(out) for out in said] == [True, False, True]
    assert list(msgspec.json.decode(said[0])) == ["systemMessage"]
    assert b"until assent up" in said[0]


@pytest.mark.parametrize("session", [b"", b"../../x", b"a/b", b"x" * 65, "é".encode()])
def test_session_with_an_odd_name_leaves_no_file(shim: Shim, session: bytes) -> None:
    """A name that is no plain word is no file name either; nothing is said then."""
    shim.stop()
    shim.env = {b"CLAUDE_CODE_SESSION_ID": session}
    assert shim.run(payload=BYPASS).out == b""
    assert not shim.paths.told_of_stop.exists()


def test_session_with_the_longest_name_is_told(shim: Shim) -> None:
    """The mark of it is for this user alone."""
    shim.stop()
    shim.env = {b"CLAUDE_CODE_SESSION_ID": b"x" * 64}
    assert shim.run(payload=BYPASS).out != b""
    (mark,) = shim.paths.told_of_stop.iterdir()
    assert (mark.name, mark.stat().st_mode & 0o777) == ("x" * 64, 0o600)


def test_run_of_exec_is_denied_without_a_hub(shim: Shim) -> None:
    """A run that is never to go on unjudged does not, whatever is configured, and also after `assent down`."""
    shim.env = {b"ASSENT_RUN": b"id=1"}
    shim.place("no_opinion")
    assert decision(shim.run("PreToolUse", PLAIN, deadline=0.3).out) == DENY
    assert decision(shim.run("PreToolUse", BYPASS, deadline=0.3).out) == DENY
    shim.stop()
    assert decision(shim.run("PreToolUse", PLAIN).out) == DENY
    assert decision(shim.run("Stop", PLAIN).out) is None


def test_pipe_in_place_of_the_spool_is_not_waited_for(shim: Shim) -> None:
    """A pipe or a link where gaps are kept costs the gap, and neither time nor a foreign file."""
    os.mkfifo(shim.paths.spool / "gaps.ndjson")
    assert shim.run(payload=BYPASS, deadline=0.2).code == 0
    (shim.paths.spool / "gaps.ndjson").unlink()
    (shim.paths.spool / "gaps.ndjson").symlink_to(shim.hubs / "foreign")
    assert shim.run(payload=BYPASS, deadline=0.2).code == 0
    assert not (shim.hubs / "foreign").exists()


def test_path_too_long_for_a_socket_is_one_line(shim: Shim) -> None:
    """A socket path no system call takes is a failure like any other."""
    shim.socket = Path("/tmp") / ("d" * 200) / "hook.sock"
    result = shim.run(payload=BYPASS)
    assert decision(result.out) == ASK
    assert result.err.startswith(b"assent: OSError")
    assert result.err.count(b"\n") == 1


def test_wrong_arguments_are_one_line(shim: Shim) -> None:
    """Started by hand without its arguments, the program says so and decides nothing."""
    argv = shim.argv("PreToolUse", 1, 1)
    for broken in (argv[:4], argv[:6], [*argv[:7], "soon", "1"]):
        shim.argv = lambda *_, broken=broken: broken  # type: ignore[method-assign]
        result = shim.run(payload=BYPASS)
        assert (result.code, result.out) == (0, b"")
        assert result.err.count(b"\n") == 1
        assert b"assent install" in result.err


def test_hub_with_a_full_queue_is_given_up(shim: Shim) -> None:
    """A hub that no longer accepts connections is given up, and on Linux, where that can be told, not started again."""
    shim.start_hub_with('echo started > "$0.started"')
    waiting: list[socket.socket] = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(shim.socket))
        listener.listen(0)
        while len(waiting) < 200:
            waiting.append(socket.socket(socket.AF_UNIX))
            waiting[-1].setblocking(False)
            try:
                waiting[-1].connect(str(shim.socket))
            except OSError:
                break
        result = shim.run(payload=BYPASS, silence=0.3)
    for sock in waiting:
        sock.close()
    assert decision(result.out) == ASK
    assert (b"too busy" in result.err) == (sys.platform == "linux")
    assert (shim.paths.shim / "start-hub.started").exists() == (sys.platform != "linux")


def test_hub_of_another_user_is_not_spoken_to(shim: Shim) -> None:
    """On Linux, where the peer can be asked, a listener that is not the shim's owner gets no payload and no say."""
    pretend = (
        "import posix, sys\n"
        "class Other: st_uid = 4_000_000\n"
        "real = posix.stat\n"
        "posix.stat = lambda path: Other if str(path).endswith('/shim') else real(path)\n"
        "sys.argv = sys.argv[4:]\n"
        "exec(open(sys.argv[0].replace('hook.py', 'forward.py')).read())\n"
    )
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(shim.socket))
        listener.listen()
        result = shim.run(
            payload=BYPASS, silence=0.5, wrap=(str(shim.paths.shim / "python"), "-I", "-S", "-c", pretend)
        )
        with listener.accept()[0] as conn:
            sent = conn.recv(100)
    assert decision(result.out) == ASK
    assert (b"another user" in result.err) == (sent == b"") == (sys.platform == "linux")


def test_input_that_never_ends_is_given_up(shim: Shim) -> None:
    """A client that keeps our stdin open does not keep us past the deadline, and what it said so far still counts."""
    process = shim.start(deadline=0.5)
    assert process.stdin
    process.stdin.write(BYPASS)
    process.stdin.flush()
    assert process.wait(20) == 0
    result = shim.finish(process, None)
    assert decision(result.out) == ASK
    assert b"did not finish its input" in result.err
