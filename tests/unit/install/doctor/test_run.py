"""All checks together."""

from collections.abc import Iterator

import pytest

from assent.harnesses.site import Finding, Level, Situation
from assent.install.doctor.run import run_all, summary

SEEN = Finding("event-seen", "ok", "")


def test_failing_check_is_a_finding(healthy: Situation) -> None:
    """The others still run."""

    def broken(_: Situation) -> Iterator[Finding]:
        yield Finding("first", "ok", "")
        raise PermissionError("no")

    def fine(_: Situation) -> Iterator[Finding]:
        yield Finding("fine", "ok", "")

    codes = [finding.code for finding in run_all(healthy, [broken, fine])]
    assert codes == ["first", "check-failed", "fine"]


@pytest.mark.parametrize(
    ("findings", "expected"),
    [
        ([SEEN], "working"),
        ([SEEN, Finding("x", "warning", "")], "working"),
        ([SEEN, Finding("x", "problem", "")], "not working"),
        ([Finding("x", "ok", "")], "not proven"),
        ([], "not proven"),
    ],
)
def test_working_needs_an_event_and_no_problem(findings: list[Finding], expected: str) -> None:
    """Everything in place, but never seen to work, is not called working."""
    assert summary(findings) == expected


@pytest.mark.parametrize("level", ["ok", "note", "warning"])
def test_only_problems_spoil_the_summary(level: Level) -> None:
    """A warning is for people to weigh."""
    assert summary([SEEN, Finding("x", level, "")]) == "working"
