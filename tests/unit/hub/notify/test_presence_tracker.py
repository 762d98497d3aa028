"""Where the person is, from what the hub hears."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assent.config import Config, Team
from assent.hub.bus import Bus
from assent.hub.notify.presence_tracker import PresenceTracker
from assent.hub.notify.push_subscriptions import PushSubscriptions
from assent.hub.recorder import Live
from assent.hub.state_file import DebouncedFile
from assent.protocol.record import Draft, Record, chained
from assent.surfaces.base import Surface
from tests.unit.hub.chats import Chat
from tests.unit.hub.doubles import Heard, InForce, LetIn

NOW = 1_700_000_000_000


@dataclass
class Link:
    """To a team's relay."""

    is_connected: bool


def where(file: Path, heard: Heard | None = None, *, can_push: bool = False) -> PresenceTracker:
    bus = Bus()
    if heard is not None:
        bus.register(heard)
    surfaces: dict[str, Surface] = {"chat": Chat()} if can_push else {}
    subscriptions = PushSubscriptions(DebouncedFile(file.with_name("push.json")), LetIn())
    return PresenceTracker(DebouncedFile(file), InForce(), bus, Live(), surfaces, subscriptions, lambda: NOW)


def event(name: str, payload: dict[str, Any], at: int = NOW, **body: Any) -> Record:
    draft = Draft(at=at, kind="event", session="s1", body={"event": name, "payload": payload, **body})
    return chained(draft, hub="ab12", seq=1, prev="0" * 64)


def test_a_prompt_is_a_sign_of_life(tmp_path: Path) -> None:
    """Unless a program gave it."""
    person = where(tmp_path / "presence.json")
    person.on_signal(event("UserPromptSubmit", {"prompt": "go"}, env={"CLAUDE_CODE_SESSION_ATTENDED": "0"}))
    assert person.told()["at_desk"] is False
    person.on_signal(event("UserPromptSubmit", {"prompt": "go"}))
    assert (person.told()["at_desk"], person.told()["last_seen"]) == (True, NOW)


def test_a_dialog_that_waits_is_told_to_the_ladder(tmp_path: Path) -> None:
    """Other notifications say nothing about it."""
    heard = Heard()
    person = where(tmp_path / "presence.json", heard)
    person.on_signal(event("Notification", {"notification_type": "idle_prompt"}))
    assert heard.sessions == []
    person.on_signal(event("Notification", {"notification_type": "permission_prompt"}))
    assert heard.sessions == ["s1"]
    assert person.presence.is_unheeded("s1", since=NOW)


@pytest.mark.parametrize("body", [{"event": "UserPromptSubmit"}, {"event": "Notification", "payload": "x"}, {}])
def test_unreadable_events_tell_nothing(tmp_path: Path, body: dict[str, Any]) -> None:
    """And break nothing."""
    person = where(tmp_path / "presence.json")
    person.on_signal(chained(Draft(at=NOW, kind="event", session="s1", body=body), hub="ab12", seq=1, prev="0" * 64))
    assert person.told()["at_desk"] is False


@pytest.mark.parametrize(
    ("is_connected", "share", "is_reachable"), [(True, True, True), (False, True, False), (True, False, False)]
)
def test_user_is_reachable_through_their_other_machines(
    tmp_path: Path, is_connected: bool, share: bool, is_reachable: bool
) -> None:
    """While a relay carries asks there."""
    person = where(tmp_path / "presence.json")
    person.policy = InForce(Config(team=Team(share=share)))
    person.team = Link(is_connected)
    assert person.attention().reachable is is_reachable


def test_user_is_reachable_through_an_open_page_or_a_push(tmp_path: Path) -> None:
    """An ask is held only where this is true."""
    person = where(tmp_path / "presence.json")
    assert person.attention().reachable is False
    person.page("laptop", focused=False)
    assert person.attention().reachable is True
    assert where(tmp_path / "presence.json", can_push=True).attention().reachable is True


@pytest.mark.anyio
async def test_what_a_person_said_is_kept(tmp_path: Path) -> None:
    """Away, and quiet."""
    person = where(tmp_path / "presence.json")
    person.go_away(60.0)
    person.be_quiet(NOW + 5_000)
    await person.saved.flush()
    again = where(tmp_path / "presence.json")
    assert again.attention().away is True
    assert (again.told()["away_until"], again.told()["quiet_until"]) == (NOW + 60_000, NOW + 5_000)


def test_a_damaged_file_means_nothing_was_set(tmp_path: Path) -> None:
    """The hub starts."""
    (tmp_path / "presence.json").write_text("[")
    assert where(tmp_path / "presence.json").attention().away is False
