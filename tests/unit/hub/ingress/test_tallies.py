"""Each thing is counted once, however often and wherever it is told."""

from assent.harnesses.otlp import Used
from assent.hub.ingress.tallies import INTERVAL, MOST_SESSIONS, QUIET, Tallies
from assent.protocol.usage import Usage

BEGAN = 1_000


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def tallies(clock: Clock | None = None) -> Tallies:
    return Tallies(clock or Clock(), BEGAN)


def request(number: int, cost: float = 1.0, session: str = "s1") -> Used:
    return Used(session, Usage(cost_usd=cost, requests=1), (session, number))


def metric(at: int, since: int = BEGAN, **usage: float) -> Used:
    return Used("s1", Usage(**usage), ("s1", "metric", at), since)  # type: ignore[arg-type]


def total(at: int, cost: float, since: int = BEGAN) -> Used:
    return Used("s1", Usage(cost_usd=cost), ("s1", "total", at), since, ("s1", "total", since))


def busy(_: str) -> bool:
    return True


def idle(_: str) -> bool:
    return False


def test_request_told_twice_counts_once() -> None:
    """A client that heard no answer sends the same again."""
    kept = tallies()
    kept.take([request(1), request(2)], by_requests=True)
    kept.take([request(2), request(3)], by_requests=True)
    assert kept.taken("s1").requests == 3


def test_metrics_add_only_what_requests_do_not_tell() -> None:
    """Of a session that sends both, cost comes from its requests and time from its metrics, in whatever order."""
    kept = tallies()
    kept.take([metric(1, cost_usd=1.0, active_s=5.0)], by_requests=False)
    kept.heard("s1")
    kept.take([request(1)], by_requests=True)
    assert kept.taken("s1") == Usage(cost_usd=1.0, requests=1, active_s=5.0)


def test_metrics_are_enough_where_no_logs_come() -> None:
    """A client that exports metrics alone is counted by them."""
    kept = tallies()
    kept.take([metric(1, cost_usd=1.0), metric(1, cost_usd=1.0), metric(2, cost_usd=2.0)], by_requests=False)
    assert kept.taken("s1").cost_usd == 3.0


def test_metrics_begun_before_the_hub_are_left_out() -> None:
    """An earlier life has recorded part of them, and which is unknown."""
    kept = tallies()
    kept.take([metric(1, since=BEGAN - 1, cost_usd=1.0)], by_requests=False)
    assert kept.is_empty


def test_growing_total_counts_by_its_growth() -> None:
    """Also one that was there before the hub: from the first time it is heard."""
    kept = tallies()
    kept.take([total(1, 1.0), total(2, 1.5), total(3, 1.5), total(4, 3.0)], by_requests=False)
    assert kept.taken("s1").cost_usd == 3.0
    kept.take([total(5, 10.0, since=1), total(6, 10.5, since=1), total(7, 2.0, since=1)], by_requests=False)
    assert kept.taken("s1").cost_usd == 0.5


def test_session_at_work_is_due_every_interval() -> None:
    """Not with every request, or the journal would fill with figures."""
    clock = Clock()
    kept = tallies(clock)
    kept.take([request(1)], by_requests=True)
    clock.now += INTERVAL - 1
    assert kept.due(busy) == []
    clock.now += 1
    assert kept.due(busy) == ["s1"]


def test_session_that_waits_is_due_after_a_moment() -> None:
    """Its last messages come a little after its last event, and together."""
    clock = Clock()
    kept = tallies(clock)
    kept.take([request(1)], by_requests=True)
    assert kept.due(idle) == []
    clock.now += QUIET
    assert kept.due(idle) == ["s1"]
    kept.taken("s1")
    assert kept.due(idle) == []
    assert kept.is_empty


def test_what_could_not_be_recorded_is_kept() -> None:
    """A journal that is away for a while loses no figures."""
    kept = tallies()
    kept.take([request(1, cost=2.0)], by_requests=True)
    kept.put_back("s1", kept.taken("s1"))
    assert kept.taken("s1") == Usage(cost_usd=2.0, requests=1)


def test_number_of_sessions_is_bounded() -> None:
    """Sessions that are on record make room; a flood of others is not taken up."""
    kept = tallies()
    for number in range(MOST_SESSIONS):
        kept.take([request(1, session=f"s{number}")], by_requests=True)
    kept.take([request(1, session="more")], by_requests=True)
    assert "more" not in kept.sessions
    kept.taken("s0")
    kept.take([request(2, session="more")], by_requests=True)
    assert "more" in kept.sessions
    assert len(kept.sessions) == MOST_SESSIONS
