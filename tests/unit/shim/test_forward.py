"""The pure parts of the shim's program."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harness import claude_code_fallback
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
    """The one thing the shim looks for in a payload is found as a field, not as somebody's text."""
    assert forward.says(payload, *claude_code_fallback.BYPASS) is expected
