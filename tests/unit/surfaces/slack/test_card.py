"""Cards keep within Slack's limits, whatever an agent wrote."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from assent.protocol.bodies import AskKind
from assent.protocol.card import Peril, Segment, StopView, Subject, View
from assent.surfaces.base import Audience
from assent.surfaces.slack.card import WHOLE, card, over
from assent.text.safe import escaped
from tests.services.slack_blocks import check_message, words_of
from tests.shown_asks import OPENED, shown
from tests.unit.tui.shown_asks import ROUND, plan

TEXT = st.text(st.characters(), max_size=60) | st.text("\n <&>`*_~:", max_size=400)


@settings(max_examples=60, deadline=None)
@given(TEXT, TEXT, st.sampled_from(["permission", "plan", "stop"]), st.sampled_from(["open", "masked"]))
def test_every_card_is_one_that_slack_takes(text: str, other: str, kind: AskKind, privacy: str) -> None:
    """Also when it is over, and with nothing in it at all."""
    view = View(text, segments=(Segment(other),), stop=StopView(other, background=(text,)) if kind == "stop" else None)
    subject = Subject("claude-code", project=text, title=other, folder=other, branch=text)
    ask = shown(kind=kind, view=view, subject=subject)
    ask = replace(ask, risk=Peril("care", reason=other, safer=text), says=text)
    for made in (card(ask, Audience(privacy), now=OPENED), over(ask, ask.id, text, OPENED)):  # type: ignore[arg-type]
        check_message({"text": escaped(made.text[:600]), "blocks": list(made.blocks)})


@pytest.mark.parametrize(("length", "is_whole"), [(WHOLE, True), (WHOLE + 1, False), (10 * WHOLE, False)])
def test_what_does_not_fit_is_cut_and_says_so(length: int, is_whole: bool) -> None:
    """With beginning and end; whatever fits is there to the last letter."""
    command = "".join(chr(97 + at % 26) for at in range(length))
    made = card(shown(view=View("Run", segments=(Segment(command),))), Audience("open"), now=OPENED)
    assert made.is_whole is is_whole
    text = words_of(made.blocks)
    assert (command in text.replace("\n", "")) is is_whole
    assert ("Not all of it fits in here" in text) is not is_whole
    check_message({"text": "x", "blocks": list(made.blocks)})


def test_plan_is_drawn_in_slacks_formatting() -> None:
    """Lists that go on are one list, code is preformatted, and a list after it goes on counting."""
    plan = "# Move login\n\n1. Take\n2. Run:\n\n   ```\n   make\n   ```\n\n3. Look\n\n- a\n- b\n"
    made = card(shown(kind="plan", view=View("Plan: Move login", markdown=plan)), Audience("open"), now=OPENED)
    parts = made.blocks[1]["elements"]
    shape = [(part["type"].removeprefix("rich_text_"), len(part["elements"]), part.get("offset", 0)) for part in parts]
    assert shape == [("list", 2, 0), ("preformatted", 1, 0), ("list", 1, 2), ("list", 2, 0)]
    check_message({"text": "x", "blocks": list(made.blocks)})


def test_words_of_ours_are_prose() -> None:
    """Only the thing and the agent's words are code."""
    ask = shown(says="Clean up", asked="Make room")
    made = card(ask, Audience("open"), now=OPENED)
    texts = [part for block in made.blocks for each in block["elements"] for part in each["elements"]]
    codes = [part["text"] for part in texts if part.get("style") == {"code": True}]
    assert codes == ["Clean up", "/src/webshop"]
    assert {"type": "text", "text": "▲ CARE · Delete untracked files", "style": {"bold": True}} in texts


def test_second_round_of_a_plan_is_one_line_with_counts() -> None:
    """The lines themselves are read on the page."""
    made = card(plan(round=ROUND), Audience("open"), now=OPENED)
    assert ": 1 line added, 0 removed" in words_of(made.blocks)
