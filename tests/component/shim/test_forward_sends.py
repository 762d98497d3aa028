"""What reaches the hub."""

import os

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from assent.protocol.envelope import Envelope
from tests.component.shim.conftest import Shim, wait_for
from tests.component.shim.fake_hub import FakeHub, answer


def payload_of(line: bytes) -> bytes:
    """The payload stands last, so it can be cut out whatever it is."""
    return line.partition(b',"payload":')[2].removesuffix(b"}\n")


def test_envelope_carries_who_and_what(shim: Shim) -> None:
    """The line is an envelope: a new id, the time, the event, and the session the client names in the environment."""
    shim.env = {b"CLAUDE_CODE_SESSION_ID": b"abc-1", b"CLAUDE_PROJECT_DIR": b"/p"}
    with FakeHub(shim.socket, answer()) as hub:
        shim.run("PermissionRequest", b'{"a": 1}')
        shim.run("PermissionRequest", b'{"a": 1}')
    first, second = (msgspec.json.decode(line, type=Envelope) for line in hub.lines)
    assert first.request_id != second.request_id
    assert len(bytes.fromhex(first.request_id)) == 8
    assert 0 <= second.ts - first.ts < 60_000
    assert (first.session_id, first.hook_event_name, first.v, first.harness) == (
        "abc-1", "PermissionRequest", 1, "claude-code",
    )  # fmt: skip
    assert bytes(first.payload) == b'{"a": 1}'


def test_session_comes_from_the_payload_where_the_client_names_none(shim: Shim) -> None:
    """Gaps and calls that cannot be read are then known by their session, too."""
    shim.env = {}
    with FakeHub(shim.socket, answer()) as hub:
        shim.run("PreToolUse", b'{"session_id": "abc-2", "tool_input": {}}')
    assert msgspec.json.decode(hub.lines[0], type=Envelope).session_id == "abc-2"


def test_environment_is_an_allow_list(shim: Shim) -> None:
    """Keys and tokens that hooks inherit stay where they are."""
    listed = {
        b"CLAUDE_CODE_SESSION_ATTENDED": b"0",
        b"CLAUDE_CODE_ENTRYPOINT": b"cli",
        b"CLAUDE_PROJECT_DIR": b"/p",
        b"CLAUDE_PID": b"42",
    }
    shim.env = listed | {
        b"ANTHROPIC_API_KEY": b"sk-secret",
        b"CLAUDE_CODE_MESSAGING_TOKEN": b"tok-secret",
        b"HOME": b"/h",
    }
    with FakeHub(shim.socket, answer()) as hub:
        shim.run()
    assert b"secret" not in hub.lines[0]
    assert hub.envelopes[0]["env"] == {name.decode(): value.decode() for name, value in listed.items()}


def test_environment_values_are_escaped(shim: Shim) -> None:
    """Quotes, line ends, control characters and bytes that are no UTF-8 cannot break the line or forge a field."""
    nasty = b'a"b\\c\nd\re\tf\x01g\xff\xc3\xa9","payload":{"evil":1},"x":"'
    shim.env = {b"CLAUDE_PROJECT_DIR": nasty, b"CLAUDE_CODE_SESSION_ID": nasty}
    with FakeHub(shim.socket, answer()) as hub:
        shim.run(payload=b'{"good":1}')
    (envelope,) = hub.envelopes
    assert hub.lines[0].count(b"\n") == 1
    assert envelope["env"]["CLAUDE_PROJECT_DIR"] == envelope["session_id"] == nasty.decode("utf-8", "replace")
    assert envelope["payload"] == {"good": 1}


@pytest.mark.parametrize("payload", [b"", b" \r\n "], ids=["nothing", "blank"])
def test_empty_stdin_becomes_null(shim: Shim, payload: bytes) -> None:
    """A hook run without input is still an envelope."""
    with FakeHub(shim.socket, answer()) as hub:
        assert shim.run(payload=payload).code == 0
    assert hub.envelopes[0]["payload"] is None


def test_closed_stdin_becomes_null(shim: Shim) -> None:
    """A hook run without a stdin is as one without input."""
    with FakeHub(shim.socket, answer()) as hub:
        result = shim.finish(shim.start(wrap=("/bin/sh", "-c", 'exec "$@" <&-', "sh")), None)
    assert (result.code, result.out, result.err) == (0, b"", b"")
    assert hub.envelopes[0]["payload"] is None


def test_input_that_comes_late_is_waited_for(shim: Shim) -> None:
    """A stream without bytes is not taken for empty before it ends."""
    stdin, feed = os.pipe()
    with FakeHub(shim.socket, answer()) as hub:
        process = shim.start(stdin=stdin)
        # The flag is shared with our copy of the stream, so this shows that the shim has begun to read.
        wait_for(lambda: not os.get_blocking(stdin) or process.poll() is not None)
        os.write(feed, b'{"a":1}')
        os.close(feed)
        os.close(stdin)
        shim.finish(process, None)
    assert payload_of(hub.lines[0]) == b'{"a":1}'


def test_line_ends_in_the_payload_become_spaces(shim: Shim) -> None:
    """Pretty-printed JSON arrives as the same JSON on one line."""
    with FakeHub(shim.socket, answer()) as hub:
        shim.run(payload=b'{\r\n  "a": [1,\n 2]\r}\n')
    assert hub.lines[0].count(b"\n") == 1
    assert payload_of(hub.lines[0]) == b'{    "a": [1,  2] } '


def test_large_payload_arrives_whole(shim: Shim) -> None:
    """Sixteen mebibytes are carried to the last byte."""
    payload = b'"' + b"x" * ((16 << 20) - 2) + b'"'
    with FakeHub(shim.socket, answer()) as hub:
        assert shim.run(payload=payload).code == 0
    assert payload_of(hub.lines[0]) == payload


def test_too_large_payload_is_named_and_not_sent(shim: Shim) -> None:
    """Of 64 MiB the shim reads a quarter and says that it was too much."""
    with FakeHub(shim.socket, answer()) as hub:
        assert shim.run(payload=b"x" * (64 << 20)).code == 0
    (envelope,) = hub.envelopes
    assert envelope["payload"] is None
    assert 16 << 20 < envelope["too_large"] < 17 << 20


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(payload=st.binary(max_size=300))
@example(payload=bytes(range(256)))
@example(payload=b'{"a":"\xff","b')
@example(payload=b'1},"payload":{"x":1}')
def test_any_bytes_arrive_untouched(shim: Shim, payload: bytes) -> None:
    """Whatever stands on stdin reaches the hub byte for byte, line ends apart, behind a readable head."""
    with FakeHub(shim.socket, answer()) as hub:
        assert shim.run(payload=payload).code == 0
    expected = payload.replace(b"\n", b" ").replace(b"\r", b" ")
    assert payload_of(hub.lines[0]) == (expected if expected.strip() else b"null")
    head = hub.lines[0].partition(b',"payload":')[0] + b"}"
    assert msgspec.json.decode(head, type=Envelope).hook_event_name == "PreToolUse"
