"""Memo of a line: what was found in it is known again as long as the disk gives the same answers.

Why that is sound. Reading a line is a function of the line, of the place where it stands, and of what the disk and the
environment answer. Line and place are the key. Whatever asks the disk is marked as a ``question``; while a line is read
each question is noted with its answer. The reading has no other input, and no chance in it: which question is next
follows from the answers before it. So where every noted question gets its noted answer once more, reading anew would
take the same way to the same end. Answers are compared whole, contents of files included, so nothing rests on the time
of a file. What is worked out of a line later, such as the forms that rules are held against, is noted beside it.

Rules, settings, permissions, mode, stance and what the session did before are no part of it: voices are asked each
time, about what is known of the line. Which rules it fits is kept with it for the rules that were asked last. A line is
read anew where a question failed or cannot be put again, where its answers are long, and wherever the judge is given
no memo.
"""

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

MOST_LINES = 1_000
MOST_BYTES = 8 << 20
# Longer lines, and answers that are longer all together, are not kept.
LONGEST_LINE = 16 << 10
LONGEST_ANSWERS = 64 << 10
# Of a question with a short answer, of a command with its effects: about so many bytes each.
_ONE = 300
_COMMAND = 2_000


class Notes:
    """Questions with their answers."""

    __slots__ = ("answers", "is_asking", "is_whole", "size")

    def __init__(self) -> None:
        self.answers: dict[tuple[Callable[..., object], tuple[Any, ...]], object] = {}
        # False where something was asked that cannot be asked again.
        self.is_whole = True
        # While a question is being answered: what it asks in turn is part of its answer.
        self.is_asking = False
        self.size = 0

    def taken(self, work: Callable[[], T]) -> T:
        """The result of work whose questions are noted."""
        before, _here.notes = _here.notes, self
        try:
            return work()
        except BaseException:
            self.is_whole = False
            raise
        finally:
            _here.notes = before

    def hold(self) -> bool:
        """Whether every question gets the same answer once more."""
        if not self.is_whole:
            return False
        before, _here.notes = _here.notes, None
        try:
            for (ask, given), answer in self.answers.items():
                if ask(*given) != answer:
                    return False
        except Exception:
            return False
        finally:
            _here.notes = before
        return True

    def add(self, question: tuple[Callable[..., object], tuple[Any, ...]], answer: object) -> None:
        self.answers[question] = answer
        self.size += _ONE + (len(answer) if isinstance(answer, (str, bytes, tuple, frozenset)) else 0)
        if self.size > LONGEST_ANSWERS:
            self.is_whole = False


class _Here(threading.local):
    notes: Notes | None = None


_here = _Here()


def question(ask: Callable[P, T]) -> Callable[P, T]:
    """Marks what asks the disk or the environment, with plain values, by position, and answers with one that is never
    changed. What it asks in turn is part of its answer."""

    answering: Callable[..., T] = ask

    @functools.wraps(ask)
    def asked(*args: Any) -> T:
        notes = _here.notes
        if notes is None or notes.is_asking:
            return answering(*args)
        put = (answering, args)
        if put in notes.answers:
            return notes.answers[put]  # type: ignore[return-value]
        notes.is_asking = True
        try:
            answer = answering(*args)
        except BaseException:
            notes.is_whole = False
            raise
        finally:
            notes.is_asking = False
        notes.add(put, answer)
        return answer

    return cast("Callable[P, T]", asked)


def cannot_be_asked_again() -> None:
    """The line that is being read, if any, is not kept."""
    notes = _here.notes
    if notes is not None and not notes.is_asking:
        notes.is_whole = False


class Noted(Protocol):
    """What was found in a line."""

    @property
    def notes(self) -> Notes | None: ...

    @property
    def weight(self) -> int:
        """About how many commands it holds."""


N = TypeVar("N", bound=Noted)


class LineMemo(Generic[N]):
    """The lines seen last. Used by one thread."""

    def __init__(self, most: int = MOST_LINES, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._known: OrderedDict[Hashable, tuple[N, int]] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._known)

    def get(self, line: Hashable) -> N | None:
        """What was found in the line, where it would be found again."""
        if (known := self._known.get(line)) is None:
            return None
        notes = known[0].notes
        if notes is None or not notes.hold():
            self._drop(line)
            return None
        self._known.move_to_end(line)
        return known[0]

    def keep(self, line: Hashable, found: N, length: int) -> None:
        notes = found.notes
        if length > LONGEST_LINE or notes is None or not notes.is_whole:
            return
        self._drop(line)
        size = 4 * length + notes.size + _COMMAND * found.weight
        self._known[line] = found, size
        self.bytes += size
        while len(self._known) > self._most or self.bytes > self._most_bytes:
            self.bytes -= self._known.popitem(last=False)[1][1]

    def _drop(self, line: Hashable) -> None:
        if (known := self._known.pop(line, None)) is not None:
            self.bytes -= known[1]
