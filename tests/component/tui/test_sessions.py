"""Sessions and the page of one: found, opened, queued for, and never in the way of an answer."""

from typing import Any, ClassVar

import msgspec
import pytest

from assent.protocol.context import Context
from assent.protocol.queue import Item, Queue
from assent.protocol.session import Agent, Session
from assent.protocol.terminal import Terminal
from assent.protocol.todos import Todo
from assent.views.feed import Row
from tests.component.tui.conftest import Sit
from tests.component.tui.stand_in import StandIn
from tests.unit.tui.shown_asks import OPENED, WEBSHOP, permission

AGENT = Agent("a1", "explorer", "Find clocks", calls=2)
SHOP = Session(
    WEBSHOP.session, project=WEBSHOP.project, title="Fix flaky login", started=2, last=OPENED, agents=(AGENT,)
)
DOCS = Session("d0c5", project="/src/docs", mode="bypass", started=1, last=OPENED)
ENDED = Session("e0e0", project="/src/old", state="ended", last=OPENED)


def row(seq: int, what: str, **fields: Any) -> Row:
    return Row(f"c{seq}", seq, seq, OPENED, "call", session=SHOP.id, name="Bash", what=what, state="done", **fields)


class Hub(StandIn):
    """One that keeps queues."""

    def _changed(self, session: str, items: list[Item]) -> Queue:
        self.queues[session] = items
        return Queue(session, tuple(items), used=2)

    def queue_add(self, session: str, text: str, to: str = "stop") -> Queue:
        assert to
        known = self.queues.get(session, [])
        return self._changed(session, [*known, Item(f"i{len(known)}{text[:1]}", text, OPENED, "person:desk")])

    def queue_change(self, session: str, item: str, *, text: str | None = None, place: int | None = None) -> Queue:
        items = self.queues[session]
        found = next(known for known in items if known.id == item)
        if text is not None:
            items[items.index(found)] = msgspec.structs.replace(found, text=text)
        if place is not None:
            items.remove(found)
            items.insert(place - 1, found)
        return self._changed(session, items)

    def queue_remove(self, session: str, item: str) -> Queue:
        return self._changed(session, [known for known in self.queues[session] if known.id != item])


def hub() -> Hub:
    made = Hub(permission("kptwm"), sessions=(SHOP, DOCS, ENDED), rows=[row(n, f"make step-{n}") for n in range(40)])
    made.rows.append(row(90, "grep clocks", agent="a1", agent_type="explorer"))
    made.queue_add(SHOP.id, "first run the tests")
    made.queue_add(SHOP.id, "then commit")
    return made


@pytest.mark.anyio
async def test_sessions_of_other_hubs_stand_below_and_open_nothing(sit: Sit) -> None:
    """Marked by machine; they are looked at, and answered there."""
    made = hub()
    made.elsewhere = [Session("f00d", project="/src/api", title="Upgrade", last=OPENED, hub="aa11", machine="devbox")]
    async with sit(hub=made) as seat:
        await seat.press("2")
        await seat.sees("On other machines (1)", "devbox · Upgrade")
        assert seat.place("Ended (1)") < seat.place("devbox")


@pytest.mark.anyio
async def test_session_is_found_opened_and_left(sit: Sit) -> None:
    """Live ones stand first; a filter narrows them; the way back leads through each step."""
    async with sit(hub=hub()) as seat:
        await seat.press("2")
        await seat.sees("[WB] webshop · Fix flaky login", "Needs you", "bypass: nothing is asked here", "Ended (1)")
        assert seat.place("webshop") < seat.place("docs") < seat.place("Ended (1)") < seat.place("old")
        await seat.press("/")
        await seat.type("pro")
        await seat.press("tab")
        await seat.type("docs")
        await seat.press("enter")
        await seat.sees("/ project:docs")
        assert "webshop" not in seat.screen
        await seat.press("q", "k", "enter")
        await seat.sees(
            "‹ ◐ working  [WB] webshop", "Find clocks", "Needs you (1)", "1 first run the tests", "make step-39"
        )
        await seat.press("tab", "tab")
        await seat.sees("Feed of explorer")
        assert "make step-39" not in seat.screen
        await seat.press("q", "q")
        await seat.sees("[DC] docs")
        await seat.press("enter", "j", "enter")
        await seat.sees("DANGER")
        assert seat.given == []


@pytest.mark.anyio
async def test_queue_is_changed_on_the_page_of_its_session(sit: Sit) -> None:
    """Added to, moved, given other words; deleting takes a second key, and can be taken back."""
    desk = hub()

    def waits(*texts: str) -> bool:
        return [item.text for item in desk.queues[SHOP.id]] == [*texts]

    async with sit(hub=desk, size=(80, 24)) as seat:
        seat.app.shared.go("sessions", SHOP.id)
        await seat.sees("1 first run the tests", "delivered at next stop")
        await seat.read()
        await seat.press("c")
        await seat.type("push")
        await seat.press("enter")
        await seat.sees("3 push", "2 of 8 continuations used")
        await seat.press("j", "j", "J")
        await seat.until(lambda: waits("then commit", "first run the tests", "push"), "the move")
        await seat.sees("2 first run the tests")
        await seat.press("e")
        await seat.type(" twice")
        await seat.press("enter")
        await seat.sees("2 first run the tests twice")
        await seat.press("d")
        await seat.sees("Delete it? Enter deletes, Esc keeps")
        await seat.press("escape")
        assert waits("then commit", "first run the tests twice", "push")
        await seat.press("d", "enter")
        await seat.until(lambda: waits("then commit", "push"), "the deletion")
        await seat.press("u")
        await seat.until(lambda: waits("then commit", "first run the tests twice", "push"), "the undo")


@pytest.mark.anyio
async def test_page_of_a_session_stays_where_one_reads(sit: Sit) -> None:
    """What happens comes above the row one is on, which does not move; rows of other sessions do not come."""
    async with sit(hub=hub(), size=(80, 24)) as seat:
        seat.app.shared.go("sessions", SHOP.id)
        await seat.sees("make step-39")
        await seat.press(*"jjjjjjjjjjjjjjjjjj")
        at = next((line for line in seat.lines if line.startswith("▌")), seat.screen)
        assert at != seat.screen, at
        place = seat.lines.index(at)
        await seat.tell(rows=[row(100, "make news"), msgspec.structs.replace(row(101, "not mine"), session="d0c5")])
        await seat.until(lambda: len(seat.app.query_one("#session-rows").source) > 50, "the row")  # type: ignore[attr-defined]
        assert seat.lines[place] == at
        await seat.press("home")
        await seat.sees("make news")
        assert "not mine" not in seat.screen


WORK = msgspec.structs.replace(
    SHOP,
    todos=(Todo("Find the clock", "done"), Todo("Freeze it", "doing"), Todo("Run the\x1b[31m suite", "open")),
    context=Context(124_000, 200_000),
    terminal=Terminal("tmux", "/tmp/tmux-0/default", "%7"),
)


class Desk(Hub):
    """One that notes where it was asked to go."""

    jumps: ClassVar[list[tuple[str, str]]] = []

    def jump(self, session: str, origin: str = "") -> dict[str, Any]:
        self.jumps.append((session, origin))
        return {"moved": True, "words": "Your terminal shows it now."}


@pytest.mark.anyio
async def test_to_do_list_and_context_stand_on_the_page(sit: Sit) -> None:
    """Done, doing and open, with hostile text made harmless; on the row as much as there is room for."""
    async with sit(hub=Desk(sessions=(WORK,)), size=(80, 24)) as seat:
        await seat.press("2")
        await seat.sees("1 of 3 done, now: Freeze it")
        await seat.press("enter")
        await seat.sees("To-do (1 of 3 done)", "✓ Find the clock", "◐ Freeze it", "○ Run the", "context 62 % of 200 k")
        assert "\x1b" not in seat.screen


@pytest.mark.anyio
async def test_key_goes_to_the_terminal_of_the_session(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside the same tmux it says from which pane; where no way is known it is not offered."""
    monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")
    monkeypatch.setenv("TMUX_PANE", "%2")
    desk = Desk(sessions=(WORK, DOCS))
    async with sit(hub=desk) as seat:
        seat.app.shared.go("sessions", WORK.id)
        await seat.sees("T terminal")
        await seat.read()
        await seat.press("T")
        await seat.sees("Your terminal shows it now.")
        assert desk.jumps == [(WORK.id, "%2")]
        seat.app.shared.go("sessions", DOCS.id)
        await seat.sees("[DC] docs")
        assert "ask.jump" not in seat.app.possible()


@pytest.mark.anyio
async def test_session_in_an_editor_is_told_by_its_link(sit: Sit) -> None:
    """A terminal cannot open it by itself."""
    there = msgspec.structs.replace(SHOP, terminal=Terminal("vscode"))
    async with sit(hub=Desk(sessions=(there,))) as seat:
        seat.app.shared.go("sessions", there.id)
        await seat.sees("T terminal")
        await seat.read()
        await seat.press("T")
        await seat.sees(f"vscode://file{there.project}/")
