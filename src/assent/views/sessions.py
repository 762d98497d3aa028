"""Sessions as a pure fold of records: who works where, in which mode, with which sub-agents, and how it ended."""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from assent.protocol import usage
from assent.protocol.record import Record
from assent.protocol.usage import Usage

State = Literal["working", "idle", "ended", "vanished"]

# Turn ends leave a session waiting for its user; everything else means it works.
_IDLE_AFTER = frozenset({"Stop", "StopFailure", "SessionStart", "Setup"})


class Agent(Struct, frozen=True, omit_defaults=True):
    """A sub-agent: a child of its session."""

    id: str
    type: str = ""
    state: Literal["working", "done"] = "working"
    started: int = 0
    last: int = 0
    calls: int = 0


class Session(Struct, frozen=True, omit_defaults=True):
    id: str
    harness: str = ""
    state: State = "working"
    project: str = ""
    cwd: str = ""
    title: str = ""
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
    # As the agent's telemetry tells it; None where it sends none.
    cost_usd: float | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    active_s: float = 0.0
    lines_added: int = 0
    lines_removed: int = 0
    agents: tuple[Agent, ...] = ()

    @property
    def is_live(self) -> bool:
        return self.state in ("working", "idle")


Sessions = dict[str, Session]


def fold(sessions: Sessions, record: Record) -> Session | None:
    """Apply one record in place; the session it changed, if any."""
    if record.session is None:
        return None
    known = sessions.get(record.session)
    match record.kind:
        case "event":
            changed = _after_event(known or Session(id=record.session, started=record.at), record)
        case "decision" if known and record.decision == "deny":
            changed = msgspec.structs.replace(known, denied=known.denied + 1)
        case "decision" if known and record.decision in ("block", "proceed") and record.body.get("event") == "Stop":
            # It was kept going.
            changed = msgspec.structs.replace(known, state="working")
        case "hub" if known and record.body.get("what") == "session_vanished":
            changed = msgspec.structs.replace(known, state="vanished", ended_because="its process is gone")
        case "hub" if known and (used := usage.read(record)):
            changed = _after_usage(known, used)
        case _:
            return None
    sessions[record.session] = changed
    return changed


def rebuilt(records: list[Record]) -> Sessions:
    sessions: Sessions = {}
    for record in records:
        fold(sessions, record)
    return sessions


def _after_usage(session: Session, used: Usage) -> Session:
    return msgspec.structs.replace(
        session,
        cost_usd=(session.cost_usd or 0.0) + used.cost_usd,
        tokens_in=session.tokens_in + used.tokens_in,
        tokens_out=session.tokens_out + used.tokens_out,
        tokens_cached=session.tokens_cached + used.tokens_cached,
        active_s=session.active_s + used.active_s,
        lines_added=session.lines_added + used.lines_added,
        lines_removed=session.lines_removed + used.lines_removed,
    )


def _after_event(session: Session, record: Record) -> Session:
    body = record.body
    name: str = body.get("event", "")
    payload: dict[str, Any] = body.get("payload", {})
    env: dict[str, str] = body.get("env", {})
    changes: dict[str, Any] = {"last": record.at, "harness": body.get("harness", session.harness)}

    told = (
        ("cwd", payload.get("new_cwd") or payload.get("cwd")),
        ("project", env.get("CLAUDE_PROJECT_DIR") or session.project or payload.get("cwd")),
        ("mode", payload.get("permission_mode")),
        ("model", payload.get("model") or (payload.get("to_model") if name == "PostModelSwitch" else None)),
        ("title", payload.get("session_title")),
        ("entrypoint", env.get("CLAUDE_CODE_ENTRYPOINT")),
    )
    changes |= {field: value for field, value in told if isinstance(value, str) and value}
    if attended := env.get("CLAUDE_CODE_SESSION_ATTENDED"):
        changes["attended"] = attended != "0"
    if (pid := env.get("CLAUDE_PID", "")).isdigit():
        changes["pid"] = int(pid)

    changes["agents"] = _after_agent_event(session.agents, record, name, payload)
    # A sub-agent's own calls are its parent's too.
    if name == "PreToolUse":
        changes["calls"] = session.calls + 1
    elif name == "PostToolUseFailure":
        changes["failed"] = session.failed + 1
    if name == "SessionEnd":
        changes["state"] = "ended"
        changes["ended_because"] = str(payload.get("reason", ""))
    elif record.agent is None:
        changes["state"] = "idle" if name in _IDLE_AFTER else "working"
    return msgspec.structs.replace(session, **changes)


def _after_agent_event(
    agents: tuple[Agent, ...], record: Record, name: str, payload: dict[str, Any]
) -> tuple[Agent, ...]:
    if record.agent is None:
        return agents
    known = next((agent for agent in agents if agent.id == record.agent), None)
    # A compaction ends two helpers of its own that never started and have no type.
    if known is None and name == "SubagentStop" and not payload.get("agent_type"):
        return agents
    agent = known or Agent(id=record.agent, started=record.at)
    agent = msgspec.structs.replace(
        agent,
        type=payload.get("agent_type") or agent.type,
        state="done" if name == "SubagentStop" else "working",
        last=record.at,
        calls=agent.calls + (name == "PreToolUse"),
    )
    if known is None:
        return (*agents, agent)
    return tuple(agent if other.id == agent.id else other for other in agents)
