"""Places at a door."""

import resource

import pytest

from assent.hub.access import crowd as crowds
from assent.hub.access.crowd import RESERVE, Crowd, Place, fitting
from assent.hub.server import CROWDS


def test_one_holder_cannot_take_every_place() -> None:
    """A place that is free again is given again."""
    crowd, first = Crowd(most=3, most_of_one=2), Place("a")
    assert [crowd.enter(first), crowd.enter(Place("a")), crowd.enter(Place("a"))] == [True, True, False]
    assert [crowd.enter(Place("b")), crowd.enter(Place("c"))] == [True, False]
    crowd.leave(first)
    assert crowd.enter(Place("c"))


def test_places_are_kept_for_people() -> None:
    """However many others there are."""
    crowd = Crowd(most=4, most_of_one=4, for_people=2)
    assert [crowd.enter(Place(number)) for number in range(3)] == [True, True, False]
    assert [crowd.enter(Place("me", is_person=True)) for _ in range(3)] == [True, True, False]


def test_all_that_one_agent_started_together_have_a_limit() -> None:
    """Many processes of it take no more than that; those of another have theirs."""
    crowd = Crowd(most=9, most_of_one=9, most_behind_one=2)
    assert [crowd.enter(Place(number, behind=7)) for number in range(3)] == [True, True, False]
    assert crowd.enter(Place(9, behind=8))


def test_idle_of_the_same_agent_makes_room_first() -> None:
    """Its own next hook run gets through."""
    crowd, gone = Crowd(most=9, most_of_one=9, most_behind_one=2), list[Place]()

    def enter(place: Place) -> bool:
        if not crowd.enter(place):
            return False

        def go() -> None:
            gone.append(place)
            crowd.leave(place)

        crowd.hold_loosely(place, go)
        return True

    other, first, second, third = Place(1, behind=8), Place(2, behind=7), Place(3, behind=7), Place(4, behind=7)
    assert all(map(enter, (other, first, second, third)))
    assert gone == [first]
    crowd.settle(second)
    crowd.settle(third)
    assert not enter(Place(5, behind=7))


def test_idle_person_keeps_the_place_from_others() -> None:
    """What is kept for people is not given to others because a person says nothing."""
    crowd = Crowd(most=2, most_of_one=2, for_people=1)
    person = Place("me", is_person=True)
    assert crowd.enter(person)
    crowd.hold_loosely(person, lambda: crowd.leave(person))
    assert [crowd.enter(Place(1)), crowd.enter(Place(2))] == [True, False]


def test_all_doors_together_leave_files_to_the_journal() -> None:
    """Also where the system allows few."""
    for files in (256, 1_024, 4_096, 65_536):
        made = fitting(CROWDS, files)
        assert sum(crowd.most for crowd in made.values()) <= max(files - RESERVE, files // 2)
        assert all(crowd.most >= crowd.most_of_one >= 1 for crowd in made.values())
        assert made["desk"].for_people > 0


def test_fewer_places_for_want_of_files_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Only where the files are too few for all doors."""
    fitting({"door": Crowd(most=10, most_of_one=1)}, RESERVE + 10)
    assert caplog.messages == []
    fitting({"door": Crowd(most=10, most_of_one=1)}, 8)
    assert caplog.messages == ["the system allows 8 open files, so each door takes fewer connections"]


def test_few_files_are_raised_to_what_the_system_grants() -> None:
    """The usual soft limit is far below."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, before[1]))
        assert crowds.raised_limit() == resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 512
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
