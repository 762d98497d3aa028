"""The record: whether it is kept, and what is missing in it."""

from collections.abc import Iterator

from assent.install.doctor.check import Finding, Situation


def check(situation: Situation) -> Iterator[Finding]:
    journal = situation.hub.get("journal", {}) if situation.hub else {}
    if trouble := journal.get("trouble"):
        text = f"The journal cannot be written, so nothing is allowed on its own: {trouble}"
        yield Finding("journal-trouble", "problem", text, f"{situation.paths.log} says more.")
    elif situation.hub:
        yield Finding("journal", "ok", "The journal is written.")
    if lost := journal.get("lost"):
        yield Finding("journal-lost", "warning", f"{lost} records were lost while it could not be written.")
