"""Presence over HTTP: who may say what, and how long it lasts."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.requests import Request

from assent.hub.access.caller import Caller
from assent.hub.api.presence import LONGEST, PresenceApi, PushApi
from assent.hub.bus import Bus
from assent.hub.notify.presence_tracker import PresenceTracker
from assent.hub.notify.push_subscriptions import PushSubscriptions
from assent.hub.recorder import Live
from assent.hub.state_file import DebouncedFile
from assent.protocol.surfaces import Scope
from assent.webapi.endpoint import ProblemError
from tests.unit.hub.doubles import InForce, LetIn, Recorded

pytestmark = pytest.mark.anyio
NOW = 1_700_000_000_000
ADMIN = Caller(Scope.ADMIN, Scope.ADMIN, "me")


@dataclass
class Here:
    folder: Path

    def __post_init__(self) -> None:
        self.subscriptions = PushSubscriptions(DebouncedFile(self.folder / "push.json"), LetIn())
        self.file = DebouncedFile(self.folder / "presence.json")
        policy, bus = InForce(), Bus()
        self.tracker = PresenceTracker(self.file, policy, bus, Live(), {}, self.subscriptions, lambda: NOW)
        self.recorded = Recorded()
        self.api = PresenceApi(self.tracker, cast("Any", self.recorded))

    async def put(self, caller: Caller = ADMIN, **wanted: Any) -> dict[str, Any]:
        response = await self.api.put(request(caller, wanted))
        await self.file.flush()
        told: dict[str, Any] = json.loads(bytes(response.body))
        return told


def request(caller: Caller, wanted: dict[str, Any] | None = None) -> Request:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": json.dumps(wanted).encode(), "more_body": False}

    scope = {"type": "http", "method": "PUT", "path": "/x", "headers": [], "state": {"caller": caller}}
    return Request(scope, receive)


@pytest.fixture
def here(tmp_path: Path) -> Here:
    return Here(tmp_path)


async def test_away_and_back_are_told_and_recorded(here: Here) -> None:
    """Once each: who is there already does not come back."""
    assert (await here.put(away=True))["away"] is True
    assert (await here.put(away=False))["away"] is False
    await here.put(away=False)
    assert here.recorded.notes == ["its user is away", "its user is back"]
    assert {draft.by for draft in here.recorded.drafts} == {"person:me"}


async def test_away_ends_by_itself_where_that_was_said(here: Here) -> None:
    """After so many seconds; else never."""
    assert (await here.put(away=True, seconds=60))["away_until"] == NOW + 60_000
    assert (await here.put(away=True))["away_until"] is None


async def test_quiet_lasts_as_long_as_was_said(here: Here) -> None:
    """For seconds, until the morning, or no longer."""
    assert (await here.put(quiet=1.5))["quiet_until"] == NOW + 1_500
    morning = (await here.put(quiet="morning"))["quiet_until"]
    assert NOW < morning <= NOW + 24 * 3_600_000
    assert (await here.put(quiet=0))["quiet_until"] is None
    assert here.recorded.notes == ["its user wants quiet"] * 2 + ["its user wants quiet no longer"]


async def test_what_is_left_out_stays(here: Here) -> None:
    """Nothing is recorded of a page that is looked at."""
    await here.put(away=True)
    told = await here.put(quiet=60)
    assert told["away"] is True
    told = await here.put(focused=False)
    assert (told["away"], told["quiet_until"]) == (True, NOW + 60_000)
    assert len(here.recorded.notes) == 2


@pytest.mark.parametrize(
    ("seconds", "is_good"), [(0, True), (LONGEST, True), (-0.1, False), (LONGEST + 0.1, False), (1e300, False)]
)
@pytest.mark.parametrize("name", ["seconds", "quiet"])
async def test_times_are_from_0_to_30_days(here: Here, name: str, seconds: float, is_good: bool) -> None:
    """Others are refused, and nothing of them counts."""
    wanted: dict[str, Any] = {"away": True, name: seconds}
    if is_good:
        assert (await here.put(**wanted))["away"] is (name != "seconds" or seconds > 0)
        return
    with pytest.raises(ProblemError, match="from 0 s to 30 days"):
        await here.put(**wanted)
    assert here.recorded.notes == []


@pytest.mark.parametrize("wanted", [{"away": True}, {"away": False}, {"quiet": 60}, {"quiet": 0}, {"seconds": 60}])
async def test_only_those_who_may_instruct_say_it(here: Here, wanted: dict[str, Any]) -> None:
    """One that may only answer asks does not turn notices off."""
    with pytest.raises(ProblemError, match="needs the scope instruct"):
        await here.put(Caller(Scope(Scope.INSTRUCT - 1), Scope.ADMIN, "x", device="d"), **wanted)
    await here.put(Caller(Scope.INSTRUCT, Scope.ADMIN, "x"), **wanted)


@pytest.mark.parametrize(
    ("scope", "device", "is_good"),
    [(Scope.WATCH, "", False), (Scope.WATCH, "d1", True), (Scope.DENY, "", True), (Scope.DENY, "d1", True)],
)
async def test_agent_cannot_say_that_a_page_is_looked_at(here: Here, scope: Scope, device: str, is_good: bool) -> None:
    """On the desk socket one that may only watch is none of a person's; a device is."""
    caller = Caller(scope, scope, "x", device=device)
    if is_good:
        assert (await here.put(caller, focused=True))["at_desk"] is True
        return
    with pytest.raises(ProblemError, match="cannot say"):
        await here.put(caller, focused=True)
    assert here.tracker.told()["at_desk"] is False


class Push:
    public_key = "k"


def push(here: Here) -> PushApi:
    return PushApi(here.subscriptions, cast("Any", Push()))


async def test_device_without_subscription_is_not_notified(here: Here) -> None:
    """It is told the key to subscribe with."""
    for caller in (ADMIN, Caller(Scope.WATCH, Scope.WATCH, "x", device="d1")):
        response = await push(here).get(request(caller))
        assert json.loads(bytes(response.body)) == {"key": "k", "on": False, "privacy": "masked"}


async def test_desk_is_no_device(here: Here) -> None:
    """It has no browser to be notified."""
    with pytest.raises(ProblemError, match="Only a device"):
        await push(here).delete(request(ADMIN))
