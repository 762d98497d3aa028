"""Going to the terminal of a session, from the terminal UI. It answers nothing."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from typing import Any

from assent.errors import AssentError
from assent.protocol import terminal
from assent.text.safe import plain_line
from assent.tui.drawing.text import sentence
from assent.tui.shared import Shared

# Cut, it would lead nowhere.
LONGEST_LINK = 4_096


def way(shared: Shared, session: str, run: Callable[[Coroutine[Any, Any, None]], object]) -> Callable[[], None] | None:
    """What goes there, by way of ``run``; None where no way is known."""
    known = shared.mirror.sessions.get(session)
    if known is None or known.terminal is None or not known.is_live:
        return None
    place = known.terminal
    if place.kind != "tmux":
        link = plain_line(terminal.link(place, known.project), LONGEST_LINK)
        return (lambda: shared.say(f"This link brings its window to the front: {link}")) if link else None

    async def jump() -> None:
        try:
            told = await asyncio.to_thread(shared.client.jump, session, terminal.origin(place, os.environ))
            shared.say(str(told["words"]))
        except AssentError as error:
            shared.warn(sentence(error))

    def go() -> None:
        run(jump())

    return go
