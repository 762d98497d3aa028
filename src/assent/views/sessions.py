"""Sessions as a pure fold of records: who works where, in which mode, with which sub-agents, and how it ended."""

from typing import Any

import msgspec

from assent.harnesses import registry
from assent.protocol import context, modes, summary, terminal, todos, usage
from assent.protocol.context import Context
from assent.protocol.operations import Subagent
from assent.protocol.record import Record, client_of, is_practice
from assent.protocol.session import Agent, AutoMode, Session, Turn
from assent.protocol.usage import Usage
from assent.text.safe import middle
from assent.views import asks as ask_view

# The tools that start a sub-agent.
MOST_ORDERED = 20
LONGEST_TASK = 300
# What an event of the main agent says of the turn; the others can come at any time.
_TURNS: dict[str, Turn] = {
    **dict.fromkeys(("Stop", "StopFailure", "SessionStart", "Setup"), "idle"),
    **dict.fromkeys(("UserPromptSubmit", "PreToolUse", "PermissionRequest", "PermissionDenied"), "working"),
    **dict.fromkeys(("PostToolUse", "PostToolUseFailure", "PostToolBatch"), "working"),
    **dict.fromkeys(("SubagentStart", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult"), "working"),
}
_BEGINS = frozenset({"SessionStart", "UserPromptSubmit", "PreToolUse"})
# Kinds of notification that say a dialog is open in the terminal.
_DIALOGS = frozenset({"permission_prompt", "elicitation_dialog", "elicitation_url_dialog", "agent_needs_input"})
# After these, what was known of the context is of another one.
_EMPTIES = frozenset({"SessionStart", "PostCompact", "PostModelSwitch"})

LONGEST_PROMPT = 1_200

Sessions = dict[str, Session]


def fold(sessions: Sessions, record: Record, needs: int = 0) -> Session | None:
    """Apply one record in place; the session it changed, if any. ``needs``: how many asks of it wait afterwards."""
    if record.session is None:
        return None
    session = sessions.get(record.session)
    changed = _changed(session, record) or session
    if changed is None:
        return None
    auto, state = changed.auto.with_record(record, changed.mode), changed.state
    if changed.is_live:
        state = "waiting" if needs or changed.dialogs else changed.turn
    if auto is not changed.auto or (needs, state) != (changed.needs, changed.state):
        changed = msgspec.structs.replace(changed, needs=needs, auto=auto, state=state)
    sessions[record.session] = changed
    return changed if changed is not session and changed != session else None


def auto_mode(sessions: Sessions) -> AutoMode:
    """All of them together."""
    every = [session.auto for session in sessions.values()]
    return AutoMode(*(sum(getattr(each, name) for each in every) for name in AutoMode.__struct_fields__))


def rebuilt(records: list[Record]) -> Sessions:
    sessions: Sessions = {}
    asks = ask_view.Asks()
    for record in records:
        ask_view.fold(asks, record)
        fold(sessions, record, asks.needing(record.session))
    return sessions


def _begun(session: str, at: int) -> Session:
    return Session(id=session, started=at, practice=is_practice(session))


def _changed(session: Session | None, record: Record) -> Session | None:
    """After the record, but for the asks that wait."""
    if record.kind == "event":
        return _after_event(session or _begun(record.session or "", record.at), record)
    if session is None:
        return None
    if record.kind == "decision":
        return _after_decision(session, record)
    if record.kind == "hub" and record.body.get("what") == "session_vanished":
        return msgspec.structs.replace(session, state="vanished", dialogs=(), ended_because="its process is gone")
    if record.kind == "hub" and (used := usage.read(record)):
        return _after_usage(session, used)
    if filled := context.read(record):
        return msgspec.structs.replace(session, context=filled)
    if did := summary.read(record):
        return msgspec.structs.replace(session, summary=did)
    return None


def _after_decision(session: Session, record: Record) -> Session:
    about, word = record.body.get("event"), record.decision
    changes: dict[str, Any] = {}
    if word == "deny":
        changes["denied"] = session.denied + 1
    if about == "Stop" and word in ("block", "proceed"):
        # It was kept going.
        changes["turn"] = "working"
    if about == "PermissionRequest":
        changes["dialogs"] = _without(session.dialogs, record)
        if word in ("no_opinion", "prompt") and session.attended is not False:
            # Left to the client, which shows its own dialog.
            changes["dialogs"] += ((record.agent or "", record.call or ""),)
    return msgspec.structs.replace(session, **changes) if changes else session


def _without(dialogs: tuple[tuple[str, str], ...], record: Record) -> tuple[tuple[str, str], ...]:
    """Those that are still open after a record: of other agents, and of other calls of the same agent."""
    own = record.agent or ""
    return tuple(
        (agent, call) for agent, call in dialogs if agent != own or (call and record.call and call != record.call)
    )


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


def _prompt(payload: dict[str, Any]) -> str:
    prompt = payload.get("prompt")
    return middle(prompt, LONGEST_PROMPT) if isinstance(prompt, str) else ""


def _after_event(session: Session, record: Record) -> Session:
    body = record.body
    name: str = body.get("event", "")
    payload: dict[str, Any] = body.get("payload", {})
    client = client_of(body)
    # A record without a folder names the root.
    project = client.project if client.project != "/" else ""
    changes: dict[str, Any] = {"last": record.at, "harness": body.get("harness", session.harness)}

    texts = (
        ("cwd", payload.get("new_cwd") or payload.get("cwd")),
        ("project", project or session.project or payload.get("cwd")),
        ("mode", modes.canonical(str(payload.get("permission_mode") or ""))),
        ("model", payload.get("model") or (payload.get("to_model") if name == "PostModelSwitch" else None)),
        ("title", payload.get("session_title")),
        ("entrypoint", client.entrypoint),
        ("prompt", _prompt(payload) if name == "UserPromptSubmit" and record.agent is None else None),
    )
    changes |= {field: value for field, value in texts if isinstance(value, str) and value}
    if client.attended is not None:
        changes["attended"] = client.attended
    if client.pid is not None:
        changes["pid"] = client.pid
    if client.remote:
        changes["remote"] = True

    changes |= _after_work(session, record, name, payload)
    changes["agents"], changes["ordered"] = _after_agent_event(session, record, name, payload)
    # A sub-agent's own calls are its parent's too.
    if name == "PreToolUse":
        changes["calls"] = session.calls + 1
    elif name == "PostToolUseFailure":
        changes["failed"] = session.failed + 1
    if name == "SessionEnd":
        return msgspec.structs.replace(
            session, **changes, state="ended", dialogs=(), ended_because=str(payload.get("reason", ""))
        )
    return msgspec.structs.replace(session, **changes, **_after_turn_event(session, record, name, payload))


def _after_work(session: Session, record: Record, name: str, payload: dict[str, Any]) -> dict[str, Any]:
    """To-do list, context and terminal, as far as the event says something about them."""
    changes: dict[str, Any] = {}
    if (change := todos.read(record.body)) is not None:
        changes["todos"] = todos.applied(session.todos, change)
    if record.agent is None and name in _EMPTIES:
        # A resumed session tells how much it begins with; of others it is not known until the model has answered.
        tokens = payload.get("context_tokens") if name == "SessionStart" else None
        changes["context"] = Context(tokens) if isinstance(tokens, int) and tokens > 0 else None
    place = terminal.read(record.body)
    if place is not None or name == "SessionStart":
        changes["terminal"] = place
    return changes


def _after_turn_event(session: Session, record: Record, name: str, payload: dict[str, Any]) -> dict[str, Any]:
    if name == "Notification":
        return _after_notification(session, record, str(payload.get("notification_type", "")))
    # A compaction starts the session anew, also in the middle of a turn.
    turn = _TURNS.get(name) if record.agent is None and payload.get("source") != "compact" else None
    changes: dict[str, Any] = {"dialogs": _without(session.dialogs, record)}
    # An event that says it goes on brings back one that was given up; one that ended needs a new beginning, for the
    # hub may come to the last events of a session in another order than they were sent.
    if turn is not None and (session.state != "ended" or name in _BEGINS):
        changes |= {"turn": turn, "state": turn}
    return changes


def _after_notification(session: Session, record: Record, kind: str) -> dict[str, Any]:
    """The client repeats what it said before: a turn that is over stays over."""
    if kind == "idle_prompt":
        return {"turn": "idle", "dialogs": ()}
    if kind in _DIALOGS and not session.needs and not session.dialogs and session.attended is not False:
        return {"dialogs": ((record.agent or "", ""),)}
    return {"dialogs": _without(session.dialogs, record)} if kind == "elicitation_response" else {}


def _after_agent_event(
    session: Session, record: Record, name: str, payload: dict[str, Any]
) -> tuple[tuple[Agent, ...], tuple[tuple[str, str], ...]]:
    agents, ordered = session.agents, session.ordered
    if name == "PreToolUse" and (order := _order(str(record.body.get("harness", "")), payload)) is not None:
        ordered = (*ordered, order)[-MOST_ORDERED:]
    if record.agent is None:
        return agents, ordered
    earlier = next((agent for agent in agents if agent.id == record.agent), None)
    # A compaction ends two helpers of its own that never started and have no type.
    if earlier is None and name == "SubagentStop" and not payload.get("agent_type"):
        return agents, ordered
    agent = earlier or Agent(id=record.agent, started=record.at)
    kind = payload.get("agent_type") or agent.type
    if earlier is None:
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
    if earlier is None:
        return (*agents, agent), ordered
    return tuple(agent if other.id == agent.id else other for other in agents), ordered


def _order(harness: str, payload: dict[str, Any]) -> tuple[str, str] | None:
    """The kind of a sub-agent that starts, and what it is told to do."""
    given = payload.get("tool_input")
    operation = registry.operation_of(
        harness, str(payload.get("tool_name", "")), given if isinstance(given, dict) else {}
    )
    if not isinstance(operation, Subagent):
        return None
    return operation.kind, (operation.description or operation.prompt)[:LONGEST_TASK]
