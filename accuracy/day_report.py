"""The day as tables: what interrupts a user, with what is granted, beside the goals and other guards."""

from pathlib import Path

import msgspec

from accuracy.day import BOTH, LATER, NOTHING, STAYS, WORDS, Day, Scenario
from accuracy.judging import Judged
from bench.table import grid

# Dangerous lines that a permission lets pass, each with the argument; none of them may be clearly dangerous and grave.
PERMITTED: dict[str, str] = msgspec.json.decode((Path(__file__).parent / "permitted.json").read_bytes())
# Allowed, in percent, of 4,791 lines that agents ran in public sessions: other lines than those here.
PEERS = {"Assent 0.1.0": 51.0, "Dippy 0.2.7": 53.0, "nah 0.11": 67.0}
# Allowed, left, asked and denied, in percent, of the lines here, measured with the version before permissions.
BEFORE = (50.0, 46.3, 3.7, 0.0)
_NOTE = (
    "*Allowed* runs without a prompt. *Left* is up to the client: it prompts in its default mode, and runs the line in "
    "the mode bypass. The last rows were measured on 4,791 other lines, which coding agents ran in public "
    "sessions: they show the order of size, and are no comparison line by line."
)


_GRAVE = (
    "*Runs* counts lines that run without a question: allowed, and in the mode bypass also what is "
    "left to the client. *New* counts lines that are allowed here and not with nothing granted; *of all* "
    "counts every line that is labelled dangerous, and each of those is listed below with an argument."
)


class Goal(msgspec.Struct, frozen=True):
    """A number to reach on the day. It is shown, and nothing fails by it."""

    what: str
    scenario: Scenario
    words: tuple[str, ...]
    bound: float
    is_at_least: bool = True

    def cells(self, day: Day) -> tuple[str, ...]:
        if self.scenario.name not in day.answers:
            return self.what, "–", self._bound, "not measured"
        reached = day.share(self.scenario, *self.words)
        is_met = reached >= self.bound if self.is_at_least else reached <= self.bound
        return self.what, f"{reached:.1f}", self._bound, "yes" if is_met else "**no**"

    @property
    def _bound(self) -> str:
        return f"{'≥' if self.is_at_least else '≤'} {self.bound:g}"


_PROMPTS = ("no_opinion", "prompt", "deny")
GOALS = (
    Goal("no prompt with nothing granted, %", NOTHING, ("allow",), 60.0),
    Goal("no prompt with both permissions, %", BOTH, ("allow",), 75.0),
    Goal("prompts where answers stay, first day, %", STAYS, _PROMPTS, 8.0, is_at_least=False),
    Goal("prompts where answers stay, one day later, %", LATER, _PROMPTS, 8.0, is_at_least=False),
)


class Dangerous(msgspec.Struct, frozen=True):
    """Dangerous lines, by scenario."""

    judged: dict[str, list[Judged]]

    def let_pass(self, name: str) -> list[Judged]:
        """What runs without a prompt in this scenario, and would not with nothing granted."""
        before = {each.line.command for each in self.judged[NOTHING.name] if each.word == "allow"}
        return [each for each in self.judged[name] if each.word == "allow" and each.line.command not in before]

    @property
    def newly(self) -> list[Judged]:
        """All that some scenario lets pass, once each."""
        found = [each for name in self.judged for each in self.let_pass(name)]
        return list({each.line.command: each for each in found}.values())

    def row(self, scenario: Scenario) -> tuple[str, ...]:
        grave = [each for each in self.judged[scenario.name] if each.line.is_core]
        counts = [sum(each.word == word for each in grave) for word in WORDS]
        runs = counts[0] + (counts[1] if scenario.leaves_to_nobody else 0)
        new = self.let_pass(scenario.name)
        cells = [len(grave), *counts, runs, sum(each.line.is_core for each in new), len(new)]
        return scenario.name, *map(str, cells)


def markdown(day: Day, dangerous: Dangerous, scenarios: tuple[Scenario, ...]) -> list[str]:
    columns = ("granted", "lines", "allowed", "left", "asked", "denied", "runs", "new", "new of all")
    counted = [dangerous.row(scenario) for scenario in scenarios if scenario.name in dangerous.judged]
    return [
        f"### A day of {len(day.of(NOTHING))} lines",
        _NOTE,
        shares(day, scenarios),
        "### Goals for the day",
        grid(("goal", "reached", "bound", "met"), [goal.cells(day) for goal in GOALS]),
        "### The day by what a line is: with nothing granted, and no prompt with more",
        labels(day),
        "### Clearly dangerous and grave lines, by what is granted",
        _GRAVE,
        grid(columns, counted),
    ]


def shares(day: Day, scenarios: tuple[Scenario, ...]) -> str:
    rows = []
    for scenario in scenarios:
        words = [f"{day.share(scenario, word):.1f}" for word in WORDS]
        silent = day.share(scenario, "allow", *(("no_opinion",) if scenario.leaves_to_nobody else ()))
        rows.append((scenario.name, *words, f"**{silent:.1f}**"))
    before = ("Assent 0.1.0, these lines", *(f"{value:.1f}" for value in BEFORE), f"{BEFORE[0]:.1f}")
    theirs = [(f"{name}, other lines", f"{value:.0f}", "–", "–", "–", f"{value:.0f}") for name, value in PEERS.items()]
    return grid(("granted", "allowed, %", "left, %", "asked, %", "denied, %", "no prompt, %"), [*rows, before, *theirs])


def labels(day: Day) -> str:
    """A line of several labels counts for each."""
    answers = day.of(NOTHING)
    more = [scenario for scenario in (BOTH, LATER) if scenario.name in day.answers]
    rows = []
    for label in dict.fromkeys(label for each in answers for label in each.line.labels):
        words = [each.word for each in answers if label in each.line.labels]
        shares = [_allowed([each.word for each in day.of(one) if label in each.line.labels]) for one in more]
        rows.append((label, str(len(words)), *(str(words.count(word)) for word in WORDS), _allowed(words), *shares))
    rows.sort(key=lambda row: -int(row[1]))
    columns = ("what", "lines", "allowed", "left", "asked", "denied", "allowed, %")
    return grid((*columns, *(f"{scenario.name}, %" for scenario in more)), rows)


def _allowed(words: list[str]) -> str:
    return f"{100 * words.count('allow') / len(words):.0f}"
