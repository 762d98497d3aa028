"""Cards on other machines than the agent's."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.asks import choices
from assent.hub.team import cards
from assent.protocol.card import Card, Peril, Segment, StepView, Subject, View
from assent.protocol.lasting import Stay
from assent.protocol.surfaces import Scope
from assent.protocol.team import LARGEST_ASK, SharedAsk

LONG = "x" * 500_000
CARD = Card(
    "permission",
    View("Run a command", "Bash", "git push", segments=(Segment("git push"),)),
    Subject("claude-code", "s1", project="/p"),
    Peril("care"),
    stays=(Stay("shape", "git push", "pushes"),),
    asked="Release it.",
)
SHARED = SharedAsk("h" * 43, "a1", 1, "f" * 64, 1, 1, 600_001, "laptop", "claude-code", "PermissionRequest", "s1", CARD)


def offered(card: Card) -> list[str]:
    return [way.choice for way in choices.ways(card, Scope.ADMIN)]


def test_what_lasts_is_left_where_the_agent_runs() -> None:
    """A yes once, a no, and the words that go with them are carried."""
    assert offered(cards.carried(CARD, "laptop")) == ["deny", "deny_and_stop", "allow_edited", "allow", "hand_back"]


def test_card_that_was_made_fit_stays_as_it_is() -> None:
    """The hub that holds it does so, and the one that shows it once more."""
    once = cards.carried(CARD, "laptop")
    assert cards.carried(once, "laptop") == once


@pytest.mark.parametrize(
    "view",
    [
        View(LONG, LONG, LONG, segments=(Segment(LONG),)),
        View("Write a file", "Write", raw={"content": LONG}, facts=(("content", LONG),)),
        View("Plan", "Plan", markdown=LONG),
        View("Run", "Bash", steps=tuple(StepView("danger", LONG, (LONG,), LONG, LONG) for _ in range(50))),
    ],
    ids=["command", "file", "plan", "steps"],
)
def test_shortened_card_is_small_whatever_was_long(view: View) -> None:
    """And offers no yes."""
    subject = Subject(LONG, LONG, LONG, project=LONG, folder=LONG)
    card = Card("permission", view, subject, Peril("care", LONG, LONG, LONG, LONG), LONG, words=LONG, asked=LONG)
    short = cards.shortened(cards.carried(card, LONG))
    assert len(msgspec.json.encode(short)) < LARGEST_ASK // 8
    assert offered(short) == ["deny", "deny_and_stop", "hand_back"]


def test_card_of_another_person_says_whose_it_is() -> None:
    """On every surface: beside the machine, and where it says who asked the agent."""
    card = cards.here(SHARED, "ada@example.org", may_say_yes=True, may_say_no=True)
    assert (card.subject.machine, card.subject.owner) == ("laptop (ada@example.org)", "ada@example.org")


def test_card_to_be_read_offers_nothing() -> None:
    """And says so."""
    card = cards.here(SHARED, "ada@example.org", may_say_yes=False, may_say_no=False)
    assert offered(card) == []
    refusal = choices.refusal(card, "deny", Scope.ADMIN, has_words=False)
    assert refusal == "This is shown to be read; others answer it."


def test_card_whose_yes_is_for_others_can_be_denied() -> None:
    """By its owner, from any machine of theirs."""
    assert offered(cards.here(SHARED, "", may_say_yes=False, may_say_no=True)) == ["deny", "deny_and_stop", "hand_back"]


@given(st.text(max_size=300))
def test_session_of_another_machine_is_never_one_of_this(session: str) -> None:
    """Whatever the other hub calls it."""
    named = cards.session_here(msgspec.structs.replace(SHARED, session=session))
    assert named.startswith("team-hhhhhhhh-")
    assert len(named) <= 120
