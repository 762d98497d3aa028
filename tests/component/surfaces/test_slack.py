"""Slack against a service that refuses what the real one refuses."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest
from assent.surfaces import signing
from assent.surfaces.base import Surface
from assent.surfaces.registry import Tools
from assent.surfaces.slack.api import Web
from assent.surfaces.slack.messages import ALLOW, NO
from assent.surfaces.slack.surface import Slack as SlackSurface
from tests.component.surfaces.conformance import Conformance, Stage, now
from tests.services.inbox import FakeInbox
from tests.services.slack import APP, APP_TOKEN, BOT_TOKEN, Message, Mood, Slack

ADA = "U0ADA"
KEY = b"k" * 32


def surface(service: Slack) -> SlackSurface:
    return SlackSurface(Web.of(BOT_TOKEN, APP_TOKEN, service.address), APP, (ADA,), Tools(FakeInbox(), KEY))


@dataclass
class SlackStage:
    """One phone, on which a message counts as long as it does not say how it ended."""

    service: Slack
    surface: Surface

    def seen(self) -> dict[str, str]:
        return {_about(message): message.text for message in self.service.in_chat(ADA) if _about(message)}

    def answer(self, about: str, choice: Choice) -> AnswerRequest | None:
        for message in self.service.cards(ADA):
            for value in (one["value"] for one in message.buttons if "value" in one):
                pressed = signing.read(value)
                assert pressed is not None
                is_it = NO.get(pressed.act) == choice or (pressed.act, choice) == (ALLOW, "allow")
                if _about(message) == about and is_it:
                    return self._bound(message.channel, pressed, choice)
        return None

    def _bound(self, channel: str, pressed: signing.Pressed, choice: Choice) -> AnswerRequest | None:
        for rev, hash_ in ((1, "5" * 64), (2, "6" * 64)):
            if signing.Signer(KEY).is_of(pressed, channel, now(pressed.ask, rev=rev, hash=hash_)):
                return AnswerRequest(rev=rev, hash=hash_, choice=choice)
        return None

    def tries(self) -> int:
        return self.service.count("chat.postMessage", "chat.update")

    def limit(self, seconds: int) -> None:
        self.service.moods.append(Mood("ratelimited", 429, seconds))

    def fail(self, times: int) -> None:
        self.service.moods += [Mood("internal_error", 500)] * times

    def lose(self) -> None:
        self.service.people.clear()

    def hang(self) -> None:
        self.service.hangs = True

    def reborn(self) -> Surface:
        return surface(self.service)


def _about(message: Message) -> str:
    last = message.text.rpartition("\n")[2]
    if last == "Write asks to see them.":
        return "many"
    return last.split()[1] if last.startswith("id ") and "until" in last else ""


@pytest.fixture
def service() -> Iterator[Slack]:
    with Slack(ADA) as running:
        yield running


class TestSlack(Conformance):
    @pytest.fixture
    def stage(self, service: Slack) -> Stage:
        return SlackStage(service, surface(service))
