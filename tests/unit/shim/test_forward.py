"""The pure parts of the shim's program."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.claude_code import reply
from assent.protocol.envelope import Output, Reply
from assent.shim import forward

ID = "0123456789abcdef"
OUTPUTS = st.one_of(
    st.just(Output(action="passthrough")),
    st.builds(lambda text: Output(action="block_with_stderr", stderr=text), st.text()),
    st.builds(
        lambda value: Output(action="json_output", stdout_json=value),
        st.dictionaries(
            st.text(), st.one_of(st.text(), st.integers(-9, 9), st.lists(st.dictionaries(st.text(), st.text())))
        ),
    ),
)


class Written:
    """A request with our id, and what was written in answer to it."""

    id = ID.encode()

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.streams: list[tuple[int, bytes]] = []
        monkeypatch.setattr(forward, "write", lambda fd, data: self.streams.append((fd, data)))

    def obey(self, reply: bytes) -> int:
        self.streams.clear()
        return forward.obey(reply, self)  # type: ignore[arg-type]


@given(st.binary())
def test_quoted_is_a_json_string(value: bytes) -> None:
    """Any bytes become one JSON string on one line, read back as their text."""
    assert msgspec.json.decode(forward.quoted(value)) == value.decode("utf-8", "replace")
    assert b"\n" not in forward.quoted(value)


def test_only_what_json_forbids_is_escaped() -> None:
    """Control characters, quotes and backslashes; a space is none of them."""
    assert forward.quoted(b"a b") == b'"a b"'
    assert forward.quoted(b"\x1f") == b'"\\u001f"'


@pytest.mark.parametrize(
    ("payload", "session"),
    [
        (b'{"session_id":"ab-1_2","cwd":"/"}', b"ab-1_2"),
        (b'{ "cwd" : "/x", "session_id" : "ab" }', b"ab"),
        (b'{"sessionId":"ab","toolArgs":{}}', b"ab"),
        (b'{"tool_input":{"session_id":"theirs"},"session_id":"ours"}', b""),
        (b'{"prompt":"\\"session_id\\":\\"theirs\\"","session_id":"ours"}', b"ours"),
        (b'{"session_id":"a b"}', b""),
        (b'{"session_id":7}', b""),
        (b'{"session_id":"cut', b""),
        (b"", b""),
    ],
)
def test_session_is_taken_from_the_top_of_a_payload(payload: bytes, session: bytes) -> None:
    """For clients that set no variable; never from what a tool was given."""
    assert forward.named_session(payload) == session


@given(st.text())
def test_unquoted_reads_what_the_hub_writes(text: str) -> None:
    """Every string the hub's encoder writes comes back as it was."""
    assert forward.unquoted(msgspec.json.encode(text)[1:-1]) == text.encode()


@given(output=OUTPUTS)
def test_every_reply_of_the_hub_is_understood(output: Output) -> None:
    """Whatever the hub's encoder makes of an output is carried out to the letter."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        written = Written(monkeypatch)
        code = written.obey(msgspec.json.encode(Reply(request_id=ID, ts=1, payload=output)))
    if output.action == "passthrough":
        assert (code, written.streams) == (0, [])
    elif output.action == "block_with_stderr":
        assert (code, written.streams) == (2, [(2, (output.stderr or "").encode())])
    else:
        assert (code, written.streams) == (0, [(1, msgspec.json.encode(output.stdout_json))])


@given(output=OUTPUTS, data=st.data())
def test_no_part_of_a_reply_is_understood(output: Output, data: st.DataObject) -> None:
    """A reply cut off anywhere prints nothing."""
    reply = msgspec.json.encode(Reply(request_id=ID, ts=1, payload=output))
    cut = data.draw(st.integers(0, len(reply) - 1))
    with pytest.MonkeyPatch.context() as monkeypatch:
        written = Written(monkeypatch)
        with pytest.raises(forward.GiveUpError):
            written.obey(reply[:cut])
    assert written.streams == []


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (b'{"permission_mode":"bypassPermissions"}', True),
        (b'{"permission_mode" : \t "bypassPermissions"}', True),
        (b'{"permission_mode":"default","permission_mode":"bypassPermissions"}', True),
        (b'{"permission_mode":"bypassPermissionsNot"}', False),
        (b'{"permission_mode":"default"}', False),
        (b'{"x":"bypassPermissions"}', False),
        (b'{"x":"\\"permission_mode\\":\\"bypassPermissions\\""}', False),
        (b"", False),
    ],
)
def test_bypass_is_read_off_the_bytes(payload: bytes, expected: bool) -> None:
    """The one thing the shim looks for in a payload is found as a field, not inside a text."""
    assert forward.says(payload, *reply.BYPASS) is expected


class Line:
    """Stands in for a socket: gives these chunks, then nothing or an error."""

    def __init__(self, *chunks: bytes, end: type[Exception] | None = None) -> None:
        self.chunks = list(chunks)
        self.end = end
        self.sent = b""
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True

    def settimeout(self, _: float) -> None:
        """Not waited for."""

    def sendall(self, data: bytes) -> None:
        self.sent += data

    def recv(self, _: int) -> bytes:
        if not self.chunks and self.end:
            raise self.end
        return self.chunks.pop(0) if self.chunks else b""


def asked(**more: object) -> forward.Request:
    request = forward.Request(["/state/shim/run", "/s", "claude-code", "PreToolUse", "60", "30"])
    for name, value in more.items():
        setattr(request, name, value)
    return request


@pytest.mark.parametrize(
    ("chunks", "reply", "held"),
    [
        ((b"a\n",), b"a", 0),
        ((b"a", b"b\n"), b"ab", 0),
        ((b"\n", b" \n", b"a\n"), b"a", 2),
        ((b"\n\na\nb\n",), b"a", 2),
        ((b"\n",), None, 1),
        ((b"half",), None, 0),
        ((), None, 0),
    ],
)
def test_first_line_that_is_not_blank_is_the_reply(chunks: tuple[bytes, ...], reply: bytes | None, held: int) -> None:
    """Blank ones say that a person is asked; a line without an end is none."""
    request, line = asked(), Line(*chunks)
    assert forward.exchange(line, b"x\n", request) == reply  # type: ignore[arg-type]
    assert (line.sent, line.is_closed, request.held) == (b"x\n", True, held)


@pytest.mark.parametrize(("size", "is_taken"), [(10, True), (11, False)])
def test_reply_has_a_largest_size(monkeypatch: pytest.MonkeyPatch, size: int, is_taken: bool) -> None:
    """Beyond it nothing more is read."""
    monkeypatch.setattr(forward, "LARGEST_REPLY", 10)
    line = Line(b"x" * size, b"\n")
    if is_taken:
        assert forward.exchange(line, b"", asked()) == b"x" * size  # type: ignore[arg-type]
    else:
        with pytest.raises(forward.GiveUpError, match="too long"):
            forward.exchange(line, b"", asked())  # type: ignore[arg-type]


def test_hub_that_goes_silent_is_given_up() -> None:
    """So is one that is past the deadline before it is asked."""
    with pytest.raises(forward.GiveUpError, match="went silent"):
        forward.exchange(Line(end=TimeoutError), b"", asked())  # type: ignore[arg-type]
    with pytest.raises(forward.GiveUpError, match="in time"):
        forward.exchange(Line(b"a\n"), b"", asked(deadline=0.0))  # type: ignore[arg-type]


@pytest.mark.parametrize(("left", "silence", "expected"), [(5.0, 30.0, 5.0), (60.0, 30.0, 30.0)])
def test_patience_is_what_is_left_of_deadline_and_silence(
    monkeypatch: pytest.MonkeyPatch, left: float, silence: float, expected: float
) -> None:
    """The shorter of both, and none at the deadline itself."""
    monkeypatch.setattr("time.monotonic", lambda: 100.0)
    assert asked(deadline=100.0 + left, silence=silence).patience() == expected
    with pytest.raises(forward.GiveUpError):
        asked(deadline=100.0).patience()


@pytest.mark.parametrize(("size", "is_sent"), [(10, True), (11, False)])
def test_payload_has_a_largest_size(monkeypatch: pytest.MonkeyPatch, size: int, is_sent: bool) -> None:
    """Of a larger one the size is sent; line ends become spaces, and nothing is null."""
    monkeypatch.setattr(forward, "LARGEST_PAYLOAD", 10)
    told = msgspec.json.decode(asked(payload=b'"' + b"x" * (size - 2) + b'"').line())
    assert (told["payload"], told.get("too_large")) == (("x" * (size - 2), None) if is_sent else (None, size))


@pytest.mark.parametrize(("payload", "expected"), [(b"", None), (b" \n", None), (b"{\r\n}\n", {})])
def test_payload_is_one_line_of_json(payload: bytes, expected: object) -> None:
    """Whatever line ends it came with."""
    line = asked(payload=payload).line()
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert msgspec.json.decode(line)["payload"] == expected
