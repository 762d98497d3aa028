"""Inputs and parts of a card, before flags and subject are added."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assent.protocol.bodies import AskKind
from assent.protocol.card import Peril, View
from assent.protocol.decision import Trial


def _reads_nothing(_: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known beside the event."""

    trial: Trial | None = None
    # The verdict's, or "care" where there is none.
    risk: str = "care"
    # The project's folder.
    project: str = ""
    title: str = ""
    # What the sub-agent was told to do.
    task: str = ""
    # The agent's last words before the call, and what the person had asked it for.
    words: str = ""
    asked: str = ""
    branch: str = ""
    attended: bool | None = None
    machine: str = ""
    # Whether that is another machine than the hub's.
    is_elsewhere: bool = False
    entrypoint: str = ""
    harness: str = ""
    # How often this turn was kept going.
    continuations: int = 0
    # The text of a regular file, None where it cannot be read; and whether anything is there by that name.
    read: Callable[[str], str | None] = _reads_nothing
    there: Callable[[str], bool] | None = None
    home: str = ""
    # Not every program that runs an agent says when it refused something.
    limited: bool = False
    # Whether the client refuses this call whatever is answered.
    guarded: bool = False
    # Whether its own dialog may still open after a yes.
    asks_itself: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """The drawn card, and all texts in it that come from outside."""

    kind: AskKind
    view: View
    peril: Peril
    texts: Sequence[str]
    # Of these a program takes every character by the letter.
    exact: Sequence[str] = ()
    is_outside: bool = False
