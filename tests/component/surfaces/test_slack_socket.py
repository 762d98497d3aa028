"""Listening to Slack: connections come and go, and no event is lost or handled twice."""

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from assent.protocol.card import AnswerRequest, Way
from assent.surfaces.base import GoneError, Outcome, Sender
from tests.component.surfaces.conformance import now, until
from tests.component.surfaces.slack_chat import ADA, chatting
from tests.services.inbox import FakeInbox
from tests.services.slack import APP_TOKEN, BOT_TOKEN, MOST_CONNECTIONS, Slack
from tests.waiting import HANG

PRESS = (Way("deny"), Way("allow"), Way("hand_back"))


@pytest.fixture
def service() -> Iterator[Slack]:
    with Slack(ADA) as running:
        yield running


class Slow(FakeInbox):
    """A hub that takes its time."""

    async def answer(self, sender: Sender, ask: str, said: AnswerRequest) -> Outcome:
        self.answers.append((sender.id, ask, said))
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.anyio
async def test_what_is_told_twice_is_done_once(service: Slack) -> None:
    """The same envelope again, and the same event in another envelope: both confirmed, and nothing more."""
    async with chatting(service) as chat:
        await chat.shows(now())
        event = {"type": "message", "channel": service.channel(ADA), "channel_type": "im", "user": ADA, "ts": "1.1"}
        payload = {"event_id": "Ev1", "event": {**event, "text": "no kptwm"}}
        await chat.confirmed(service.push("events_api", payload, accepts=False, name="first"))
        await chat.answered()
        service.acks.clear()
        await chat.confirmed(service.push("events_api", payload, accepts=False, name="first"))
        await chat.confirmed(service.push("events_api", payload, accepts=False, name="second"))
        await chat.confirmed(service.say(ADA, "no zzzzz"))
        await chat.told("Nothing is called zzzzz.")
        assert len(chat.inbox.answers) == 1


@pytest.mark.anyio
async def test_envelopes_are_confirmed_whatever_the_hub_does(service: Slack) -> None:
    """Slack waits three seconds, and the hub for as long as it likes."""
    async with chatting(service, inbox=Slow()) as chat:
        card = await chat.shows(now(risk="look", choices=PRESS))
        envelope = service.press(ADA, card, "Deny")
        await chat.confirmed(envelope)
        assert service.took[envelope] < 1.0
        await chat.answered()
        chat.surface.conversation._tasks.pop().cancel()


@pytest.mark.anyio
@pytest.mark.parametrize("reason", ["warning", "refresh_requested"])
async def test_a_connection_is_replaced_before_it_is_closed(service: Slack, reason: str) -> None:
    """Until Slack closes the old one, what comes over either counts."""
    async with chatting(service) as chat:
        card = await chat.shows(now(risk="look", choices=PRESS))
        service.disconnect(reason)
        await until(lambda: len(service.connections) == 2, "a second connection")
        await until(lambda: chat.surface.socket.is_open, "that it is used")
        assert chat.surface.trouble == ""
        button = card.button("Deny")
        assert button is not None
        name = service.press_value(ADA, card, button)
        await chat.confirmed(name)
        old = service.push("events_api", {"event_id": "E", "event": {"type": "message"}}, name="old", to=0)
        await chat.confirmed(old)
        await chat.answered()
        service.connections[0].close()
        await until(lambda: len(service.connections) == 1, "that the old one is gone")
        assert await chat.say("asks") == "Nothing waits for you."
        assert service.opened == 2


@pytest.mark.anyio
async def test_pings_of_slack_are_answered(service: Slack) -> None:
    """It asks from time to time, and closes what does not answer."""
    async with chatting(service):
        answered = service.connections[-1].ping()
        assert await asyncio.to_thread(answered.wait, HANG)


@pytest.mark.anyio
async def test_network_loss_is_survived(service: Slack) -> None:
    """It tries on until the service is there again."""
    async with chatting(service) as chat:
        service.stop()
        await until(lambda: not chat.surface.socket.is_open, "that the loss is noticed")
        service.start()
        await until(lambda: chat.surface.socket.is_open, "a new connection")
        assert await chat.say("asks") == "Nothing waits for you."


@pytest.mark.anyio
async def test_too_many_connections_are_tried_again(service: Slack) -> None:
    """Slack takes ten of one app; once there is room, it goes on."""
    service.others = MOST_CONNECTIONS
    async with chatting(service, waits=False) as chat:
        await until(lambda: service.opened >= 2, "a second try")
        assert not chat.surface.socket.is_open
        service.others = 0
        await until(lambda: chat.surface.socket.is_open, "a connection")


@pytest.mark.anyio
async def test_another_listener_is_named(service: Slack) -> None:
    """A second look has to confirm it; when the other is gone, so is the trouble."""
    service.others = 1
    async with chatting(service, waits=False) as chat:
        chat.surface.socket.look_again = 0.02
        await until(lambda: "another program listens" in chat.surface.trouble, "the trouble")
        service.others = 0
        await until(lambda: chat.surface.trouble == "", "that it is over")


@pytest.mark.anyio
async def test_socket_mode_turned_off_ends_the_listening(service: Slack) -> None:
    """Trying on would be no use, and the words say what would be."""
    async with chatting(service) as chat:
        service.disconnect("link_disabled")
        with pytest.raises(GoneError, match="Socket Mode was turned off"):
            await asyncio.wait_for(chat.listening, HANG)


@pytest.mark.anyio
async def test_a_revoked_token_ends_the_listening(service: Slack) -> None:
    """With a sentence that names the command, and not the token."""
    service.tokens["app"] = "another"
    async with chatting(service, waits=False) as chat:
        with pytest.raises(GoneError, match="does not know this token") as gone:
            await asyncio.wait_for(chat.listening, HANG)
        assert "xapp" not in str(gone.value)


@pytest.mark.anyio
async def test_what_cannot_be_read_is_survived(service: Slack) -> None:
    """Not JSON, not an object, no name, another shape: left alone, and confirmed where it has a name."""
    async with chatting(service) as chat:
        for odd in ("{", "[]", "7", '{"type": "x"}', '{"envelope_id": 7}'):
            service.tell(odd)
        odds: list[Any] = [{}, [], {"type": "block_actions"}, {"type": "view_submission", "user": {"id": 7}}]
        for payload in odds:
            await chat.confirmed(service.push("interactive", payload))
        await chat.confirmed(service.push("events_api", {"event": {"type": "message", "user": [], "channel": 1}}))
        await chat.confirmed(service.push("slash_commands", {"command": "/assent"}))
        edited = {"type": "message", "subtype": "message_changed", "user": ADA, "text": "yes kptwm"}
        await chat.confirmed(service.event(edited))
        assert await chat.say("asks") == "Nothing waits for you."
        assert (chat.inbox.answers, chat.inbox.strangers) == ([], [])


@pytest.mark.anyio
async def test_no_secret_is_in_a_log(service: Slack, caplog: pytest.LogCaptureFixture) -> None:
    """Neither tokens nor the address of a connection, even where every library tells all it knows."""
    caplog.set_level(logging.DEBUG)
    async with chatting(service) as chat:
        await chat.shows(now())
        service.stop()
        await until(lambda: "Trying again" in caplog.text, "the line about the loss")
        service.start()
        await until(lambda: chat.surface.socket.is_open, "a new connection")
    lines = [record.getMessage() for record in caplog.records if record.name != "websockets.server"]
    assert lines
    assert not [line for line in lines if any(secret in line for secret in (APP_TOKEN, BOT_TOKEN, "ticket-"))]
