"""Hook runs that found no hub."""

from collections.abc import Iterator

from assent.install import files
from assent.install.doctor.check import Finding, Situation
from assent.install.files import RefusedError


def check(situation: Situation) -> Iterator[Finding]:
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
