"""The kinds of records the hub writes about itself and about people, each as one sentence."""

from collections.abc import Callable
from pathlib import PurePath

import msgspec

from assent.harnesses import names
from assent.protocol import context, summary, usage
from assent.protocol.bodies import (
    AnswerBody,
    ApprovedBody,
    AskBody,
    Certainty,
    CheckpointBody,
    ConfigBody,
    OutcomeBody,
    PushBody,
    RefusedBody,
    RulesBody,
    ToldBody,
    read,
)
from assent.protocol.queue import Did, Goal, QueueBody
from assent.protocol.record import Kind, Record
from assent.text import wording
from assent.text.safe import plain_line
from assent.text.who import decider
from assent.views import figures

_SURE: dict[Certainty, str] = {"certain": "", "reported": " (reported, not yet certain)", "probable": " (probably)"}
# The file of those that people gave for longer than once.
_PERMISSIONS = "permissions.json"
_TOLD_AT: dict[Goal, str] = {
    "stop": "the agent, which would have stopped",
    "tool": "the agent, with a tool's result",
    "subagent": "a sub-agent, which would have stopped",
    "teammate": "a teammate without work",
    "task": "the agent that called a task done",
}
_QUEUE: dict[Did, str] = {
    "added": "queued",
    "changed": "changed in the queue",
    "moved": "moved to place {place} of the queue",
    "removed": "taken out of the queue",
    "delivered": "told {told}",
    "returned": "it was not heard, so it waits again",
}
_TURNS = {"finished": "the finished turn", "failed": "the turn that failed"}
_HUB = {"session_vanished": "the session's process is gone without saying so"}


def sentence(record: Record) -> str:
    """What the record says, or just its kind where its body is none of ours."""
    tell = _TELL.get(record.kind)
    return (tell(record) if tell else "") or record.kind


def span(ms: float) -> str:
    """``340 ms``, ``4.2 s``, ``3 min 20 s``, ``2 h 5 min``."""
    if ms < 999.5:
        return f"{ms:.0f} ms"
    if ms < 59_950:
        return f"{ms / 1000:.1f} s"
    seconds = round(ms / 1000)
    if seconds < 3600:
        return f"{seconds // 60} min" + (f" {seconds % 60} s" if seconds % 60 else "")
    minutes = round(seconds / 60)
    return f"{minutes // 60} h" + (f" {minutes % 60} min" if minutes % 60 else "")


def place(surface: str, device: str) -> str:
    """On which screen; a person at the desk is named as that."""
    return (f" on {wording.screen(surface)}" if surface not in ("", "desk") else "") + (
        f" ({device})" if device else ""
    )


def _ask(record: Record) -> str:
    body = read(record, AskBody)
    if body is None:
        return ""
    about = " ".join(part for part in (names.tool(body.tool, body.harness), body.line) if part)
    changed = f", revision {body.rev}" if body.rev > 1 else ""
    what = wording.KINDS[body.what].word.lower() if body.what in wording.KINDS else body.what
    return f"{_named(record)} waits for a person ({what}{changed})" + (f": {about}" if about else "")


def _answer(record: Record) -> str:
    body = read(record, AnswerBody)
    if body is None:
        return ""
    waited = "" if body.waited_ms is None else f" after {span(body.waited_ms)}"
    lasting = f"; from now on {', '.join(body.grants)}" if body.grants else ""
    together = f", {wording.together(body.together)}" if body.together else ""
    text = f": {body.message}" if body.message else ""
    who = decider(record.by or "")
    choice = wording.CHOICES[body.choice].past
    agreed = f"; yes by {' and '.join(body.approved_by)}" if body.approved_by else ""
    rest = f"{waited}{together}{agreed}{lasting}{text}"
    return f"{_named(record)} {choice} by {who}{place(body.surface, body.device)}{rest}"


def _approved(record: Record) -> str:
    body = read(record, ApprovedBody)
    if body is None:
        return ""
    waited = "" if body.waited_ms is None else f" after {span(body.waited_ms)}"
    text = f": {body.message}" if body.message else ""
    # Somebody at this hub's own screens has no other name where it is in no team.
    names = (body.identity.get(name) for name in ("mail", "name", "subject"))
    who = next((name for name in names if isinstance(name, str) and name), "") or decider(record.by or "")
    where = place(body.surface, body.device)
    return f"{_named(record)} approved by {plain_line(who)}{where}{waited}, {body.missing} missing{text}"


def _refused(record: Record) -> str:
    body = read(record, RefusedBody)
    if body is None:
        return ""
    choice = body.choice.replace("_", " ")
    where = place(body.surface, body.device)
    return f"{_named(record)} not answered by {decider(record.by or '')}{where}: {choice} was not used, {body.why}"


def _told(record: Record) -> str:
    body = read(record, ToldBody)
    if body is None:
        return ""
    word = record.decision.replace("_", " ") if record.decision else ""
    about = " ".join(part for part in (wording.event(body.event), names.tool(body.tool, body.harness)) if part)
    if body.delivered:
        return "the agent was told" + (f": {word}" if word else "") + (f" ({about})" if about else "")
    return f"not delivered: {word} {about}".rstrip(" :") + (f", {body.why}" if body.why else "")


def _outcome(record: Record) -> str:
    body = read(record, OutcomeBody)
    if body is None:
        return ""
    took = "" if body.took_ms is None else f" after {span(body.took_ms)}"
    why = f": {body.why}" if body.why else ""
    return f"{_named(record)} ended: {wording.ENDINGS[body.ending].word}{took}{_SURE[body.certainty]}{why}"


def _push(record: Record) -> str:
    body = read(record, PushBody)
    if body is None:
        return ""
    about = f" about {record.ask or _TURNS.get(body.about, '')}".removesuffix(" about ")
    attempt = f" (try {body.attempt})" if body.attempt > 1 else ""
    if body.sent:
        return f"sent to {body.surface}{about}{attempt}" + (f": {body.why}" if body.why else "")
    return f"not sent to {body.surface}{about}{attempt}" + (f": {body.why}" if body.why else "")


def _rules(record: Record) -> str:
    body = read(record, RulesBody)
    if body is None:
        return ""
    if body.trouble:
        return f"rules in {body.file} not read, the ones before stay in force: {body.trouble}"
    if PurePath(body.file).name == _PERMISSIONS:
        given = ", ".join(body.added)
        return f"allowed for longer: {given}" if given else f"taken back: {', '.join(body.removed)}"
    changes = (("added", body.added), ("removed", body.removed))
    text = "; ".join(f"{word} {', '.join(rules)}" for word, rules in changes if rules)
    return f"rules changed in {body.file}: {text}" if text else f"rules in {body.file} can be read again, unchanged"


def _config(record: Record) -> str:
    body = read(record, ConfigBody)
    if body is None:
        return ""
    if body.trouble:
        return f"{body.file} not read, the settings before stay in force: {body.trouble}"
    text = ", ".join(f"{name} {change(before, after)}" for name, (before, after) in body.changed.items())
    return f"settings changed in {body.file}: {text}" if text else f"{body.file} can be read again, unchanged"


def change(before: str, after: str) -> str:
    """One setting, before and after; the empty text means that it was not set."""
    return f"{before or 'unset'} → {after or 'unset'}"


def _checkpoint(record: Record) -> str:
    body = read(record, CheckpointBody)
    if body is None:
        return ""
    kept = f", {body.kept:,} of them kept" if body.kept else ""
    why = f" ({body.why})" if body.why else ""
    return f"{body.removed:,} records up to #{body.through} removed{kept}{why}; the chain goes on from here"


def _hub(record: Record) -> str:
    word = str(record.body.get("what") or "")
    if word == "queue":
        return _queue(record)
    if used := usage.read(record):
        return f"used {figures.dollars(used.cost_usd)}, {figures.tokens(used)}"
    if filled := context.read(record):
        return figures.context(filled)
    if did := summary.read(record):
        return f"session in all: {figures.summary(did)}"
    return f"hub: {_HUB.get(word, word)}" if word else ""


def _queue(record: Record) -> str:
    try:
        body = msgspec.convert(record.body, QueueBody)
    except msgspec.ValidationError:
        return "hub: a queue changed"
    return f"{queue_change(body)}: {body.text}"


def queue_change(body: QueueBody) -> str:
    """What was done with a queued instruction."""
    return _QUEUE[body.did].format(place=body.place, told=_TOLD_AT[body.to])


def _gap(record: Record) -> str:
    count = figures.missed_hooks(record)
    times = f", {count} times" if count > 1 else ""
    return f"gap: {wording.event(str(record.body.get('event', '?')))} while no hub was running{times}"


def _named(record: Record) -> str:
    return f"ask {record.ask}" if record.ask else "an ask"


_TELL: dict[Kind, Callable[[Record], str]] = {
    "ask": _ask,
    "answer": _answer,
    "approved": _approved,
    "refused": _refused,
    "told": _told,
    "outcome": _outcome,
    "push": _push,
    "gap": _gap,
    "rules": _rules,
    "config": _config,
    "hub": _hub,
    "checkpoint": _checkpoint,
}
