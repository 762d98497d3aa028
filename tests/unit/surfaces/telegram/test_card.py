"""An ask as messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from assent.protocol.card import (
    FieldView,
    FileDiff,
    FormView,
    Hunk,
    OptionView,
    Peril,
    QuestionView,
    Result,
    Said,
    Segment,
    Subject,
    View,
)
from assent.surfaces.base import Audience, Notice
from assent.surfaces.telegram.card import MOST_PARTS, card, notice_text, over
from tests.services.telegram import LONGEST_TEXT
from tests.services.telegram_markup import parsed
from tests.shown_asks import OPENED, shown
from tests.unit.tui.shown_asks import ROUND, plan

OPEN = Audience("open")
HOSTILE = st.text(alphabet=st.sampled_from("<>&\"'/@ab\n \u202e\x1b\ud800"), max_size=2_000)


def size(text: str) -> int:
    return len(parsed(text).encode("utf-16-le")) // 2


@given(HOSTILE, HOSTILE, HOSTILE)
def test_nothing_an_agent_writes_breaks_a_message(verb: str, text: str, title: str) -> None:
    """Every message of it parses, fits, and ends with our own line."""
    ask = replace(
        shown(),
        view=View(verb, segments=(Segment(text * 5),), facts=((title, text),)),
        subject=Subject("claude-code", title=title, project=f"/src/{title}", branch=title, folder=text),
        risk=Peril("care", reason=text, safer=title),
        says=text,
    )
    made = card(ask, OPEN, now=OPENED)
    for message in (*made.before, made.text, over(ask, "kptwm", text, OPENED)):
        assert size(message) <= LONGEST_TEXT
        assert "\u202e" not in message
        assert "\x1b" not in message
        assert message.encode()
    assert parsed(made.text).rpartition("\n")[2].startswith("id kptwm")
    assert len(made.before) <= MOST_PARTS


def test_changes_are_shown_with_their_signs() -> None:
    """File, count, note and lines."""
    diff = FileDiff("auth.py", 1, 1, (Hunk(3, 3, (" def a():", "-    pass", "+    return 1")),), note="In cell 3.")
    text = parsed(card(replace(shown(), view=View("Edit auth.py", diffs=(diff,))), OPEN, now=OPENED).text)
    assert "auth.py +1 −1\nIn cell 3.\n@@ 3 @@\n def a():\n-    pass\n+    return 1" in text


def test_input_without_a_drawing_is_shown_as_it_is() -> None:
    """Nothing is agreed to unseen."""
    text = parsed(card(replace(shown(), view=View("Use a tool", raw={"to": "<all>"})), OPEN, now=OPENED).text)
    assert '"to": "<all>"' in text


def test_form_that_opens_a_page_names_its_host() -> None:
    """And its whole address."""
    form = FormView("github", "Sign in", mode="url", url="https://a.example/x?y", host="a.example")
    text = parsed(card(replace(shown(kind="form"), view=View("Open", form=form)), OPEN, now=OPENED).text)
    assert "Sign in\n\nOpens a.example\nhttps://a.example/x?y" in text
    fields = FormView("github", "Who?", fields=(FieldView("user", "text", title="Name"),))
    assert "• Name" in card(replace(shown(kind="form"), view=View("Fill", form=fields)), OPEN, now=OPENED).text


def test_unusual_circumstances_are_said_beside_the_name() -> None:
    """Another machine, a sub-agent, nobody at the terminal."""
    ask = replace(shown(), flags=("unattended",))
    assert "nobody at the terminal" in card(ask, OPEN, now=OPENED).text.splitlines()[1]


@pytest.mark.parametrize(
    ("fields", "last"),
    [
        ({"answer": Said(OPENED, "person:iPhone", "deny"), "result": Result("denied")}, "✕ Denied on iPhone, "),
        ({"answer": Said(OPENED, "person:desk", "allow"), "result": Result("ran")}, "✓ Allowed at the desk, "),
        ({"result": Result("expired", at=OPENED)}, "◌ Expired at "),
        ({"result": Result("terminal", at=OPENED, why="allowed at the terminal")}, "→ Allowed in the terminal, "),
        ({"result": Result("withdrawn")}, "◌ The agent moved on"),
    ],
)
def test_what_is_over_says_how_it_ended(fields: dict[str, object], last: str) -> None:
    """The line before the name of the ask."""
    ask = replace(shown(), state="closed", choices=(), **fields)
    *_, ended, name = parsed(over(ask, ask.id, "over", OPENED)).splitlines()
    assert ended.startswith(last)
    assert name == "id kptwm"


def test_a_forgotten_ask_still_says_that_it_is_over() -> None:
    """An ask of an earlier life, or many at once."""
    assert over(None, "kptwm", "Allowed <once>", OPENED) == "◌ Allowed &lt;once&gt;\nid kptwm"
    assert over(None, "", "One of many", OPENED) == "◌ One of many"


def test_turn_that_ended_is_told_masked_or_open() -> None:
    """Masked it tells nothing an agent wrote."""
    ended = Notice("s1", "failed", 1, "/src/webshop", "Fix <login>", "The API failed.")
    assert parsed(notice_text(ended, is_masked=True)) == "webshop stopped with an error\nOpen to read on."
    assert parsed(notice_text(ended, is_masked=False)) == (
        "✕ STOPPED WITH AN ERROR\n[WB] webshop · Fix <login>\nThe API failed.\nReply to tell it what to do next."
    )


def test_words_of_ours_are_prose_and_those_of_an_agent_code() -> None:
    """Heading, who, why and where in words; the safer command, what the agent says and the thing itself in code."""
    ask = replace(
        shown(risk="danger", asked="Clean up, please", words="I clean up."),
        risk=Peril(
            "danger", reason="It deletes files: “git clean -fdx”.", safer="lists them first", instead="git clean -n"
        ),
        subject=Subject("claude-code", title="Fix login", project="/src/webshop", folder="/src/webshop", branch="main"),
    )
    lines = card(ask, OPEN, now=OPENED).text.splitlines()
    assert lines[:9] == [
        "<b>■ DANGER · Delete untracked files</b>",
        "[WB] webshop · Fix login · main agent",
        "<b>Why:</b> It deletes files: <code>git clean -fdx</code>.",
        "<b>Safer:</b> <code>git clean -n</code> – lists them first",
        "<pre>git clean -fdx</pre>",
        "<b>You asked:</b> Clean up, please",
        "<b>Agent says:</b> <code>I clean up.</code>",
        "In <code>/src/webshop</code>, on branch <code>main</code>",
        lines[8],
    ]
    assert lines[8].startswith("id kptwm · until ")


def test_plan_is_drawn_in_telegrams_formatting() -> None:
    """Bold headings, lists and blocks of code; its title is not said twice."""
    plan = "# Move login\n\n## First\n\n1. Take `a.py`\n2. Run:\n\n   ```\n   make <all>\n   ```\n\n- *done*\n"
    ask = replace(shown(kind="plan"), view=View("Plan: Move login", markdown=plan))
    text = card(ask, OPEN, now=OPENED).text
    assert text.startswith("<b>¶ PLAN, CARE · Move login</b>\n")
    drawn = "<b>First</b>\n\n1. Take <code>a.py</code>\n2. Run:\n<pre>make &lt;all&gt;</pre>\n\n• <i>done</i>\n"
    assert drawn in text
    assert text.count("Move login") == 1


def test_long_plan_is_bounded_and_has_few_entities() -> None:
    """Telegram ignores what is beyond a hundred, and then makes links of it."""
    plan = "".join(f"## Part {n}\n\n- `{n}.py` and **all** of [it](https://e.example/{n})\n\n" for n in range(300))
    made = card(replace(shown(kind="plan"), view=View("Plan: Much", markdown=plan)), OPEN, now=OPENED)
    assert "more characters: open it to read all of it." in made.text
    assert made.text.count("<") // 2 < 90
    assert (made.is_whole, made.file) == (False, plan)


def test_question_is_asked_once_and_its_options_are_a_list() -> None:
    """What stands in the heading is not said again."""
    one = QuestionView("Which database?", "Storage", (OptionView("SQLite", "One file"), OptionView("Postgres")))
    ask = replace(shown(kind="question", risk="look"), view=View("Which database?", questions=(one,)))
    text = card(ask, OPEN, now=OPENED).text
    assert text.count("Which database?") == 1
    assert "\nStorage\n1. <b>SQLite</b>\n    One file\n2. <b>Postgres</b>\n" in text


def test_second_round_of_a_plan_is_one_line_with_counts() -> None:
    """The lines themselves are read on the page."""
    text = parsed(card(plan(round=ROUND), OPEN, now=OPENED).text)
    assert "Changed since " in text
    assert ": 1 line added, 0 removed\n" in text
    assert "You wrote" not in text
