"""Connecting a bot and its person, and listening through whatever the network does."""

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from assent.protocol.surfaces import connectable
from assent.surfaces import binding
from assent.surfaces.base import Audience, BadSettingsError, GoneError
from assent.surfaces.registry import Tools, load
from assent.surfaces.telegram import KIND
from assent.surfaces.telegram.api import Bot, ConflictError, TokenError
from assent.surfaces.telegram.surface import CONFLICTS
from tests.component.surfaces.conformance import now, until
from tests.component.surfaces.telegram_chat import ADA, EVE, chatting
from tests.services.inbox import FakeInbox
from tests.services.telegram import BOT, TOKEN, Telegram
from tests.waiting import HANG, PAUSE, let_pass_in_loop


@pytest.fixture
def service() -> Iterator[Telegram]:
    with Telegram(ADA) as running:
        yield running
    binding.forgotten(str(BOT["id"]))


def tools(service: Telegram) -> Tools:
    return Tools(FakeInbox(), b"k", address=service.address)


@pytest.mark.anyio
async def test_connecting_takes_the_bot_over_and_asks_for_a_code(service: Telegram) -> None:
    """A webhook that another program set is ended, since the user gave this bot to Assent."""
    service.webhook = True
    assert load("telegram") is KIND
    checked = await KIND.check({}, {"token": TOKEN}, tools(service))
    code = binding.of(str(BOT["id"]))
    assert code is not None
    assert checked.words == "This is @my_agents_bot."
    assert checked.todo.startswith(f"Send {code.code} to @my_agents_bot")
    assert (checked.settings, service.webhook, len(code.code)) == ({"users": []}, False, 6)


@pytest.mark.anyio
async def test_wrong_tokens_are_refused_without_being_told(service: Telegram) -> None:
    """Neither one that looks wrong nor one that the service does not know is repeated."""
    for token in ("", "99999", "999999:short", f"1/../{TOKEN}", f"7104400001:{'x' * 40}"):
        with pytest.raises(TokenError) as refused:
            await KIND.check({}, {"token": token}, tools(service))
        assert not token or token not in refused.value.message
    with pytest.raises(TokenError):
        KIND.made({}, {"token": "x"}, tools(service))


@pytest.mark.parametrize(
    "settings",
    [{"users": "ada"}, {"users": [-100200]}, {"users": [True]}, {"users": ["1"]}, {"privacy": "no"}, {"user": [1]}],
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any]) -> None:
    """The sentence names the setting."""
    with pytest.raises(BadSettingsError, match=r"surface\.telegram"):
        KIND.made(settings, {"token": TOKEN}, Tools(FakeInbox(), b"k"))


def test_it_talks_to_telegram_only() -> None:
    """No setting says where."""
    with pytest.raises(BadSettingsError):
        KIND.made({"users": [ADA], "address": "http://127.0.0.1"}, {"token": TOKEN}, Tools(FakeInbox(), b"k"))
    made = KIND.made({"users": [ADA]}, {"token": TOKEN}, Tools(FakeInbox(), b"k"))
    assert made.bot.service.base == f"https://api.telegram.org/bot{TOKEN}"
    assert connectable()["telegram"].title == KIND.title


@pytest.mark.anyio
async def test_code_connects_its_sender(service: Telegram) -> None:
    """In a private chat, once; their number is written down, and they are told so."""
    code = binding.begun(str(BOT["id"]))
    async with chatting(service, ()) as chat:
        assert (chat.surface.binding, chat.surface.state_words) == ("waiting", "Waiting for the code.")
        assert "nobody is connected" in chat.surface.trouble
        with pytest.raises(GoneError):
            await chat.surface.show(now(), Audience())
        assert (await chat.say(f"/start {code.code}")).startswith("You are connected.")
        assert (chat.kept, chat.surface.trouble) == ({"users": [ADA]}, "")
        assert (chat.surface.binding, chat.surface.state_words) == ("bound", "Connected to 1 person.")
        service.say(EVE, code.code)
        await until(lambda: chat.inbox.strangers, "the second one on record")
        assert chat.kept == {"users": [ADA]}


@pytest.mark.anyio
async def test_five_wrong_codes_end_it(service: Telegram) -> None:
    """Guessing is limited; a forwarded code and one from a group count as none."""
    code = binding.begun(str(BOT["id"]))
    wrong = "000000" if code.code != "000000" else "111111"
    async with chatting(service, ()) as chat:
        service.say(EVE, code.code, forward_origin={"type": "user"})
        service.say(EVE, code.code, kind="group")
        service.say(EVE, "hello")
        for _ in range(5):
            service.say(EVE, wrong)
        service.say(EVE, code.code)
        await until(lambda: len(chat.inbox.strangers) == 9, "all of it on record")
        assert chat.surface.binding == "too_many"
        assert "Run `assent connect telegram` again" in chat.surface.state_words
        assert (chat.kept, service.in_chat(EVE)) == ({}, [])


@pytest.mark.anyio
async def test_empty_list_means_closed(service: Telegram) -> None:
    """Without a code strangers are neither let in nor answered."""
    async with chatting(service, ()) as chat:
        service.say(ADA, "/asks")
        await until(lambda: chat.inbox.strangers, "the record")
        assert service.in_chat(ADA) == []


@pytest.mark.anyio
@pytest.mark.parametrize("what", ["poller", "webhook"])
async def test_second_reader_is_named(service: Telegram, what: str, caplog: pytest.LogCaptureFixture) -> None:
    """Answers would get lost, so it is the surface's trouble until the other one is gone."""
    other = Bot.of(TOKEN, service.address)
    clock = [0.0]
    async with chatting(service, clock=lambda: clock[0]) as chat:
        await until(lambda: service.count("getUpdates"), "the first poll")
        assert chat.surface.trouble == ""
        if what == "webhook":
            service.webhook = True
            service.push({})
        while len(chat.surface._conflicts) < CONFLICTS:
            if what == "poller":
                seen = service.conflicts
                task = asyncio.create_task(other.news(0))
                await until(lambda seen=seen: service.conflicts > seen, "a conflict")  # type: ignore[misc]
                task.cancel()
            await let_pass_in_loop(PAUSE)
        assert ("webhook" if what == "webhook" else "another program reads") in chat.surface.trouble
        assert TOKEN not in caplog.text
        service.webhook = False
        clock[0] += 1_000
        assert chat.surface.trouble == ""
        assert await chat.say("/asks") == "Nothing waits for you."
    await other.close()


@pytest.mark.anyio
async def test_network_loss_is_survived(service: Telegram, caplog: pytest.LogCaptureFixture) -> None:
    """What people did meanwhile is heard afterwards, once; and no log tells the token."""
    caplog.set_level(logging.DEBUG)
    async with chatting(service) as chat:
        await chat.say("/asks")
        service.stop()
        await until(lambda: "Trying again" in caplog.text, "that it noticed")
        service.say(ADA, "/queue")
        service.start()
        await until(lambda: len(service.in_chat(ADA)) == 2, "the answer")
        await chat.heard()
    assert TOKEN not in caplog.text
    assert TOKEN.partition(":")[2] not in caplog.text


@pytest.mark.anyio
async def test_updates_that_come_again_are_handled_once(service: Telegram) -> None:
    """A confirmation can get lost."""
    async with chatting(service) as chat:
        ada = {"from": {"id": ADA, "first_name": "Ada"}, "chat": {"id": ADA, "type": "private"}}
        update = {"update_id": 5, "message": {"message_id": 1, "text": "/asks", **ada}}
        assert chat.surface.conversation.take([update, update, {"update_id": "x"}, 5, None], 0) == 6
        assert chat.surface.conversation.take([update], 6) == 6
        await until(lambda: service.in_chat(ADA), "the answer")
        assert await chat.say("/help")
        assert len(service.in_chat(ADA)) == 2


@pytest.mark.anyio
async def test_revoked_token_ends_the_listening(service: Telegram) -> None:
    """Trying on is no use; the sentence says what to do."""
    async with chatting(service) as chat:
        service.token = "1:other"
        service.push({})
        with pytest.raises(TokenError, match="assent connect telegram"):
            async with asyncio.timeout(HANG):
                await chat.surface.listen()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("code", "said"), [(502, "<html>bad gateway</html>"), (200, "nonsense"), (200, "[]"), (400, '{"ok":false}')]
)
async def test_answers_that_are_none_are_failures(code: int, said: str) -> None:
    """Whatever stands between us and Telegram may say anything."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {code} X\r\nContent-Length: {len(said)}\r\nConnection: close\r\n\r\n{said}".encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    bot = Bot.of(TOKEN, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    try:
        with pytest.raises(Exception, match=r"^(Telegram|The service)") as failed:
            await bot.news(0)
        assert TOKEN not in str(failed.value)
        assert not isinstance(failed.value, ConflictError)
    finally:
        await bot.close()
        server.close()
        await server.wait_closed()
