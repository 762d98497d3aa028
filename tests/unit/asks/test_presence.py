"""Where a person is, told from what they did and said."""

from datetime import datetime
from typing import Any

import pytest

from assent.asks.presence import DESK, FOCUS, OPEN, TYPING, Kept, Presence, is_typed_by_a_person, morning
from assent.config import QuietHours

NOW = 1_700_000_000_000


def local(text: str) -> int:
    return int(datetime.fromisoformat(text).astimezone().timestamp() * 1_000)


def test_user_is_not_at_the_desk_before_anything_happened() -> None:
    """Without any sign the user is neither present nor away."""
    presence = Presence()
    assert presence.sign(NOW) is None
    assert not presence.is_away(NOW)
    assert presence.last_seen() is None


def test_a_prompt_counts_for_a_minute_and_says_how_long_ago_it_was() -> None:
    """A user who typed just now is at the terminal."""
    presence = Presence()
    presence.typed("s1", NOW)
    sign = presence.sign(NOW + 4_000)
    assert sign is not None
    assert (sign.kind, sign.words, sign.until) == ("typed", "you typed 4 s ago", NOW + TYPING)
    assert presence.sign(NOW + TYPING) is None
    assert presence.last_seen() == NOW


def test_a_focused_page_counts_until_its_heartbeat_stops() -> None:
    """A page whose machine was shut says nothing any more."""
    presence = Presence()
    presence.page("phone", NOW, focused=True)
    sign = presence.sign(NOW + FOCUS - 1)
    assert sign is not None
    assert sign.words == "the page is in front of you"
    assert presence.sign(NOW + FOCUS) is None


def test_a_page_that_lost_the_focus_is_open_but_not_seen() -> None:
    """An open page can show an ask, but it may not be seen."""
    presence = Presence()
    presence.page("laptop", NOW, focused=True)
    presence.page("laptop", NOW + 1_000, focused=False)
    assert presence.sign(NOW + 2_000) is None
    assert presence.has_a_page(NOW + OPEN)
    assert not presence.has_a_page(NOW + 1_000 + OPEN)


def test_an_idle_dialog_outweighs_the_prompt_before_it() -> None:
    """The client itself says that its prompt stands open, so the user has left."""
    presence = Presence()
    presence.typed("s1", NOW)
    presence.unheeded("s1", NOW + 16_000)
    assert presence.is_unheeded("s1", since=NOW + 10_000)
    assert presence.sign(NOW + 17_000, session="s1", since=NOW + 10_000) is None
    assert presence.sign(NOW + 17_000, session="s2", since=NOW + 10_000) is not None


def test_a_dialog_left_alone_before_this_ask_says_nothing_about_it() -> None:
    """What the client said about an earlier dialog is over."""
    presence = Presence()
    presence.unheeded("s1", NOW)
    assert not presence.is_unheeded("s1", since=NOW + 1)
    presence.typed("s1", NOW + 5)
    assert not presence.is_unheeded("s1", since=NOW)


def test_away_lasts_until_its_time_or_until_back() -> None:
    """What a person says about themselves holds as long as they said."""
    presence = Presence()
    presence.go_away(NOW, NOW + 7_200_000)
    assert presence.is_away(NOW + 7_199_999)
    assert not presence.is_away(NOW + 7_200_000)
    presence.go_away(NOW)
    assert presence.is_away(NOW + 10**12)
    presence.come_back()
    assert not presence.is_away(NOW)


def test_what_was_typed_does_not_end_being_away_but_a_page_counts() -> None:
    """A prompt may have waited in the client's queue; a page with focus is seen wherever the user is."""
    presence = Presence()
    presence.go_away(NOW)
    presence.typed("s1", NOW + 1_000)
    assert presence.is_away(NOW + 2_000)
    assert presence.sign(NOW + 2_000) is None
    presence.page("phone", NOW + 2_000, focused=True)
    assert presence.sign(NOW + 3_000) is not None


def test_a_run_without_a_terminal_is_not_seen_while_typing() -> None:
    """Where no dialog opens, typing beside it tells nothing."""
    presence = Presence()
    presence.typed("s1", NOW)
    assert presence.sign(NOW + 1_000, at_terminal=False) is None


def test_quiet_is_the_longer_of_what_was_asked_for_and_what_is_set() -> None:
    """A quarter of an hour of quiet does not shorten the night."""
    presence = Presence()
    hours = QuietHours.parse("22:00-07:00")
    night, day = local("2026-03-10 23:00"), local("2026-03-10 12:00")
    assert presence.quiet_until(night, hours) == local("2026-03-11 07:00")
    assert presence.quiet_until(local("2026-03-11 01:00"), hours) == local("2026-03-11 07:00")
    assert presence.quiet_until(day, hours) is None
    presence.be_quiet(day + 900_000)
    assert presence.quiet_until(day, hours) == day + 900_000
    presence.be_quiet(night + 900_000)
    assert presence.quiet_until(night, hours) == local("2026-03-11 07:00")
    presence.be_quiet(None)
    assert presence.quiet_until(day, None) is None


def test_morning_is_when_the_quiet_hours_end_or_seven() -> None:
    """Quiet until morning means the next one."""
    assert morning(local("2026-03-10 23:00"), None) == local("2026-03-11 07:00")
    assert morning(local("2026-03-10 02:00"), QuietHours.parse("22:00-06:30")) == local("2026-03-10 06:30")


def test_only_what_a_person_said_is_kept() -> None:
    """Signs of life do not outlive the hub; being away does."""
    presence = Presence()
    presence.typed("s1", NOW)
    presence.go_away(NOW, NOW + 5)
    presence.be_quiet(NOW + 9)
    assert presence.said == Kept(NOW, NOW + 5, NOW + 9)
    assert Presence(presence.said).is_away(NOW + 4)


def test_who_looks_at_the_terminal_ui_is_told_so() -> None:
    """It is a page like any other, and not called one."""
    presence = Presence()
    presence.page("laptop", NOW - 5, focused=True)
    presence.page(DESK, NOW, focused=True)
    sign = presence.sign(NOW)
    assert sign is not None
    assert sign.words == "`assent watch` is in front of you"


@pytest.mark.parametrize(
    ("payload", "attended", "expected"),
    [
        ({"prompt": "go on"}, None, True),
        ({"prompt": "go on", "source": "user"}, True, True),
        ({"prompt": "<task-notification>\n<task-id>b1</task-id>"}, None, False),
        ({"prompt": "go on", "source": "queue"}, None, False),
        ({"prompt": "go on"}, False, False),
        ({"prompt": "go on", "agent_id": "a1"}, None, False),
        ({"prompt": None}, None, False),
    ],
)
def test_machine_made_turns_are_not_typing(payload: dict[str, Any], attended: bool | None, expected: bool) -> None:
    """A finished background task makes a prompt of its own, and a run without a terminal is prompted by a program."""
    assert is_typed_by_a_person(payload, attended=attended) is expected


def test_memory_of_sessions_and_pages_is_bounded() -> None:
    """However many sessions there were, only the latest are kept."""
    presence = Presence()
    for number in range(1_000):
        presence.typed(f"s{number}", NOW + number)
        presence.unheeded(f"s{number}", NOW + number)
        presence.page(f"p{number}", NOW + number, focused=False)
    assert max(len(presence._typed), len(presence._unheeded), len(presence._pages)) <= 200
    assert presence.last_seen() == NOW + 999
