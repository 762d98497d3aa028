"""What ntfy is connected with is looked at before anything is sent."""

from typing import Any

import pytest

from assent.errors import AssentError
from assent.surfaces.ntfy import KIND
from assent.surfaces.ntfy.surface import Ntfy, reply_topic
from assent.surfaces.registry import Tools
from tests.services.inbox import FakeInbox

TOPIC = "agents-Zk4mQ9xT2p"
OWN = {"server": "https://ntfy.example.org", "own": True}
TOKEN = "tk_0123456789abcdef"


def made(settings: dict[str, Any], topic: str = TOPIC, login: str = "none") -> Ntfy:
    return KIND.made(settings, {"topic": topic, "login": login}, Tools(FakeInbox(), b"k" * 32))


def test_a_public_server_is_masked_and_an_own_one_is_not() -> None:
    """Unless its owner wants it masked all the same."""
    public, own, masked = made({}), made(OWN, "a", TOKEN), made(OWN | {"privacy": "masked"}, login=TOKEN)
    assert [(one.traits.shows_all, one.traits.is_private) for one in (public, own, masked)] == [
        (False, False),
        (True, True),
        (False, False),
    ]
    assert public.server.base == "https://ntfy.sh"
    assert made({"server": "http://127.0.0.1:8080/"}).server.base == "http://127.0.0.1:8080"


@pytest.mark.parametrize(
    ("settings", "topic", "login", "says"),
    [
        ({}, "short", "none", "16 characters or more"),
        ({}, "with a blank in the topic", "none", "up to 64 letters"),
        ({}, TOPIC, "nonsense", "no login"),
        ({}, TOPIC, "ada:\x1b", "no login"),
        ({"privacy": "open"}, TOPIC, "none", "needs a server of your own"),
        ({"privacy": "half"}, TOPIC, "none", "open"),
        ({"own": "yes"}, TOPIC, TOKEN, "true or false"),
        ({"own": True}, TOPIC, TOKEN, "ntfy.sh is a public server"),
        (OWN | {"server": "https://eu.ntfy.sh"}, TOPIC, TOKEN, "is a public server"),
        (OWN, TOPIC, "ada:secret", "needs an access token"),
        (OWN, TOPIC, "none", "needs an access token"),
        ({"server": "http://ntfy.example.org"}, TOPIC, "none", "over https"),
        ({"server": "https://ada:secret@ntfy.example.org"}, TOPIC, "none", "is an address"),
        ({"server": "https://ntfy.example.org:x"}, TOPIC, "none", "is an address"),
        ({"server": 7}, TOPIC, "none", "is an address"),
    ],
)
def test_what_cannot_work_is_refused_in_words(settings: dict[str, Any], topic: str, login: str, says: str) -> None:
    """Without the secret in them."""
    with pytest.raises(AssentError, match=says) as refused:
        made(settings, topic, login)
    assert not any(secret in str(refused.value) for secret in (TOPIC, TOKEN, "secret"))


def test_the_reply_topic_is_another_unguessable_one() -> None:
    """Each hub has its own, and the server takes its name."""
    found = {reply_topic(key, topic) for key in (b"a" * 32, b"b" * 32) for topic in (TOPIC, "x" * 64)}
    assert len(found) == 4
    assert all(len(topic) <= 64 for topic in found)
    assert reply_topic(b"a" * 32, TOPIC).startswith(f"{TOPIC}-")
