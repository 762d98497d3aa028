"""Questions in the terminal."""

import pytest

from assent.protocol.card import OptionView, QuestionView
from assent.tui.asks.ask_view import Typing
from assent.tui.asks.ask_views.question import Question
from tests.unit.tui.measured import text
from tests.unit.tui.shown_asks import DATABASES, question

MANY = QuestionView("Which?", options=tuple(OptionView(f"number {at}") for at in range(1, 13)))


def typed(thing: Question, words: str) -> None:
    opened = thing.key("o")
    assert isinstance(opened, Typing)
    assert opened.take(words) is None


def test_question_is_shown_with_its_options_and_how_many_there_are() -> None:
    """Step, header, question, numbered options with descriptions, and a free answer."""
    shown = text(Question(question()).lines(60), 60)
    assert shown.splitlines()[:3] == ["1 of 2", "│ Storage", "│ Which database?"]
    assert " 1 ( ) SQLite" in shown
    assert "One file, nothing to run" in shown
    assert " o ( ) Other…" in shown
    assert "        │     image: postgres" in shown


def test_question_picks_one() -> None:
    """A second pick takes the place of the first, and no key meant for it reaches the next question."""
    thing = Question(question())
    thing.key("1")
    thing.key("2")
    shown = text(thing.lines(60), 60)
    assert " 1 ( ) SQLite" in shown
    assert " 2 (●) PostgreSQL" in shown


def test_question_with_many_answers_toggles_and_joins_them() -> None:
    """Each press turns one on or off; the answer has them in the order of the question, own words last."""
    thing = Question(question())
    thing.key("1")
    thing.key("Right")
    for key in ("2", "1", "1", "1"):
        thing.key(key)
    typed(thing, "  and Print ")
    thing.key("Right")
    assert thing.read("answer") == {
        "answers": {"Which database?": "SQLite", "Which features?": "Search, Export, and Print"}
    }


def test_question_without_an_answer_is_named_and_shown() -> None:
    """Nothing is sent in part: the first that lacks an answer comes up."""
    thing = Question(question())
    thing.key("1")
    assert thing.read("answer") == "Question 2 has no answer yet."
    assert "2 of 2 · pick any number" in text(thing.lines(60), 60)
    assert Question(question(DATABASES)).read("answer") == "Pick an answer first."


def test_question_is_reviewed_before_it_is_sent() -> None:
    """Several answers are looked over first; a digit goes back to one of them."""
    thing = Question(question())
    for key in ("1", "Right", "2"):
        thing.key(key)
    assert thing.read("answer") == "Look over your answers, then submit them."
    shown = text(thing.lines(60), 60)
    assert "Review · nothing is sent yet" in shown
    assert "Export" in shown
    assert thing.key("1") is True
    assert thing.step == 0
    thing.key("Right")
    thing.key("Right")
    assert isinstance(thing.read("answer"), dict)


def test_question_alone_needs_no_review() -> None:
    """One answer is seen when it is picked."""
    thing = Question(question(DATABASES))
    thing.key("Right")
    thing.key("2")
    assert thing.read("answer") == {"answers": {"Which database?": "PostgreSQL"}}


def test_question_takes_own_words_instead_of_options() -> None:
    """Where one answer counts, own words replace what was picked, and the other way round."""
    thing = Question(question(DATABASES))
    thing.key("1")
    typed(thing, "Redis")
    assert thing.read("answer") == {"answers": {"Which database?": "Redis"}}
    typed(thing, " ")
    assert thing.read("answer") == "Pick an answer first."
    typed(thing, "Redis")
    thing.key("1")
    assert thing.read("answer") == {"answers": {"Which database?": "SQLite"}}


def test_question_reaches_options_beyond_nine_with_tab_and_enter() -> None:
    """A tenth option has no digit, but a place."""
    thing = Question(question(MANY))
    assert thing.key("Enter") is False
    for _ in range(11):
        thing.key("Tab")
    assert thing.key("Enter") is True
    assert thing.read("answer") == {"answers": {"Which?": "number 11"}}
    lines = thing.lines(40)
    assert thing.cursor is not None
    assert "number 11" in text([lines[thing.cursor]], 40)
    thing.key("Tab")
    thing.key("Tab")
    assert isinstance(thing.key("Enter"), Typing)
    assert dict(thing.keys())["Enter"] == "pick"


@pytest.mark.parametrize("choice", ["deny", "hand_back"])
def test_question_gives_nothing_to_other_choices(choice: str) -> None:
    """A no needs no answers."""
    assert Question(question()).read(choice) == {}  # type: ignore[arg-type]


def test_question_leaves_other_keys_alone() -> None:
    """What moves the list, or answers, is not the question's."""
    thing = Question(question())
    assert [key for key in ("j", "k", "a", "d", "Enter", "Escape", "Up", "Down", "Space", "n") if thing.key(key)] == []
    assert thing.key("7") is True


def test_question_an_agent_wrote_draws_no_row_of_its_own() -> None:
    """Line ends in a label are blanks, and those in a question stay behind a bar."""
    fake = QuestionView("Sure?\n 2 (●) Yes", options=(OptionView("No\n 2 (●) Yes", "\n 2 (●) Yes"),))
    lines = text(Question(question(fake)).lines(60), 60).splitlines()
    assert not [line for line in lines if line.startswith(" 2")]
    assert Question(question(card_view={"questions": ()})).lines(20)
