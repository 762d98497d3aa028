"""What a session is to do next, drawn: what was told last, what waits in its order, how often it can be kept going."""

from assent.protocol.queue import Goal, Item, Queue
from assent.tui.drawing.listing import Entry, note
from assent.tui.drawing.text import Line, ends
from assent.views.line import inert

ITEM = "item:"
GOALS: dict[Goal, str] = {
    "stop": "delivered at next stop",
    "subagent": "delivered when a sub-agent stops",
    "teammate": "delivered when a teammate idles",
    "task": "delivered when a task is called done",
}
DELIVERED_SHOWN = 3
LONGEST = 300
SURE = "Delete it? Enter deletes, Esc keeps"


def entries(queue: Queue, doomed: str = "") -> list[Entry]:
    """``doomed``: the item that Enter would delete."""
    made = [_told(item) for item in queue.delivered[-DELIVERED_SHOWN:]]
    made += [_waiting(place, item, is_doomed=item.id == doomed) for place, item in enumerate(queue.items, 1)]
    if not queue.items:
        made.append(note("Nothing is queued. c adds an instruction."))
    if queue.used:
        made.append(note(f"{queue.used} of {queue.most} continuations used", "text-3"))
    return made


def _told(item: Item) -> Entry:
    line: Line = [("  ✓ ", "ok"), (inert(item.text, LONGEST), "text-3")]
    return Entry(None, lambda width, _: [ends(line, [("delivered ", "text-3")], width)])


def _waiting(place: int, item: Item, *, is_doomed: bool) -> Entry:
    def draw(width: int, is_selected: bool) -> list[Line]:
        line: Line = [
            ("▌" if is_selected else " ", "focus strong"),
            (f" {place} ", "text-3"),
            (inert(item.text, LONGEST), ""),
        ]
        told = (f"{SURE} ", "care strong") if is_doomed else (f"{GOALS.get(item.to, item.to)} ", "text-3")
        return [ends(line, [told], width)]

    return Entry(f"{ITEM}{item.id}", draw)
