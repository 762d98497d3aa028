"""A session's instructions: how they are put in order, changed and taken. Pure; storage is up to the caller."""

from collections.abc import Sequence

import msgspec

from assent.protocol.queue import LONGEST_TEXT, MOST_ITEMS, Goal, Item

Items = tuple[Item, ...]


class QueueError(Exception):
    """Why a queue stays as it is; ``code`` says it in a word."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def added(items: Items, item: Item) -> Items:
    if len(items) >= MOST_ITEMS:
        raise QueueError("queue-full", f"{MOST_ITEMS} instructions wait already, and that is the most a session holds.")
    return (*items, msgspec.structs.replace(item, text=worded(item.text)))


def changed(items: Items, name: str, text: str) -> Items:
    wanted = worded(text)
    find(items, name)
    return tuple(msgspec.structs.replace(item, text=wanted) if item.id == name else item for item in items)


def moved(items: Items, name: str, place: int) -> Items:
    """To this place, counted from 1; past the end means last."""
    if place < 1:
        raise QueueError("bad-place", "Places are counted from 1.")
    item = find(items, name)
    rest = removed(items, name)
    return (*rest[: place - 1], item, *rest[place - 1 :])


def removed(items: Items, name: str) -> Items:
    find(items, name)
    return tuple(item for item in items if item.id != name)


def first_for(items: Items, goals: tuple[Goal, ...]) -> Item | None:
    return next((item for item in items if item.to in goals), None)


def find(items: Sequence[Item], name: str) -> Item:
    match = next((item for item in items if item.id == name), None)
    if match is None:
        raise QueueError("no-such-item", "This instruction is not in the queue: it was delivered or removed.")
    return match


def place_of(items: Sequence[Item], name: str) -> int:
    return [item.id for item in items].index(name) + 1


def worded(text: str) -> str:
    """As it is kept and told."""
    text = text.strip()
    if not text:
        raise QueueError("no-text", "An instruction needs words.")
    if len(text) > LONGEST_TEXT:
        raise QueueError(
            "too-long", f"An instruction has at most {LONGEST_TEXT:,} characters; this one has {len(text):,}."
        )
    return text
