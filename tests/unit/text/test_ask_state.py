"""How an ask stands, in words."""

import msgspec
import pytest

from assent.protocol.card import FileDiff, Flag, PlanRound, Result, Said, ShownAsk
from assent.protocol.queue import Item
from assent.text.ask_state import Phase, changed, context, flags, is_waiting, machine, queued, said, state
from assent.text.times import clock, hour_minute
from tests.unit.tui.shown_asks import OPENED, WEBSHOP, permission, plan

ENDED = OPENED + 60_000


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("allowed at the terminal", f"Allowed in the terminal, {clock(ENDED)}"),
        ("denied at the terminal", f"Denied in the terminal, {clock(ENDED)}"),
        ("", f"Answered in the terminal, {clock(ENDED)}"),
        ("no prompt seen", f"Answered in the terminal, {clock(ENDED)} (no prompt seen)"),
    ],
)
def test_answered_in_the_terminal_is_said_once(why: str, words: str) -> None:
    """By whom and when, and from what it is concluded where it was not reported."""
    ask = permission(state="closed", result=Result("terminal", at=ENDED, why=why))
    assert state(ask, ENDED).text == words


NOW = OPENED + 42_000
ALLOWED = Said(NOW, "person:iPhone", "allow")
DENIED = Said(NOW, "person:desk", "deny")
UNTIL = hour_minute(OPENED + 600_000)


@pytest.mark.parametrize(
    ("ask", "mine", "expected"),
    [
        (permission(), None, ("open", "", "waiting 42 s, 10 min left")),
        (permission(expires_at=None), None, ("open", "", "waiting 42 s")),
        (permission(), "held", ("sending", "◔", "Sending…")),
        (permission(state="doubtful"), None, ("gone", "◌", "Looks answered at the terminal")),
        (
            permission(state="doubtful", result=Result("terminal", at=NOW - 9_000)),
            None,
            ("gone", "◌", "Looks answered at the terminal (no prompt seen for 9 s)"),
        ),
        (
            permission(state="answered", answer=ALLOWED),
            None,
            ("elsewhere", "→", f"Allowed on iPhone, {clock(NOW)}"),
        ),
        (permission(state="answered", answer=ALLOWED), "sent", ("sending", "◔", "Sending…")),
        (permission(state="told", answer=ALLOWED), "sent", ("told", "✓", "Told Claude 0.3 s ago")),
        (permission(state="told", undelivered="gone"), "sent", ("lost", "▲", "Claude was not told: gone")),
    ],
)
def test_ask_on_its_way_is_told_word_for_word(
    ask: ShownAsk, mine: Phase | None, expected: tuple[str, str, str]
) -> None:
    """From open to told; what was answered on another screen says where."""
    told = state(ask, NOW, mine=mine, turned=NOW - 300)
    assert told == expected
    assert told.is_open is (told.name in ("open", "gone"))


@pytest.mark.parametrize(
    ("answer", "result", "expected"),
    [
        (ALLOWED, Result("ran", at=NOW + 1_200), ("done", "✓", "ran, 1.2 s")),
        (ALLOWED, Result("ran"), ("done", "✓", "ran")),
        (ALLOWED, Result("failed", at=NOW + 1_200, why="exit 1"), ("failed", "✕", "failed: exit 1, 1.2 s")),
        (ALLOWED, Result("failed"), ("failed", "✕", "failed")),
        (DENIED, Result("denied"), ("no", "✕", f"Denied at the desk, {clock(NOW)}")),
        (DENIED, Result("withdrawn"), ("no", "✕", f"Denied at the desk, {clock(NOW)}")),
        (None, Result("denied", why="by rule 3"), ("no", "✕", "Denied: by rule 3")),
        (None, Result("terminal"), ("elsewhere", "→", f"Answered in the terminal, {clock(OPENED)}")),
        (
            None,
            Result("expired"),
            ("expired", "◌", f"Expired at {UNTIL}. Nothing was sent; the terminal decides."),
        ),
        (None, Result("handed_back"), ("handed_back", "→", "Left for the terminal")),
        (None, Result("withdrawn"), ("withdrawn", "◌", "The agent moved on")),
        (None, Result("withdrawn", why="session\nended"), ("withdrawn", "◌", "session ended")),
        (None, None, ("withdrawn", "◌", "Nobody reported how it ended")),
    ],
)
def test_ask_that_is_over_is_told_word_for_word(
    answer: Said | None, result: Result | None, expected: tuple[str, str, str]
) -> None:
    """What came of it; how long it took only where that is known."""
    assert state(permission(state="closed", answer=answer, result=result), NOW) == expected


def test_waiting_is_what_can_be_answered() -> None:
    """Also where it seems to have been answered."""
    waits = [name for name in ("open", "doubtful", "answered", "told", "closed") if is_waiting(permission(state=name))]
    assert waits == ["open", "doubtful"]


@pytest.mark.parametrize(
    ("by", "surface", "words"),
    [
        ("person:Chrome-on-Linux", "page", "Denied on Chrome on Linux"),
        ("person:terminal", "", "Denied in the terminal"),
        ("person:", "telegram", "Denied on telegram"),
        ("", "", "Denied"),
    ],
)
def test_answer_names_its_device(by: str, surface: str, words: str) -> None:
    """By its given name, or else by where it came from."""
    assert said(Said(NOW, by, "deny", surface=surface)) == f"{words}, {clock(NOW)}"


def test_flags_are_words() -> None:
    """Those that say something to a person; another machine comes first, by its name."""
    named: tuple[Flag, ...] = ("long", "hidden_characters", "bypass", "other_machine")
    ask = permission(flags=named, subject=msgspec.structs.replace(WEBSHOP, machine="build-7\n"))
    assert flags(ask) == ["on build-7", "hidden characters", "bypass: nothing is asked here"]
    assert flags(permission(flags=("other_machine",))) == []


def test_machine_is_named_where_it_is_another_one() -> None:
    """An ask of this machine says nothing of it."""
    subject = msgspec.structs.replace(WEBSHOP, machine="build-7 (ada@example.org)")
    assert machine(permission(flags=("other_machine",), subject=subject)) == "on build-7 (ada@example.org)"
    assert machine(permission(subject=subject)) == ""


@pytest.mark.parametrize(
    ("added", "removed", "words"),
    [
        (3, 1, "Changed since {}: 3 lines added, 1 removed"),
        (1, 0, "Changed since {}: 1 line added, 0 removed"),
        (0, 0, "Nothing changed since {}"),
    ],
)
def test_second_round_of_a_plan_counts_what_changed(added: int, removed: int, words: str) -> None:
    """Since the first was proposed; other asks say nothing."""
    ask = plan(round=PlanRound(OPENED, FileDiff("Plan", added, removed)))
    assert changed(ask) == words.format(hour_minute(OPENED))
    assert changed(plan()) == ""


def test_queue_says_how_many_wait_and_what_is_next() -> None:
    """And when the next one is told; line breaks cannot forge another line."""
    items = (Item("i1", "Run\nthe tests", 0, "person:desk"), Item("i2", "Push", 0, "person:desk", to="tool"))
    assert queued(items) == "Queued: 2. Next, when it stops: Run the tests"
    assert queued(items[1:]) == "Queued: 1. Next, with its next tool result: Push"
    assert queued(()) == ""


def test_receipt_quotes_what_was_told_with_the_result() -> None:
    """The queued words went out together with it."""
    ask = permission(state="closed", result=Result("ran", at=ENDED), told_with="Run the tests.")
    assert state(ask, ENDED).text.endswith(" · told with this result: “Run the tests.”")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            Said(NOW, "person:ada@my-firm.org", "allow", "team", "desktop: iPhone"),
            "by ada@my-firm.org (desktop: iPhone)",
        ),
        (Said(NOW, "person:ada@my-firm.org", "allow", "team"), "by ada@my-firm.org"),
    ],
)
def test_answer_of_another_machine_says_who_gave_it_and_there(answer: Said, words: str) -> None:
    """A person, and not a device; their address is written as it is."""
    assert said(answer) == f"Allowed {words}, {clock(NOW)}"


def test_what_another_person_asked_is_not_said_to_be_yours() -> None:
    """Where their agent's call is shown to those who have to agree."""
    ask = msgspec.structs.replace(permission(), asked="Release it.")
    of_ada = msgspec.structs.replace(ask, subject=msgspec.structs.replace(ask.subject, owner="ada@example.org"))
    assert [context(one)[0] for one in (ask, of_ada)] == [("You asked", "Release it."), ("They asked", "Release it.")]
