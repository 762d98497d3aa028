"""The port against those who only want to do harm: sizes, slowness, odd addresses, and what answers give away."""

import json
import socket

import pytest

from tests.component.hub_process import HubProcess
from tests.component.signing import desk_browser
from tests.waiting import HANG


@pytest.mark.parametrize(
    "path",
    [
        "/static/../keys/post.token",
        "/static/%2e%2e/%2e%2e/config.py",
        "/static/..%2f..%2fconfig.py",
        "/static//etc/passwd",
        "/static/view/../../__init__.py",
        "/static/__init__.py",
        "/static/",
        "//evil.example/",
    ],
)
def test_path_traversal_finds_nothing(shared_hub: HubProcess, path: str) -> None:
    """Only the page's own files have an address."""
    status, text, _ = shared_hub.raw("GET", path)
    assert status == 404
    assert json.loads(text)["error"]["code"] == "not-found"


@pytest.mark.parametrize(("method", "path"), [("PUT", "/api/pause"), ("POST", "/api/pair/claim"), ("POST", "/api/try")])
def test_oversized_bodies_are_refused(shared_hub: HubProcess, method: str, path: str) -> None:
    """By what they say of their size, and by what they are."""
    browser = desk_browser(shared_hub)
    said = browser.headers(method, path, b"") | {"Content-Length": str(1 << 30)}
    assert shared_hub.raw(method, path, b"", said)[0] == 413
    body = b" " * (5 << 20)
    assert shared_hub.raw(method, path, body, browser.headers(method, path, body))[0] == 413


def test_oversized_body_that_hides_its_size_is_refused(shared_hub: HubProcess) -> None:
    """In chunks it has no length; it is counted as it comes."""
    token = (shared_hub.paths.keys / "post.token").read_text()
    head = f"POST /hook/claude-code HTTP/1.1\r\nHost: 127.0.0.1:{shared_hub.port}\r\nAuthorization: Bearer {token}\r\n"
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", shared_hub.port), timeout=HANG) as sock:
        sock.sendall(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n")
        try:
            for _ in range(40):
                sock.sendall(chunk)
        except OSError:
            pass  # The hub had enough; what it said is still there to read.
        assert sock.recv(12) == b"HTTP/1.1 413"


def send_filler(sock: socket.socket) -> None:
    for _ in range(10_000):
        sock.sendall(b"X-Filler: " + b"a" * 8000 + b"\r\n")


def test_endless_head_is_cut_off(hub: HubProcess) -> None:
    """A request that never gets to its point does not fill the memory."""
    with socket.create_connection(("127.0.0.1", hub.port), timeout=HANG) as sock:
        sock.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            send_filler(sock)


def read_all(sock: socket.socket) -> bytes:
    found = b""
    try:
        while part := sock.recv(4096):
            found += part
    except ConnectionResetError:
        pass
    return found


def test_slow_clients_block_no_others(hub: HubProcess) -> None:
    """Half a head, half a body, nothing at all: others are served meanwhile, and those who wait are cut off."""
    slow = [socket.create_connection(("127.0.0.1", hub.port), timeout=HANG) for _ in range(40)]
    for sock in slow[:20]:
        sock.sendall(b"GET / HTTP/1.1\r\nHo")
    assert hub.tcp("GET", "/healthz")[0] == 200
    for sock in slow:
        assert read_all(sock) == b""
        sock.close()
    assert hub.tcp("GET", "/healthz")[0] == 200


def test_connections_have_an_end(hub: HubProcess) -> None:
    """Hundreds of connections are refused; the sockets of hooks and desk are not at that door."""
    opened = [socket.create_connection(("127.0.0.1", hub.port), timeout=HANG) for _ in range(513)]
    try:
        assert read_all(opened[-1]) == b""
        assert hub.api("GET", "/api/status")[0] == 200
    finally:
        for sock in opened:
            sock.close()


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/status", "/static/device.js", "/pair"])
def test_every_answer_carries_the_strict_headers(shared_hub: HubProcess, path: str) -> None:
    """Own files only, no frames, no sniffing, no referrer, no caching of data: refusals too."""
    _, _, headers = shared_hub.raw("GET", path)
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'self';")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "path", ["/v1/logs", "/v1/metrics", "/hook/claude-code", "/api/pair/claim", "/api/pair/finish"]
)
def test_endpoints_for_programs_check_the_place_too(shared_hub: HubProcess, path: str) -> None:
    """Hooks, telemetry and pairing: a page elsewhere that knows the port gets nothing from them."""
    token = (shared_hub.paths.keys / "post.token").read_text()
    good = {"Authorization": f"Bearer {token}", **shared_hub.own_page()}
    for bad in (
        {"Host": "rebound.example:80"},
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        status, answer = shared_hub.tcp("POST", path, b"{}", good | bad)
        assert (status, answer["error"]["code"]) in {(403, "wrong-host"), (403, "wrong-origin")}


def test_forwarded_headers_are_not_believed(shared_hub: HubProcess) -> None:
    """A header cannot claim another address, or TLS."""
    headers = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https", "Forwarded": "for=192.0.2.1;proto=https"}
    code = shared_hub.api("POST", "/api/pair")[1]["code"]
    _, _, reply = shared_hub.raw(
        "POST", "/api/pair/claim", json.dumps({"code": code}).encode(), shared_hub.own_page() | headers
    )
    assert "secure" not in reply["set-cookie"].lower()


def test_cookie_is_for_this_hub_and_this_page_only(shared_hub: HubProcess) -> None:
    """Scripts cannot read it, other sites do not send it, and another hub's does not overwrite it."""
    code = shared_hub.api("POST", "/api/pair")[1]["code"]
    _, _, reply = shared_hub.raw("POST", "/api/pair/claim", json.dumps({"code": code}).encode(), shared_hub.own_page())
    assert reply["set-cookie"].startswith(f"assent-{shared_hub.port}=")
    assert "httponly" in reply["set-cookie"].lower()
    assert "samesite=strict" in reply["set-cookie"].lower()


@pytest.mark.parametrize("path", ["/api/snapshot/", "/pair/", "/api/sessions/%2e%2e%2f"])
def test_address_with_a_slash_too_many_leads_nowhere(shared_hub: HubProcess, path: str) -> None:
    """No redirect to a name that was not checked."""
    status, _, headers = shared_hub.raw("GET", path, headers={"Host": "evil.example"})
    assert status == 404
    assert "location" not in headers


def test_two_hosts_are_none(shared_hub: HubProcess) -> None:
    """A proxy may have believed the other one."""
    with socket.create_connection(("127.0.0.1", shared_hub.port), timeout=HANG) as sock:
        own = f"Host: 127.0.0.1:{shared_hub.port}\r\n"
        sock.sendall(f"GET /healthz HTTP/1.1\r\n{own}Host: evil.example\r\n\r\n".encode())
        assert sock.recv(12) in (b"HTTP/1.1 403", b"HTTP/1.1 400")


def test_folder_that_cannot_be_is_refused_in_words(shared_hub: HubProcess) -> None:
    """No error of ours comes out as bare text."""
    status, reply = shared_hub.api("GET", "/api/rules?cwd=/%00")
    assert (status, reply["error"]["code"]) == (400, "bad-folder")
