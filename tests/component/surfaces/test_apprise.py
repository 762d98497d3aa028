"""Apprise, the real one, posting to a service on loopback."""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest
from assent.surfaces.apprise import KIND, AppriseSurface
from assent.surfaces.base import Audience, BadSettingsError, FailedError, Notice, Surface, SurfaceError
from assent.surfaces.registry import Tools
from tests.component.surfaces.conformance import Conformance, Stage, now, running, until
from tests.services.inbox import FakeInbox
from tests.services.receiver import Receiver

# Apprise still looks for a module that Python gave up.
pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")

TOOLS = Tools(FakeInbox(), b"k" * 32, lambda name: f"https://desk.example.org/a/{name}")


def surface(*receivers: Receiver, privacy: str = "masked") -> AppriseSurface:
    addresses = " ".join(f"json://token:secret@127.0.0.1:{one.port}/hook" for one in receivers)
    return KIND.made({"privacy": privacy}, {"urls": addresses}, TOOLS)


def told(receiver: Receiver) -> list[tuple[str, str]]:
    bodies = [json.loads(body) for _, body in receiver.posts]
    return [(body["title"], body["message"]) for body in bodies]


@dataclass
class AppriseStage:
    receiver: Receiver
    surface: Surface

    def seen(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for title, text in told(self.receiver):
            names = [line.removeprefix("id ") for line in text.splitlines() if line.startswith("id ")]
            about = names[0] if names else "many"
            if title.startswith("◌"):
                found.pop(about, None)
            else:
                found[about] = f"{title} {text}"
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
        self.receiver.moods.append((410, {}))

    def hang(self) -> None:
        self.receiver.hangs = True

    def reborn(self) -> Surface:
        return surface(self.receiver)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as found:
        yield found


class TestApprise(Conformance):
    @pytest.fixture
    def stage(self, receiver: Receiver) -> Stage:
        return AppriseStage(receiver, surface(receiver))

    @pytest.mark.anyio
    async def test_a_limit_is_obeyed_by_everything(self, stage: Stage, tmp_path: Path) -> None:
        """Apprise does not tell why a service refused, so a limit is a failure: tried again after a pause."""
        async with running(stage.surface, tmp_path) as hub:
            stage.limit(1)
            hub.outreach.changed(now())
            await until(lambda: len(hub.pushes) == 2, "two tries")
            assert [sent for sent, _, _ in hub.pushes] == [False, True]

    @pytest.mark.anyio
    async def test_gone_receiver_is_not_tried_again(self, stage: Stage, tmp_path: Path) -> None:
        """Nor whether the receiver is gone: it is tried as often as any service that is down."""
        async with running(stage.surface, tmp_path) as hub:
            stage.lose()
            hub.outreach.changed(now())
            await until(lambda: len(hub.pushes) == 2, "two tries")
            assert [why for _, why, _ in hub.pushes] == ["apprise could not deliver it", ""]


@pytest.mark.anyio
async def test_it_tells_no_more_than_its_settings_let_it(receiver: Receiver) -> None:
    """Masked by default; a changed ask is not sent again."""
    masked = surface(receiver)
    ref = await masked.show(now(), Audience())
    await masked.update(ref, now(rev=2), Audience())
    await surface(receiver, privacy="open").show(now(), Audience())
    assert told(receiver) == [
        ("webshop needs you (Care)", "Open to review.\nid kptwm\nhttps://desk.example.org/a/kptwm"),
        (
            "▲ Care · Delete untracked files",
            "webshop · Fix flaky login\ngit clean -fdx\nid kptwm\nhttps://desk.example.org/a/kptwm",
        ),
    ]


@pytest.mark.anyio
async def test_turns_that_ended_are_told_once(receiver: Receiver) -> None:
    """That the session went on is no news."""
    made = surface(receiver)
    ref = await made.notify(Notice("s1", "finished", 0, "/src/webshop", text="Done."), Audience())
    await made.withdraw(ref, "It went on")
    assert told(receiver) == [("webshop finished its turn", "Open to read on.")]


@pytest.mark.anyio
async def test_one_address_that_fails_does_not_disturb_the_other_twice(receiver: Receiver) -> None:
    """A second try goes only to those that have nothing yet."""
    with Receiver() as other:
        both = surface(receiver, other)
        other.moods.append((500, {}))
        with pytest.raises(FailedError, match=r"^Apprise could not deliver it to all addresses.$"):
            await both.show(now(), Audience())
        await both.show(now(), Audience())
        assert (len(receiver.posts), len(other.posts)) == (1, 1)


@pytest.mark.anyio
async def test_addresses_are_secrets(receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    """Apprise would write them down where it is loud; nothing of ours holds them either."""
    caplog.set_level(logging.DEBUG)
    made = surface(receiver)
    receiver.moods.append((500, {}))
    with pytest.raises(FailedError) as failed:
        await made.show(now(), Audience())
    assert not [secret for secret in ("token", "secret", "127.0.0.1") if secret in caplog.text + str(failed.value)]
    assert "secret" not in repr(made)


@pytest.mark.anyio
async def test_the_check_knows_addresses_from_other_words() -> None:
    """Which of them is wrong is said by its number."""
    assert "one-way" in (await KIND.check({}, {"urls": "json://localhost mailto://a:b@example.org"}, TOOLS)).words
    with pytest.raises(FailedError, match=r"^Apprise knows no service for address 2.$"):
        await KIND.check({}, {"urls": "json://localhost nonsense"}, TOOLS)
    with pytest.raises(SurfaceError, match="needs between one and 20"):
        KIND.made({}, {"urls": " "}, TOOLS)
    with pytest.raises(BadSettingsError, match="privacy"):
        KIND.made({"privacy": "x"}, {"urls": "json://localhost"}, TOOLS)
