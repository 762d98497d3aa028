"""Unintended answers from the chat, each tried and prevented."""

from collections.abc import AsyncIterator, Iterator

import pytest
from msgspec.structs import replace

from assent.protocol.card import Segment, View
from assent.surfaces import binding
from assent.surfaces.base import Audience, SurfaceError
from tests.component.surfaces.conformance import until
from tests.component.surfaces.telegram_chat import ADA, BOB, EVE, Chat, chatting
from tests.component.surfaces.test_telegram_chat import DATABASE, change, question
from tests.services.telegram import BOT, Mood, Telegram

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def service() -> Iterator[Telegram]:
    with Telegram(ADA, BOB) as running:
        yield running


@pytest.fixture
async def chat(service: Telegram) -> AsyncIterator[Chat]:
    service.messages.clear()
    async with chatting(service) as made:
        yield made


async def test_reply_to_a_list_answers_none_of_it(chat: Chat) -> None:
    """Not even the first: which one was meant is unknown."""
    chat.inbox.add(question(DATABASE), change("other"))
    await chat.say("/asks")
    listed = chat.newest
    for words in ("2", "yes", "use stash"):
        assert "Press the one you mean" in await chat.say(words, listed)
    assert chat.inbox.answers == []


@pytest.mark.parametrize("what", ["masked", "many", "long"])
async def test_unreadable_question_is_not_answered_by_a_reply(service: Telegram, what: str) -> None:
    """Where its options are no buttons, a reply is no answer either."""
    service.messages.clear()
    one = replace(DATABASE, question="x" * 20_000) if what == "long" else DATABASE
    async with chatting(service, is_masked=what == "masked") as chat:
        card = await chat.shows(question(one), Audience(gist="3 asks wait") if what == "many" else None)
        assert "1 · Postgres" not in card.labels
        if card.labels:
            assert "does not stand here" in await chat.say("2", card)
        assert chat.inbox.answers == []


async def test_typed_yes_is_for_what_stands_there_and_not_for_what_should(chat: Chat) -> None:
    """The change to a new revision did not get through: the chat shows the old one."""
    await chat.shows(change())
    newer = change(rev=2, hash="f" * 64, view=View("Run", segments=(Segment("rm -rf ~"),)))
    chat.inbox.add(newer)
    chat.service.moods.append(Mood(429, "Too Many Requests", {"retry_after": 1}))
    with pytest.raises(SurfaceError):
        await chat.surface.update(chat.ref, newer, Audience())
    assert "nothing was allowed" in await chat.say("yes kptwm")
    assert chat.inbox.answers == []


async def test_code_in_other_digits_is_a_wrong_one(chat: Chat, caplog: pytest.LogCaptureFixture) -> None:
    """Digits of another script are no code, and no trouble."""
    binding.begun(str(BOT["id"]))
    chat.service.say(EVE, "٣٤٥ ٦٧٨")
    await until(lambda: chat.inbox.strangers, "that a stranger was noticed")
    assert "could not be handled" not in caplog.text
    binding.forgotten(str(BOT["id"]))
