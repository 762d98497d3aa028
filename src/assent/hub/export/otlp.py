"""Decisions and answers as OTLP log records in JSON, under names of ours and those of the Elastic Common Schema."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from assent._version import __version__
from assent.harnesses import registry
from assent.protocol import bodies
from assent.protocol.bodies import AnswerBody
from assent.protocol.operations import Edit, Fetch, Operation, Read, Shell, Write
from assent.protocol.record import ELSEWHERE, Record, client_of, is_practice
from assent.views.line import describe, what_of

# Version of the names below; a name is never given another meaning.
VERSION = "1"
# A yes of several that are needed is an answer, too.
KINDS = ("decision", "answer", "approved")
# What an agent wrote can be of any length; a collector need not carry all of it.
LONGEST = 4_000
MOST_VALUES = 50

INFO, WARN = (9, "INFO"), (13, "WARN")
# ECS knows of an event whether something was allowed or denied by it.
_DECIDED = {
    **dict.fromkeys(("allow", "answered", "filled"), "allowed"),
    **dict.fromkeys(("deny", "block", "halt"), "denied"),
}
_ANSWERED = {
    **dict.fromkeys(("allow", "allow_edited", "allow_session", "allow_project", "allow_user"), "allowed"),
    **dict.fromkeys(("allow_here", "allow_for", "approve", "answer", "submit"), "allowed"),
    **dict.fromkeys(("deny", "deny_here", "deny_and_stop", "decline", "cancel", "revise"), "denied"),
}

Pairs = Iterator[tuple[str, object]]


class Subject(Struct, frozen=True):
    """What a decision or an answer is about: from the record of the event with the same request."""

    harness: str = ""
    event: str = ""
    tool: str = ""
    project: str = ""
    what: str = ""
    command: str = ""
    path: str = ""
    url: str = ""


def subject(event: Record) -> Subject:
    try:
        return _subject(event)
    except Exception:
        # Whatever stands there: what was decided about it is sent all the same.
        return Subject()


def _subject(event: Record) -> Subject:
    body = event.body
    payload = body.get("payload")
    payload = payload if isinstance(payload, dict) else {}
    harness, tool, given = (
        str(body.get("harness") or ""),
        str(payload.get("tool_name") or ""),
        payload.get("tool_input"),
    )
    operation = registry.operation_of(harness, tool, given) if tool and isinstance(given, dict) else None
    return Subject(
        harness=harness,
        event=str(body.get("event") or ""),
        tool=tool,
        project=client_of(body).project,
        what=cut(what_of(payload)),
        **_done_to(operation),
    )


def _done_to(operation: Operation | None) -> dict[str, str]:
    match operation:
        case Shell(command=str(command)):
            return {"command": cut(command)}
        case Edit(path=str(path)) | Write(path=str(path)) | Read(path=str(path)):
            return {"path": cut(path)}
        case Fetch(url=str(url)):
            return {"url": cut(url)}
        case _:
            return {}


def request(records: Sequence[tuple[Record, Subject]], *, host: str, now_ns: int) -> bytes:
    """The body of one ExportLogsServiceRequest; all records are of one hub."""
    resource = {
        "service.name": "assent",
        "service.version": __version__,
        "service.instance.id": records[0][0].hub,
        "host.name": host,
    }
    logs = [_log_record(record, about, now_ns) for record, about in records]
    scope = {"name": "assent.export", "version": VERSION}
    of_scope = {"scope": scope, "logRecords": logs}
    of_resource = {"resource": {"attributes": attributes(resource.items())}, "scopeLogs": [of_scope]}
    return msgspec.json.encode({"resourceLogs": [of_resource]})


def _log_record(record: Record, about: Subject, now_ns: int) -> dict[str, Any]:
    try:
        return log_record(record, about, now_ns)
    except Exception:
        # Tampered with, or of a version to come: an auditor is to see that there is something.
        place = attributes([*_place(record), ("assent.by", record.by), ("assent.unreadable", True)])
        return {"timeUnixNano": str(record.at * 1_000_000), "eventName": _name(record), "attributes": place}


def log_record(record: Record, about: Subject, now_ns: int) -> dict[str, Any]:
    own = {"decision": _decision, "answer": _answer, "approved": _approved}[record.kind](record)
    outcome = _outcome(record)
    number, word = WARN if outcome == "denied" else INFO
    return {
        "timeUnixNano": str(record.at * 1_000_000),
        "observedTimeUnixNano": str(now_ns),
        "severityNumber": number,
        "severityText": word,
        # The name of an event has a field of its own since version 1.5 of the protocol.
        "eventName": _name(record),
        "body": value(describe(record)),
        "attributes": attributes([*_place(record), *_common(record, about), *own, *_ecs(record, about, outcome)]),
    }


def _name(record: Record) -> str:
    return "assent.decision" if record.kind == "decision" else "assent.answer"


def uid(record: Record) -> str:
    """As ``assent log verify --against`` takes it."""
    return f"{record.hub}:{record.seq}:{record.hash}"


def _place(record: Record) -> Pairs:
    yield "event.name", _name(record)
    yield "log.record.uid", uid(record)
    yield "assent.hub", record.hub
    yield "assent.seq", record.seq


def _common(record: Record, about: Subject) -> Pairs:
    body = record.body
    yield "assent.session", record.session
    yield "session.id", record.session
    yield "assent.agent", record.agent
    yield "assent.call", record.call
    yield "assent.ask", record.ask
    yield "assent.risk", record.risk
    yield "assent.by", record.by
    if record.by and record.by.startswith("rule:"):
        yield "assent.rule", record.by.removeprefix("rule:")
    yield "assent.harness", body.get("harness") or about.harness
    yield "assent.event", body.get("event") or about.event
    yield "assent.tool", body.get("tool") or about.tool
    yield "assent.project", body.get("project") or about.project
    yield "assent.what", about.what
    yield "assent.practice", is_practice(record.session) or None
    yield "assent.elsewhere", (record.session or "").startswith(ELSEWHERE) or None


def _decision(record: Record) -> Pairs:
    body = record.body
    decision = _table(body.get("decision"))
    yield "assent.decision", record.decision
    yield "assent.cause", decision.get("cause")
    yield "assent.why", decision.get("reason") or decision.get("context")
    yield "assent.trace", [_voice(line) for line in _tables(body.get("trace"))]
    approval = _table(body.get("approval"))
    yield "assent.approval", approval.get("rules")
    yield "assent.approved_by", approval.get("by")
    yield "assent.not_told", body.get("dropped")
    yield "assent.took_us", body.get("took_us")


def _answer(record: Record) -> Pairs:
    answer = bodies.read(record, AnswerBody)
    if answer is None:
        # Written by another version; its choice is what counts.
        yield "assent.choice", record.body.get("choice")
        return
    yield "assent.choice", answer.choice
    yield "assent.surface", answer.surface
    yield "assent.device", answer.device
    yield "assent.waited_ms", answer.waited_ms
    yield "assent.message", answer.message
    yield "assent.grants", list(answer.grants)
    yield "assent.together", answer.together or None
    yield "assent.approval", answer.approval
    yield "assent.approved_by", list(answer.approved_by)


def _approved(record: Record) -> Pairs:
    """A yes where several are needed, and more are missing."""
    body = record.body
    identity = _table(body.get("identity"))
    yield "assent.choice", "allow"
    for name in ("surface", "device", "waited_ms", "message", "approval", "missing"):
        yield f"assent.{name}", body.get(name)
    yield "assent.approved_by", [identity.get("mail") or identity.get("subject") or ""] if identity else []


def _ecs(record: Record, about: Subject, outcome: str) -> Pairs:
    body = record.body
    decision, took_us = _table(body.get("decision")), body.get("took_us")
    yield "event.kind", "event"
    yield "event.module", "assent"
    yield "event.dataset", _name(record)
    yield "event.id", uid(record)
    yield "event.sequence", record.seq
    yield "event.action", record.decision or body.get("choice")
    yield "event.type", [outcome]
    yield "event.reason", decision.get("reason")
    # In nanoseconds.
    yield "event.duration", took_us * 1_000 if isinstance(took_us, int) else None
    if record.by and record.by.startswith("rule:"):
        yield "rule.name", record.by.removeprefix("rule:")
    if record.by and record.by.startswith("person:"):
        yield "user.name", record.by.removeprefix("person:")
    yield "process.command_line", about.command
    yield "file.path", about.path
    yield "url.full", about.url


def _outcome(record: Record) -> str:
    """One of the words ECS has for ``event.type``."""
    if record.kind == "approved":
        return "allowed"
    if record.kind == "answer":
        return _ANSWERED.get(str(record.body.get("choice")), "info")
    return _DECIDED.get(record.decision or "", "info")


def _voice(line: Mapping[str, Any]) -> str:
    evidence = f" ({line['evidence']})" if line.get("evidence") else ""
    return f"{line.get('by', '?')} {line.get('says', '?')}: {line.get('why', '')}{evidence}"


def attributes(pairs: Any) -> list[dict[str, Any]]:
    """Without those that say nothing."""
    return [{"key": key, "value": value(each)} for key, each in pairs if each not in (None, "", [], ())]


def value(of: object) -> dict[str, Any]:
    """An AnyValue. Numbers of 64 bits are text in JSON."""
    match of:
        case bool():
            return {"boolValue": of}
        case int():
            return {"intValue": str(of)}
        case float():
            return {"doubleValue": of}
        case list() | tuple():
            return {"arrayValue": {"values": [value(each) for each in of[:MOST_VALUES]]}}
        case _:
            return {"stringValue": cut(str(of))}


def cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _table(given: object) -> dict[str, Any]:
    return given if isinstance(given, dict) else {}


def _tables(given: object) -> list[dict[str, Any]]:
    return [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
