"""Sessions as a pure fold of records: who works where, in which mode, with which sub-agents, and how it ended."""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from assent.protocol import usage
from assent.protocol.record import Record
from assent.protocol.usage import Usage

State = Literal["working", "idle", "ended", "vanished"]

# The tools that start a sub-agent.
_ORDERS = frozenset({"Agent", "Task"})
MOST_ORDERED = 20
LONGEST_TASK = 300
# Turn ends leave a session waiting for its user; everything else means it works.
_IDLE_AFTER = frozenset({"Stop", "StopFailure", "SessionStart", "Setup"})


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
    # Sub-agents that were ordered and have not reported yet: their type, and what they are to do.
    ordered: tuple[tuple[str, str], ...] = ()

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

    changes["agents"], changes["ordered"] = _after_agent_event(session, record, name, payload)
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
    session: Session, record: Record, name: str, payload: dict[str, Any]
) -> tuple[tuple[Agent, ...], tuple[tuple[str, str], ...]]:
    agents, ordered = session.agents, session.ordered
    if name == "PreToolUse" and payload.get("tool_name") in _ORDERS:
        ordered = (*ordered, _order(payload.get("tool_input")))[-MOST_ORDERED:]
    if record.agent is None:
        return agents, ordered
    known = next((agent for agent in agents if agent.id == record.agent), None)
    # A compaction ends two helpers of its own that never started and have no type.
    if known is None and name == "SubagentStop" and not payload.get("agent_type"):
        return agents, ordered
    agent = known or Agent(id=record.agent, started=record.at)
    kind = payload.get("agent_type") or agent.type
    if known is None:
        # Nothing in the protocol ties an agent to its order but the type, and that they come in turn.
        order = next((order for order in ordered if order[0] in ("", kind)), None)
        if order is not None:
            place = ordered.index(order)
            ordered = (*ordered[:place], *ordered[place + 1 :])
            agent = msgspec.structs.replace(agent, task=order[1])
    agent = msgspec.structs.replace(
        agent,
        type=kind,
        state="done" if name == "SubagentStop" else "working",
        last=record.at,
        calls=agent.calls + (name == "PreToolUse"),
    )
    if known is None:
        return (*agents, agent), ordered
    return tuple(agent if other.id == agent.id else other for other in agents), ordered


def _order(given: Any) -> tuple[str, str]:
    known: dict[str, Any] = given if isinstance(given, dict) else {}
    what = known.get("description") or known.get("prompt") or ""
    return str(known.get("subagent_type") or ""), str(what)[:LONGEST_TASK]
