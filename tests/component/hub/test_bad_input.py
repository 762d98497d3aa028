"""Whatever arrives: no crash, no hang, no allow, one log line."""

import json
import os
import socket
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.component.hub.conftest import StartHub
from tests.component.hub_process import HubProcess, bash, until
from tests.waiting import HANG

GATE = b'{"request_id":"%s","ts":1,"session_id":"s1","hook_event_name":"PreToolUse","payload":%s}'

VALID = json.dumps(bash("make build")).encode()

BROKEN = {
    "empty": b"",
    "null": b"null",
    "binary": bytes(range(11, 256)),
    "truncated": VALID[:-20],
    "not UTF-8": VALID.replace(b"make build", b"make \xff\xfe"),
    "deeply nested": VALID.replace(b'"make build"', b"[" * 5000 + b"]" * 5000),
    "a list": b"[1,2,3]",
    "no tool": b'{"session_id":"s1","hook_event_name":"PreToolUse"}',
    "tool is a number": VALID.replace(b'"Bash"', b"7"),
    "input is text": b'{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"ls"}',
    "lies about its event": VALID.replace(b"PreToolUse", b"PostToolUse"),
}


def answer_to(hub: HubProcess, payload: bytes) -> dict[str, Any]:
    reply = hub.send_line(GATE % (os.urandom(8).hex().encode(), payload))
    answer: dict[str, Any] = json.loads(reply)["payload"]
    return answer


@pytest.mark.parametrize("version", [99, 0, -1, 2])
def test_envelope_of_another_version_is_not_believed(hub: HubProcess, version: int) -> None:
    """What its fields mean is not known: a call is prompted about, denied in bypass, and the record says why."""
    assert decided(hub.send(bash("ls"), v=version)) == "ask"
    assert decided(hub.send(bash("ls", permission_mode="bypassPermissions"), v=version)) == "deny"
    stop = {"hook_event_name": "Stop", "session_id": "s1", "transcript_path": "/t", "cwd": "/p"}
    assert hub.send(stop, v=version) == {"action": "passthrough"}
    assert f"its envelope has version {version}, this hub reads 1" in hub.log()
    until(lambda: unreadable(hub) == {"prompt", "deny", "no_opinion"}, "the decisions on record")


def unreadable(hub: HubProcess) -> set[str]:
    records = hub.api("GET", "/api/log?limit=100")[1]["records"]
    return {record["decision"] for record in records if record.get("by") == "hub:unreadable"}


def decided(answer: dict[str, Any]) -> str:
    return str(answer["stdout_json"]["hookSpecificOutput"]["permissionDecision"])


@pytest.mark.parametrize("payload", BROKEN.values(), ids=BROKEN.keys())
def test_unreadable_tool_call_is_left_to_a_person(hub: HubProcess, payload: bytes) -> None:
    """A gate whose call cannot be read prompts, and the hub says so in one line."""
    before = hub.log().count("could not be read")
    answer = answer_to(hub, payload)
    assert answer["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "ask"
    assert hub.log().count("could not be read") == before + 1
    assert "Traceback" not in hub.log()
    status = hub.api("GET", "/api/status")[1]
    assert status["bad_input"] == 1


def test_unreadable_tool_call_is_denied_in_bypass_mode(hub: HubProcess) -> None:
    """There the client may drop the prompt: by the call's own bytes, or by what the session did last."""
    broken = VALID.replace(b'"Bash"', b"7")
    in_bypass = broken.replace(b'"default"', b'"bypassPermissions"')
    assert in_bypass != broken
    assert answer_to(hub, in_bypass)["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert answer_to(hub, broken)["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "ask"
    answer_to(hub, VALID.replace(b'"default"', b'"bypassPermissions"'))
    until(lambda: hub.api("GET", "/api/sessions")[1]["sessions"], "the session is known")
    assert answer_to(hub, b"{")["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_odd_but_valid_payloads_are_judged(hub: HubProcess) -> None:
    """Duplicate keys count as the client counts them, the last one; huge numbers are just numbers."""
    doubled = VALID.replace(b'"tool_input": {', b'"tool_input": {"command": "ls"}, "tool_input": {')
    assert answer_to(hub, doubled)["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "allow"
    huge = VALID.replace(b'"make build"', b'"make build", "timeout": 1' + b"0" * 400)
    assert answer_to(hub, huge).get("stdout_json", {}).get("permissionDecision") != "deny"


def test_payload_too_large_for_a_shim_is_left_to_a_person(hub: HubProcess) -> None:
    """What a shim could not carry cannot be judged."""
    line = GATE.replace(b'"payload"', b'"too_large":70000000,"payload"') % (b"r1", b"null")
    answer = json.loads(hub.send_line(line))["payload"]
    assert answer["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "ask"


def test_64_mib_line_is_cut_off_and_the_hub_goes_on(hub: HubProcess) -> None:
    """A line no shim would send ends its own connection, nothing else."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(HANG)
        sock.connect(str(hub.paths.hook_socket))
        try:
            for _ in range(64):
                sock.sendall(b"x" * (1 << 20))
            rest = sock.recv(1)
        except (BrokenPipeError, ConnectionResetError):
            rest = b""
    assert rest == b""
    assert "longer than" in hub.log()
    assert hub.send(bash("make build"))["action"] == "json_output"


def test_unreadable_observer_event_is_silence(hub: HubProcess) -> None:
    """Where nothing can be decided, nothing is said."""
    line = GATE.replace(b"PreToolUse", b"Notification") % (b"r1", b"{broken")
    assert json.loads(hub.send_line(line))["payload"] == {"action": "passthrough"}


def test_unknown_event_survives_whole(hub: HubProcess) -> None:
    """An event of a newer client is recorded, shown as unknown and answered with silence."""
    event = {"session_id": "s1", "hook_event_name": "FutureThing", "cwd": "/p", "news": [1, 2]}
    assert hub.send(event) == {"action": "passthrough"}

    def line() -> dict[str, Any] | None:
        records: list[dict[str, Any]] = hub.api("GET", "/api/log")[1]["records"]
        return next((record for record in records if record["body"].get("event") == "FutureThing"), None)

    record = until(line, "the unknown event")
    assert record["body"]["payload"]["news"] == [1, 2]
    assert "unknown event" in record["line"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=200), st.text(max_size=50).map(str.encode)))
def test_no_line_becomes_an_allow(shared_hub: HubProcess, noise: bytes) -> None:
    """Random bytes as a payload never get a yes, and the hub lives."""
    payload = noise.replace(b"\n", b" ").replace(b"\r", b" ")
    reply = shared_hub.send_line(GATE % (os.urandom(8).hex().encode(), payload))
    assert json.loads(reply)["payload"]["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "ask"


@pytest.fixture
def shared_hub(start_hub: StartHub) -> HubProcess:
    return start_hub()
