"""A line is read as far as it can be, and never further."""

import ast
import asyncio
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses import registry
from assent.hub.access.agents import Agents
from assent.hub.access.caller import Peer
from assent.hub.ingress.hook_socket import KNOWN_FOR, HookProtocol, read
from assent.hub.pipeline.arrival import Arrival
from assent.paths import Paths
from assent.protocol.envelope import SILENT, Output
from assent.shim import forward, place

HEAD = b'{"request_id":"r1","ts":1,"session_id":"s1","hook_event_name":"PreToolUse","v":1,"env":{"CLAUDE_PID":"7"}'


def line(payload: bytes) -> bytes:
    return HEAD + b',"payload":' + payload + b"}"


def test_payload_bytes_are_the_harnesses_own() -> None:
    """Spacing and order of the payload survive: it is not re-encoded."""
    payload = b'{ "b":1,\t"a" : 2.50 }'
    arrival = read(line(payload))
    assert arrival is not None
    assert arrival.payload == payload
    assert (arrival.request_id, arrival.session_id, arrival.env) == ("r1", "s1", {"CLAUDE_PID": "7"})


@pytest.mark.parametrize("payload", [b"", b"\xff\xfe\x00", b'{"cut": ', b"[" * 5000, b"not json at all"])
def test_broken_payload_keeps_its_envelope(payload: bytes) -> None:
    """A payload that is no JSON is still known by its event, so that a gate can answer."""
    arrival = read(line(payload))
    assert arrival is not None
    assert (arrival.event_name, arrival.payload) == ("PreToolUse", payload)


@pytest.mark.parametrize("text", [b"{}", b"null", b"hello", b'{"payload":{}}', b"\x00" * 10, b',"payload":1}'])
def test_line_without_envelope_is_nothing(text: bytes) -> None:
    """What is no envelope is not answered."""
    assert read(text) is None


@given(st.binary())
def test_no_line_raises(text: bytes) -> None:
    """Any bytes at all give an arrival or None."""
    read(text)
    read(line(text.replace(b"\n", b"")))


def test_too_large_is_told() -> None:
    """A shim that could not carry the payload says how large it was."""
    arrival = read(HEAD + b',"too_large":99,"payload":null}')
    assert arrival is not None
    assert arrival.too_large == 99


def test_envelope_of_other_forwarders_is_understood() -> None:
    """The five fields every forwarder sends are enough."""
    envelope = {"request_id": "1-a", "ts": 1, "session_id": "s", "hook_event_name": "Stop", "payload": {"x": 1}}
    arrival = read(msgspec.json.encode(envelope))
    assert arrival is not None
    assert (arrival.harness, arrival.payload) == ("claude-code", b'{"x":1}')


def test_unknown_variables_are_dropped() -> None:
    """Whatever a forwarder sends of its environment, only what the shim would send goes on."""
    environ = b'{"CLAUDE_PID":"7","CLAUDE_PROJECT_DIR":"/p","AWS_SESSION":"secret"}'
    sent = b'{"request_id":"r","ts":1,"session_id":"s","hook_event_name":"Stop","env":%s,"payload":{}}' % environ
    arrival = read(sent)
    assert arrival is not None
    assert arrival.env == {"CLAUDE_PID": "7", "CLAUDE_PROJECT_DIR": "/p"}


def test_shim_sends_what_the_hub_wants_to_know(tmp_path: Path) -> None:
    """The shim cannot import the list, so what is written into its placed copy is held to it here."""
    paths = Paths(config_dir=tmp_path / "config", state=tmp_path / "state")
    place.place(paths, unreachable="deny")
    lines = (paths.shim / "forward.py").read_text().splitlines()
    (table,) = (line.partition(" = ")[2] for line in lines if line.startswith("HARNESSES"))
    for name, (_, variables, _, _) in ast.literal_eval(table).items():
        assert {forward.RUN.decode(), *(variable.decode() for variable in variables)} == registry.variables(name)


class Wire(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return False


class Silence:
    """Answers nothing, and lets a heartbeat fall due in the very turn in which the reply goes out."""

    def __init__(self) -> None:
        self.protocol = HookProtocol(self)
        self.is_told = asyncio.Event()

    async def answer(self, arrival: Arrival) -> Output:
        del arrival
        return SILENT

    def told(self, request: str) -> None:
        del request
        self.protocol._heartbeat()
        self.is_told.set()

    def lost(self, request: str) -> None: ...

    def missed(self, arrival: Arrival) -> None: ...


def test_no_heartbeat_follows_the_reply() -> None:
    """A shim leaves after its reply; what it did not read would look as if the reply had been lost."""

    async def exchange() -> list[bytes]:
        wire, hooks = Wire(), Silence()
        hooks.protocol.connection_made(wire)
        hooks.protocol.data_received(line(b"{}") + b"\n")
        await hooks.is_told.wait()
        return wire.written

    assert [data.count(b"request_id") for data in asyncio.run(exchange())] == [1]


class Known(Agents):
    """Believes one claim, and counts how often it is asked."""

    asked = 0

    def confirmed(self, peer: Peer | None, claimed: str) -> bool:
        del peer
        self.asked += 1
        return claimed == "7"


class Heard(Silence):
    """Keeps what arrives."""

    def __init__(self, agents: Agents) -> None:
        super().__init__()
        self.protocol = HookProtocol(self, agents)
        self.claims: list[str | None] = []

    async def answer(self, arrival: Arrival) -> Output:
        self.claims.append(arrival.env.get("CLAUDE_PID"))
        return SILENT


def test_claim_of_a_connection_is_looked_up_once_a_while() -> None:
    """Another claim is looked up at once, and what was not confirmed is looked up each time."""
    agents = Known()
    hooks = Heard(agents)

    async def exchange(*claims: bytes) -> None:
        hooks.protocol.connection_made(Wire())
        for claim in claims:
            hooks.is_told.clear()
            hooks.protocol.data_received(line(b"{}").replace(b'"7"', b'"%s"' % claim) + b"\n")
            await hooks.is_told.wait()
        assert agents.asked == 3
        hooks.protocol._looked -= KNOWN_FOR
        hooks.is_told.clear()
        hooks.protocol.data_received(line(b"{}") + b"\n")
        await hooks.is_told.wait()

    asyncio.run(exchange(b"7", b"7", b"8", b"8", b"7"))
    assert hooks.claims == ["7", "7", None, None, "7", "7"]
    assert agents.asked == 4
