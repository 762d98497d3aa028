"""What two lines tell of an ask."""

import pytest
from msgspec.structs import replace

from assent.protocol.card import FileDiff, Peril, QuestionView, ShownAsk, StopView, View
from assent.surfaces.base import TURN, Audience, Notice
from assent.surfaces.glance import LINE, TITLE, drawn, glance, of_notice
from tests.shown_asks import shown

MASKED, OPEN = Audience("masked"), Audience("open")


@pytest.mark.parametrize(
    ("ask", "title"),
    [
        (shown(risk="danger"), "webshop needs you (Danger)"),
        (shown(kind="question"), "webshop needs you (Question)"),
        (shown(kind="plan"), "webshop needs you (Plan)"),
        (shown(kind="form"), "webshop needs you (Form)"),
        (shown(kind="stop"), "webshop finished its turn"),
        (shown(risk=""), "webshop needs you"),
    ],
)
def test_masked_it_tells_who_needs_somebody_and_how_much(ask: ShownAsk, title: str) -> None:
    """And nothing else that an agent wrote."""
    found, text = glance(ask, MASKED)
    assert found == title
    assert "git clean" not in text
    assert "Fix flaky" not in text


def test_a_project_is_called_by_its_name_and_never_by_its_path() -> None:
    """A lock screen is no place for folders."""
    ask = shown()
    assert glance(replace(ask, subject=replace(ask.subject, project="/home/me/src/api")), MASKED)[0].startswith("api ")
    assert glance(replace(ask, subject=replace(ask.subject, project="")), MASKED)[0].startswith("Your agent ")


def test_a_reminder_says_that_it_is_one() -> None:
    """It was seen before, perhaps."""
    assert glance(shown(), Audience(is_reminder=True))[1] == "Still waiting. Open to review."


@pytest.mark.parametrize(
    ("view", "about"),
    [
        (View("Edit auth.py", diffs=(FileDiff("auth.py", 12, 3),)), "auth.py +12 −3"),
        (View("Ask", questions=(QuestionView("Which database?"),)), "Which database?"),
        (View("Stopped", stop=StopView("All tests pass.")), "All tests pass."),
        (View("Plan", markdown="# Move login"), "# Move login"),
    ],
)
def test_open_it_tells_what_it_is_about(view: View, about: str) -> None:
    """Each kind in its own words."""
    assert glance(shown(view=view), OPEN)[1].splitlines()[-1] == about


def test_many_asks_are_told_by_their_number() -> None:
    """However private: the count is no secret."""
    title, text = glance(shown(risk="danger"), Audience(gist="Paused: 14 asks in 8 s"))
    assert (title, text) == ("webshop needs you", "Paused: 14 asks in 8 s. Review or stop the session?")


def test_what_is_hidden_is_named_and_what_is_long_is_cut_visibly() -> None:
    """Nothing moves, nothing hides, and a cut is seen."""
    assert drawn("rm\u202e -rf\x1b[2J \u200b~", 80) == "rm⟨U+202E⟩ -rf⟨U+001B⟩[2J ⟨U+200B⟩~"
    assert drawn("a\n\n\n\nb   c", 80) == "a b c"
    assert drawn("x" * 500, 20) == "x" * 19 + "⋯"
    assert drawn(" " * 500 + "rm -rf ~", 20).endswith("⋯")
    long = glance(shown(view=View("v" * 500, markdown="m" * 5_000), risk="care"), OPEN)
    assert (len(long[0]), len(long[1].splitlines()[-1])) == (TITLE, LINE)


def test_a_risk_without_a_word_leaves_no_gap() -> None:
    """An ask about something nobody judged."""
    assert glance(replace(shown(), risk=Peril("")), OPEN)[0] == "Delete untracked files"


def test_a_turn_that_ended_is_told_with_its_last_words_or_without() -> None:
    """Masked it tells whose it was and how it ended; nothing of it steers a screen."""
    ended = Notice("s1", "finished", 1, "/src/webshop", "Fix flaky login", "Done.\u202e All tests pass.")
    assert of_notice(ended, MASKED) == ("webshop finished its turn", "Open to read on.")
    title, text = of_notice(ended, OPEN)
    assert (title, text) == ("webshop finished its turn", "Fix flaky login\nDone.⟨U+202E⟩ All tests pass.")
    assert of_notice(replace(ended, what="failed"), MASKED)[0] == "webshop stopped with an error"
    assert ended.key == f"{TURN}s1"
