"""A webhook against a receiver that checks signatures as the documentation tells people to."""

import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest
from assent.surfaces.base import Audience, FailedError, GoneError, Notice, Surface
from assent.surfaces.registry import Tools
from assent.surfaces.webhook import KIND, Webhook
from tests.component.surfaces.conformance import Conformance, Stage, answered, now
from tests.services.inbox import FakeInbox
from tests.services.receiver import Receiver

SECRET = "a secret for tests and nothing else"
PRIVATE = {"allow_private": True}


def surface(receiver: Receiver, inbox: FakeInbox, **settings: Any) -> Webhook:
    tools = Tools(inbox, b"k" * 32, lambda name: f"https://desk.example.org/a/{name}")
    return KIND.made(PRIVATE | settings, {"url": receiver.address, "secret": SECRET}, tools)


def told(receiver: Receiver) -> list[dict[str, Any]]:
    """What is signed; the rest is dropped."""
    found = []
    for headers, body in receiver.posts:
        said = dict(part.split("=") for part in headers["assent-signature"].split(","))
        expected = hmac.new(SECRET.encode(), f"{said['t']}.".encode() + body, hashlib.sha256).hexdigest()
        assert hmac.compare_digest(expected, said["v1"])
        found.append(json.loads(body))
    return found


@dataclass
class WebhookStage:
    receiver: Receiver
    surface: Surface

    def seen(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for message in told(self.receiver):
            if message["event"] == "over":
                found.pop(message["key"], None)
            else:
                found[message["key"]] = f"{message['title']} {message['text']}"
        return found

    def answer(self, about: str, choice: Choice) -> AnswerRequest | None:
        return None

    def tries(self) -> int:
        return self.receiver.tries

    def limit(self, seconds: int) -> None:
        self.receiver.moods.append((429, {"Retry-After": str(seconds)}))

    def fail(self, times: int) -> None:
        self.receiver.moods += [(503, {})] * times

    def lose(self) -> None:
        self.receiver.always = 410

    def hang(self) -> None:
        self.receiver.hangs = True

    def reborn(self) -> Surface:
        return surface(self.receiver, FakeInbox())


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as running:
        yield running


class TestWebhook(Conformance):
    @pytest.fixture
    def stage(self, receiver: Receiver) -> Stage:
        return WebhookStage(receiver, surface(receiver, FakeInbox()))


@pytest.mark.anyio
async def test_what_is_posted_is_the_card_and_what_became_of_it(receiver: Receiver) -> None:
    """Signed, with a link and an id that stays the same when it is sent again; nothing in it can be answered."""
    inbox = FakeInbox()
    hook = surface(receiver, inbox)
    ask = now()
    ref = await hook.show(ask, Audience())
    await hook.show(ask, Audience())
    await hook.show(ask, Audience(is_reminder=True))
    inbox.add(answered(ask))
    await hook.withdraw(ref, "Allowed (iPhone)")
    await hook.close()
    first, again, reminder, last = told(receiver)
    assert (first["event"], first["ask"], first["state"]) == ("asked", "kptwm", "open")
    assert first["card"]["view"]["segments"][0]["text"] == "git clean -fdx"
    assert first["link"] == "https://desk.example.org/a/kptwm"
    assert "choices" not in first["card"]
    assert first["id"] == again["id"] == receiver.posts[0][0]["assent-delivery"]
    assert len({first["id"], reminder["id"], last["id"]}) == 3
    assert (last["event"], last["state"], last["why"]) == ("over", "answered", "Allowed (iPhone)")
    assert last["card"]["answer"]["choice"] == "allow"


@pytest.mark.anyio
async def test_a_masked_webhook_tells_nothing_an_agent_wrote(receiver: Receiver) -> None:
    """Only that an answer is needed, where, and how dangerous it is."""
    hook = surface(receiver, FakeInbox(), privacy="masked")
    await hook.show(now(), Audience())
    await hook.close()
    assert told(receiver)[0]["title"] == "webshop needs you (Care)"
    assert b"git clean" not in receiver.posts[0][1]


@pytest.mark.anyio
async def test_turns_that_ended_are_posted_as_well(receiver: Receiver) -> None:
    """And that the session went on."""
    hook = surface(receiver, FakeInbox())
    ref = await hook.notify(Notice("s1", "failed", 0, "/src/webshop", text="Overloaded"), Audience())
    await hook.withdraw(ref, "It went on")
    await hook.close()
    first, last = told(receiver)
    assert (first["event"], first["state"], first["session"]) == ("turn", "failed", "s1")
    assert "Overloaded" in first["text"]
    assert (last["event"], last["key"], last["ask"]) == ("over", first["key"], "")


@pytest.mark.anyio
async def test_the_check_says_hello(receiver: Receiver) -> None:
    """It is signed like everything else; a receiver that refuses it is named by its status alone."""
    tools = Tools(FakeInbox(), b"k" * 32)
    secrets = {"url": receiver.address, "secret": SECRET}
    assert "one-way" in (await KIND.check(PRIVATE, secrets, tools)).words
    assert told(receiver)[0]["event"] == "hello"
    receiver.moods += [(401, {}), (302, {"Location": receiver.address}), (500, {})]
    for kind, words in ((GoneError, "401"), (GoneError, "302"), (FailedError, "500")):
        with pytest.raises(kind, match=rf"\({words}\)"):
            await KIND.check(PRIVATE, secrets, tools)
