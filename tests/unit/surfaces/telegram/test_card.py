"""An ask as messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from assent.protocol.card import FieldView, FileDiff, FormView, Hunk, Peril, Result, Said, Segment, Subject, View
from assent.surfaces.base import Audience, Notice
from assent.surfaces.telegram.card import MOST_PARTS, card, notice_text, over
from tests.services.telegram import LONGEST_TEXT
from tests.services.telegram_markup import parsed
from tests.shown_asks import OPENED, shown

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
