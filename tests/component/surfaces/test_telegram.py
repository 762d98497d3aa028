"""Telegram against a Bot API that refuses what the real one refuses."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest
from assent.surfaces import signing
from assent.surfaces.base import Surface
from assent.surfaces.registry import Tools
from assent.surfaces.telegram.api import Bot, Pace
from assent.surfaces.telegram.buttons import ALLOW, NO
from assent.surfaces.telegram.surface import Telegram as TelegramSurface
from tests.component.surfaces.conformance import Conformance, Stage, now
from tests.services.inbox import FakeInbox
from tests.services.telegram import BOT, TOKEN, Message, Mood, Telegram

ADA = 12345678
KEY = b"k" * 32
QUICK = 0.0005


def surface(service: Telegram, inbox: FakeInbox) -> TelegramSurface:
    bot = Bot.of(TOKEN, service.address, Pace(every=QUICK, overall=1 / QUICK))
    return TelegramSurface(bot, str(BOT["id"]), (ADA,), Tools(inbox, KEY), first_pause=0.01)


@dataclass
class TelegramStage:
    """One phone, on which a message counts as long as it does not say how it ended."""

    service: Telegram
    surface: Surface

    def seen(self) -> dict[str, str]:
        return {_about(message): message.text for message in self.service.in_chat(ADA) if _about(message)}

    def answer(self, about: str, choice: Choice) -> AnswerRequest | None:
        for message in self.service.cards(ADA):
            for data in (one["callback_data"] for row in message.buttons for one in row if "callback_data" in one):
                pressed = signing.read(data)
                assert pressed is not None
                is_it = NO.get(pressed.act) == choice or (pressed.act, choice) == (ALLOW, "allow")
                if _about(message) == about and is_it:
                    return self._bound(pressed, choice)
        return None

    def _bound(self, pressed: signing.Pressed, choice: Choice) -> AnswerRequest | None:
        for rev, hash_ in ((1, "5" * 64), (2, "6" * 64)):
            if signing.Signer(KEY).is_of(pressed, str(ADA), now(pressed.ask, rev=rev, hash=hash_)):
                return AnswerRequest(rev=rev, hash=hash_, choice=choice)
        return None

    def tries(self) -> int:
        return self.service.count("sendMessage", "sendDocument", "editMessageText")

    def limit(self, seconds: int) -> None:
        self.service.moods.append(
            Mood(429, f"Too Many Requests: retry after {seconds}", parameters={"retry_after": seconds})
        )

    def fail(self, times: int) -> None:
        self.service.moods += [Mood(500, "Internal Server Error")] * times

    def lose(self) -> None:
        self.service.blocked.add(ADA)

    def hang(self) -> None:
        self.service.hangs = True

    def reborn(self) -> Surface:
        return surface(self.service, FakeInbox())


def _about(message: Message) -> str:
    last = message.text.rpartition("\n")[2]
    if last == "/asks lists them.":
        return "many"
    return last.split()[1] if last.startswith("id ") and "until" in last else ""


@pytest.fixture
def service() -> Iterator[Telegram]:
    with Telegram(ADA) as running:
        yield running


class TestTelegram(Conformance):
    @pytest.fixture
    def stage(self, service: Telegram) -> Stage:
        return TelegramStage(service, surface(service, FakeInbox()))
