"""An approval on every surface that shows text: whose yes, who said it, and why they cannot be asked."""

import re

import msgspec

from assent.cli.answer.card import card as cli_card
from assent.protocol.approval import ApprovalView
from assent.protocol.card import ShownAsk
from assent.surfaces.base import Audience
from assent.surfaces.ntfy.card import card as ntfy_card
from assent.surfaces.slack.card import card as slack_card
from assent.surfaces.telegram.card import card as telegram_card
from assent.text import ask_state
from assent.tui.asks import card as tui_card
from assent.tui.asks.ask_views.permission import Permission
from tests.shown_asks import OPENED, shown
from tests.unit.tui.drawn import texts

WORDS = (
    "Needs 2 of sre, not you. ada@example.org said yes, 1 more is missing. "
    "Two look at it. The team cannot be reached now."
)


def ask() -> ShownAsk:
    return shown(
        approval=ApprovalView("approval:user#1", "Two look at it.", ("group:sre",), 2, not_owner=True),
        approved_by=("ada@example.org",),
        needs="Needs 2 of sre, not you",
        agreed="ada@example.org said yes, 1 more is missing",
        unreachable="The team cannot be reached now.",
    )


def test_the_words_are_the_same_everywhere() -> None:
    """One sentence after the other, and nothing for other asks."""
    assert ask_state.approval(ask()) == WORDS
    assert ask_state.approval(shown()) == ""


def test_terminals_show_it_before_the_reason() -> None:
    """In `assent watch` and in `assent answer`."""
    drawn = " ".join(" ".join(texts(tui_card.why(ask(), 200))).split())
    assert drawn.startswith(f"Approval {WORDS} Why")
    answered = " ".join(re.sub(r"\x1b\[[0-9;]*m", "", " ".join(cli_card(ask(), OPENED, 100))).split())
    assert f"Approval {WORDS}" in answered
    assert not any("Approval" in line for line in texts(tui_card.why(shown(), 200)))
    assert "Approval" in "".join(
        texts(tui_card.lines(ask(), Permission(ask()), 60, ask_state.state(ask(), OPENED + 1)))
    )


def test_chats_show_it() -> None:
    """Telegram, Slack and ntfy."""
    audience = Audience("open")
    assert WORDS in re.sub(r"<.*?>", "", telegram_card(ask(), audience, now=OPENED).text)
    assert WORDS in ntfy_card(ask(), audience, OPENED).text
    assert "2 of sre, not you" in msgspec.json.encode(slack_card(ask(), audience, now=OPENED).blocks).decode()
