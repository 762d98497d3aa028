"""The record: whether it is kept, what is missing in it, and whether events of agents come through."""

from collections.abc import Iterator

from assent import files
from assent.files import RefusedError
from assent.harnesses.site import Finding, Situation
from assent.install.doctor import checked

SEEN = "event-seen"
# Of an export that works: more than comes together in a moment.
FAR_BEHIND = 1_000
RESTART = "`assent restart` reads them anew."


def journal(situation: Situation) -> Iterator[Finding]:
    state = situation.hub.get("journal", {}) if situation.hub else {}
    if trouble := state.get("trouble"):
        text = f"The journal cannot be written, so nothing is allowed on its own: {trouble}"
        yield Finding("journal-trouble", "problem", text, f"{situation.paths.log} says more.")
    elif situation.hub:
        yield Finding("journal", "ok", "The journal is written.")
    if lost := state.get("lost"):
        yield Finding("journal-lost", "warning", f"{lost} records were lost while it could not be written.")


def export(situation: Situation) -> Iterator[Finding]:
    state = situation.hub.get("export") if situation.hub else None
    if not state:
        if situation.hub and situation.config.export.otlp:
            yield Finding("export-off", "warning", "The hub exports nothing: other settings are in force.", RESTART)
        return
    if trouble := state["trouble"]:
        text = f"Decisions and answers are not exported to {state['otlp']}: {trouble}. {state['behind']} records wait."
        yield Finding("export-trouble", "warning", text, "nothing is lost meanwhile; docs/export.md tells what helps.")
    elif (behind := state["behind"]) > FAR_BEHIND:
        text = f"The export to {state['otlp']} works, and is {behind:,} records behind."
        yield Finding("export-behind", "note", text)
    else:
        yield Finding("export", "ok", f"Decisions and answers are exported to {state['otlp']}.")
    if refused := state["refused"]:
        text = f"The collector refused {refused} records for good."
        yield Finding("export-refused", "warning", text, f"{situation.paths.log} names them.")


def gaps(situation: Situation) -> Iterator[Finding]:
    if recorded := situation.hub.get("gaps") if situation.hub else 0:
        text = f"{recorded} hook runs found no hub, so nothing judged them."
        yield Finding("gaps", "warning", text, "`assent log` shows when.")
    waiting = sum(_lines(situation, name) for name in ("gaps.ndjson", "gaps.taken"))
    if waiting:
        text = f"{waiting} hook runs found no hub and are not in the journal yet."
        yield Finding("gaps-spooled", "warning", text, "they are recorded when a hub runs: `assent up --detach`.")
    if not recorded and not waiting:
        yield Finding("gaps", "ok", "Every hook run found its hub.")


def _lines(situation: Situation, name: str) -> int:
    try:
        return (files.read(situation.paths.spool / name) or b"").count(b"\n")
    except RefusedError:
        # No regular file; the hub says so in its log.
        return 0


def events(situation: Situation) -> Iterator[Finding]:
    at = situation.hub.get("last_event_at") if situation.hub else None
    if not at:
        text = "No event of an agent has come through since the hub started."
        programs = " or ".join(f"`{harness.PROGRAM}`" for harness in checked(situation))
        remedy = f"start {programs} (sessions opened before the install do not count)."
        yield Finding("event-none", "warning", text, remedy)
        return
    age = max(0, round(situation.now - at / 1000))
    yield Finding(SEEN, "ok", f"The last event of an agent came through {_span(age)} ago.")


def auto_mode(situation: Situation) -> Iterator[Finding]:
    if words := situation.hub.get("auto_mode", {}).get("words") if situation.hub else "":
        yield Finding("auto-mode", "ok", f"{words[:1].upper()}{words[1:]}.")


def _span(seconds: int) -> str:
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
