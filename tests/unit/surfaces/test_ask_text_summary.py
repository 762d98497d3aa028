"""What two lines tell of an ask."""

import pytest
from msgspec.structs import replace

from assent.protocol.card import FileDiff, Peril, ShownAsk, View
from assent.surfaces.ask_text import LINE, TITLE, ask_summary, notice_summary
from assent.surfaces.base import TURN, Audience, Notice
from assent.text.safe import notification_line
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
def test_masked_it_tells_who_needs_an_answer_and_the_risk(ask: ShownAsk, title: str) -> None:
    """And nothing else that an agent wrote."""
    found, text = ask_summary(ask, MASKED)
    assert found == title
    assert "git clean" not in text
    assert "Fix flaky" not in text


def test_a_project_is_called_by_its_name_and_never_by_its_path() -> None:
    """A lock screen is no place for folders."""
    ask = shown()
    assert ask_summary(replace(ask, subject=replace(ask.subject, project="/home/me/src/api")), MASKED)[0].startswith(
        "api "
    )
    assert ask_summary(replace(ask, subject=replace(ask.subject, project="")), MASKED)[0].startswith("Your agent ")


def test_a_reminder_says_that_it_is_one() -> None:
    """It was seen before, perhaps."""
    assert ask_summary(shown(), Audience(is_reminder=True))[1] == "Still waiting. Open to review."


def test_open_it_tells_what_it_is_about() -> None:
    """The line that lists show, too."""
    view = View("Edit auth.py", diffs=(FileDiff("auth.py", 12, 3),), line="auth.py +12 −3")
    assert ask_summary(shown(view=view), OPEN)[1].splitlines()[-1] == "auth.py +12 −3"


def test_many_asks_are_told_by_their_number() -> None:
    """However private: the count is no secret."""
    title, text = ask_summary(shown(risk="danger"), Audience(gist="Paused: 14 asks in 8 s"))
    assert (title, text) == ("webshop needs you", "Paused: 14 asks in 8 s. Review or stop the session?")


def test_what_is_hidden_is_named_and_what_is_long_is_cut_visibly() -> None:
    """Nothing moves, nothing hides, and a cut is seen."""
    assert notification_line("rm\u202e -rf\x1b[2J \u200b~", 80) == "rm⟨U+202E⟩ -rf⟨U+001B⟩[2J ⟨U+200B⟩~"
    assert notification_line("a\n\n\n\nb   c", 80) == "a b c"
    assert notification_line("x" * 500, 20) == "x" * 19 + "⋯"
    assert notification_line(" " * 500 + "rm -rf ~", 20).endswith("⋯")
    long = ask_summary(shown(view=View("v" * 500, line="m" * 5_000), risk="care"), OPEN)
    assert (len(long[0]), len(long[1].splitlines()[-1])) == (TITLE, LINE)


def test_a_risk_without_a_word_leaves_no_gap() -> None:
    """An ask about something unjudged."""
    assert ask_summary(replace(shown(), risk=Peril("")), OPEN)[0] == "Delete untracked files"


def test_a_turn_that_ended_is_told_with_its_last_words_or_without() -> None:
    """Masked it tells whose it was and how it ended; nothing of it steers a screen."""
    ended = Notice("s1", "finished", 1, "/src/webshop", "Fix flaky login", "Done.\u202e All tests pass.")
    assert notice_summary(ended, MASKED) == ("webshop finished its turn", "Open to read on.")
    title, text = notice_summary(ended, OPEN)
    assert (title, text) == ("webshop finished its turn", "Fix flaky login\nDone.⟨U+202E⟩ All tests pass.")
    assert notice_summary(replace(ended, what="failed"), MASKED)[0] == "webshop stopped with an error"
    assert ended.key == f"{TURN}s1"
