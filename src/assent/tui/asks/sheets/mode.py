"""A yes to a plan names the mode that follows."""

from assent.protocol.card import ShownAsk
from assent.tui.asks.sheets.picker import Pick, YesPicker
from assent.tui.asks.sheets.sheet import Sheet
from assent.tui.shared import Shared

MODES = (
    Pick("ask before edits", {"choice": "approve", "mode": "default"}, "Each change is asked about as before."),
    Pick(
        "accept edits",
        {"choice": "approve", "mode": "acceptEdits"},
        "Edits in the project are not asked about until the session ends.",
    ),
)


class ModeSheet(Sheet):
    """For `push_screen_wait`: the fields of the answer, or None."""

    def __init__(self, shared: Shared, ask: ShownAsk) -> None:
        super().__init__(shared, YesPicker("Approve the plan, and after that", MODES, "approve"), ask)
