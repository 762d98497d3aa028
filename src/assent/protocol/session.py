"""A session: who works where, in which mode, with which sub-agents, and how it ended."""

from typing import Literal

import msgspec
from msgspec import Struct

from assent.protocol import modes
from assent.protocol.context import Context
from assent.protocol.record import Record
from assent.protocol.summary import Summary
from assent.protocol.terminal import Terminal
from assent.protocol.todos import Todo

Turn = Literal["working", "idle"]
# Waiting: an ask or a dialog needs its user. Idle: the turn is over, the next word is its user's.
State = Literal["working", "waiting", "idle", "ended", "vanished"]


class Agent(Struct, frozen=True, omit_defaults=True):
    """A sub-agent: a child of its session."""

    id: str
    type: str = ""
    # What it was sent to do.
    task: str = ""
    state: Literal["working", "done"] = "working"
    started: int = 0
    last: int = 0
    calls: int = 0


class AutoMode(Struct, frozen=True, omit_defaults=True):
    """What became of calls in auto mode, where the client's own check decides what is left open."""

    # Allowed or denied before the check was asked.
    answered: int = 0
    # Refused by the check, and of these those that a person allowed all the same.
    refused: int = 0
    appealed: int = 0

    def with_record(self, record: Record, mode: str) -> "AutoMode":
        """Counts the record, made in this mode."""
        about, word = record.body.get("event"), record.decision
        if record.kind == "event" and about == "PermissionDenied":
            return msgspec.structs.replace(self, refused=self.refused + 1)
        if record.kind == "decision" and about == "PermissionDenied" and word == "allow":
            return msgspec.structs.replace(self, appealed=self.appealed + 1)
        if record.kind == "decision" and about == "PreToolUse" and word in ("allow", "deny") and mode == modes.AUTO:
            return msgspec.structs.replace(self, answered=self.answered + 1)
        return self


class Session(Struct, frozen=True, omit_defaults=True):
    id: str
    harness: str = ""
    state: State = "working"
    # Whether its turn goes on, whatever waits.
    turn: Turn = "working"
    # Asks that wait for a person.
    needs: int = 0
    # Agent and call of dialogs that are open in the terminal; "" where it is not known.
    dialogs: tuple[tuple[str, str], ...] = ()
    project: str = ""
    cwd: str = ""
    title: str = ""
    # What the person asked for last.
    prompt: str = ""
    model: str = ""
    mode: str = ""
    entrypoint: str = ""
    attended: bool | None = None
    pid: int | None = None
    started: int = 0
    last: int = 0
    calls: int = 0
    denied: int = 0
    failed: int = 0
    ended_because: str = ""
    auto: AutoMode = AutoMode()
    # As the agent's telemetry tells it; None where it sends none.
    cost_usd: float | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    active_s: float = 0.0
    lines_added: int = 0
    lines_removed: int = 0
    agents: tuple[Agent, ...] = ()
    # Sub-agents that were ordered and have not reported yet: their type, and what they are to do.
    ordered: tuple[tuple[str, str], ...] = ()
    # What its to-do tool said last.
    todos: tuple[Todo, ...] = ()
    # How full the main agent's context is; None where it is not known.
    context: Context | None = None
    # What it did in all, once it ended; None where its transcript does not say.
    summary: Summary | None = None
    # It runs on another machine than its user's terminal.
    remote: bool = False
    # Where its screen is; None where no way there is known.
    terminal: Terminal | None = None
    # A demo or a test ask: no agent runs it.
    practice: bool = False
    # Of a session that another hub recorded into the same journal: that hub, and what its machine is called.
    hub: str = ""
    machine: str = ""

    @property
    def is_live(self) -> bool:
        return self.state in ("working", "waiting", "idle")
