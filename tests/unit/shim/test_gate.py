"""The native shim's parts against the Python shim's, on generated input and under AddressSanitizer."""

import posix
import re
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assent.harnesses.claude_code.reply import BYPASS
from assent.protocol.envelope import Output, Reply
from assent.shim import forward, native
from tests import gates
from tests.unit.shim.test_forward import ID, OUTPUTS, Written

HERE = Path(__file__).parent
LEFT = b"-"
START = b'{"request_id":"0123456789abcdef","ts":1,"payload":'
BLOCK = START + b'{"action":"block_with_stderr","stderr":"'


class Gate:
    """The driver's process. One for all cases: a start costs more than a thousand of them."""

    def __init__(self) -> None:
        program = gates.sanitized(HERE / "gate_driver.c")
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={})

    def __call__(self, letter: bytes, case: bytes) -> bytes:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(letter + struct.pack("=I", len(case)) + case)
        self.process.stdin.flush()
        head = self.process.stdout.read(4)
        assert len(head) == 4, f"the driver ended with {self.process.wait()}"
        return self.process.stdout.read(struct.unpack("=I", head)[0])


@pytest.fixture(scope="module")
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.process.communicate()
    assert gate.process.returncode == 0


def python_obeys(reply: bytes) -> bytes:
    """What the Python shim makes of it, in the driver's words."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        written = Written(monkeypatch)
        try:
            code = written.obey(reply)
        except forward.GiveUpError:
            return LEFT
    ((fd, said),) = written.streams or [(0, b"")]
    assert code == (2 if fd == 2 else 0)
    return b"%d" % fd + said


REPLIES = [
    msgspec.json.encode(Reply(request_id=ID, ts=1, payload=output))
    for output in (
        Output(action="passthrough"),
        Output(action="json_output", stdout_json={"hookSpecificOutput": {"permissionDecision": "allow", "é": [1]}}),
        Output(action="json_output", stdout_json={}),
        Output(action="block_with_stderr", stderr='no: "rm"\n\\tmp \x01 é 🙂'),
        Output(action="block_with_stderr", stderr=""),
    )
]


@st.composite
def damaged_replies(draw: st.DrawFn) -> bytes:
    """A reply as the hub writes it, with a few pieces put in, taken out or written over."""
    reply = bytearray(draw(st.sampled_from(REPLIES)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(reply)))
        piece = draw(
            st.one_of(
                st.binary(max_size=4),
                st.sampled_from(
                    [b'"', b"\\", b"}", b"}}}", b"{", b'"payload":', b"\\u00e9", b"\\ud83d", b"\xff", b"\0"]
                ),
            )
        )
        reply[at : at + draw(st.integers(0, 4))] = piece
    return bytes(reply)


@given(damaged_replies())
@example(b"")
@example(START)
@example(BLOCK + b"}}")
@example(BLOCK + b'"}}')
@example(BLOCK + b'\\"}}')
@example(BLOCK + b'\\u12"}}')
@example(BLOCK + b'\\u 12 "}}')
@example(BLOCK + b'\\ud83d\\ude42\\u0000\\u07ff\\uffFF"}}')
@example(BLOCK + b'\xed\xa0\x80"}}')
@example(START + b'{"action":"json_output","stdout_json":{}}}')
@example(START + b'{"action":"json_output","stdout_json":{}}')
@example(START.replace(b"ef", b"ee") + b'{"action":"passthrough"}}')
def test_reply_is_understood_as_the_python_shim_does(gate: Gate, reply: bytes) -> None:
    """The same bytes on the same stream, or none; so an allow comes of nothing but this hub's reply to this request."""
    assert gate(b"r", reply) == python_obeys(reply)


@pytest.mark.parametrize("reply", REPLIES)
def test_part_of_a_reply_is_understood_as_the_python_shim_does(gate: Gate, reply: bytes) -> None:
    """Cut off anywhere. Neither reads a line before its end has come."""
    assert gate(b"r", reply) != LEFT
    parts = [reply[:cut] for cut in range(len(reply))]
    assert [gate(b"r", part) for part in parts] == [python_obeys(part) for part in parts]


@settings(max_examples=50)
@given(OUTPUTS)
def test_every_reply_of_the_hub_is_understood(gate: Gate, output: Output) -> None:
    """As the Python shim does."""
    reply = msgspec.json.encode(Reply(request_id=ID, ts=1, payload=output))
    assert LEFT != gate(b"r", reply) == python_obeys(reply)


@given(st.one_of(st.binary(), st.text().map(lambda text: text.encode("utf-8", "surrogatepass"))))
@example(b"\xc0\x80")
@example(b"\xe0\x9f\xbf")
@example(b"\xf0\x8f\xbf\xbf")
@example(b"\xf4\x90\x80\x80")
@example(b"\xf4\x8f\xbf\xbf")
@example(b"\xe2\x82")
def test_utf_8_is_told_as_python_tells_it(gate: Gate, text: bytes) -> None:
    """Also what is overlong, cut off, half of a pair or beyond the last character."""
    try:
        text.decode()
        expected = b"1"
    except UnicodeDecodeError:
        expected = b"0"
    assert gate(b"u", text) == expected


PIECES = st.sampled_from(
    [
        b'"session_id"',
        b'"sessionId"',
        b":",
        b'"',
        b"ab-1_2",
        b"{",
        b"}",
        b" ",
        b"\n",
        b"\x0b",
        b",",
        b"\xff",
        b"x" * 128,
    ]
)


@given(st.lists(PIECES, max_size=12).map(b"".join))
@example(b'{"session_id":"ab-1_2","cwd":"/"}')
@example(b'{"a":{"session_id":"theirs"},"session_id":"ours"}')
@example(b'{"session_id":"cut')
@example(b"x" * 65530 + b'{"session_id":"ab"}')
def test_session_is_named_as_the_python_shim_names_it(gate: Gate, payload: bytes) -> None:
    """By records and gaps a session has one name, whichever shim it was."""
    assert gate(b"s", payload) == forward.named_session(payload)


MODE_PIECES = st.sampled_from([*BYPASS, b":", b" ", b"\n", b"{", b"}", b" " * 60, b'"default"'])


@given(st.lists(MODE_PIECES, max_size=10).map(b"".join))
def test_bypass_is_read_as_the_python_shim_reads_it(gate: Gate, payload: bytes) -> None:
    """Where no interpreter starts, the last word depends on it."""
    assert gate(b"b", payload) == (b"1" if forward.says(payload, *BYPASS) else b"0")


WORDS = st.one_of(
    st.sampled_from(
        ["-I", "-S", "/s/shim/hook.py", "/s", "claude-code", "PreToolUse", "600", "2", "2.5", "2.0736e+06"]
    ),
    st.sampled_from(["inf", "nan", "1e99", "-1", " 1", "1_0", "0x1", "1e", "1.2.3", "", "hook.py", "claude code"]),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8),
)
USUAL = ["python", "-I", "-S", "/s/shim/hook.py", "/s", "claude-code", "PreToolUse", "600", "2"]


@st.composite
def arguments(draw: st.DrawFn) -> list[str]:
    argv = list(USUAL)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(argv)))
        argv[at : at + draw(st.integers(0, 2))] = draw(st.lists(WORDS, max_size=2))
    return argv


@given(arguments())
@example(USUAL)
@example([*USUAL[:7], "2.0736e+06", "0.25"])
def test_arguments_are_read_as_the_python_shim_reads_them(gate: Gate, argv: list[str]) -> None:
    """Or left to it: whatever is taken means the same to both."""
    told = gate(b"a", b"".join([word.encode() + b"\0" for word in argv]))
    if argv in (USUAL, [*USUAL[:7], "2.0736e+06", "0.25"]):
        assert told != LEFT
    if told != LEFT:
        request = forward.Request(argv[3:])
        waits, silence, *words = told.decode().split("\n")
        assert (float(waits), float(silence)) == (request.waits, request.silence)
        assert "\n".join(words) == "\n".join((request.socket, request.harness, request.event))
        assert re.fullmatch(r"[\w./-]+", request.harness + request.event, re.ASCII)


VARIABLES = (b"CLAUDE_CODE_SESSION_ID", b"CLAUDE_PROJECT_DIR", b"TMUX", b"ASSENT_RUN", b"SECRET")
VALUES = st.one_of(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20).map(str.encode),
    st.binary(max_size=20).map(lambda value: value.replace(b"\0", b"")),
)


@given(st.dictionaries(st.sampled_from(VARIABLES), VALUES), st.one_of(st.binary(max_size=50), PIECES))
@example({b"TMUX": b'a"b\\c\nd\x01\xc3\xa9'}, b'{"a":\r\n1}')
@example({}, b" \n\x0b")
def test_line_is_the_one_the_python_shim_sends(gate: Gate, environ: dict[bytes, bytes], payload: bytes) -> None:
    """Byte for byte: a request that both sent is one for the hub. What is not UTF-8 is left to the Python shim."""
    wanted: native.Table = (VARIABLES[0], VARIABLES[1:3], BYPASS, {})
    table = native.tables({"claude-code": wanted})["variables"].removeprefix(b"assent 1\n")
    variables = b"".join([name + b"=" + value + b"\0" for name, value in environ.items()])
    sent = gate(b"l", table + b"\0" + variables + b"\0" + payload)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(posix, "environ", environ)
        monkeypatch.setattr(forward, "HARNESSES", {"claude-code": wanted})
        request = forward.Request(["/s/shim/hook.py", "/s", "claude-code", "PreToolUse", "100", "2"])
        request.id, request.ts, request.payload = ID.encode(), 1, payload
        if not request.session_id:
            request.session = forward.quoted(forward.named_session(payload))
        expected = request.line()
    if sent == LEFT:
        with pytest.raises(UnicodeDecodeError):
            [value.decode() for name, value in environ.items() if name != b"SECRET"]
    else:
        assert sent == expected


def test_limits_are_the_python_shims() -> None:
    """Sizes, and the version of the envelope that it writes in its text."""
    source = native.SOURCE.read_text()
    for name in ("LARGEST_PAYLOAD", "LARGEST_REPLY"):
        (count,) = re.findall(rf"#define {name} \(\(size_t\)(\d+) << 20\)", source)
        assert int(count) << 20 == getattr(forward, name)
    assert f'\\"v\\":{forward.SHIM_VERSION},' in source
    assert forward.RUN.decode() in source
