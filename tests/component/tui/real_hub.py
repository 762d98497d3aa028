"""The client of a hub that runs, where tests of the terminal UI expect a stand-in."""

from typing import cast

from assent.client import Client
from tests.component.hub_process import HubProcess
from tests.component.tui.stand_in import StandIn


class _Real(Client):
    def end_stream(self) -> None:
        """It ends with the screen."""


def real(hub: HubProcess) -> StandIn:
    return cast("StandIn", _Real(hub.paths))
