"""Where the person is, from what the hub hears."""

from pathlib import Path
from typing import Any

import pytest

from assent.config import Presence as Settings
from assent.hub.saved import Saved
from assent.hub.whereabouts import Whereabouts
from assent.protocol.record import Draft, Record, chained

NOW = 1_700_000_000_000


class Heard:
    """What the others were told."""

    def __init__(self) -> None:
        self.changes = 0
        self.open: list[str] = []

    def changed(self, session: str) -> None:
        self.changes += 1


def where(file: Path, heard: Heard | None = None, *, can_push: bool = False) -> Whereabouts:
    told = heard or Heard()
    return Whereabouts(Saved(file), Settings, lambda: NOW, lambda: can_push, told.changed, told.open.append)


def event(name: str, payload: dict[str, Any], at: int = NOW, **body: Any) -> Record:
    draft = Draft(at=at, kind="event", session="s1", body={"event": name, "payload": payload, **body})
    return chained(draft, hub="ab12", seq=1, prev="0" * 64)


def test_a_prompt_is_a_sign_of_life(tmp_path: Path) -> None:
    """Unless a program gave it."""
    person = where(tmp_path / "presence.json")
    person.heard(event("UserPromptSubmit", {"prompt": "go"}, env={"CLAUDE_CODE_SESSION_ATTENDED": "0"}))
    assert person.told()["at_desk"] is False
    person.heard(event("UserPromptSubmit", {"prompt": "go"}))
    assert (person.told()["at_desk"], person.told()["last_seen"]) == (True, NOW)


def test_a_dialog_that_waits_is_told_to_the_desk_and_the_ladder(tmp_path: Path) -> None:
    """Other notifications say nothing about it."""
    heard = Heard()
    person = where(tmp_path / "presence.json", heard)
    person.heard(event("Notification", {"notification_type": "idle_prompt"}))
    assert (heard.open, heard.changes) == ([], 0)
    person.heard(event("Notification", {"notification_type": "permission_prompt"}))
    assert (heard.open, heard.changes) == (["s1"], 1)
    assert person.presence.is_unheeded("s1", since=NOW)


@pytest.mark.parametrize("body", [{"event": "UserPromptSubmit"}, {"event": "Notification", "payload": "x"}, {}])
def test_events_nobody_could_read_tell_nothing(tmp_path: Path, body: dict[str, Any]) -> None:
    """And break nothing."""
    person = where(tmp_path / "presence.json")
    person.heard(chained(Draft(at=NOW, kind="event", session="s1", body=body), hub="ab12", seq=1, prev="0" * 64))
    assert person.told()["at_desk"] is False


def test_somebody_is_reachable_through_an_open_page_or_a_push(tmp_path: Path) -> None:
    """Whoever waits for a person asks this first."""
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


def test_a_damaged_file_means_nobody_said_anything(tmp_path: Path) -> None:
    """The hub starts."""
    (tmp_path / "presence.json").write_text("[")
    assert where(tmp_path / "presence.json").attention().away is False
