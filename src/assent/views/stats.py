"""Statistics as a pure fold of records: what happened each day in each project, and who decided it.

An ask and its answer are counted on the day of the question, so that each day adds up by itself."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from assent.protocol import usage
from assent.protocol.bodies import AnswerBody, AskBody, OutcomeBody, ToldBody, read
from assent.protocol.bodies import Ending as AskEnding
from assent.protocol.record import Kind, Record, client_of, is_counted
from assent.text import wording
from assent.views import figures, spread
from assent.views.days import LONGEST_NAME, Cells, Day, Decider, Ending, cell, day_of

MOST_PENDING = 1_000
MOST_SESSIONS = 1_000
LONGEST_SPAN = 3.2e10
TERMINAL = "terminal"

_COMMAND = re.compile(r"\s*([\w.+-]+)(?:[ \t]+([a-z][a-z-]*)(?=\s|$))?(?=\s|$)")
# Programs whose second word says what they do.
_WITH_VERB = re.compile(
    "apt|aws|az|brew|bundle|cargo|composer|deno|docker|dotnet|gcloud|gh|git|go|helm|kubectl|make|npm|pip|pnpm|podman"
    "|poetry|systemctl|terraform|uv|yarn"
)
_VOICES: dict[str, Decider] = {
    "floor": "floor",
    "rule": "rule",
    "permission": "permission",
    "stance": "stance",
    "person": "person",
    # What a run of `assent exec` is to make of its asks is a stance, too.
    "run": "stance",
}
_CAUSES: dict[str, Ending] = {"timed_out": "expired", "handed_back": "handed_back"}
_HANDED_BACK = "hand_back"
_DENYING = frozenset({"deny", "deny_here", "deny_and_stop", "decline", "revise", "keep_going"})
_ENDINGS: dict[AskEnding, Ending] = {
    "ran": "terminal_allowed",
    "failed": "terminal_allowed",
    "denied": "terminal_denied",
    "expired": "expired",
    "handed_back": "handed_back",
    "withdrawn": "withdrawn",
    "unknown": "unknown",
}


class Pending(Struct, omit_defaults=True):
    """A call without its result, or an ask without its end: what must be remembered from record to record."""

    at: int
    day: str
    project: str
    session: str | None = None
    agent: str | None = None
    is_call: bool = True
    ask: str | None = None
    asked_at: int | None = None
    # Whether it is counted how the ask ended, and who decided the call.
    is_ended: bool = False
    is_decided: bool = False
    # Who wanted a person to look at it.
    sent_by: Decider | None = None
    # What it is called among those that prompted most.
    shape: str = ""


class Stats(Struct, omit_defaults=True):
    cells: Cells = {}
    # By call, or by ask where there is no call; oldest first.
    pending: dict[str, Pending] = {}
    # Where each session works, for records that do not say it.
    sessions: dict[str, str] = {}


def fold(stats: Stats, record: Record) -> None:
    """Apply one record in place."""
    apply = _APPLY.get(record.kind)
    if apply is not None and is_counted(record.session):
        apply(stats, record)


def rebuilt(records: Iterable[Record]) -> Stats:
    stats = Stats()
    for record in records:
        fold(stats, record)
    return stats


def _event(stats: Stats, record: Record) -> None:
    body = record.body
    payload = _table(body, "payload")
    project = _project(stats, record, payload)
    day = day_of(record.at)
    counted = cell(stats.cells, day, project)
    counted.events += 1
    if not body.get("known", True):
        if body.get("trouble"):
            counted.bad_input += 1
        else:
            counted.unknown_events += 1
        return
    match body.get("event"):
        case "PreToolUse":
            counted.calls += 1
            counted.tool(str(payload.get("tool_name"))).count += 1
            if record.call is None:
                _count(counted.deciders, "unknown")
            else:
                shape = _shape(str(payload.get("tool_name")), _table(payload, "tool_input").get("command"))
                pending = Pending(record.at, day, project, record.session, record.agent, shape=shape)
                _remember(stats, record.call, pending)
        case "PostToolUse":
            _result(stats, record, payload, counted)
        case "PostToolUseFailure":
            counted.failures += 1
            counted.tool(str(payload.get("tool_name"))).failed += 1
            _result(stats, record, payload, counted)
        case "PermissionDenied":
            _settle(stats, record.call, "terminal_denied", lambda _: "client")
        case "UserPromptSubmit":
            counted.prompts += 1
            _turn_over(stats, record)
        case "Stop" | "StopFailure" | "SubagentStop":
            _turn_over(stats, record)
        case "SessionEnd":
            _session_over(stats, record)


def _result(stats: Stats, record: Record, payload: dict[str, Any], counted: Day) -> None:
    took = _measure(payload.get("duration_ms"))
    pending = stats.pending.get(record.call or "")
    if took is not None:
        tool = counted.tool(str(payload.get("tool_name")))
        tool.total_ms += took
        spread.add(tool.took_ms, took)
        if pending is not None and pending.asked_at is not None and not pending.is_ended:
            # Between question and result lies what the person took and what the call took.
            _cell(stats, pending).waited(TERMINAL, max(0, record.at - pending.asked_at - took))
    _settle(stats, record.call, "terminal_allowed", lambda it: "terminal" if it.asked_at or it.sent_by else "client")


def _decision(stats: Stats, record: Record) -> None:
    body = record.body
    word = record.decision or "?"
    pending = stats.pending.get(record.call or "")
    project = _project(stats, record, {})
    counted = _cell(stats, pending) if pending else cell(stats.cells, day_of(record.at), project)
    _count(counted.decisions, word)
    took = _measure(body.get("took_us"))
    # Older records of what a person was asked count their time, too.
    if took is not None and record.ask is None:
        spread.add(counted.took_us, took)
    event = body.get("event")
    if event not in ("PreToolUse", "PermissionRequest"):
        return
    decider = _VOICES.get((record.by or "").partition(":")[0], "unknown")
    if word in ("allow", "deny"):
        if word == "allow" and decider in ("rule", "permission", "stance"):
            counted.unasked += 1
        _decided(stats, pending, decider)
        if pending is not None and record.by == "timeout":
            _ended(stats, pending, "expired")
        if word == "deny":
            # No result follows.
            _forget(stats, record.call)
    elif event == "PermissionRequest":
        _asked(record, pending, counted)
        ending = _CAUSES.get(str(_table(body, "decision").get("cause")))
        if pending is not None and ending is not None:
            _ended(stats, pending, ending)
    elif word == "prompt" and pending is not None:
        pending.sent_by = decider


def _asked(record: Record, pending: Pending | None, counted: Day) -> None:
    """The dialog is open at the terminal, and was not closed from here."""
    if pending is None:
        if record.ask is not None:
            # The result of the call came first, and the ask is counted.
            return
        counted.asks += 1
        counted.prompted(str(record.body.get("tool") or ""))
        _count(counted.endings, "unknown")
    elif pending.asked_at is None:
        pending.asked_at = record.at
        counted.asks += 1
        counted.prompted(pending.shape or str(record.body.get("tool") or ""))


def _ask(stats: Stats, record: Record) -> None:
    body = read(record, AskBody)
    if body is None or record.ask is None or body.rev > 1 or _find(stats, record, by_call=False):
        return
    pending = stats.pending.get(record.call or "")
    if pending is None:
        where = (day_of(record.at), body.project or stats.sessions.get(record.session or "", ""))
        pending = Pending(record.at, *where, record.session, record.agent, is_call=False)
        _remember(stats, record.ask, pending)
    pending.ask = record.ask
    if pending.asked_at is None:
        pending.asked_at = record.at
        counted = _cell(stats, pending)
        counted.asks += 1
        shape = _shape_of_ask(body)
        is_lasting = bool(shape) and body.what == "permission"
        counted.prompted(shape or pending.shape or body.tool, stays=record.seq if is_lasting else 0)


def _shape_of_ask(body: AskBody) -> str:
    """As an answer that stays would call it, where there is one."""
    if body.what != "permission":
        return wording.KINDS[body.what].word
    stays = body.card.get("stays")
    for stay in stays if isinstance(stays, list | tuple) else ():
        if isinstance(stay, dict) and stay.get("kind") == "shape" and isinstance(stay.get("words"), str):
            return str(stay["words"]).replace("`", "")
    return ""


def _shape(tool: str, command: object) -> str:
    """The tool; of a command its program, with what it is to do where that is a word."""
    found = _COMMAND.match(command) if isinstance(command, str) else None
    if found is None:
        return tool
    program, verb = found.groups()
    return f"{program} {verb}" if verb and _WITH_VERB.fullmatch(program) else str(program)


def _answer(stats: Stats, record: Record) -> None:
    body, key = read(record, AnswerBody), _find(stats, record)
    if body is None or key is None:
        return
    pending = stats.pending[key]
    denied = body.choice in _DENYING
    if not pending.is_ended:
        waited = body.waited_ms if body.waited_ms is not None else record.at - (pending.asked_at or record.at)
        _cell(stats, pending).waited(body.surface, max(0, waited))
    back = body.choice == _HANDED_BACK
    _ended(stats, pending, "handed_back" if back else "denied" if denied else "allowed")
    if not back:
        _decided(stats, pending, "person")
    if denied or not pending.is_call:
        _forget(stats, key)


def _outcome(stats: Stats, record: Record) -> None:
    body, key = read(record, OutcomeBody), _find(stats, record)
    if body is None or key is None or body.certainty != "certain":
        return
    pending = stats.pending[key]
    # An answer at the terminal does not say what it was: the call's result, or the end of its turn, does.
    if body.ending != "terminal":
        _ended(stats, pending, _ENDINGS[body.ending])
    elif not pending.is_call:
        _ended(stats, pending, "terminal")
    if not pending.is_call:
        _forget(stats, key)


def _told(stats: Stats, record: Record) -> None:
    body = read(record, ToldBody)
    if body is not None and not body.delivered:
        project = body.project or stats.sessions.get(record.session or "", "")
        cell(stats.cells, day_of(record.at), project).undelivered += 1


def _gap(stats: Stats, record: Record) -> None:
    cell(stats.cells, day_of(record.at), stats.sessions.get(record.session or "", "")).gaps += figures.missed_hooks(
        record
    )


def _hub(stats: Stats, record: Record) -> None:
    if record.body.get("what") == "session_vanished":
        _session_over(stats, record)
    elif used := usage.read(record):
        # Told by the record itself: the last of it comes after the session ended.
        project = record.body.get("project") or stats.sessions.get(record.session or "", "")
        cell(stats.cells, day_of(record.at), str(project)[:LONGEST_NAME]).use(used)


_APPLY: dict[Kind, Callable[[Stats, Record], None]] = {
    "event": _event,
    "decision": _decision,
    "ask": _ask,
    "answer": _answer,
    "outcome": _outcome,
    "told": _told,
    "gap": _gap,
    "hub": _hub,
}


def _turn_over(stats: Stats, record: Record) -> None:
    """What was asked and never ran was refused at the terminal: of that the client says nothing."""
    whose = (record.session, record.agent)
    for key in [key for key, it in stats.pending.items() if (it.session, it.agent) == whose]:
        is_call = stats.pending[key].is_call
        _settle(stats, key, "terminal_denied" if is_call else "terminal", _who_refused)


def _session_over(stats: Stats, record: Record) -> None:
    for key in [key for key, it in stats.pending.items() if it.session == record.session]:
        _settle(stats, key, "withdrawn", lambda it: it.sent_by or "unknown")
    if record.session is not None:
        stats.sessions.pop(record.session, None)


def _who_refused(it: Pending) -> Decider:
    return "terminal" if it.asked_at else it.sent_by or "unknown"


def _settle(stats: Stats, key: str | None, ending: Ending, decider: Callable[[Pending], Decider]) -> None:
    """It is over: count what is not counted yet, and forget it."""
    pending = stats.pending.get(key or "")
    if pending is None:
        return
    if pending.asked_at is not None:
        _ended(stats, pending, ending)
    if pending.is_call:
        _decided(stats, pending, decider(pending))
    _forget(stats, key)


def _ended(stats: Stats, pending: Pending, ending: Ending) -> None:
    if pending.asked_at is not None and not pending.is_ended:
        pending.is_ended = True
        _count(_cell(stats, pending).endings, ending)


def _decided(stats: Stats, pending: Pending | None, decider: Decider) -> None:
    if pending is not None and pending.is_call and not pending.is_decided:
        pending.is_decided = True
        _count(_cell(stats, pending).deciders, decider)


def _remember(stats: Stats, key: str, pending: Pending) -> None:
    _settle(stats, key, "unknown", lambda _: "unknown")
    if len(stats.pending) >= MOST_PENDING:
        _settle(stats, next(iter(stats.pending)), "unknown", lambda it: it.sent_by or "unknown")
    stats.pending[key] = pending


def _forget(stats: Stats, key: str | None) -> None:
    """What is not counted by now never will be."""
    pending = stats.pending.pop(key or "", None)
    if pending is not None:
        _ended(stats, pending, "unknown")
        _decided(stats, pending, "unknown")


def _find(stats: Stats, record: Record, *, by_call: bool = True) -> str | None:
    if by_call and record.call in stats.pending:
        return record.call
    # At the speed of people, so a walk over the few that are pending will do.
    return next((key for key, it in stats.pending.items() if it.ask == record.ask), None) if record.ask else None


def _project(stats: Stats, record: Record, payload: dict[str, Any]) -> str:
    body = record.body
    path = client_of(body).project or payload.get("cwd")
    project = str(path or stats.sessions.get(record.session or "", ""))[:LONGEST_NAME]
    if record.session is not None and stats.sessions.get(record.session) != project:
        if len(stats.sessions) >= MOST_SESSIONS:
            del stats.sessions[next(iter(stats.sessions))]
        stats.sessions[record.session] = project
    return project


def _measure(value: object) -> float | None:
    """A span as an agent tells it; nothing takes longer than a year."""
    return min(max(value, 0), LONGEST_SPAN) if isinstance(value, int | float) else None


def _table(body: dict[str, Any], name: str) -> dict[str, Any]:
    """Empty where the field has another form."""
    value = body.get(name)
    return value if isinstance(value, dict) else {}


def _cell(stats: Stats, pending: Pending) -> Day:
    return cell(stats.cells, pending.day, pending.project)


def _count(counts: "dict[Any, int]", name: str) -> None:
    counts[name] = counts.get(name, 0) + 1
