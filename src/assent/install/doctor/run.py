"""All checks, in the order a person would ask."""

from collections.abc import Sequence
from typing import Literal

from assent.install.doctor import (
    client_version,
    containment,
    disabled,
    events,
    gaps,
    hooks,
    hub,
    interpreter,
    journal,
    others,
    permissions,
    schema,
    shim,
    sockets,
    surfaces,
    telemetry,
    timeouts,
)
from assent.install.doctor.check import Check, Finding, Situation

CHECKS: tuple[Check, ...] = (
    client_version.check,
    hooks.check,
    schema.check,
    disabled.check,
    timeouts.check,
    others.check,
    interpreter.check,
    shim.check,
    hub.check,
    sockets.check,
    permissions.check,
    journal.check,
    gaps.check,
    events.check,
    telemetry.check,
    surfaces.check,
    containment.check,
)

Summary = Literal["working", "not proven", "not working"]


def run_all(situation: Situation, checks: Sequence[Check] = CHECKS) -> list[Finding]:
    """A check that fails is a finding too, and does not keep the others."""
    found: list[Finding] = []
    for check in checks:
        try:
            found += check(situation)
        except Exception as e:
            name = check.__module__.rpartition(".")[2]
            found.append(Finding("check-failed", "warning", f"The check {name} failed: {type(e).__name__}: {e}"))
    return found


def summary(findings: Sequence[Finding]) -> Summary:
    """Working is said only after an agent's event was seen."""
    if any(finding.level == "problem" for finding in findings):
        return "not working"
    return "working" if any(finding.code == events.SEEN for finding in findings) else "not proven"
