"""The feed as a screen: it follows, it stays, it opens what is on record."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult

import assent.tui
from assent.hub_state import Changes
from assent.protocol.session import Session
from assent.tui.asks.answers import Answers
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.look import Look
from assent.tui.feed import pane as feed
from assent.tui.feed.pane import FeedPane
from assent.tui.feed.pulse import Pulse
from assent.tui.shared import Shared
from assent.views.feed import Row
from tests.shown_asks import shown
from tests.unit.tui.heard_rows import row
from tests.waiting import HANG


class StandIn:
    """A hub that knows rows and their records."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows

    def feed(self, *, limit: int, before: int | None = None) -> list[Row]:
        return [found for found in reversed(self.rows) if before is None or found.seq < before][:limit]

    def story(self, name: str) -> list[dict[str, Any]]:
        return [{"seq": 1, "at": 0, "line": f"PreToolUse of {name}"}, {"seq": 2, "at": 0, "line": "PostToolUse"}]


class FeedApp(App[None]):
    CSS_PATH = Path(assent.tui.__file__).with_name("watch.tcss")

    def __init__(self, client: StandIn) -> None:
        super().__init__()
        self.went: list[tuple[str, str]] = []
        self.typed: list[Typing] = []
        self.warned: list[str] = []
        answers = Answers(client, lambda _: None, lambda _: None, lambda _: None)  # type: ignore[arg-type]
        self.shared = Shared(client, Look(), answers)  # type: ignore[arg-type]
        self.shared.go = lambda name, what: self.went.append((name, what))
        self.shared.prompt = self.typed.append
        self.shared.warn = self.warned.append
        self.pane = FeedPane(self.shared, Pulse(), id="feed")

    def compose(self) -> ComposeResult:
        yield self.pane

    def lines(self) -> list[str]:
        return ["".join(segment.text for segment in strip) for strip in self.screen._compositor.render_strips()]


async def until(pilot: Any, holds: Callable[[], bool]) -> None:
    end = time.monotonic() + HANG
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        await pilot.pause()


@pytest.mark.anyio
async def test_feed_follows_until_scrolled_and_then_keeps_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """New rows show at the bottom; while the cursor is on a row, rows above and below it come without moving it."""
    monkeypatch.setattr(feed, "PAGE", 100)
    app = FeedApp(StandIn([row(seq, what=f"step {seq}") for seq in range(1, 151)]))
    async with app.run_test(size=(100, 20)) as pilot:
        pane, press = app.pane, app.pane.commands()
        pane.changed(Changes(is_fresh=True, is_far=True))
        await until(pilot, lambda: len(pane.rows) == 100)
        pane.changed(Changes(rows=(row(160, what="newest of all"),)))
        await until(pilot, lambda: "newest of all" in app.lines()[-2])
        assert "not live" in app.lines()[-1]

        press["list.previous"]()
        press["list.previous"]()
        pane.key("PageUp")
        await pilot.pause()
        before = [line[:98] for line in app.lines()[3:-1]]
        pane.changed(Changes(rows=(row(161), row(140, rev=162, state="done", what="step 140"))))
        await pilot.pause()
        assert [line[:98] for line in app.lines()[3:-1]] == before
        assert "End jumps to live" in app.lines()[-1]

        pane.key("Home")
        await until(pilot, lambda: len(pane.rows) == 152)
        assert "step 51 " in app.lines()[3]
        press["ask.end"]()
        await until(pilot, lambda: pane.track.is_following)


@pytest.mark.anyio
async def test_feed_opens_asks_and_stories_filters_and_has_lanes() -> None:
    """Enter opens the ask of a row or its record below it; a filter and lanes come and go with one key."""
    asked = row(3, what="asked", ask="kptwm")
    app = FeedApp(StandIn([row(1, what="first", state="failed"), row(2, name="Edit", what="second"), asked]))
    async with app.run_test(size=(130, 20)) as pilot:
        pane, press = app.pane, app.pane.commands()
        app.shared.mirror.asks["kptwm"] = shown("kptwm")
        app.shared.mirror.sessions["one"] = Session(id="one", project="/src/webshop")
        pane.changed(Changes(is_fresh=True, is_far=True))
        await until(pilot, lambda: len(pane.rows) == 3)

        press["list.previous"]()
        press["ask.open"]()
        assert app.went == [("inbox", "kptwm")]
        press["list.previous"]()
        press["ask.open"]()
        await until(pilot, lambda: any("PreToolUse of 2" in line for line in app.lines()))
        assert pane.back()
        assert pane.back()
        assert not pane.back()

        press["list.filter"]()
        assert "cannot be filtered by event" in str(app.typed[-1].take("event:Stop"))
        assert app.typed[-1].take("tool:bash") is None
        await until(pilot, lambda: "2 of 3 rows match tool:bash" in app.lines()[-1])
        pane.changed(Changes(rows=(row(4, name="Edit", what="unwanted"), row(5, what="wanted"))))
        await until(pilot, lambda: "3 of 5 rows" in app.lines()[-1])
        assert not any("unwanted" in line for line in app.lines())
        assert pane.back()

        press["feed.lanes"]()
        await until(pilot, lambda: "[WB] webshop" in app.lines()[3])
        press["ask.open"]()
        assert app.went[-1] == ("sessions", "one")
        await pilot.resize_terminal(100, 20)
        await until(pilot, lambda: not pane.is_lanes)
        press["feed.lanes"]()
        assert app.warned == ["Lanes need 120 columns; here are 100."]
