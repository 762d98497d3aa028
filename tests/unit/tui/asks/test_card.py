"""The card tells who wants what, where, why it is dangerous, and what came of it, in one order."""

from pathlib import Path

import msgspec
import pytest

from assent.protocol.card import Peril, Result, Said, ShownAsk, StepView
from assent.text.ask_state import state
from assent.tui.asks import card
from assent.tui.asks.ask_views.permission import Permission
from assent.tui.asks.ask_views.question import Question
from tests.unit.tui import shown_asks as asks
from tests.unit.tui.drawn import plain, styles, texts

AT = asks.OPENED + 42_000


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/dev"))


def lines(ask: ShownAsk, width: int = 60) -> list[str]:
    return texts(card.lines(ask, Permission(ask), width, state(ask, AT)))


def test_card_is_read_from_who_to_match_word() -> None:
    """Who, why, what is safer, what it would do, the thing, what led to it, where, and the match word last."""
    ask = asks.permission(asked="Make the build clean.", words="The build is stale, so I start from scratch.")
    assert lines(ask) == [
        "[WB] webshop · Fix flaky login · main agent",
        "─" * 60,
        "Why     Removes 214 files git does not track, among them",
        "        .env.local and uploads/. Cannot be undone.",
        "Safer   git stash -u  keeps them  (press e to use)",
        "Would do  2 things, 1 dangerous",
        " ■ Delete untracked files",
        " ○ Install packages",
        "─" * 60,
        "│ git clean -fdx                                 ◀ needs you",
        "│ && npm ci                                    ok by rule 12",
        "─" * 60,
        "You asked   “Make the build clean.”",
        "Agent says  “The build is stale, so I start from scratch.”",
        "            “Clean install to rule out stale deps.”",
        "~/src/webshop  main  mode default",
        "",
        "match word: uploads",
    ]


def test_heading_names_risk_and_wish() -> None:
    """For other kinds than permissions it names the kind, and the risk where there is one to speak of."""
    assert plain(card.heading(asks.permission(), 80)) == " ■ DANGER   Delete untracked files"
    assert plain(card.heading(asks.edit(), 80)) == "◐ CHANGE  Edit auth.py"
    who = "[WB] webshop · Fix flaky login · main agent"
    assert plain(card.heading(asks.question(), 80)) == f"? QUESTION  {who}"
    risky = asks.question(risk=Peril("care"))
    assert plain(card.heading(risky, 80)) == f"? QUESTION, CARE  {who}"
    assert "danger-block" in styles([card.heading(asks.permission(), 80)], "DANGER")


def test_wish_that_the_heading_cuts_stands_whole_on_the_card() -> None:
    """Nothing is cut without a place where it can be read."""
    ask = asks.permission()
    assert plain(card.heading(ask, 28)) == " ■ DANGER   Delete untracke…"
    assert lines(ask, 28)[0] == "Delete untracked files"
    assert lines(ask, 40)[0].startswith("[WB]")


def test_what_is_unusual_stands_in_words() -> None:
    """Each in brackets, none broken; a mode that never asks is as loud as danger."""
    ask = asks.permission(
        flags=("other_machine", "outside_project", "bypass"),
        subject=msgspec.structs.replace(asks.WEBSHOP, machine="build-7"),
    )
    drawn = card.lines(ask, Permission(ask), 60, state(ask, AT))
    assert "/home/dev/src/webshop  main  mode default" in texts(drawn)
    assert "[on build-7]  [outside the project]" in texts(drawn)
    assert "[bypass: nothing is asked here]" in texts(drawn)
    assert "danger-block" in styles(drawn, "bypass")


def test_sub_agent_is_named_with_its_task() -> None:
    """One sees that it is not the main agent, and what it was sent to do."""
    subject = msgspec.structs.replace(asks.WEBSHOP, agent="a1", agent_type="explorer", task="Find\nthe leak")
    made = lines(asks.permission(subject=subject))
    assert made[0] == "[WB] webshop · Fix flaky login · ↳ explorer"
    assert "Its task    “Find the leak”" in made


def test_agent_gets_three_lines_of_its_own() -> None:
    """What it says beyond that is cut, and says so; it is quoted, so that it is not taken for ours."""
    made = lines(asks.permission(says="word " * 40), 60)
    at = next(number for number, line in enumerate(made) if line.startswith("Agent"))
    assert made[at].startswith("Agent says  “word")
    assert made[at + 2].endswith("…")
    assert made[at + 3] == "~/src/webshop  main  mode default"


@pytest.mark.parametrize(
    ("risk", "expected"),
    [
        (Peril("care", safer="look first"), "Safer   look first"),
        (Peril("care", safer="git stash", instead="git stash -u"), "Safer   git stash -u  (press e to use)"),
        (Peril("care", safer="keeps it", instead="mv x y"), "Safer   mv x y  keeps it  (press e to use)"),
    ],
)
def test_safer_way_is_told_once(risk: Peril, expected: str) -> None:
    """A command that can be used is offered with its key; advice that repeats it is left out."""
    assert expected in lines(asks.permission(risk=risk))
    frozen = asks.permission(risk=risk, choices=())
    assert not any("press e" in line for line in lines(frozen))


def test_closed_card_tells_what_was_answered_and_what_came_of_it() -> None:
    """Frozen as it was, with the answer, its words and grants, and the result; without a match word."""
    answer = Said(AT, "person:iPhone", "allow", message="go on", grants=("rule:Bash(git clean *)",))
    ask = asks.permission(state="closed", answer=answer, result=Result("ran", at=AT + 1_200))
    made = lines(ask, 70)
    assert [line.split(" ", 1)[0] for line in made[-4:]] == ["Answer", "Words", "Granted", "Result"]
    assert made[-4].startswith("Answer  Allowed on iPhone, ")
    assert made[-3] == "Words   “go on”"
    assert made[-2] == "Granted rule:Bash(git clean *)"
    assert made[-1] == "Result  ✓ ran, 1.2 s"


def test_answer_that_says_all_is_not_repeated() -> None:
    """A no has no other result."""
    ask = asks.permission(state="closed", answer=Said(AT, "person:desk", "deny"), result=Result("denied", at=AT))
    assert lines(ask)[-1].startswith("Answer  Denied at the desk, ")


def test_expired_and_undelivered_are_told() -> None:
    """An unanswered card does not look answered."""
    expired = asks.permission(state="closed", result=Result("expired", at=AT))
    assert "Nothing was sent" in " ".join(lines(expired)[-2:])
    assert "struck" in styles([card.heading(expired, 80)], "Delete")
    lost = asks.permission(state="closed", answer=Said(AT, "person:desk", "allow"), undelivered="it went away")
    assert lines(lost)[-1] == "Result  ▲ Claude was not told: it went away"


def test_raw_is_the_input_as_it_came() -> None:
    """Pretty, wrapped, and with everything unseen spelled out."""
    ask = asks.permission(card_view={"raw": {"command": "echo \u202ehi", "deep": [1, {"x": "y" * 40}]}})
    made = texts(card.raw(ask, 30))
    assert made[:2] == ["{", '  "command": "echo']
    assert "⟨U+202E⟩hi" in made[2]
    assert all(len(line) <= 30 for line in made)
    assert "".join(line.strip() for line in made).count("y") == 40


def test_key_in_the_thing_leads_to_its_line_on_the_card() -> None:
    """Counted with everything that stands above the thing."""
    ask = asks.edit()
    thing = Permission(ask)
    assert card.in_view(ask, thing, 80) is None
    drawn = card.lines(ask, thing, 80, state(ask, AT))
    thing.key("]")
    at = card.in_view(ask, thing, 80)
    assert at is not None
    assert plain(drawn[at]).startswith("src/auth.py")


def test_card_greys_where_it_seems_answered_elsewhere() -> None:
    """It loses its colours and keeps its words; what came of it, and the match word, do not grey."""
    elsewhere = asks.permission(state="told", answer=Said(AT, "person:iPhone", "deny"))
    doubtful = asks.permission(state="doubtful")
    for ask in (elsewhere, doubtful):
        drawn = card.lines(ask, Permission(ask), 60, state(ask, AT))
        assert texts(drawn)[:4] == lines(asks.permission())[:4]
        assert styles(drawn, "git clean -fdx") | styles(drawn, "needs you") == {"text-3", "strong"}
    assert "danger" in styles(card.lines(doubtful, Permission(doubtful), 60, state(doubtful, AT)), "uploads")


def test_of_many_steps_the_worst_five_are_told() -> None:
    """The rest is counted; machines and files stand beside the words."""
    steps = (
        StepView("danger", "Restart app, as administrator", where=("web1", "web2")),
        *(StepView("care", f"Write {n}.conf") for n in range(6)),
    )
    made = lines(asks.permission(card_view={"steps": steps}))
    at = made.index("Would do  7 things, 1 dangerous")
    assert made[at + 1] == " ■ Restart app, as administrator  web1 web2"
    assert made[at + 5 : at + 7] == [" ▲ Write 3.conf", "   2 more"]


def test_one_step_is_what_the_heading_says() -> None:
    """It is not said twice."""
    one = asks.permission(card_view={"steps": (StepView("danger", "Delete untracked files"),)})
    assert not any(line.startswith("Would do") for line in lines(one))


@pytest.mark.parametrize("cells", [40, 78])
def test_question_stands_once_on_its_card(cells: int) -> None:
    """The heading says who asks, and who asks is whole where the heading has no room for it."""
    words = "Where should the counters of the rate limit live, now that there are three servers?"
    ask = asks.question(msgspec.structs.replace(asks.DATABASES, question=words))
    shown = [card.heading(ask, cells), *card.lines(ask, Question(ask), cells, state(ask, AT))]
    text = " ".join(" ".join(texts(shown)).replace("│", " ").split())
    assert text.count("Where should the counters") == 1
    assert words in text
    assert text.count("Fix flaky login · main agent") == 1


def test_heading_that_is_cut_is_whole_below() -> None:
    """Nothing of it is nowhere."""
    verb = "Copy a file with a name that is longer than this screen is wide to a server"
    ask = asks.permission(card_view={"verb": verb})
    assert verb not in plain(card.heading(ask, 60))
    assert verb in " ".join(lines(ask, 60))


@pytest.mark.parametrize("cells", range(30, 80, 7))
def test_hint_of_the_safer_way_is_not_broken(cells: int) -> None:
    assert any("(press e to use)" in line for line in lines(asks.permission(), cells))
