"""The loopback door: one token that may post, one cookie that may read, and nothing else."""

import asyncio
import json
import socket
from typing import Any

import pytest

from assent.hub.server import bind_loopback
from tests.component.hub_process import HubProcess, bash

# A plain post takes a short way in front of the web framework; what a browser may have sent does not.
WAYS = {"short": {}, "framework": {"Sec-Fetch-Site": "same-origin"}}
both_ways = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
Way = dict[str, str]


def post(hub: HubProcess, body: bytes, way: Way, **headers: str) -> tuple[int, Any]:
    token = (hub.paths.keys / "post.token").read_text()
    return hub.tcp("POST", "/hook/claude-code", body, {"Authorization": f"Bearer {token}", **way, **headers})


@both_ways
def test_event_over_http_is_judged(hub: HubProcess, way: Way) -> None:
    """The same event gets the same answer over HTTP."""
    status, answer = post(hub, json.dumps(bash("git push")).encode(), way)
    assert (status, answer["hookSpecificOutput"]["permissionDecision"]) == (200, "deny")


@both_ways
def test_observer_over_http_gets_an_empty_object(hub: HubProcess, way: Way) -> None:
    """Silence over HTTP is an object with nothing in it."""
    event = {"session_id": "s1", "hook_event_name": "Notification", "message": "hi", "notification_type": "x"}
    assert post(hub, json.dumps(event).encode(), way) == (200, {})


@both_ways
def test_unknown_event_over_http_gets_an_empty_object(hub: HubProcess, way: Way) -> None:
    """An event of a newer client is no error."""
    assert post(hub, b'{"session_id":"s1","hook_event_name":"FutureThing"}', way) == (200, {})


@both_ways
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b"\xff", b'{"a":1}'])
def test_bad_json_is_400(hub: HubProcess, body: bytes, way: Way) -> None:
    """What is no event is refused, with a sentence."""
    status, answer = post(hub, body, way)
    assert (status, answer["error"]["code"]) == (400, "bad-json")


@both_ways
def test_unreadable_gate_over_http_still_prompts(hub: HubProcess, way: Way) -> None:
    """A PreToolUse that names itself but cannot be read is left to a person."""
    status, answer = post(hub, b'{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":7}', way)
    assert (status, answer["hookSpecificOutput"]["permissionDecision"]) == (200, "ask")


@both_ways
def test_too_large_body_is_413(hub: HubProcess, way: Way) -> None:
    """The size is refused before the bytes are read."""
    status, answer = post(hub, b"{}", way, **{"Content-Length": str(64 << 20)})
    assert (status, answer["error"]["code"]) == (413, "too-large")


@both_ways
def test_wrong_token_is_401(hub: HubProcess, way: Way) -> None:
    """No token, no event."""
    given: tuple[Way, ...] = ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic x"})
    for headers in given:
        status, _ = hub.tcp("POST", "/hook/claude-code", json.dumps(bash("ls")).encode(), way | headers)
        assert status == 401


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Host", "evil.example:80"),
        ("Host", "localhost"),
        ("Origin", "https://evil.example"),
        ("Origin", "null"),
        ("Sec-Fetch-Site", "cross-site"),
    ],
)
def test_other_places_are_403(hub: HubProcess, name: str, value: str) -> None:
    """A page elsewhere cannot talk to the hub, under whatever name it found the port."""
    status, _ = post(hub, json.dumps(bash("ls")).encode(), {name: value})
    assert status == 403


def test_post_token_cannot_read(hub: HubProcess) -> None:
    """The token in a settings file opens nothing but the letterbox."""
    token = (hub.paths.keys / "post.token").read_text()
    for path in ("/api/status", "/api/log", "/api/sessions", "/api/stream"):
        status, _ = hub.tcp("GET", path, headers={"Authorization": f"Bearer {token}"})
        assert status == 403


def test_reading_needs_a_cookie(hub: HubProcess) -> None:
    """Other users of this machine reach the port, not the data."""
    assert hub.tcp("GET", "/api/log")[0] == 401


def test_link_opens_once_and_its_cookie_reads_but_never_acts(hub: HubProcess) -> None:
    """A browser that opened the printed link may look."""
    code = hub.api("POST", "/api/pair")[1]["code"]
    claim = json.dumps({"code": code}).encode()
    cookie = hub.claim(claim)
    assert hub.tcp("GET", "/api/status", headers={"Cookie": cookie})[0] == 200
    assert hub.tcp("PUT", "/api/pause", b'{"seconds":60}', {"Cookie": cookie})[0] == 401
    assert hub.tcp("POST", "/hook/claude-code", json.dumps(bash("ls")).encode(), {"Cookie": cookie})[0] == 401
    assert hub.tcp("POST", "/api/pair/claim", claim, hub.own_page())[1]["error"]["code"] == "used-code"


def test_page_is_served_with_a_strict_policy(hub: HubProcess) -> None:
    """The page may load its own files and nothing else."""
    status, text, headers = hub.raw("GET", "/")
    assert status == 200
    assert b"<title>assent</title>" in text
    assert headers["content-security-policy"].startswith("default-src 'self'")


def test_unknown_address_is_a_clear_404(hub: HubProcess) -> None:
    """Even a wrong address is answered in the API's own form."""
    assert hub.api("GET", "/api/nothing")[1]["error"]["code"] == "not-found"


@pytest.mark.anyio
async def test_answers_are_not_held_back_by_the_kernel() -> None:
    """Connections to the port have Nagle's algorithm turned off, which costs 40 ms an answer otherwise."""
    accepted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def made(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sock = writer.get_extra_info("socket")
        accepted.set_result(bool(sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))
        writer.close()

    listening = bind_loopback("127.0.0.1", 0)
    server = await asyncio.start_server(made, sock=listening)
    _, writer = await asyncio.open_connection(*listening.getsockname())
    assert await accepted
    writer.close()
    server.close()
