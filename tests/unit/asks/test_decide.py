"""What the agent is told when a person has answered."""

from typing import Any

import pytest

from assent.asks import decide
from assent.asks.card.offers import grant_of
from assent.protocol.bodies import AskKind
from assent.protocol.card import AnswerRequest, Card, OptionView, Peril, QuestionView, Subject, View
from assent.protocol.decision import Allow, Answered, Decision, Deny, Filled, NoOpinion, Proceed
from assent.protocol.events import Elicitation, Event, PermissionRequest, PreToolUse, Stop
from assent.protocol.permission import SetMode

BASH = PermissionRequest(session_id="s", tool_name="Bash", tool_input={"command": "npm test"})
PLAN = PermissionRequest(session_id="s", tool_name="ExitPlanMode", tool_input={"plan": "# Plan"})
HELD = PreToolUse(session_id="s", tool_name="Bash", tool_input={"command": "npm test"})
QUESTIONS = (
    QuestionView("Which database?", options=(OptionView("SQLite"), OptionView("A, B"))),
    QuestionView("Which checks?", options=(OptionView("mypy"), OptionView("ruff")), multi=True),
)


def card(kind: AskKind = "permission") -> Card:
    return Card(kind, View(verb="Do it", questions=QUESTIONS), Subject("claude-code"), Peril("change"))


def made(choice: str, event: Event = BASH, kind: AskKind = "permission", **said: Any) -> Decision:
    answer = AnswerRequest(rev=1, hash="", choice=choice, **said)  # type: ignore[arg-type]
    return decide.decision(event, card(kind), answer, grant_of)[0]


def test_yes_is_an_allow_and_nothing_else() -> None:
    """Once means once."""
    assert made("allow") == Allow()


def test_note_goes_with_the_allow_only_where_the_client_takes_it() -> None:
    """Elsewhere it waits for the result."""
    assert made("allow", HELD, message="Careful.") == Allow(context="Careful.")
    assert made("allow", BASH, message="Careful.") == Allow()


def test_no_without_words_says_who_said_it() -> None:
    """The model learns that a person decided."""
    assert made("deny") == Deny("Your user was asked and said no.")
    assert made("deny_and_stop", message="Enough.") == Deny("Enough.", interrupt=True)


def test_plan_is_approved_with_its_input_and_the_mode_that_follows() -> None:
    """The client ignores an approval without input."""
    assert made("approve", PLAN, "plan") == Allow(updated_input={"plan": "# Plan"})
    edits = SetMode(mode="accept_edits", destination="session")
    assert made("approve", PLAN, "plan", mode="accept_edits") == Allow(
        updated_input={"plan": "# Plan"}, grants=(edits,)
    )


def test_plan_is_sent_back_only_with_words() -> None:
    """The agent must be told what to change."""
    assert made("revise", PLAN, "plan", message="Keep the old API.") == Deny("Keep the old API.")
    with pytest.raises(decide.UnfitError, match="what should change"):
        made("revise", PLAN, "plan", message="  ")


def test_all_questions_are_answered_in_their_order() -> None:
    """The client wants every answer or none."""
    answers = {"Which checks?": "mypy, ruff", "Which database?": "SQLite"}
    found = made("answer", kind="question", answers=answers)
    assert isinstance(found, Answered)
    assert list(found.answers.items()) == [("Which database?", "SQLite"), ("Which checks?", "mypy, ruff")]


@pytest.mark.parametrize(
    "answers",
    [{}, {"Which database?": "SQLite"}, {"Which database?": "SQLite", "Which checks?": "mypy", "What else?": "No"}],
)
def test_answers_to_other_questions_than_were_asked_are_refused(answers: dict[str, str]) -> None:
    """Neither too few nor too many."""
    with pytest.raises(decide.UnfitError):
        made("answer", kind="question", answers=answers)


@pytest.mark.parametrize(
    ("text", "is_free"),
    [
        ("SQLite", False),
        ("A, B", False),
        ("SQLite, A, B", False),
        ("MySQL", True),
        ("SQLite!", True),
        ("SQLiteA, B", True),
    ],
)
def test_answer_in_ones_own_words_is_known_from_a_pressed_one(text: str, is_free: bool) -> None:
    """Labels may hold the separator themselves."""
    answer = AnswerRequest(rev=1, hash="", choice="answer", answers={"Which database?": text})
    assert decide.has_words(card("question"), answer) is is_free


def test_note_beside_a_pressed_answer_is_words() -> None:
    """It would reach the agent with the result."""
    answer = AnswerRequest(rev=1, hash="", choice="answer", answers={"Which database?": "SQLite"}, message="Go.")
    assert decide.has_words(card("question"), answer)


def test_labels_that_can_be_read_in_many_ways_cost_little_time() -> None:
    """They are the agent's."""
    labels = (OptionView("a"), OptionView("a, a"), OptionView("a, a, a"))
    many = Card(
        "question", View(verb="", questions=(QuestionView("Q", options=labels),)), Subject("c"), Peril("change")
    )
    answer = AnswerRequest(rev=1, hash="", choice="answer", answers={"Q": "a, " * 20_000 + "b"})
    assert decide.has_words(many, answer)


def test_form_is_accepted_declined_or_cancelled() -> None:
    """As the server expects it."""
    form = Elicitation(session_id="s")
    assert made("submit", form, "form", content={"city": "Rome"}) == Filled("accept", {"city": "Rome"})
    assert made("decline", form, "form") == Filled("decline")
    assert made("cancel", form, "form") == Filled("cancel")


def test_finished_turn_goes_on_with_what_the_person_says() -> None:
    """Or is let go in silence."""
    stop = Stop(session_id="s")
    assert made("keep_going", stop, "stop", message="Run the tests.") == Proceed("Your user says: Run the tests.")
    assert made("let_stop", stop, "stop") == NoOpinion("handed_back")
    with pytest.raises(decide.UnfitError):
        made("keep_going", stop, "stop")


def test_message_has_an_end() -> None:
    """A hook's reply is cut at a length."""
    with pytest.raises(decide.UnfitError, match="longer than"):
        made("deny", message="x" * (decide.LONGEST_MESSAGE + 1))
