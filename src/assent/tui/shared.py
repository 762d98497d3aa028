"""State that all screens of the terminal UI share: the hub's mirror, answers on their way, and how to speak."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from assent.client import Client
from assent.hub_state import Mirror
from assent.text.ask_state import Told, state
from assent.text.safe import plain_line
from assent.text.who import LONGEST
from assent.tui.asks.answers import Answers
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.look import Look
from assent.tui.keys import Grace
from assent.views.feed import Row

# stale: the stream ended, what is shown may be old; down: there is no hub.
Link = Literal["starting", "live", "stale", "down"]


@dataclass(slots=True)
class Shared:
    client: Client
    look: Look
    answers: Answers
    mirror: Mirror = field(default_factory=Mirror)
    grace: Grace = field(default_factory=Grace)
    link: Link = "starting"
    lost_at: float = 0.0
    # What this terminal is called where several are open.
    screen: str = ""
    # Why there is no hub.
    trouble: str = ""
    # Says one sentence to the person; urgent ones stay until a key is pressed.
    say: Callable[[str], None] = lambda _: None
    warn: Callable[[str], None] = lambda _: None
    # Asks for one line of text.
    prompt: Callable[[Typing], None] = lambda _: None
    # Goes to a screen, and to something on it.
    go: Callable[[str, str], None] = lambda _name, _what: None
    # Rows of the feed from before this screen was open, newest first, for panes that use them.
    was_read: Callable[[Sequence[Row]], None] = lambda _: None
    # The hub took changed settings.
    configured: Callable[[], object] = lambda: None
    # Footer and header are drawn anew.
    refresh_bars: Callable[[], None] = lambda: None

    @property
    def is_live(self) -> bool:
        return self.link == "live"

    def state(self, ask: str) -> Told:
        """How the ask stands, in words."""
        shown = self.mirror.asks[ask]
        return state(shown, self.mirror.now(), mine=self.answers.phase(ask), turned=self.mirror.turned.get(ask))

    def also_open(self) -> str:
        """``also open on pts/4``; "" where this is the only one."""
        others = list(self.mirror.screens)
        if self.screen in others:
            others.remove(self.screen)
        named = plain_line(others[0], LONGEST) if len(others) == 1 else f"{len(others)} other terminals"
        return f"also open on {named}" if others else ""

    def lost_for(self) -> float:
        return time.monotonic() - self.lost_at if self.lost_at else 0.0
