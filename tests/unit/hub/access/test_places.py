"""Under which names the hub answers, and to which pages."""

import pytest
from starlette.requests import Request

from assent.hub.access.caller import Door
from assent.hub.access.places import Places, places, with_port
from assent.webapi.endpoint import ProblemError

HERE = "127.0.0.1:8717"
FAR = "hub.example:8718"
PLACES = places(8717, remote="Hub.example", remote_port=8718, tunnel="Tunnel.example")


def request(door: Door | None, host: str | None, method: str = "GET", scheme: str = "http", **headers: str) -> Request:
    given = [(b"host", name.encode()) for name in ([host] if host is not None else [])]
    given += [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": "/", "headers": given, "scheme": scheme, "server": ("x", 1)}
    return Request(scope | {"query_string": b"", "state": {"door": door}})


def refusal(made: Request, of: Places = PLACES) -> str:
    try:
        of.check(made)
    except ProblemError as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    ("door", "host", "refused"),
    [
        (Door.LOOPBACK, HERE, ""),
        (Door.LOOPBACK, "LOCALHOST:8717", ""),
        (Door.LOOPBACK, "[::1]:8717", ""),
        (Door.LOOPBACK, "tunnel.example", ""),
        (Door.LOOPBACK, FAR, "wrong-host"),
        (Door.LOOPBACK, "localhost:8718", "wrong-host"),
        (Door.LOOPBACK, "evil.example", "wrong-host"),
        (Door.LOOPBACK, None, "wrong-host"),
        (Door.REMOTE, FAR, ""),
        (Door.REMOTE, HERE, "wrong-host"),
        (Door.REMOTE, "tunnel.example", "wrong-host"),
        (None, HERE, "wrong-host"),
    ],
)
def test_each_door_answers_to_its_own_names(door: Door | None, host: str | None, refused: str) -> None:
    """Foreign pages reach the port under names of their own."""
    assert refusal(request(door, host)) == refused


def test_two_names_are_none() -> None:
    """Proxies differ in which of them they take."""
    made = request(Door.LOOPBACK, HERE)
    made.scope["headers"].append((b"host", HERE.encode()))
    assert refusal(Request(made.scope)) == "wrong-host"


@pytest.mark.parametrize(
    ("method", "headers", "refused"),
    [
        ("GET", {"origin": f"http://{HERE}"}, ""),
        ("POST", {"origin": f"http://{HERE}"}, ""),
        ("GET", {"origin": "http://localhost:8717"}, "wrong-origin"),
        ("POST", {"origin": "null"}, "wrong-origin"),
        ("GET", {"sec_fetch_site": "cross-site"}, ""),
        ("HEAD", {"sec_fetch_site": "cross-site"}, ""),
        ("POST", {"sec_fetch_site": "same-site"}, "wrong-origin"),
        ("POST", {"sec_fetch_site": "same-origin"}, ""),
        ("POST", {}, ""),
    ],
)
def test_only_its_own_page_may_change_something(method: str, headers: dict[str, str], refused: str) -> None:
    """By what the browser says; programs say nothing."""
    assert refusal(request(Door.LOOPBACK, HERE, method, **headers)) == refused


@pytest.mark.parametrize(
    ("door", "scheme", "method", "headers", "is_own"),
    [
        (Door.LOOPBACK, "http", "GET", {"sec_fetch_site": "same-origin"}, True),
        (Door.LOOPBACK, "http", "GET", {}, False),
        (Door.LOOPBACK, "http", "GET", {"sec_fetch_site": "none"}, False),
        (Door.LOOPBACK, "http", "POST", {"sec_fetch_site": "same-origin"}, False),
        (Door.LOOPBACK, "http", "POST", {"sec_fetch_site": "same-origin", "origin": f"http://{HERE}"}, True),
        # A browser says nothing to a server it cannot trust.
        (Door.REMOTE, "http", "GET", {}, True),
        (Door.REMOTE, "http", "GET", {"sec_fetch_site": "cross-site"}, False),
        (Door.REMOTE, "https", "GET", {}, False),
    ],
)
def test_own_page_has_to_be_named_by_the_browser(
    door: Door, scheme: str, method: str, headers: dict[str, str], is_own: bool
) -> None:
    """Where only the page does something."""
    made = request(door, HERE, method, scheme, **headers)
    if is_own:
        PLACES.must_be_own_page(made)
    else:
        with pytest.raises(ProblemError, match="its own page only"):
            PLACES.must_be_own_page(made)


@pytest.mark.parametrize(
    ("door", "host", "scheme", "at_the_desk", "private"),
    [
        (Door.LOOPBACK, HERE, "http", True, True),
        (Door.LOOPBACK, "TUNNEL.example", "http", False, True),
        (Door.LOOPBACK, None, "http", True, True),
        (Door.REMOTE, FAR, "https", False, True),
        (Door.REMOTE, FAR, "http", False, False),
    ],
)
def test_desk_and_privacy_follow_from_door_and_name(
    door: Door, host: str | None, scheme: str, at_the_desk: bool, private: bool
) -> None:
    """A tunnel brings others to the door of this machine."""
    made = request(door, host, scheme=scheme)
    assert (PLACES.is_at_the_desk(made), PLACES.is_private(made)) == (at_the_desk, private)


def test_without_settings_there_is_this_machine_only() -> None:
    """No other door, no tunnel."""
    found = places(1)
    assert (found.remote, found.tunnel) == ({}, frozenset())
    assert found.loopback == {name: f"http://{name}" for name in ("localhost:1", "127.0.0.1:1", "[::1]:1")}


def test_scheme_of_the_other_door_follows_tls() -> None:
    """With TLS, unless it is turned off."""
    assert places(1, remote="a", remote_port=443).remote == {"a": "https://a"}
    assert places(1, remote="a", remote_port=80, tls=False).remote == {"a": "http://a"}


@pytest.mark.parametrize(
    ("name", "port", "scheme", "expected"),
    [
        ("a", 80, "http", "a"),
        ("a", 443, "http", "a:443"),
        ("a", 443, "https", "a"),
        ("::1", 443, "https", "[::1]"),
        ("::1", 1, "https", "[::1]:1"),
    ],
)
def test_standard_port_is_not_written(name: str, port: int, scheme: str, expected: str) -> None:
    """As a browser writes it."""
    assert with_port(name, port, scheme) == expected
