"""What the shim makes of the hub's reply."""

import os
import subprocess

import pytest

from tests.component.shim.conftest import BYPASS, Shim, wait_for
from tests.component.shim.fake_hub import FakeHub, answer, say

DECISION = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "n": 'a"}}}é'}}
DECISION_BYTES = (
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","n":"a\\"}}}é"}}'.encode()
)


def test_passthrough_is_silent(shim: Shim) -> None:
    """No opinion is exit 0 and not a byte of output."""
    with FakeHub(shim.socket, answer()):
        result = shim.run()
    assert (result.code, result.out, result.err) == (0, b"", b"")


def test_json_output_is_printed_as_it_came(shim: Shim) -> None:
    """The hub's JSON goes to stdout untouched, and the shim exits 0."""
    with FakeHub(shim.socket, answer("json_output", stdout_json=DECISION)) as hub:
        result = shim.run()
    assert (result.code, result.out, result.err) == (0, DECISION_BYTES, b"")
    assert hub.rest == [b""]


def test_long_json_output_is_printed_whole(shim: Shim) -> None:
    """More than a pipe holds at once arrives complete."""
    with FakeHub(shim.socket, answer("json_output", stdout_json={"a": "x" * 1_000_000})):
        result = shim.run()
    assert result.out == b'{"a":"' + b"x" * 1_000_000 + b'"}'


def test_stdout_that_does_not_block_gets_it_whole(shim: Shim) -> None:
    """A full pipe in non-blocking mode is waited for: half a decision would count as none."""
    pipe, stdout = os.pipe()
    os.set_blocking(stdout, False)
    with FakeHub(shim.socket, answer("json_output", stdout_json={"a": "x" * 1_000_000})), open(pipe, "rb") as reader:
        process = shim.start(stdout=stdout)
        shim.feed(process)
        wait_for(lambda: os.get_blocking(stdout) or process.poll() is not None)
        os.close(stdout)
        assert reader.read() == b'{"a":"' + b"x" * 1_000_000 + b'"}'
        assert shim.finish(process, None).code == 0


def test_block_writes_stderr_and_exits_2(shim: Shim) -> None:
    """A block is exit 2 with the text, unescaped, on stderr."""
    text = 'no: "rm"\n\\tmp\\ \t/ \x01 é 🙂'
    with FakeHub(shim.socket, answer("block_with_stderr", stderr=text)):
        result = shim.run()
    assert (result.code, result.out, result.err) == (2, b"", text.encode())


REPLY = b'{"request_id":"ID","ts":1,"payload":'


@pytest.mark.parametrize(
    "data",
    [
        b"nonsense\n",
        b"\x00\xff\xfe\n",
        b"{}\n",
        b"null\n",
        b'{"request_id":"0123456789abcdef","ts":1,"payload":{"action":"json_output","stdout_json":{"a":1}}}\n',
        b'{"request_id":"","ts":1,"payload":{"action":"passthrough"}}\n',
        REPLY + b"null}\n",
        REPLY + b'{"action":"allow"}}\n',
        REPLY + b'{"action":"passthrough"}\n',
        REPLY + b'{"action":"json_output"}}\n',
        REPLY + b'{"action":"json_output","stdout_json":null}}\n',
        REPLY + b'{"action":"json_output","stdout_json":{"a":1}\n',
        REPLY + b'{"action":"json_output","stdout_json":{"a":1}} \n',
        REPLY + b'{"action":"json_output","stderr":"x","stdout_json":{"a":1}}}\n',
        REPLY + b'{"action":"block_with_stderr"}}\n',
        REPLY + b'{"action":"block_with_stderr","stderr":"a","x":"b"}}\n',
        REPLY + b'{"action":"block_with_stderr","stderr":"\\x"}}\n',
        REPLY + b'{"action":"block_with_stderr","stderr":"\\u12"}}\n',
        REPLY + b'{"action":"block_with_stderr","stderr":"\\"}}\n',
        REPLY + b'{"action":"block_with_stderr","stderr":"\xff"}}\n',
    ],
)
def test_reply_not_understood_is_not_obeyed(shim: Shim, data: bytes) -> None:
    """A reply that is not exactly the hub's, or another request's, prints nothing of itself and counts as no reply."""
    with FakeHub(shim.socket, say(data)) as hub:
        quiet = shim.run()
        asked = shim.run(payload=BYPASS)
    assert (quiet.code, quiet.out) == (0, b"")
    assert quiet.err == b"assent: the hub's reply cannot be read; this event was not judged. Run: assent doctor\n"
    assert asked.code == 0
    assert b'"permissionDecision":"ask"' in asked.out
    assert len(hub.lines) == 2


def test_endless_reply_is_given_up(shim: Shim) -> None:
    """A hub that never ends its line does not fill the memory."""
    with FakeHub(shim.socket, say(b"x" * (8 << 20))):
        result = shim.run()
    assert (result.code, result.out) == (0, b"")
    assert b"too long" in result.err


def test_broken_stdout_is_no_crash(shim: Shim) -> None:
    """A client that no longer reads gets nothing, and there is no traceback."""
    with FakeHub(shim.socket, answer("json_output", stdout_json=DECISION)):
        process = shim.start()
        assert process.stdout
        process.stdout.close()
        process.stdout = None
        result = shim.finish(process)
    assert (result.code, result.err) == (0, b"")


@pytest.mark.parametrize("closed", ["1", "2"])
def test_closed_stream_is_not_mistaken_for_the_socket(shim: Shim, closed: str) -> None:
    """With a stream closed at start its number goes to the socket, and the hub must not be sent the output."""
    replies = {"1": answer("json_output", stdout_json=DECISION), "2": answer("block_with_stderr", stderr="no")}
    with FakeHub(shim.socket, replies[closed]) as hub:
        result = shim.run(wrap=("/bin/sh", "-c", f'exec "$@" {closed}>&-', "sh"), stderr=subprocess.PIPE)
    assert result.code == {"1": 0, "2": 2}[closed]
    assert (result.out, result.err) == (b"", b"")
    assert hub.rest == [b""]
