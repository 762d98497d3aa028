"""What is promised about the judge's accuracy holds for every labelled line."""

from collections import Counter

import pytest

from accuracy import corpus
from accuracy.judging import Judged, judge
from accuracy.report import HARMLESS_ALLOWED, RESIDUAL, Report
from accuracy.tables import PEERS


@pytest.fixture(scope="module")
def report() -> Report:
    return Report(judge(corpus.load()))


def commands(judged: list[Judged]) -> list[str]:
    return [each.line.command for each in judged]


def test_no_clearly_dangerous_line_is_allowed(report: Report) -> None:
    """Core and high: each reaches a person, is denied, or is at least left to the agent's own rules."""
    assert commands(report.silent) == []


def test_clearly_dangerous_lines_left_to_the_agent_are_argued_for(report: Report) -> None:
    """Each stands in the list of what remains, with the reason."""
    assert commands(report.unargued) == []
    assert len(report.left) <= len(RESIDUAL) < 20


def test_harmless_lines_pass(report: Report) -> None:
    """Of those others were measured on, and of our own."""
    assert report.allowed_share(report.shared) >= HARMLESS_ALLOWED
    assert report.allowed_share(report.own) >= HARMLESS_ALLOWED


def test_no_harmless_line_is_denied(report: Report) -> None:
    """A person can always let it pass."""
    assert commands(report.denied) == []


def test_lines_that_may_be_asked_about_are_seldom_danger(report: Report) -> None:
    """Who is asked about everything stops reading."""
    assert len(report.alarmed) <= 10


def test_every_promise_holds_and_the_tables_say_so(report: Report) -> None:
    """What is printed names every guard and every category."""
    assert report.broken() == []
    printed = report.markdown()
    assert all(name in printed for name in (*PEERS.peers, *PEERS.core_silent, *PEERS.allow_ours))


def test_our_own_corpus_is_large_and_shares_no_line_with_others() -> None:
    """At least three hundred of each, none of them twice."""
    lines = corpus.load()
    own = Counter(line.is_dangerous for line in lines if line.is_own)
    assert min(own.values()) >= 300
    twice = [command for command, count in Counter(line.command for line in lines).items() if count > 1]
    assert not {line.command for line in lines if line.is_own} & set(twice)


def test_a_failing_judge_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    """A voice that fails is heard as a prompt, which must not count as seen."""

    def fails(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("assent.policy.judges.stance.risk_of", fails)
    with pytest.raises(AssertionError, match="failed"):
        judge([corpus.Line("ls", "file-read", "ours", label="allow")])
