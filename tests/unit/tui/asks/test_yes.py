"""What stands between a key and an answer."""

from assent.protocol.bodies import SAFE
from assent.tui.asks.yes import ARMED_FOR, Arm, Give, No, WantMatch, Yes
from tests.unit.tui import shown_asks as asks

NOW = 1_000.0


def read(ask: object) -> Yes:
    return Yes(ask, end_seen=True)  # type: ignore[arg-type]


def test_look_and_change_take_one_press() -> None:
    """And it cannot be taken back."""
    for level in ("look", "change"):
        step = read(asks.permission(level=level)).press("allow", now=NOW)
        assert isinstance(step, Give)
        assert not step.undo


def test_care_takes_a_press_and_enter() -> None:
    """Two presses in two places; then it can be taken back for a moment."""
    yes = read(asks.permission(level="care"))
    assert yes.confirm(NOW) is None, "Enter alone confirms nothing"
    assert yes.press("allow", now=NOW) == Arm("allow")
    step = yes.confirm(NOW + 1)
    assert isinstance(step, Give)
    assert step.undo
    assert yes.confirm(NOW + 1) is None, "and only once"


def test_an_armed_answer_is_forgotten() -> None:
    """An Enter much later was meant for something else."""
    yes = read(asks.permission(level="care"))
    yes.press("allow", now=NOW)
    assert yes.confirm(NOW + ARMED_FOR + 0.1) is None


def test_danger_takes_the_match_word() -> None:
    """Nothing else, not even the press of a sheet, stands for it."""
    ask = asks.permission(level="danger")
    yes = read(ask)
    assert yes.press("allow", now=NOW, is_sure=True) == WantMatch("allow")
    assert isinstance(yes.press("allow", {"match": ask.risk.match + "x"}, now=NOW), No)
    assert isinstance(yes.press("allow", {"match": ""}, now=NOW), No)
    step = yes.press("allow", {"match": ask.risk.match}, now=NOW)
    assert isinstance(step, Give)
    assert step.request.match == ask.risk.match


def test_a_yes_is_off_until_the_end_was_seen() -> None:
    """A yes needs the card read to its end; a no does not."""
    ask = asks.permission(level="look")
    assert isinstance(Yes(ask).press("allow", now=NOW), No)
    assert isinstance(Yes(ask).press("deny", now=NOW), Give)


def test_what_is_not_offered_is_not_given() -> None:
    """The hub decides what may be answered from here."""
    step = read(asks.permission(level="look")).press("approve", now=NOW)
    assert isinstance(step, No)


def test_the_answer_is_bound_to_what_was_drawn() -> None:
    """By its revision and the hash of it."""
    ask = asks.permission(level="look")
    step = read(ask).press("deny", now=NOW)
    assert isinstance(step, Give)
    assert (step.request.rev, step.request.hash) == (ask.rev, ask.hash)


def test_no_safe_choice_waits_for_anything() -> None:
    """Deny is always one press and always works first."""
    for ask in (asks.permission(level="danger"), asks.question(), asks.plan(), asks.form(), asks.stop()):
        for way in ask.choices:
            if way.choice in SAFE:
                assert isinstance(Yes(ask).press(way.choice, now=NOW), Give), (ask.kind, way.choice)
