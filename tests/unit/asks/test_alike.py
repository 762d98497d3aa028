"""Which asks may be answered at once."""

from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.asks.alike import MOST, alike, group, refusal
from assent.protocol.bodies import AskKind
from assent.protocol.card import Card, Flag, Peril, Subject, View

TESTS = Card("permission", View("Run tests", tool="Bash"), Subject("claude-code", project="/src/shop"), Peril("change"))
APART: tuple[Flag, ...] = ("hidden_characters", "unread", "burst", "appeal", "guarded")
CARDS = st.builds(
    Card,
    st.sampled_from(get_args(AskKind)),
    st.builds(View, st.sampled_from(["Run tests", "Delete files"]), st.sampled_from(["Bash", "Write", ""])),
    st.builds(Subject, st.sampled_from(["claude-code", "toy"]), project=st.sampled_from(["/a", "/b"])),
    st.builds(Peril, st.sampled_from(["look", "change", "care", "danger", ""])),
    flags=st.lists(st.sampled_from(get_args(Flag)), max_size=2).map(tuple),
)


def changed(**fields: object) -> Card:
    return msgspec.structs.replace(TESTS, **fields)


def test_two_of_one_kind_are_alike() -> None:
    """Whatever their sessions are called."""
    other = changed(subject=msgspec.structs.replace(TESTS.subject, session="s2", title="Another"))
    assert alike("a", {"a": TESTS, "b": other}) == ["a", "b"]
    assert refusal([TESTS, other]) == ""


@pytest.mark.parametrize(
    "other",
    [
        changed(subject=Subject("claude-code", project="/src/bank")),
        changed(subject=Subject("toy", project="/src/shop")),
        changed(subject=Subject("claude-code", project="/src/shop", machine="build-7")),
        changed(view=View("Run tests", tool="PowerShell")),
        changed(view=View("Delete files", tool="Bash")),
        changed(risk=Peril("care")),
        changed(kind="plan"),
    ],
)
def test_what_differs_is_not_alike(other: Card) -> None:
    """Another project, agent, machine, tool, heading, risk or kind."""
    assert alike("a", {"a": TESTS, "b": other}) == []
    assert refusal([TESTS, other])


@pytest.mark.parametrize("flag", APART)
def test_what_is_unusual_is_answered_alone(flag: Flag) -> None:
    """Two that are unusual in the same way, too."""
    card = changed(flags=(flag,))
    assert alike("a", {"a": card, "b": card}) == []
    assert refusal([card, card])


def test_more_than_can_be_read_are_not_offered_at_once() -> None:
    """The one on the screen is always among them."""
    found = alike("last", {**{str(at): TESTS for at in range(MOST + 5)}, "last": TESTS})
    assert len(found) == MOST
    assert "last" in found


def test_ask_that_does_not_wait_has_none_like_it() -> None:
    assert alike("gone", {"a": TESTS, "b": TESTS}) == []


@given(st.lists(CARDS, min_size=2, max_size=8))
def test_nothing_dangerous_and_nothing_mixed_is_ever_answered_at_once(every: list[Card]) -> None:
    """Neither offered, nor taken."""
    cards = {str(at): card for at, card in enumerate(every)}
    for name in cards:
        found = [cards[other] for other in alike(name, cards)]
        assert len(found) != 1
        assert not found or refusal(found) == ""
        assert all(card.kind == "permission" and card.risk.level in ("look", "change", "care") for card in found)
        assert not any(flag in card.flags for card in found for flag in APART)
        assert len({(card.subject.project, card.subject.harness, card.risk.level) for card in found}) <= 1
    if refusal(every) == "":
        assert len({group(card) for card in every}) == 1
        assert all(card.risk.level != "danger" for card in every)
