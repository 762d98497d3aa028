"""Asks as surfaces get them, after they are over."""

import pytest

from assent.hub.asking.shown_asks import _recorded
from assent.views.asks import Ask


@pytest.mark.parametrize(("risk", "level"), [("danger", "danger"), (None, "")])
def test_ask_whose_card_cannot_be_read_keeps_its_line_and_its_risk(risk: str | None, level: str) -> None:
    """The card was written by another version, or cut to be kept."""
    card = _recorded(
        Ask("ask01", 1, 1, 1, "permission", "PermissionRequest", "toy", risk=risk, line="Run rm", card={"view": 3})
    )
    assert (card.view.verb, card.risk.level) == ("Run rm", level)
