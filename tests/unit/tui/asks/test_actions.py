"""What a card can have done outside of itself."""

import asyncio
import subprocess
import sys
import webbrowser
from typing import Any, cast

import pytest

from assent.errors import HubUnreachableError
from assent.protocol.queue import Item
from assent.tui.asks.actions import hands_of, visited
from assent.tui.drawing.look import Look
from assent.tui.shared import Shared
from tests.waiting import HANG

PAGE = "https://login.example/x"


class Client:
    def __init__(self) -> None:
        self.did: list[tuple[object, ...]] = []

    def queue_change(self, session: str, item: str, *, text: str | None = None, place: int | None = None) -> None:
        self.did.append((session, item, text, place))

    def queue_remove(self, session: str, item: str) -> None:
        raise HubUnreachableError(f"{session} {item}: no hub is running.")


@pytest.mark.anyio
async def test_queue_is_changed_in_the_background_and_told_about() -> None:
    """Nothing blocks the screen; what failed is said as loudly as it must be."""
    told: asyncio.Queue[str] = asyncio.Queue()
    client = Client()
    shared = Shared(cast("Any", client), Look(), cast("Any", None), say=told.put_nowait, warn=told.put_nowait)
    shared.mirror.queues["s"] = [Item("i", "Push", 0, "person:desk")]
    hands = hands_of(shared, "s")
    assert [item.id for item in hands.items()] == ["i"]
    hands.rewrite("i", "Pull")
    assert await asyncio.wait_for(told.get(), HANG) == "The queue has your new words."
    hands.move("i", 2)
    assert await asyncio.wait_for(told.get(), HANG) == "Moved in the queue."
    hands.remove("i")
    assert await asyncio.wait_for(told.get(), HANG) == "s i: no hub is running."
    assert client.did == [("s", "i", "Pull", None), ("s", "i", None, 2)]


class Browser:
    def __init__(self, name: str) -> None:
        self.basename = name


@pytest.mark.parametrize("name", ["w3m", "lynx", ""])
def test_address_is_told_where_no_browser_has_a_window(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that draws in the terminal would draw over the asks."""

    def get() -> Browser:
        if not name:
            raise webbrowser.Error
        return Browser(name)

    monkeypatch.setattr(webbrowser, "get", get)
    assert visited(PAGE) == f"There is no browser with a window here. Open it elsewhere: {PAGE}"


@pytest.mark.parametrize(("code", "told"), [("", "Opened in your browser."), ("1", "The browser did not open.")])
def test_address_is_opened_away_from_the_terminal(code: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process without this terminal, which gets the address and nothing else."""
    started: list[tuple[list[str], dict[str, Any]]] = []
    real = subprocess.Popen

    def popen(command: list[str], **more: Any) -> "subprocess.Popen[bytes]":
        started.append((command, more))
        return real([sys.executable, "-c", f"exit({code})"], **more)

    monkeypatch.setattr(webbrowser, "get", lambda: Browser("firefox"))
    monkeypatch.setattr(subprocess, "Popen", popen)
    assert visited(PAGE).startswith(told)
    assert started[0][0][-1] == PAGE
    assert started[0][1]["start_new_session"]
