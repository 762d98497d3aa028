"""Web push against a push service that checks what real ones check."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest
from assent.surfaces import webpush_crypto as crypto
from assent.surfaces.base import Audience, FailedError, GoneError, Notice, Ref, Surface
from assent.surfaces.safe_http import SafeHttp
from assent.surfaces.webpush import Subscription, WebPush
from tests.component.surfaces.conformance import Conformance, Stage, now
from tests.push_service import PushService, push_service

SECRET = "A" * 43
PUBLIC = crypto.public(crypto.sender_key(SECRET))


@dataclass
class Devices:
    known: list[Subscription] = field(default_factory=list)

    def current(self) -> list[Subscription]:
        return self.known

    def gone(self, subscription: Subscription) -> None:
        self.known.remove(subscription)


@dataclass
class PushStage:
    """The phone shows what the push service delivered, as the page's service worker would."""

    service: PushService
    devices: Devices
    surface: Surface

    def seen(self) -> dict[str, str]:
        return {tag: f"{said['title']} {said['text']}" for tag, said in self.service.shown("phone").items()}

    def answer(self, about: str, choice: Choice) -> AnswerRequest | None:
        bound = self.service.shown("phone").get(about, {}).get("deny")
        if bound is None or choice != "deny":
            return None
        return AnswerRequest(rev=bound["rev"], hash=bound["hash"], choice="deny")

    def tries(self) -> int:
        return self.service.requests

    def limit(self, seconds: int) -> None:
        self.service.moods.append((429, {"Retry-After": str(seconds)}))

    def fail(self, times: int) -> None:
        self.service.moods += [(503, {})] * times

    def lose(self) -> None:
        self.service.browsers.clear()

    def hang(self) -> None:
        self.service.hangs = True

    def reborn(self) -> Surface:
        return surface(self.devices)


def surface(devices: Devices) -> WebPush:
    return WebPush(SECRET, devices, SafeHttp(may_be_local=True))


def subscribe(service: PushService, devices: Devices, name: str, **fields: str) -> None:
    endpoint, browser = service.subscribe(name)
    found = {"endpoint": endpoint, "p256dh": browser.p256dh, "auth": browser.auth, **fields}
    devices.known.append(Subscription(name, **found))  # type: ignore[arg-type]


class TestWebPush(Conformance):
    @pytest.fixture
    async def stage(self) -> AsyncIterator[Stage]:
        async with push_service(PUBLIC) as service:
            devices = Devices()
            subscribe(service, devices, "phone")
            yield PushStage(service, devices, surface(devices))


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    async with push_service(PUBLIC) as running:
        yield running


@pytest.fixture
async def devices() -> Devices:
    return Devices()


@pytest.fixture
async def push(devices: Devices) -> AsyncIterator[WebPush]:
    made = surface(devices)
    yield made
    await made.close()


@pytest.mark.anyio
async def test_a_masked_message_tells_nothing_an_agent_wrote(
    service: PushService, devices: Devices, push: WebPush
) -> None:
    """On a locked phone stands who asks and how dangerous it is, no command and no title."""
    subscribe(service, devices, "phone")
    await push.show(now(risk="danger"), Audience())
    _, message, _ = service.delivered[0]
    assert (message["title"], message["text"]) == ("webshop needs you (Danger)", "Open to review.")
    assert "git clean" not in str(message)
    assert "Fix flaky" not in str(message)
    assert (message["url"], message["tag"]) == ("/a/kptwm", "kptwm")


@pytest.mark.anyio
async def test_each_device_decides_how_much_is_seen(service: PushService, devices: Devices, push: WebPush) -> None:
    """One shows the command, the other does not."""
    subscribe(service, devices, "laptop", privacy="open")
    subscribe(service, devices, "phone")
    await push.show(now(risk="danger"), Audience())
    told = {name: (message["title"], message["text"]) for name, message, _ in service.delivered}
    assert told == {
        "laptop": ("■ Danger · Delete untracked files", "webshop · Fix flaky login\ngit clean -fdx"),
        "phone": ("webshop needs you (Danger)", "Open to review."),
    }


@pytest.mark.anyio
async def test_messages_for_a_device_that_is_off_replace_each_other(
    service: PushService, devices: Devices, push: WebPush
) -> None:
    """The service keeps one message for an ask, no longer than the ask lives, and is not told what it is about."""
    subscribe(service, devices, "phone")
    ref = await push.show(now(risk="danger"), Audience())
    await push.withdraw(ref, "Allowed once (iPhone)")
    first, second = (headers for _, _, headers in service.delivered)
    assert first["topic"] == second["topic"]
    assert len(first["topic"]) == 32
    assert "kptwm" not in first["topic"]
    assert (first["urgency"], second["urgency"]) == ("high", "normal")
    assert 590 <= int(first["ttl"]) <= 600
    assert service.delivered[1][1] == {"tag": "kptwm", "over": "Allowed once (iPhone)"}


@pytest.mark.anyio
async def test_one_device_that_fails_does_not_disturb_the_other_twice(
    service: PushService, devices: Devices, push: WebPush
) -> None:
    """A second try goes only to those that have nothing yet; what got through can be withdrawn meanwhile."""
    subscribe(service, devices, "laptop")
    subscribe(service, devices, "phone")
    service.moods.append((503, {}))
    with pytest.raises(FailedError) as failed:
        await push.show(now(), Audience())
    assert failed.value.ref is not None
    assert len(failed.value.ref.more) == 1
    ref = await push.show(now(), Audience())
    assert ref.more == ("laptop", "phone")
    assert sorted(name for name, _, _ in service.delivered) == ["laptop", "phone"]


@pytest.mark.anyio
async def test_a_device_that_turned_notifications_off_is_forgotten(
    service: PushService, devices: Devices, push: WebPush
) -> None:
    """The service says so; the others are told as ever."""
    subscribe(service, devices, "laptop")
    subscribe(service, devices, "phone")
    del service.browsers["laptop"]
    ref = await push.show(now(), Audience())
    assert ref.more == ("phone",)
    assert [one.device for one in devices.known] == ["phone"]


@pytest.mark.anyio
async def test_a_service_that_knows_another_sender_refuses(
    service: PushService, devices: Devices, push: WebPush
) -> None:
    """Trying again would not help, and the subscription stays for a person to mend."""
    subscribe(service, devices, "phone")
    service.sender = "another"
    with pytest.raises(GoneError, match=r"refused the message \(403\)"):
        await push.show(now(), Audience())
    assert push.trouble == ""


@pytest.mark.anyio
async def test_redirects_are_not_followed(service: PushService, devices: Devices, push: WebPush) -> None:
    """A service cannot send us elsewhere."""
    subscribe(service, devices, "phone")
    service.moods.append((307, {"Location": f"http://127.0.0.1:{service.port}/send/phone"}))
    with pytest.raises(GoneError, match="307"):
        await push.show(now(), Audience())
    assert (service.requests, service.delivered) == (1, [])


@pytest.mark.anyio
async def test_errors_do_not_tell_the_address(devices: Devices, push: WebPush) -> None:
    """Endpoints are secrets, and what surfaces say goes on record."""
    subscribe(PushService("x", port=1), devices, "phone")
    with pytest.raises(FailedError) as failed:
        await push.show(now(), Audience())
    assert str(failed.value) == "The service cannot be reached (ConnectError)."


@pytest.mark.anyio
async def test_without_devices_nothing_is_sent(push: WebPush) -> None:
    """Why nothing is sent is said in words."""
    assert push.trouble == "no device has notifications turned on"
    with pytest.raises(GoneError):
        await push.show(now(), Audience())


@pytest.mark.anyio
async def test_a_turn_that_ended_is_told_and_taken_back(service: PushService, devices: Devices, push: WebPush) -> None:
    """Each device hears as much of it as it wants, and is led to the session; there is nothing to deny."""
    subscribe(service, devices, "phone")
    subscribe(service, devices, "laptop", privacy="open")
    ended = Notice("s/1", "finished", 1, "/src/webshop", "Fix flaky login", "All tests pass.")
    ref = await push.notify(ended, Audience())
    assert ref == Ref("push", "turn-s/1", ("laptop", "phone"))
    [phone], [laptop] = service.shown("phone").values(), service.shown("laptop").values()
    assert (phone["title"], phone["text"], phone["url"]) == (
        "webshop finished its turn",
        "Open to read on.",
        "/s/s%2F1",
    )
    assert laptop["text"] == "Fix flaky login\nAll tests pass."
    assert "deny" not in phone
    await push.withdraw(ref, "You went on")
    assert not service.shown("phone")
