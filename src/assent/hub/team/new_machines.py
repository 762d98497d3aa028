"""Machines that joined in the name of this hub's owner a moment ago, as the relay says: announced on every screen.

A machine is known by more than its name, so that one of the same name is told from it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from assent.hub.bus import Clock, now_ms
from assent.hub.team.base import Link
from assent.protocol.team import NEW_MACHINE_MS, KeyId, NewMachine
from assent.text.safe import plain_line

# Whatever a relay sends, screens and the journal stay readable.
MOST = 20
LONGEST_NAME = 100


@dataclass(slots=True)
class NewMachines:
    link: Link
    # Puts a sentence about the hub on record.
    note: Callable[[str], None]
    now_ms: Clock = now_ms
    # With the moment at which this hub heard of each; the relay's clock may go otherwise.
    _heard: dict[KeyId, tuple[int, NewMachine]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.link.on("machine", self._joined)

    def told(self) -> list[dict[str, Any]]:
        """For screens; those of before a hub was in another team are left out."""
        if self.link.membership is None:
            return []
        self._forget_old()
        return [{"hub": hub, "name": _name(machine), "joined_at": at} for hub, (at, machine) in self._heard.items()]

    def _joined(self, machine: NewMachine) -> None:
        self._forget_old()
        membership = self.link.membership
        if membership is None or machine.hub in (membership.hub, *self._heard) or len(self._heard) >= MOST:
            return
        self._heard[machine.hub] = (self.now_ms(), machine)
        self.note(f"a new machine was joined in the name of this hub's owner: {_name(machine)} ({machine.hub[:8]})")

    def _forget_old(self) -> None:
        oldest = self.now_ms() - NEW_MACHINE_MS
        self._heard = {hub: known for hub, known in self._heard.items() if known[0] > oldest}


def _name(machine: NewMachine) -> str:
    return plain_line(machine.machine, LONGEST_NAME) or "without a name"
