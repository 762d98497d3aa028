"""Those who listen: told everything once, together where they come late, and cut off where they come too late."""

import anyio
import pytest

from assent.hub.recorder import MOST_WAITING, FellBehindError, Live
from assent.protocol.record import Record
from tests.unit.views.story import Story


def records(count: int) -> list[Record]:
    story = Story()
    for _ in range(count):
        story.event("PreToolUse")
    return story.records


@pytest.mark.anyio
async def test_listener_hears_everything_since_the_last_time() -> None:
    """In order, each record once, with what it changed."""
    live, first = Live(), records(3)
    with live.listening() as listener:
        live.publish(first[:1])
        assert [heard.record.seq for heard in await listener.next()] == [1]
        live.publish(first[1:])
        heard = await listener.next()
    assert [each.record.seq for each in heard] == [2, 3]
    assert all(each.session is not None for each in heard)


@pytest.mark.anyio
async def test_listener_hears_that_a_session_waits_for_its_user_and_goes_on() -> None:
    """With the ask that opens and with its answer, though neither is an event of the session."""
    live = Live()
    story = Story().event("PermissionRequest").asked().answered()
    with live.listening() as listener:
        live.publish(story.records)
        states = [each.session.state for each in await listener.next() if each.session]
    assert states == ["working", "waiting", "working"]


@pytest.mark.anyio
async def test_listener_waits_while_nothing_happens() -> None:
    """It wakes with the first record."""
    live = Live()
    with live.listening() as listener:
        heard: list[int] = []

        async def listen() -> None:
            heard.extend(each.record.seq for each in await listener.next())

        async with anyio.create_task_group() as group:
            group.start_soon(listen)
            await anyio.wait_all_tasks_blocked()
            assert not heard
            live.publish(records(1))
    assert heard == [1]


@pytest.mark.anyio
async def test_listener_that_falls_behind_is_told_so() -> None:
    """As much as it may be behind by is kept, and nothing beyond that."""
    live, many = Live(), records(MOST_WAITING + 2)
    with live.listening() as listener:
        live.publish(many[:MOST_WAITING])
        assert len(await listener.next()) == MOST_WAITING
        live.publish([*many[:MOST_WAITING], many[-1]])
        with pytest.raises(FellBehindError):
            await listener.next()


@pytest.mark.anyio
async def test_listener_hears_the_rest_and_then_the_end() -> None:
    """A hub that stops has told everything before."""
    live = Live()
    with live.listening() as listener:
        live.publish(records(2))
        live.stop_listeners()
        assert len(await listener.next()) == 2
        assert await listener.next() == []
        assert await listener.next() == []


def test_watched_counts_people_alone() -> None:
    """A program that follows the log would not see an ask."""
    live = Live()
    with live.listening():
        assert not live.watched
        with live.listening(is_person=True):
            assert live.watched
    assert not live.watched
