"""Everything a person can do by name can be done in the terminal UI."""

import msgspec
import pytest

from assent.actions import ACTIONS
from assent.protocol.session import Session
from assent.protocol.terminal import Terminal
from tests.component.tui.conftest import Sit
from tests.component.tui.stand_in import StandIn
from tests.unit.tui.heard_rows import row
from tests.unit.tui.shown_asks import OPENED, STAYS, WEBSHOP, edit, form, permission, plan, question, stop

pytestmark = pytest.mark.anyio


async def test_every_action_is_possible_somewhere(sit: Sit) -> None:
    """Over all kinds of asks and all tabs: nothing in the table is missing here."""
    kinds = [
        permission(),
        permission("npm ci", level="care", timed=STAYS[:1]),
        permission("npm test", level="care"),
        edit(),
        question(),
        plan(),
        form(),
        stop(),
    ]
    asks = [msgspec.structs.replace(ask, id=f"ask{at}", opened_at=OPENED + at * 60_000) for at, ask in enumerate(kinds)]
    place = Terminal("tmux", "/tmp/tmux-0/default", "%1")
    session = Session(id=WEBSHOP.session, project=WEBSHOP.project, last=OPENED, terminal=place)
    async with sit(hub=StandIn(*asks, sessions=[session], rows=[row(1, session=session.id)])) as seat:
        found: set[str] = set()
        for ask in asks:
            seat.app.shared.go("inbox", ask.id)
            await seat.read()
            found |= set(seat.app.possible())
        for pane in seat.app.panes:
            seat.app.shared.go(pane.id or "", "")
            await seat.settle()
            found |= set(seat.app.possible())
        assert {action.name for action in ACTIONS} - found == set()
