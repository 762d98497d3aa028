"""Cards of thousands of real and hostile lines keep all of their text and all of their danger."""

import functools

from accuracy import corpus
from assent.asks.card.offers import grant_of, offers
from assent.harnesses.claude_code.grants import fault
from assent.protocol.card import Card
from assent.protocol.decision import Risk, Trial
from assent.protocol.events import PermissionRequest
from tests.unit.asks.judged import bash, card_of, risk_of, tried


@functools.cache
def cards() -> list[tuple[PermissionRequest, Trial, Card]]:
    """Of every line: judging them takes longer than all that is looked at afterwards."""
    asked = [bash(line.command) for line in corpus.load()]
    judged = [(event, tried(event)) for event in asked]
    return [(event, held, card_of(event, trial=held)) for event, held in judged]


def test_no_line_loses_text_or_danger_on_its_card() -> None:
    """The parts are the line, the worst of them is as bad as the line, and what is Danger has a word to type."""
    for event, held, card in cards():
        command = event.tool_input["command"]
        parts = card.view.segments
        assert "".join(part.text for part in parts) == command
        worst = max(Risk.parse(part.risk) for part in parts if part.risk)
        assert worst.word == risk_of(held), command
        assert any(part.needs_you and part.risk == worst.word for part in parts), command
        assert bool(card.risk.match) is (card.risk.level == "danger"), command
        assert card.view.verb


def test_no_line_is_offered_what_would_not_be_granted() -> None:
    """Our own offers pass the same test as an answer, and Danger gets nothing with a wildcard."""
    for event, _, card in cards():
        for offer in offers(event, card, {}, lambda _: ()):
            assert fault(grant_of(offer.grant, "session")) is None, offer.grant
            assert card.risk.level != "danger" or "*" not in offer.grant, offer.grant
