"""What a card can have done outside of itself."""

import subprocess
import sys
import webbrowser
from typing import Any

import pytest

from assent.tui.hands import visited

PAGE = "https://login.example/x"


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
