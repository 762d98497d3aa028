"""One verdict with many rules: command rules of many first words, of one first word, and path rules."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assent.hub.pipeline.policy_in_force import PolicyInForce
from assent.paths import find
from assent.policy import judge
from assent.policy import own as owning
from assent.policy.call import Memo, Scene
from assent.policy.shell import parser
from assent.protocol.events import PreToolUse
from bench import machine
from bench.events import rules
from bench.load import quiet
from bench.machine import Effort
from bench.stats import short
from bench.table import Check, Report, Table

NAME = "rules"
SIZES = (20, 1_000, 10_000)
Call = tuple[str, dict[str, Any]]
COMMANDS = ("make check", "git status", "ls -la src", "npm test -- --watch=false", "rg -n main src | head -50")
PATHS = ("src/main.py", "src/dir7x/main.py", "docs/index.md", "README.md")


def _bash(command: str) -> Call:
    return "Bash", {"command": command}


def _read(path: str) -> Call:
    return "Read", {"file_path": path}


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    # The rule of this number, and a call that it and no other decides.
    rule: str
    call: Callable[[str], Call]
    decides: str
    others: tuple[str, ...]


KINDS = (
    Kind("command rules, other first words", "Bash(tool{} run *)", _bash, "tool{} run now", COMMANDS),
    Kind("command rules, the same first word", "Bash(make target{} *)", _bash, "make target{} now", COMMANDS),
    Kind("path rules", "Read(./src/dir{}/**)", _read, "src/dir{}/a.py", PATHS),
)


class Book:
    """A policy with so many rules of a kind, twenty of a user's among them."""

    def __init__(self, root: Path, kind: Kind, size: int) -> None:
        self._project = root / "project"
        (self._project / ".git").mkdir(parents=True)
        paths = find({"ASSENT_HOME": str(root / "assent")})
        paths.config_dir.mkdir(parents=True)
        twenty = rules()
        more = size - twenty.count("[[rule]]")
        written = (
            f'[[rule]]\nmatch = "{kind.rule.format(number)}"\ndecision = "allow"\nreason = "So."\n\n'
            for number in range(more)
        )
        paths.rules.write_text(twenty + "".join(written))
        self._voices = PolicyInForce(paths).voices
        self._scene = Scene(project=self._project, attended=True, own=owning.of(paths))
        self._memo = Memo()
        self.calls = [kind.call(other) for other in kind.others]
        if more:
            last = kind.call(kind.decides.format(more - 1))
            self.calls.append(last)
            by = self._judged(last, None)[1]
            assert by.startswith("rule:"), f"the last of {size} rules was not found, but {by}"

    def lap(self) -> list[tuple[float, float]]:
        """Seconds of processor time for each call, read anew and known."""
        return [(self._judged(call, None)[0], self._again(call)) for call in self.calls]

    def _again(self, call: Call) -> float:
        self._judged(call, self._memo)
        return self._judged(call, self._memo)[0]

    def _judged(self, call: Call, memo: Memo | None) -> tuple[float, str]:
        tool, tool_input = call
        event = PreToolUse(session_id="s", cwd=str(self._project), tool_name=tool, tool_input=tool_input)
        parser.read.cache_clear()
        start = time.thread_time()
        verdict = judge.judge(event, self._scene, self._voices, memo=memo)
        return time.thread_time() - start, verdict.by


def measure(effort: Effort) -> Report:
    rounds = effort.pick(300, 20)
    rows, checks = [], []
    with machine.folder() as root, quiet():
        for kind in KINDS:
            machine.say(f"  rules: {kind.name}")
            books = {size: Book(root / kind.name.replace(" ", "-") / str(size), kind, size) for size in SIZES}
            laps: dict[int, list[list[tuple[float, float]]]] = {size: [] for size in SIZES}
            for _ in range(rounds):
                for size, book in books.items():
                    laps[size].append(book.lap())
            found = {size: _means(taken, len(kind.others)) for size, taken in laps.items()}
            rows += [
                (f"{size:,} {kind.name}", *(short(1e6 * mean) for mean in means), *_over(means, found[SIZES[0]]))
                for size, means in found.items()
            ]
            ratio = found[SIZES[-1]][0] / found[SIZES[0]][0]
            checks.append(Check(f"a verdict with {SIZES[-1]:,} {kind.name} ÷ with {SIZES[0]}", ratio, 1.5))
    columns = ("one verdict, µs of CPU", "read anew", "known", "÷ 20 rules, anew", "÷ 20 rules, known")
    note = (
        f"Mean over a few calls that most of the rules say nothing about; of each the least of {rounds} laps, in turn. "
        "Known: the line was judged in this place before. That the last rule is found is checked."
    )
    return Report(NAME, (Table("Judging with many rules", columns, tuple(rows), note),), tuple(checks))


def _means(laps: list[list[tuple[float, float]]], calls: int) -> tuple[float, float]:
    """Over the calls that every size has."""
    anew, known = (sum(min(lap[call][which] for lap in laps) for call in range(calls)) / calls for which in (0, 1))
    return anew, known


def _over(means: tuple[float, float], first: tuple[float, float]) -> tuple[str, ...]:
    return tuple(short(mean / base) for mean, base in zip(means, first, strict=True))
