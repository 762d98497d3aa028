"""Who wants notifications, as the hub keeps it."""

from pathlib import Path

import pytest

from assent.hub.bus import Bus
from assent.hub.notify.push_subscriptions import MOST, PushSubscriptions
from assent.hub.state_file import DebouncedFile
from assent.surfaces.webpush import Subscription
from tests.unit.hub.doubles import Heard, LetIn


def one(device: str, endpoint: str = "") -> Subscription:
    return Subscription(device, endpoint or f"https://push.example.com/{device}", "p", "a")


def devices(found: PushSubscriptions) -> list[str]:
    return [subscription.device for subscription in found.current()]


@pytest.mark.anyio
async def test_subscriptions_outlive_the_hub_in_a_private_file(tmp_path: Path) -> None:
    """The next life reaches the same devices."""
    file = tmp_path / "push.json"
    heard, bus = Heard(), Bus()
    bus.register(heard)
    first = PushSubscriptions(DebouncedFile(file), LetIn(), bus)
    first.put(one("phone"))
    await first.saved.flush()
    assert (devices(PushSubscriptions(DebouncedFile(file), LetIn())), heard.sessions) == (["phone"], [""])
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.anyio
async def test_a_browser_that_was_let_in_anew_is_told_once(tmp_path: Path) -> None:
    """It has the same address under another name."""
    found = PushSubscriptions(DebouncedFile(tmp_path / "push.json"), LetIn())
    found.put(one("old", "https://push.example.com/same"))
    found.put(one("new", "https://push.example.com/same"))
    assert devices(found) == ["new"]


@pytest.mark.anyio
async def test_what_a_service_knows_no_longer_is_forgotten_unless_it_was_renewed(tmp_path: Path) -> None:
    """News about an old address does not take away the new one."""
    found = PushSubscriptions(DebouncedFile(tmp_path / "push.json"), LetIn())
    old = one("phone", "https://push.example.com/old")
    found.put(old)
    found.put(one("phone", "https://push.example.com/new"))
    found.gone(old)
    assert devices(found) == ["phone"]
    found.gone(found.current()[0])
    assert devices(found) == []


@pytest.mark.anyio
async def test_devices_that_were_sent_away_are_not_reached(tmp_path: Path) -> None:
    """From that moment on."""
    let_in = {"phone", "laptop"}
    found = PushSubscriptions(DebouncedFile(tmp_path / "push.json"), LetIn(let_in))
    found.put(one("phone"))
    found.put(one("laptop"))
    let_in.remove("phone")
    assert devices(found) == ["laptop"]
    assert found.of("phone") is None


@pytest.mark.anyio
async def test_there_is_an_end_to_how_many_are_kept(tmp_path: Path) -> None:
    """The newest stay."""
    found = PushSubscriptions(DebouncedFile(tmp_path / "push.json"), LetIn())
    for number in range(MOST + 10):
        found.put(one(f"d{number}"))
    assert len(devices(found)) == MOST
    assert devices(found)[-1] == f"d{MOST + 9}"


def test_a_damaged_file_is_no_subscription(tmp_path: Path) -> None:
    """The hub starts, and devices turn notifications on again."""
    (tmp_path / "push.json").write_text('{"subscriptions": [1]}')
    assert devices(PushSubscriptions(DebouncedFile(tmp_path / "push.json"), LetIn())) == []
