"""Runner of all checks, in order."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from assent.harnesses.base import Harness
from assent.harnesses.site import Check, Finding, Situation
from assent.install.doctor import access, checked, client, hub, record, surfaces

Summary = Literal["working", "not proven", "not working"]


def checks(situation: Situation) -> Iterator[Check]:
    """What is to be checked of each harness, and of the rest."""
    harnesses = checked(situation)
    yield from (client.client_version, client.not_gated, client.entries)
    yield from _of(harnesses, "hooks")
    yield client.switched_off
    yield from (client.interpreter, client.shim, hub.hub, hub.sockets, access.permissions)
    yield from (record.journal, record.export, record.gaps, record.events, record.auto_mode)
    yield from _of(harnesses, "record")
    yield from (surfaces.surfaces, access.containment)


def _of(harnesses: Sequence[Harness], subject: Literal["hooks", "record"]) -> Iterator[Check]:
    for harness in harnesses:
        yield from harness.CHECKS.get(subject, ())


def run_all(situation: Situation, chosen: Iterable[Check] | None = None) -> list[Finding]:
    """A check that fails is a finding too, and does not keep the others."""
    findings: list[Finding] = []
    for check in checks(situation) if chosen is None else chosen:
        try:
            findings += check(situation)
        except Exception as e:
            name = getattr(check, "__name__", "")
            findings.append(Finding("check-failed", "warning", f"The check {name} failed: {type(e).__name__}: {e}"))
    return findings


def summary(findings: Sequence[Finding]) -> Summary:
    """Working is said only after an agent's event was seen."""
    if any(finding.level == "problem" for finding in findings):
        return "not working"
    return "working" if any(finding.code == record.SEEN for finding in findings) else "not proven"
