"""Which of the calls on record a candidate could match at all, found without asking the matcher about every one."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable

from assent.learn.candidates import Candidate
from assent.learn.habits import Habit
from assent.policy import world
from assent.policy.call import EDITS, READS, SHELL_TOOLS

_BREAK = re.compile(r"[\s;&|<>()\\]")
_ESCAPE = re.compile(r"\\([\\*()])")


class Nearby:
    """Gives too many, never too few."""

    def __init__(self, habits: Iterable[Habit]) -> None:
        self._by_word: dict[str, list[Habit]] = defaultdict(list)
        self._by_tool: dict[str, list[Habit]] = defaultdict(list)
        by_path: list[tuple[str, int, Habit]] = []
        for number, habit in enumerate(habits):
            tool = habit.case.tool
            if tool in SHELL_TOOLS:
                self._by_word[_first_word(str(habit.case.input.get("command", "")))].append(habit)
            elif tool in READS | EDITS:
                by_path.append((habit.call.path or "", number, habit))
            else:
                self._by_tool[tool].append(habit)
        by_path.sort(key=lambda item: item[:2])
        self._paths = [path for path, _, _ in by_path]
        self._at_path = [habit for _, _, habit in by_path]

    def of(self, candidate: Candidate) -> list[Habit]:
        tool, _, specifier = candidate.text.removesuffix(")").partition("(")
        if tool == "Bash":
            return self._by_word[_first_word(_ESCAPE.sub(r"\1", specifier))]
        if tool not in ("Read", "Edit"):
            return self._by_tool[tool]
        begin = specifier.removesuffix("/**")
        begin = world.home() + begin[1:] if begin.startswith("~") else begin[1:]
        first = bisect_left(self._paths, begin)
        last = bisect_left(self._paths, begin + "\U0010ffff")
        return self._at_path[first:last]


def _first_word(text: str) -> str:
    return _BREAK.split(text.strip(), maxsplit=1)[0]
