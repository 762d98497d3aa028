"""An agent's to-do list: its entries, and what one call of its tool changes. Texts are cut; a list is bounded."""

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec import Struct

State = Literal["open", "doing", "done"]

# Where the record of an event holds the change.
FIELD = "todos"
MOST = 50
LONGEST = 200


class Todo(Struct, frozen=True, omit_defaults=True):
    """One entry. In a change, an empty text or state leaves it as it was."""

    text: str = ""
    state: State | Literal[""] = ""
    # As the agent's tool counts them; "" where it sends the whole list each time.
    id: str = ""


class TodoChange(Struct, frozen=True, omit_defaults=True):
    """What a call of the tool says: all entries, or those that it adds, changes or drops."""

    items: tuple[Todo, ...] = ()
    is_whole: bool = False
    dropped: tuple[str, ...] = ()


def entry(text: object, state: State | Literal[""] = "", id_: object = "") -> Todo:
    """From what a client sent: the text in one line and cut, an id only where it is a short one."""
    words = " ".join(text.split()) if isinstance(text, str) else ""
    cut = words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
    return Todo(cut, state, id_ if isinstance(id_, str) and len(id_) <= 40 else "")


def applied(before: tuple[Todo, ...], change: TodoChange) -> tuple[Todo, ...]:
    """The list after the change. An entry that is not known and has no text is passed over."""
    items: dict[str, Todo] = {}
    for item in (*(() if change.is_whole else before), *change.items):
        key = item.id or f"#{len(items)}"
        known = items.get(key)
        if known is not None:
            items[key] = Todo(item.text or known.text, item.state or known.state, item.id)
        elif item.text and len(items) < MOST:
            items[key] = Todo(item.text, item.state or "open", item.id)
    return tuple(item for item in items.values() if item.id not in change.dropped or not item.id)


def read(body: dict[str, Any]) -> TodoChange | None:
    """What the record of an event says; None where it says nothing of the list."""
    if FIELD not in body:
        return None
    try:
        return msgspec.convert(body[FIELD], TodoChange)
    except msgspec.ValidationError:
        return None


def done(items: Iterable[Todo]) -> int:
    return sum(item.state == "done" for item in items)


def summary(items: tuple[Todo, ...]) -> str:
    """``3 of 7 done, now: Write the tests``; "" without a list."""
    if not items:
        return ""
    now = next((item.text for item in items if item.state == "doing"), "")
    return f"{done(items)} of {len(items)} done" + (f", now: {now}" if now else "")
