"""The short way for posted hooks: what it takes, it answers as the framework does, and it takes nothing else."""

import asyncio
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assent.hub.access.agents import Agents
from assent.hub.access.caller import Door, Peer
from assent.hub.access.devices import Devices
from assent.hub.access.gatekeeper import HEADERS, Gatekeeper
from assent.hub.access.origin import Origins
from assent.hub.access.places import places
from assent.hub.api.hooks import LARGEST_PAYLOAD, HookApi, ShortWay
from assent.hub.api.routes import app
from assent.hub.pipeline.arrival import Arrival
from assent.hub.recorder import Live
from assent.protocol.envelope import SILENT, Output
from tests.unit.hub.doubles import InForce

TOKEN = "t" * 43
EVENT = b'{"hook_event_name":"PostToolUse","session_id":"s1"}'
PLAIN = [
    (b"host", b"127.0.0.1:8717"),
    (b"authorization", f"Bearer {TOKEN}".encode()),
    (b"content-type", b"application/json"),
    (b"content-length", b"%d" % len(EVENT)),
]
SAID = Output(action="json_output", stdout_json={"decision": "block", "reason": "Look again."})


class Took(NamedTuple):
    status: int | None
    headers: dict[bytes, bytes]
    body: bytes
    # What became of it behind the door.
    answered: list[tuple[str, str, bytes, str]]
    told: int
    bad_input: int


class Answering:
    """Answers, and what it was asked."""

    def __init__(self, output: Output = SILENT) -> None:
        self.output = output
        self.came: list[Arrival] = []
        self.ended: list[str] = []
        self.lets_go = asyncio.Event()
        self.lets_go.set()

    async def answer(self, arrival: Arrival) -> Output:
        self.came.append(arrival)
        await self.lets_go.wait()
        return self.output

    def told(self, request: str) -> None:
        self.ended.append("told")

    def lost(self, request: str) -> None:
        self.ended.append("lost")
        self.lets_go.set()

    def missed(self, arrival: Arrival) -> None:
        self.ended.append("missed")


class Side:
    """A hub's HTTP side without a network, with the short way or without."""

    def __init__(self, *, short: bool, output: Output = SILENT) -> None:
        self.hooks = Answering(output)
        self.api = HookApi(self.hooks, Live())
        guard = Gatekeeper(TOKEN, b"k", Origins(Agents()), Devices(Path("/no/devices.json")), InForce())
        guard.places = places(8717, tunnel="hub.example")
        self.framework = 0
        whole = app(guard, [self.api])

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            self.framework += 1
            await whole(scope, receive, send)

        self.app: ASGIApp = ShortWay(counted, self.api, guard) if short else counted

    async def post(self, scope: Scope, messages: list[Message]) -> Took:
        left = list(messages)
        sent: list[Message] = []

        async def receive() -> Message:
            if not left:
                await asyncio.Event().wait()
            return left.pop(0)

        async def send(message: Message) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        return Took(
            sent[0]["status"] if sent else None,
            dict(sent[0]["headers"]) if sent else {},
            b"".join(message.get("body", b"") for message in sent),
            [(each.harness, each.event_name, each.payload, each.transport) for each in self.hooks.came],
            self.hooks.ended.count("told"),
            self.api.live.bad_input,
        )


def scope_of(headers: list[tuple[bytes, bytes]], **more: Any) -> Scope:
    path = more.pop("path", "/hook/claude-code")
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "server": ("127.0.0.1", 8717),
        "client": ("127.0.0.1", 5),
        "state": {"door": Door.LOOPBACK},
        **more,
    }


def body_of(*parts: bytes) -> list[Message]:
    last = len(parts) - 1
    return [{"type": "http.request", "body": part, "more_body": n < last} for n, part in enumerate(parts)]


def changed(name: bytes, value: bytes) -> list[tuple[bytes, bytes]]:
    return [(each, value if each == name else given) for each, given in PLAIN]


@pytest.mark.anyio
@pytest.mark.parametrize("output", [SILENT, SAID], ids=["silence", "words"])
@pytest.mark.parametrize("parts", [(EVENT,), (EVENT[:9], EVENT[9:], b"")], ids=["whole", "in parts"])
async def test_plain_hook_is_answered_without_the_framework_and_as_by_it(
    output: Output, parts: tuple[bytes, ...]
) -> None:
    """The same status, headers, body and arrival."""
    short, long = Side(short=True, output=output), Side(short=False, output=output)
    took = await short.post(scope_of(PLAIN), body_of(*parts))
    assert took == await long.post(scope_of(PLAIN), body_of(*parts))
    assert (short.framework, long.framework) == (0, 1)
    assert took.answered == [("claude-code", "PostToolUse", EVENT, "http")]
    assert {name.lower().encode() for name in HEADERS} <= took.headers.keys()


UNUSUAL = {
    "no token": scope_of([each for each in PLAIN if each[0] != b"authorization"]),
    "another token": scope_of(changed(b"authorization", b"Bearer " + b"x" * 43)),
    "two tokens": scope_of([*PLAIN, (b"authorization", b"Bearer x")]),
    "the token as something else": scope_of(changed(b"authorization", f"Basic {TOKEN}".encode())),
    "another name": scope_of(changed(b"host", b"evil.example:8717")),
    "another port": scope_of(changed(b"host", b"127.0.0.1:80")),
    "no name": scope_of([each for each in PLAIN if each[0] != b"host"]),
    "two names": scope_of([*PLAIN, (b"host", b"evil.example")]),
    "the name of a tunnel": scope_of(changed(b"host", b"hub.example")),
    "a page elsewhere": scope_of([*PLAIN, (b"origin", b"https://evil.example")]),
    "the own page": scope_of([*PLAIN, (b"origin", b"http://127.0.0.1:8717")]),
    "a browser": scope_of([*PLAIN, (b"sec-fetch-site", b"cross-site")]),
    "a device": scope_of([*PLAIN, (b"assent-device", b"d1")]),
    "no size": scope_of([each for each in PLAIN if each[0] != b"content-length"]),
    "in chunks": scope_of([*PLAIN, (b"transfer-encoding", b"chunked")]),
    "too large": scope_of(changed(b"content-length", b"%d" % (LARGEST_PAYLOAD + 1))),
    "an odd size": scope_of(changed(b"content-length", "²".encode("latin-1"))),
    "two sizes": scope_of([*PLAIN, (b"content-length", b"3")]),
    "another machine": scope_of(PLAIN, state={"door": Door.REMOTE}),
    "the desk": scope_of(PLAIN, state={"peer": Peer(1, 1)}),
    "no door": scope_of(PLAIN, state={}),
    "another method": scope_of(PLAIN, method="PUT"),
    "another address": scope_of(PLAIN, path="/hook/a/b"),
    "no harness": scope_of(PLAIN, path="/hook/"),
    "another route": scope_of(PLAIN, path="/api/pause"),
}


@pytest.mark.anyio
@pytest.mark.parametrize("scope", UNUSUAL.values(), ids=UNUSUAL.keys())
async def test_whatever_is_unusual_is_left_to_the_framework(scope: Scope) -> None:
    """Untouched: the framework says what it always says."""
    short, long = Side(short=True), Side(short=False)
    assert await short.post(dict(scope), body_of(EVENT)) == await long.post(dict(scope), body_of(EVENT))
    assert short.framework == 1


@pytest.mark.anyio
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b"\xff", b'{"a":1}', b"[" * 5_000])
async def test_body_that_is_no_event_is_refused_by_the_framework(body: bytes) -> None:
    """It reads the body as if it were the first, and counts it once."""
    short = Side(short=True)
    took = await short.post(scope_of(changed(b"content-length", b"%d" % len(body))), body_of(body))
    assert (took.status, took.answered, took.bad_input, short.framework) == (400, [], 1, 1)


@pytest.mark.anyio
async def test_body_that_is_cut_off_is_no_event() -> None:
    """There is no one to be answered, and nothing is judged."""
    short = Side(short=True)
    took = await short.post(scope_of(PLAIN), [*body_of(EVENT[:9], b"")[:1], {"type": "http.disconnect"}])
    assert (took.status, took.answered) == (None, [])


@pytest.mark.anyio
@pytest.mark.parametrize("short", [True, False])
async def test_client_that_leaves_while_a_person_is_asked_is_noticed(
    short: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the end of its connection: the person said no there."""
    monkeypatch.setattr("assent.hub.api.hooks.AT_ONCE", 0.0)
    door = Side(short=short)
    door.hooks.lets_go.clear()
    await door.post(scope_of(PLAIN), [*body_of(EVENT), {"type": "http.disconnect"}])
    assert door.hooks.ended[0] == "lost"


@pytest.mark.anyio
async def test_failure_is_told_in_the_form_of_the_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not as an answer."""
    short = Side(short=True)

    async def fails(_: Arrival) -> Output:
        raise RuntimeError("broken")

    monkeypatch.setattr(short.hooks, "answer", fails)
    took = await short.post(scope_of(PLAIN), body_of(EVENT))
    assert took.status == 500
    assert b'"code":"failed"' in took.body


names = st.sampled_from(
    [b"host", b"authorization", b"content-length", b"origin", b"sec-fetch-site", b"cookie", b"transfer-encoding"]
)
values = st.sampled_from(
    [value for _, value in PLAIN]
    + [b"", b"localhost:8717", b"LOCALHOST:8717", b"[::1]:8717", b"hub.example", b"http://127.0.0.1:8717", b"null"]
    + [b"same-origin", b"none", b"chunked", b"0", b"-1", b"99999999999", b"bearer " + TOKEN.encode(), b"\xff"]
)
lists = st.builds(
    lambda kept, more: [*kept, *more],
    st.sampled_from([PLAIN, PLAIN, PLAIN[:2], PLAIN[1:], []]),
    st.lists(st.tuples(names, values), max_size=3),
)
scopes = st.builds(
    scope_of,
    lists,
    method=st.sampled_from(["POST", "POST", "POST", "GET", "PUT", "HEAD"]),
    path=st.sampled_from(["/hook/claude-code", "/hook/x", "/hook/ü", "/hook//", "/hook/a/b", "/hook", "/", "//hook/x"]),
    state=st.sampled_from([{"door": Door.LOOPBACK}, {"door": Door.LOOPBACK}, {"door": Door.REMOTE}, {}]),
)
bodies = st.one_of(st.just(EVENT), st.binary(max_size=30), st.sampled_from([b"{}", b'{"hook_event_name":7}']))


def test_generated_requests_get_the_same_on_both_ways() -> None:
    """Whoever asks, for whatever, with whatever: nothing is taken on the short way that the framework would refuse."""
    short, long = Side(short=True), Side(short=False)
    taken = 0

    @settings(max_examples=200, deadline=None)
    @given(scope=scopes, body=bodies, cut=st.integers(0, 60))
    def look(scope: Scope, body: bytes, cut: int) -> None:
        nonlocal taken
        messages = body_of(body[:cut], body[cut:])
        before = short.framework

        async def both() -> None:
            assert await short.post({**scope, "state": dict(scope["state"])}, messages) == await long.post(
                scope, messages
            )

        asyncio.run(both())
        taken += short.framework == before

    look()
    assert 0 < taken < long.framework
