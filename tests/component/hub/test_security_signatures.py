"""What changes something is signed by a device: nothing else that reaches the port may do it."""

import json
import os
import socket
import time
from typing import Any

import pytest

from tests.component.hub_process import HubProcess, bash, until
from tests.component.signing import Browser, desk_browser, paired_phone
from tests.waiting import HANG

PAUSE = {"seconds": 60}
BODY = json.dumps(PAUSE).encode()


def code_of(answer: tuple[int, Any]) -> tuple[int, str]:
    status, body = answer
    return status, body["error"]["code"]


def pause(browser: Browser, headers: dict[str, str], body: bytes = BODY) -> tuple[int, Any]:
    return browser.hub.tcp("PUT", "/api/pause", body, headers)


def test_signed_request_of_a_desk_browser_counts(hub: HubProcess) -> None:
    """Who opened the link at the desk may do what a person at the desk may."""
    assert desk_browser(hub).signed("PUT", "/api/pause", PAUSE)[0] == 200


def test_cookie_without_signature_only_reads(hub: HubProcess) -> None:
    """Cookies ignore ports: another server on this host is sent ours."""
    browser = desk_browser(hub)
    cookie = {"Cookie": browser.cookie, **hub.own_page()}
    assert hub.tcp("GET", "/api/status", headers=cookie)[0] == 200
    assert code_of(hub.tcp("PUT", "/api/pause", BODY, cookie)) == (401, "no-token")
    assert hub.tcp("DELETE", f"/api/devices/{browser.device}", headers=cookie)[0] == 401
    assert hub.tcp("GET", "/api/devices", headers=cookie)[0] == 403


@pytest.mark.parametrize("site", ["same-site", "cross-site"])
def test_cookie_is_not_read_for_other_pages(shared_hub: HubProcess, site: str) -> None:
    """A page on another port of this host is sent our cookie along, and gets nothing for it."""
    browser = desk_browser(shared_hub)
    assert shared_hub.tcp("GET", "/api/log", headers={"Cookie": browser.cookie, "Sec-Fetch-Site": site})[0] == 401


def test_replayed_request_is_refused(hub: HubProcess) -> None:
    """The same signed bytes count once."""
    browser = desk_browser(hub)
    headers = browser.headers("PUT", "/api/pause", BODY)
    assert pause(browser, headers)[0] == 200
    assert code_of(pause(browser, headers)) == (403, "replayed")


def test_request_signed_before_a_restart_is_refused(hub: HubProcess) -> None:
    """A hub that forgot which requests it saw takes none from before."""
    browser = desk_browser(hub)
    headers = browser.headers("PUT", "/api/pause", BODY)
    assert pause(browser, headers)[0] == 200
    hub.stop()
    hub.start()
    headers |= hub.own_page()
    assert code_of(pause(browser, headers)) == (403, "clock")
    assert browser.signed("PUT", "/api/pause", PAUSE)[0] == 200


@pytest.mark.parametrize("minutes", [-3, 3])
def test_clock_that_is_off_is_refused_with_the_time(hub: HubProcess, minutes: int) -> None:
    """The hub says what time it is, so that the page can sign again."""
    browser = desk_browser(hub)
    now = time.time_ns() // 1_000_000
    headers = browser.headers("PUT", "/api/pause", BODY, at=now + minutes * 60_000)
    status, text, reply = hub.raw("PUT", "/api/pause", BODY, headers)
    assert (status, json.loads(text)["error"]["code"]) == (403, "clock")
    assert abs(int(reply["assent-now"]) - now) < 30_000


def test_other_body_than_the_signed_one_is_refused(hub: HubProcess) -> None:
    """What was signed is what counts."""
    browser = desk_browser(hub)
    headers = browser.headers("PUT", "/api/pause", BODY)
    assert code_of(pause(browser, headers, b'{"seconds":28800}')) == (403, "bad-signature")


def test_other_route_than_the_signed_one_is_refused(hub: HubProcess) -> None:
    """A signature for one address opens no other."""
    browser = desk_browser(hub)
    headers = browser.headers("PUT", "/api/pause?x=1", BODY)
    assert code_of(pause(browser, headers)) == (403, "bad-signature")


def test_signature_of_another_key_is_refused(hub: HubProcess) -> None:
    """Knowing a device's id is not being it."""
    browser = desk_browser(hub)
    thief = Browser(hub, device=browser.device)
    assert code_of(thief.signed("PUT", "/api/pause", PAUSE)) == (403, "bad-signature")


@pytest.mark.parametrize("device", ["", "nobody", "../../etc/passwd"])
def test_unknown_device_is_refused(shared_hub: HubProcess, device: str) -> None:
    """A device cannot let itself in."""
    assert code_of(Browser(shared_hub, device=device).signed("PUT", "/api/pause", PAUSE)) == (401, "unknown-device")


def test_revoked_device_is_out_at_once(hub: HubProcess) -> None:
    """Its signature and its cookie count no more, not even after a restart."""
    desk, phone = desk_browser(hub), paired_phone(hub)
    assert phone.read("/api/me")[0] == 200
    assert desk.signed("DELETE", f"/api/devices/{phone.device}")[0] == 200
    assert phone.read("/api/status")[0] == 401
    assert code_of(phone.signed("GET", "/api/me")) == (401, "unknown-device")
    hub.stop()
    hub.start()
    assert code_of(phone.signed("GET", "/api/me")) == (401, "unknown-device")


def test_new_phone_may_not_allow(hub: HubProcess) -> None:
    """For its first ten minutes a paired phone may watch and deny; every screen shows it."""
    phone = paired_phone(hub)
    status, me = phone.read("/api/me")
    assert (status, me["scope"]) == (200, "deny")
    assert "only deny until" in me["limit"]
    status, answer = phone.signed("PUT", "/api/pause", PAUSE)
    assert (status, answer["error"]["code"]) == (403, "limited")
    assert [d["id"] for d in hub.api("GET", "/api/status")[1]["new_devices"]] == [phone.device]
    until(lambda: phone.device in str(hub.api("GET", "/api/log?limit=5")[1]["records"]), "the record")


def test_phone_never_gets_what_is_decided_at_the_desk(hub: HubProcess) -> None:
    """Rules, devices and pauses are the desk's; no phone can be given them."""
    desk, phone = desk_browser(hub), paired_phone(hub)
    for scope in ("grant", "admin"):
        assert code_of(desk.signed("PATCH", f"/api/devices/{phone.device}", {"scope": scope})) == (422, "desk-only")
        wanted = json.dumps({"for": "phone", "scope": scope}).encode()
        assert hub.api("POST", "/api/pair", wanted)[0] == 400
    assert desk.signed("PATCH", f"/api/devices/{phone.device}", {"scope": "watch", "name": "old"})[0] == 200
    assert phone.read("/api/me")[1] == {
        "device": phone.device,
        "name": "old",
        "surface": "page",
        "scope": "watch",
        "limit": "",
    }


def test_stolen_hook_token_can_only_post_events(hub: HubProcess) -> None:
    """It stands in a settings file that agents can read: it posts events, and cannot answer."""
    token = (hub.paths.keys / "post.token").read_text()
    headers = {"Authorization": f"Bearer {token}", **hub.own_page()}
    assert hub.tcp("POST", "/hook/claude-code", json.dumps(bash("ls")).encode(), headers)[0] == 200
    assert hub.tcp("PUT", "/api/pause", BODY, headers)[0] == 403
    assert hub.tcp("POST", "/api/pair", b"", headers)[0] == 403
    assert hub.tcp("POST", "/api/pair/confirm", b'{"id":"x","match":true}', headers)[0] == 403
    assert hub.tcp("GET", "/api/devices", headers=headers)[0] == 403
    assert hub.tcp("GET", "/api/me", headers=headers)[0] == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:3000"},
        {"Origin": "http://localhost"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "none"},
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
    ],
)
def test_good_signature_from_another_place_is_refused(shared_hub: HubProcess, headers: dict[str, str]) -> None:
    """Even the right key counts only for the hub's own page under the hub's own name."""
    browser = desk_browser(shared_hub)
    assert pause(browser, browser.headers("PUT", "/api/pause", BODY) | headers)[0] == 403


@pytest.mark.parametrize("missing", ["Origin", "Sec-Fetch-Site"])
def test_signed_request_says_where_it_comes_from(shared_hub: HubProcess, missing: str) -> None:
    """A browser says so; what says nothing is no page of ours."""
    browser = desk_browser(shared_hub)
    headers = browser.headers("PUT", "/api/pause", BODY)
    del headers[missing]
    assert code_of(pause(browser, headers)) == (403, "wrong-origin")


def test_signed_reading_needs_no_origin(shared_hub: HubProcess) -> None:
    """Browsers leave it out there; from other pages it is refused all the same."""
    browser = desk_browser(shared_hub)
    headers = browser.headers("GET", "/api/devices", b"")
    del headers["Origin"]
    assert shared_hub.tcp("GET", "/api/devices", headers=headers)[0] == 200
    headers = browser.headers("GET", "/api/devices", b"") | {"Sec-Fetch-Site": "same-site"}
    assert code_of(shared_hub.tcp("GET", "/api/devices", headers=headers)) == (403, "wrong-origin")


def test_origin_and_host_belong_together(shared_hub: HubProcess) -> None:
    """The page under one name does not speak to the hub under another."""
    browser = desk_browser(shared_hub)
    headers = browser.headers("PUT", "/api/pause", BODY) | {"Host": f"localhost:{shared_hub.port}"}
    assert pause(browser, headers)[0] == 403
    headers = browser.headers("PUT", "/api/pause", BODY) | {
        "Host": f"localhost:{shared_hub.port}",
        "Origin": f"http://localhost:{shared_hub.port}",
    }
    assert pause(browser, headers)[0] == 200


def test_claim_needs_the_own_page(hub: HubProcess) -> None:
    """A page elsewhere that got hold of a code cannot use it from there."""
    code = hub.api("POST", "/api/pair")[1]["code"]
    body = json.dumps({"code": code}).encode()
    for headers in (
        {},
        {**hub.own_page(), "Origin": "https://evil.example"},
        {**hub.own_page(), "Sec-Fetch-Site": "cross-site"},
    ):
        assert hub.tcp("POST", "/api/pair/claim", body, headers)[0] == 403
    assert hub.tcp("POST", "/api/pair/claim", body, hub.own_page())[0] == 200


def test_browser_that_comes_back_is_the_same_device(hub: HubProcess) -> None:
    """Opening a link every morning does not fill the list."""
    browser = desk_browser(hub)
    first = browser.device
    browser.claim(hub.api("POST", "/api/pair")[1]["code"])
    assert browser.device == first
    assert len(browser.signed("GET", "/api/devices")[1]["devices"]) == 1


def test_browser_without_a_key_only_reads(hub: HubProcess) -> None:
    """Nothing it says could be believed."""
    browser = Browser(hub)
    assert browser.claim(hub.api("POST", "/api/pair")[1]["code"], key="")[1]["scope"] == "watch"
    assert browser.read("/api/me")[1] == {
        "device": browser.device,
        "name": "test",
        "surface": "page",
        "scope": "watch",
        "limit": "",
    }


def test_devices_file_is_private_and_holds_no_secret(hub: HubProcess) -> None:
    """Public keys and hashes: reading it is not enough to answer."""
    phone = Browser(hub)
    code = hub.api("POST", "/api/pair", b'{"for":"phone"}')[1]["code"]
    _, waiting = phone.claim(code, key="")
    assert hub.api("POST", "/api/pair/confirm", json.dumps({"id": phone.device, "match": True}).encode())[0] == 200
    file = hub.paths.keys / "devices.json"
    assert file.stat().st_mode & 0o777 == 0o600
    content = file.read_text()
    assert phone.device in content
    for secret in (waiting["secret"], waiting["claim"], code):
        assert secret not in content
        assert secret not in hub.log()
        assert secret not in str(hub.api("GET", "/api/log")[1])


def test_agent_among_the_ancestors_may_only_watch(hub: HubProcess) -> None:
    """What an agent's session starts gets no link, lets no device in and cannot answer."""
    assert hub.api("POST", "/api/pair")[0] == 200
    # This very process is said to be an agent, so every call on the desk socket comes from one.
    hub.send(
        {**bash("ls"), "hook_event_name": "SessionStart", "source": "startup"}, env={"CLAUDE_PID": str(os.getpid())}
    )
    until(lambda: hub.api("POST", "/api/pair")[0] == 403, "the refusal")
    assert hub.api("GET", "/api/status")[0] == 200
    for method, path in (("PUT", "/api/pause"), ("POST", "/api/pair/confirm"), ("GET", "/api/devices")):
        assert code_of(hub.api(method, path, BODY)) == (403, "scope")


def test_revoked_device_hears_no_more(hub: HubProcess) -> None:
    """The stream it listens to ends with it."""
    phone = paired_phone(hub)
    with socket.create_connection(("127.0.0.1", hub.port), timeout=HANG) as sock:
        head = f"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nCookie: {phone.cookie}\r\n\r\n"
        sock.sendall(head.encode())
        assert sock.recv(12) == b"HTTP/1.1 200"
        assert hub.api("DELETE", f"/api/devices/{phone.device}")[0] == 200
        heard = read_to_the_end(sock)
    assert b"shut out" not in heard


def read_to_the_end(sock: socket.socket) -> bytes:
    """Raises TimeoutError if there is none."""
    heard = b""
    try:
        while part := sock.recv(4096):
            heard += part
    except ConnectionResetError:
        pass
    return heard
