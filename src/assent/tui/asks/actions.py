"""Actions of a card beyond answering: change the session's queue, open an address."""

import asyncio
import subprocess
import sys
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from assent.errors import AssentError
from assent.hub_state import snippets
from assent.protocol.queue import Item
from assent.tui.shared import Shared

PATIENCE = 5.0
_NONE = "none"
_IN_TERMINALS = frozenset({_NONE, "www-browser", "links", "elinks", "lynx", "w3m"})
_VISIT = "import sys, webbrowser; sys.exit(not webbrowser.open_new_tab(sys.argv[1]))"


@dataclass(frozen=True, slots=True)
class Hands:
    """Each begins something and returns at once; how it went is told elsewhere."""

    # What waits in the session's queue, as far as is known.
    items: Callable[[], Sequence[Item]] = tuple
    # Other words for an item.
    rewrite: Callable[[str, str], None] = lambda _item, _text: None
    # Another place for it, counted from 1.
    move: Callable[[str, int], None] = lambda _item, _place: None
    remove: Callable[[str], None] = lambda _item: None
    visit: Callable[[str], None] = lambda _address: None
    # Replies of one's own.
    snippets: Callable[[], Sequence[str]] = tuple


@dataclass(slots=True)
class _Work:
    shared: Shared
    session: str
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    def begin(self, act: Callable[[], str]) -> None:
        task = asyncio.get_running_loop().create_task(self._do(act))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, act: Callable[[], str]) -> None:
        try:
            self.shared.say(await asyncio.to_thread(act))
        except AssentError as error:
            self.shared.warn(str(error))

    def rewrite(self, item: str, text: str) -> str:
        self.shared.client.queue_change(self.session, item, text=text)
        return "The queue has your new words."

    def move(self, item: str, place: int) -> str:
        self.shared.client.queue_change(self.session, item, place=place)
        return "Moved in the queue."

    def remove(self, item: str) -> str:
        self.shared.client.queue_remove(self.session, item)
        return "Removed from the queue."


def hands_of(shared: Shared, session: str, project: str = "") -> Hands:
    work = _Work(shared, session)
    return Hands(
        items=lambda: shared.mirror.queues.get(session, ()),
        rewrite=lambda item, text: work.begin(lambda: work.rewrite(item, text)),
        move=lambda item, place: work.begin(lambda: work.move(item, place)),
        remove=lambda item: work.begin(lambda: work.remove(item)),
        visit=lambda address: work.begin(lambda: visited(address)),
        snippets=lambda: snippets(shared.mirror.hub, project),
    )


def visited(address: str) -> str:
    """What became of it, in words. Blocks for a moment."""
    try:
        name = getattr(webbrowser.get(), "basename", "")
    except webbrowser.Error:
        name = _NONE
    if name in _IN_TERMINALS:
        return f"There is no browser with a window here. Open it elsewhere: {address}"
    # Away from this terminal, because some browsers write to the one they were started from.
    quiet = subprocess.DEVNULL
    command = [sys.executable, "-c", _VISIT, address]
    started = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    try:
        has_failed = started.wait(PATIENCE) != 0
    except subprocess.TimeoutExpired:
        # It stays as long as its window.
        has_failed = False
    if has_failed:
        return f"The browser did not open. Open it elsewhere: {address}"
    return "Opened in your browser. What you type there does not pass through assent."
