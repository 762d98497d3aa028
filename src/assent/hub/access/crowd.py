"""Connection limits of a listener: in total, per client, and a reserve for people."""

import logging
import resource
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

log = logging.getLogger("assent.hub")

# Below this count callers are not looked up: the look-up costs more than the place.
CROWDED = 64
# Files that connections leave to the journal, to keys and settings, and to listening itself.
RESERVE = 192
# More than all doors together want; a system may name no limit at all.
MOST_FILES = 65_536
# What systems grant that name a limit and do not mean it.
FEWER_FILES = 10_240


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """One connection's."""

    # The process or the address that holds it, and the agent behind that where one is known.
    whose: Hashable
    behind: Hashable = None
    is_person: bool = False


@dataclass(slots=True)
class Crowd:
    most: int
    most_of_one: int
    # Of ``most``, for those who are known to be people.
    for_people: int = 0
    # Of all that one agent started.
    most_behind_one: int = 1 << 30
    _count: int = field(init=False, default=0)
    _others: int = field(init=False, default=0)
    _of: dict[Hashable, int] = field(init=False, default_factory=dict)
    _behind: dict[Hashable, int] = field(init=False, default_factory=dict)
    # Those who have not said anything whole yet, the first first, each with a way to be rid of them.
    _loose: dict[Place, Callable[[], object]] = field(init=False, default_factory=dict)

    @property
    def is_crowded(self) -> bool:
        return self._count >= min(CROWDED, self.most // 4)

    def enter(self, place: Place) -> bool:
        """Where all places are taken, those go who have only held one, the longest first."""
        if self._of.get(place.whose, 0) >= self.most_of_one and not self._drop(lambda one: one.whose == place.whose):
            return False
        if self._is_full_behind(place) and not self._drop(lambda one: one.behind == place.behind):
            return False
        # Places that people leave stay reserved for people.
        if self._is_full(place) and not self._drop(lambda one: place.is_person or not one.is_person):
            return False
        self._count += 1
        self._others += not place.is_person
        self._of[place.whose] = self._of.get(place.whose, 0) + 1
        if place.behind is not None:
            self._behind[place.behind] = self._behind.get(place.behind, 0) + 1
        return True

    def leave(self, place: Place) -> None:
        self._loose.pop(place, None)
        self._count -= 1
        self._others -= not place.is_person
        _less(self._of, place.whose)
        if place.behind is not None:
            _less(self._behind, place.behind)

    def hold_loosely(self, place: Place, cut: Callable[[], object]) -> None:
        """It makes room for others until it is settled. ``cut`` leaves the crowd."""
        self._loose[place] = cut

    def settle(self, place: Place) -> None:
        self._loose.pop(place, None)

    def _is_full(self, place: Place) -> bool:
        return self._count >= self.most or (not place.is_person and self._others >= self.most - self.for_people)

    def _is_full_behind(self, place: Place) -> bool:
        return self._behind.get(place.behind, 0) >= self.most_behind_one

    def _drop(self, would_help: Callable[[Place], bool]) -> bool:
        place = next(filter(would_help, self._loose), None)
        if place is None:
            return False
        self._loose.pop(place)()
        return True


def _less(counts: dict[Hashable, int], key: Hashable) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]


def raised_limit() -> int:
    """How many files this process may have open, after asking for as many as the system grants."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    for files in (wanted, min(wanted, FEWER_FILES)):
        if soft == resource.RLIM_INFINITY or soft >= files:
            break
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
        except (OSError, ValueError):
            continue
        soft = files
        break
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft


def fitting(crowds: dict[str, Crowd], files: int) -> dict[str, Crowd]:
    """Fresh ones, as large as the files that can be open allow."""
    share = min(1.0, max(files - RESERVE, files // 2) / sum(crowd.most for crowd in crowds.values()))
    if share < 1:
        log.warning("the system allows %d open files, so each door takes fewer connections", files)
    return {name: _shrunk(crowd, share) for name, crowd in crowds.items()}


def _shrunk(crowd: Crowd, share: float) -> Crowd:
    return Crowd(
        most=max(1, int(crowd.most * share)),
        most_of_one=max(1, int(crowd.most_of_one * share)),
        for_people=int(crowd.for_people * share),
        most_behind_one=max(1, int(crowd.most_behind_one * share)),
    )
