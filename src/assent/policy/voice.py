"""Who may speak about an event, and what they look at."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from assent.policy.memory import Memory
from assent.policy.own import NO_OWN, Own
from assent.protocol.decision import Decision
from assent.protocol.events import Event
from assent.protocol.risk import Risk
from assent.protocol.run import Run


@dataclass(frozen=True, slots=True)
class Scene:
    """What is known beside the event itself."""

    # The project's folder as the harness names it, else the event's working directory.
    project: Path
    # False when nobody sits at the terminal (``claude -p``); None when unknown.
    attended: bool | None = None
    # What belongs to Assent: its files, its code, its process.
    own: Own = NO_OWN
    # The process of the client whose session asks; None when unknown.
    client: int | None = None
    # Which coding agent this is; None when unknown.
    harness: str | None = None
    # What this session did before; None where nobody remembers.
    memory: Memory | None = None
    # Folders beside the project that a person lets the agent work in.
    added: tuple[str, ...] = ()
    # Set where `assent exec` started it.
    run: Run | None = None


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one voice says. ``by`` is ``kind:name``, for example ``rule:user#4``."""

    decision: Decision
    by: str
    why: str
    evidence: str | None = None
    risk: Risk | None = None
    # For a rule that allows: the stance is not heard about risks up to this one.
    silences: Risk | None = None
    # The client has a say in this: no allow of ours is heard.
    holds_back: bool = False


class Voice(Protocol):
    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        """An opinion, or None. Fast and in memory: the agent waits for this."""
