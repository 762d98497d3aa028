"""The lines around every screen."""

import pytest

from assent.tui import bars
from assent.tui.drawing.text import width
from tests.unit.tui.drawn import plain

NOTHING = {"ungated": [], "journal": {"trouble": None}, "new_devices": []}


def test_urgent_notices_are_told() -> None:
    """Past the gate first, then what is broken, then strangers."""
    told = bars.notices(
        {
            "ungated": ["webshop sends no events."],
            "journal": {"trouble": "The disk is full."},
            "config_trouble": None,
            "new_devices": [{"id": "00482aeb", "name": "Chrome on Linux"}],
            "new_machines": [{"hub": "NzVpTJJ5" + 35 * "A", "name": "build-box"}],
        }
    )
    assert [plain(line) for line in told] == [
        " ▲ Ungated: webshop sends no events.",
        " ▲ The disk is full.",
        " ▲ Let in just now: Chrome on Linux (00482aeb). Not yours? assent devices revoke shuts it out.",
        " ▲ Joined in your name just now: build-box (NzVpTJJ5). Not yours? assent team revoke shuts it out.",
    ]
    assert bars.notices(NOTHING) == []


@pytest.mark.parametrize("odd", [{"journal": None}, {"ungated": 3}, {"new_devices": [7]}, {"paused_for": "soon"}, {}])
def test_a_hub_that_tells_it_otherwise_is_survived(odd: dict[str, object]) -> None:
    """It is of another version; the screen goes on."""
    assert bars.notices(odd) == []


@pytest.mark.parametrize("cells", [20, 60, 240])
def test_the_footer_ends_with_help_and_is_no_wider_than_the_screen(cells: int) -> None:
    """Keys that do not fit are left out whole."""
    keys = [("a", "allow"), ("d", "deny"), ("e", "edit"), ("t", "terminal"), ("/", "filter")]
    line = bars.footer(keys, None, cells)
    assert width(line) <= cells
    assert plain(line).endswith("? help")


def test_message_leaves_the_hint_for_help_where_there_is_room() -> None:
    assert plain(bars.footer([], ("Lanes need 120 columns.", True), 80)).endswith("? help")
    long = "x" * 78
    assert plain(bars.footer([], (long, False), 80)) == f" {long}"
