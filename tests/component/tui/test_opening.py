"""The first moment: a picture of one tab, then what stands in it, and the other tabs."""

from typing import Any

import pytest
from textual.screen import Screen

from assent.tui import tabs
from assent.tui.ending import Following
from assent.tui.feed.pulse import Pulse
from assent.tui.pane import Pane
from assent.tui.shared import Shared
from tests.component.tui.conftest import Sit
from tests.unit.tui.shown_asks import permission

pytestmark = pytest.mark.anyio


async def test_first_picture_waits_neither_for_the_hub_nor_for_the_other_tabs(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both come right after it."""
    steps: list[str] = []
    others, start = tabs.others, Following.start

    def draw(screen: Screen[Any]) -> None:
        steps.append("drawn")
        screen._dirty_widgets.clear()

    def load(shared: Shared, pulse: Pulse) -> list[Pane]:
        steps.append("others")
        return others(shared, pulse)

    def follow(following: Following) -> None:
        steps.append("following")
        start(following)

    monkeypatch.setattr(Screen, "_compositor_refresh", draw)
    monkeypatch.setattr(tabs, "others", load)
    monkeypatch.setattr(Following, "start", follow)
    async with sit(permission("make build")) as seat:
        assert [(pane.id, pane.TITLE) for pane in seat.app.panes] == list(tabs.TITLES.items())
        await seat.sees("make build")
    assert steps[0] == "drawn"
    assert [step for step in steps if step != "drawn"] == ["following", "others"]


async def test_tab_that_is_not_there_yet_is_opened_when_it_is(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who presses its key that early means it."""
    others = tabs.others

    def load(shared: Shared, pulse: Pulse) -> list[Pane]:
        shared.go("log", "")
        shared.go("feed", "")
        return others(shared, pulse)

    monkeypatch.setattr(tabs, "others", load)
    async with sit() as seat:
        await seat.until(lambda: seat.app._current.id == "feed", "the feed")
        assert seat.app.query("#feed").first().display
        assert not seat.app.query("#inbox").first().display
