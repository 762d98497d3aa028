"""How often a turn was kept going, and when the client would not listen any more."""

from typing import Any

from assent.harnesses import registry
from assent.hub.asking.queues import MOST_KNOWN, Continuations
from assent.protocol.events import Stop, SubagentStop
from assent.protocol.record import GENESIS, Draft, Record, chained

MOST = registry.default().FACTS.most_continuations


def stop(*, active: bool = True, session: str = "s1") -> Stop:
    return Stop(session_id=session, stop_hook_active=active)


def subagent_stop(**fields: Any) -> SubagentStop:
    return SubagentStop(session_id="s1", **{"agent_id": "a1", "agent_type": "Explore", **fields})


def recorded(name: str, *, active: bool, agent: str | None = None) -> Record:
    body = {"event": name, "payload": {"stop_hook_active": active}}
    return chained(Draft(at=1, kind="event", session="s1", agent=agent, body=body), hub="h", seq=1, prev=GENESIS)


def test_eight_continuations_are_heard_and_no_ninth() -> None:
    """The client passes on what eight stops in a row say; what the ninth says is lost."""
    counted = Continuations()
    heard = []
    for number in range(MOST + 1):
        event = stop(active=number > 0)
        heard.append(counted.is_heard(event))
        counted.count(event)
    assert heard == [True] * MOST + [False]
    assert counted.of("s1") == MOST


def test_new_turn_starts_anew() -> None:
    """A stop that was not a continuation begins the count."""
    counted = Continuations()
    for active in (False, True, True):
        counted.count(stop(active=active))
    assert counted.of("s1") == 2
    counted.count(stop(active=False))
    assert counted.of("s1") == 0


def test_uncounted_continuation_is_not_heard() -> None:
    """A turn that was kept going while no hub watched may be at its end: better to wait for the next one."""
    counted = Continuations()
    assert not counted.is_heard(stop())
    counted.count(stop())
    assert not counted.is_heard(stop())
    assert counted.is_heard(stop(active=False))


def test_sessions_and_sub_agents_are_counted_apart() -> None:
    """Each has eight of its own."""
    counted = Continuations()
    for event in (stop(active=False), stop(), subagent_stop(stop_hook_active=False), stop(active=False, session="s2")):
        counted.count(event)
    assert [counted.of("s1"), counted.of("s1", "a1"), counted.of("s2")] == [1, 0, 0]


def test_helper_of_the_client_is_never_told() -> None:
    """A compaction ends two agents without a type, and they take no instructions."""
    assert Continuations().is_heard(subagent_stop())
    assert not Continuations().is_heard(subagent_stop(agent_type=""))


def test_count_survives_the_hub() -> None:
    """What the journal tells about the last turn is counted on."""
    counted = Continuations()
    for record in (
        recorded("Stop", active=False),
        recorded("Stop", active=True),
        recorded("SubagentStop", active=False, agent="a1"),
        recorded("PreToolUse", active=False),
    ):
        counted.recall(record)
    assert (counted.of("s1"), counted.of("s1", "a1")) == (1, 0)


def test_memory_is_bounded_and_sessions_are_forgotten() -> None:
    """Old sessions make room for new ones, and one that ended leaves at once."""
    counted = Continuations()
    for number in range(MOST_KNOWN + 5):
        counted.count(stop(active=False, session=f"s{number}"))
    assert not counted.is_heard(stop(session="s0"))
    assert counted.is_heard(stop(session=f"s{MOST_KNOWN}"))
    counted.forget(f"s{MOST_KNOWN}")
    assert not counted.is_heard(stop(session=f"s{MOST_KNOWN}"))
