"""Detection of a flood of asks."""

from assent.asks.flood import MOST_SESSIONS, Bursts

NOW = 1_700_000_000_000


def test_five_asks_in_ten_seconds_are_work_and_six_are_a_burst() -> None:
    """The sixth turns all of them into one."""
    bursts = Bursts()
    assert [bursts.came("s1", f"ask{n}", NOW + n * 1_000) for n in range(5)] == [None] * 5
    burst = bursts.came("s1", "ask5", NOW + 5_000)
    assert burst is not None
    assert burst.asks == ("ask0", "ask1", "ask2", "ask3", "ask4", "ask5")
    assert burst.words == "Paused: 6 asks in 5 s"


def test_sessions_do_not_make_each_others_bursts() -> None:
    """Ten sessions that each ask something are no flood."""
    bursts = Bursts()
    assert all(bursts.came(f"s{n}", f"ask{n}", NOW) is None for n in range(10))


def test_asks_at_a_steady_pace_are_no_burst() -> None:
    """One every two seconds for a minute never makes six within ten."""
    bursts = Bursts()
    assert all(bursts.came("s1", f"ask{n}", NOW + n * 2_001) is None for n in range(30))


def test_a_burst_goes_on_until_ten_seconds_pass_without_an_ask() -> None:
    """What follows belongs to it; what comes after a pause does not."""
    bursts = Bursts()
    for n in range(6):
        bursts.came("s1", f"ask{n}", NOW)
    later = bursts.came("s1", "ask6", NOW + 9_000)
    assert later is not None
    assert later.words == "Paused: 7 asks in 9 s"
    assert bursts.came("s1", "ask7", NOW + 19_001) is None
    assert bursts.of("s1") is None


def test_bursts_of_many_sessions_are_forgotten() -> None:
    """Memory is bounded."""
    bursts = Bursts()
    for n in range(MOST_SESSIONS + 50):
        bursts.came(f"s{n}", "ask", NOW)
    assert len(bursts._came) == MOST_SESSIONS
