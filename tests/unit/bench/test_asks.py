"""What the measurement of answers reports."""

from bench.asks import Found, Phase, report
from bench.stats import Spread
from bench.waiting import CHAT, DESK, PAGE, TERMINAL, Taken


def found(told: float, seen: float, mib: float) -> Found:
    quick = {DESK: [0.002], PAGE: [0.002], CHAT: [0.002]}
    taken = Taken({DESK: [0.001] * 98, PAGE: [told], CHAT: [told]}, {**quick, TERMINAL: [seen]}, [0.001])
    phase = Phase("a load", Spread.of([0.001]), 0.25, 0.5, 70.0)
    return Found((phase,), taken, {"after the start": 60.0, "then": mib}, 1_000, 2.0, 30)


def test_report_holds_answers_and_memory_against_their_budgets() -> None:
    """All places together, the chat by itself, the slowest page, the highest memory."""
    checks = report(found(0.05, 1.5, 100.0), asks=200).checks
    met = [(check.measured, check.is_met) for check in checks]
    assert met == [(50.0, True), (50.0, True), (1_500.0, True), (100.0, True)]
    assert not any(check.is_met for check in report(found(0.2, 2.5, 130.0), asks=200).checks)


def test_report_says_what_the_machine_had_to_do_with_it() -> None:
    """Waiting for a core is told beside using one."""
    rows = report(found(0.05, 1.5, 100.0), asks=200).tables[0].rows
    assert rows == (("a load", "1.00", "1.00", "25.0", "50.0", "70.0"),)
