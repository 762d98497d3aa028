"""Cards of thousands of real and hostile lines keep all of their text and all of their danger."""

from accuracy import corpus
from assent.asks.card.offers import grant_of, offers
from assent.harnesses.claude_code.grants import fault
from assent.protocol.decision import Risk
from tests.unit.asks.judged import bash, card_of, risk_of, tried


def test_no_line_loses_text_or_danger_on_its_card() -> None:
    """The parts are the line, the worst of them is as bad as the line, and what is Danger has a word to type."""
    for line in corpus.load():
        event = bash(line.command)
        held = tried(event)
        card = card_of(event, trial=held, risk=risk_of(held))
        parts = card.view.segments
        assert "".join(part.text for part in parts) == line.command
        worst = max(Risk.parse(part.risk) for part in parts if part.risk)
        assert worst.word == risk_of(held), line.command
        assert any(part.needs_you and part.risk == worst.word for part in parts), line.command
        assert bool(card.risk.match) is (card.risk.level == "danger"), line.command
        assert card.view.verb


def test_no_line_is_offered_what_would_not_be_granted() -> None:
    """Our own offers pass the same test as an answer, and Danger gets nothing with a wildcard."""
    for line in corpus.load():
        event = bash(line.command)
        card = card_of(event)
        for offer in offers(event, card, {}, lambda _: ()):
            assert fault(grant_of(offer.grant, "session")) is None, offer.grant
            assert card.risk.level != "danger" or "*" not in offer.grant, offer.grant
