"""The address at which other machines reach the hub."""

import pytest

from assent.config import Address, HostName, Remote
from assent.hub.access.access import _tunnel

NAME = HostName("hub.example")


@pytest.mark.parametrize(
    ("remote", "name"),
    [
        (Remote(), ""),
        (Remote(name=NAME), "hub.example"),
        (Remote(name=NAME, port=8443), "hub.example:8443"),
        (Remote(name=NAME, bind=Address("192.0.2.1")), ""),
    ],
)
def test_name_without_a_listener_is_that_of_a_tunnel(remote: Remote, name: str) -> None:
    """Its port is left out where it is the usual one of HTTPS."""
    assert _tunnel(remote) == name
