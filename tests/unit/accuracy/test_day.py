"""The day is mixed as agents' days are, and judged in projects that look like theirs."""

import os
import re
from pathlib import Path

import pytest

from accuracy import corpus, projects
from accuracy.corpus import DayLine
from accuracy.day import (
    BOTH,
    LATER,
    NOTHING,
    SCENARIOS,
    SESSION,
    STAYS,
    Answered,
    Day,
    Scenario,
    judge_dangerous,
    judge_day,
    typed,
)
from accuracy.day_report import GOALS, PEERS, PERMITTED, Dangerous, markdown
from accuracy.judging import Judged
from accuracy.report import Report
from assent.policy import world

# What agents' lines were, in percent of 4,791 of them; one line may be several things.
MIX = {
    "read": 51.1,
    "project": 17.7,
    "change": 11.6,
    "unknown": 5.1,
    "web": 4.2,
    "danger": 4.2,
    "run": 3.4,
    "npx": 3.1,
    "outside": 2.7,
    "localhost": 2.4,
    "install": 2.2,
    "push": 2.0,
    "inline": 1.9,
}
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_JOINS = re.compile(r"&&|\||;|\n|(?<!>)&(?!\d)")


@pytest.fixture(scope="module")
def lines() -> list[DayLine]:
    return corpus.load_day()


@pytest.fixture(scope="module")
def day(lines: list[DayLine]) -> Day:
    return judge_day(lines)


def test_three_hundred_lines_and_none_twice(lines: list[DayLine]) -> None:
    """All in one of the projects that are made for them."""
    assert len({line.command for line in lines}) == len(lines) == 300
    assert {line.project for line in lines} == set(projects.KINDS)


@pytest.mark.parametrize("label", MIX)
def test_the_mix_is_that_of_a_real_day(lines: list[DayLine], label: str) -> None:
    """Within one percent of the lines."""
    assert {each for line in lines for each in line.labels} == set(MIX)
    share = sum(label in line.labels for line in lines) / 3
    assert share == pytest.approx(MIX[label], abs=1.0)


def test_lines_are_as_long_and_joined_as_real_ones(lines: list[DayLine]) -> None:
    """Two of three are compound, a fifth begin with cd, a tenth have several lines."""
    compound = sum(_JOINS.search(_QUOTED.sub("", line.command)) is not None for line in lines) / 3
    assert compound == pytest.approx(64, abs=3)
    assert sum(line.command.startswith("cd ") for line in lines) / 3 == pytest.approx(20, abs=2)
    assert sum("\n" in line.command for line in lines) / 3 == pytest.approx(10, abs=1)


def test_the_day_is_in_no_other_table() -> None:
    """It is judged by itself: what is labelled dangerous or harmless stays apart."""
    assert not [line.command for line in corpus.load() if "@project@" in line.command]


def test_projects_are_repositories_with_kept_edited_and_new_files(tmp_path: Path) -> None:
    """So that the judge can tell what git would bring back."""
    made = projects.make(tmp_path, ["python"])["python"]
    assert world.is_kept(str(made / "src/ledger/db.py")) is True
    assert world.is_kept(str(made / "src/ledger/models.py")) is False
    assert world.is_kept(str(made / "NOTES.md")) is False
    assert os.access(made / ".venv/bin/pytest", os.X_OK)
    assert (made / ".venv/pyvenv.cfg").is_file()


def test_a_line_names_its_project(tmp_path: Path) -> None:
    """Where agents write the whole path."""
    line = DayLine("cd @project@ && ls", ["read"], "go")
    assert typed(line, tmp_path) == f"cd {tmp_path} && ls"


def test_no_line_of_the_day_is_denied(day: Day) -> None:
    """Nor is any lost: every line has an answer in every scenario."""
    assert all(len(day.of(scenario)) == 300 for scenario in SCENARIOS)
    assert day.share(NOTHING, "deny") == 0.0
    assert day.share(NOTHING, "allow", "no_opinion", "prompt") == 100.0


def test_permissions_never_make_a_day_louder(day: Day) -> None:
    """Each adds silence, and answers that stay add the most, from the second time on."""
    silent = [day.share(scenario, "allow") for scenario in (NOTHING, BOTH, STAYS, LATER)]
    assert silent == sorted(silent)
    assert silent[0] < silent[1] < silent[3]


def words(*commands: str, scenario: Scenario) -> list[str]:
    """What becomes of these lines, typed one after another in one project."""
    lines = [DayLine(command, ["project"], "node") for command in commands]
    return [each.word for each in judge_day(lines, (scenario,)).of(scenario)]


def test_an_answer_stays_for_its_shape() -> None:
    """The first line of a shape is a prompt, later ones are silent; other shapes are not."""
    stays = Scenario("answers stay", stays=True)
    assert words("npm run build", "npm run build 2>&1 | tail -3", "npm run lint", scenario=stays) == [
        "no_opinion",
        "allow",
        "no_opinion",
    ]


def test_no_answer_stays_for_danger() -> None:
    """It is asked about every time."""
    assert words("rm -rf src", "rm -rf src", scenario=Scenario("answers stay", stays=True)) == ["prompt", "prompt"]


def test_a_session_remembers_and_the_next_one_does_not() -> None:
    """After a secret was read, pushing weighs more until the session ends."""
    read = [f"cat src/lib/{number}.ts" for number in range(SESSION - 2)]
    found = words("cat .env.local", "git push", *read, "git push", scenario=NOTHING)
    assert (found[0], found[1], found[-1]) == ("prompt", "prompt", "no_opinion")


@pytest.fixture(scope="module")
def dangerous() -> Dangerous:
    return Dangerous(judge_dangerous(corpus.load()))


def test_no_permission_lets_a_grave_line_pass(dangerous: Dangerous) -> None:
    """Whatever is granted, and in whatever mode."""
    assert [each.line.command for each in dangerous.newly if each.line.is_core] == []


def test_dangerous_lines_that_a_permission_lets_pass_are_argued_for(dangerous: Dangerous) -> None:
    """Each with a sentence, and there are few of them."""
    assert {each.line.command for each in dangerous.newly} <= set(PERMITTED)
    assert len(PERMITTED) < 25


def test_bypass_leaves_nothing_to_permissions(dangerous: Dangerous) -> None:
    """There it would go unseen what they let pass."""
    bypass = next(scenario for scenario in SCENARIOS if scenario.leaves_to_nobody)
    assert dangerous.let_pass(bypass.name) == []


def test_a_grave_line_that_is_newly_allowed_breaks_the_promise() -> None:
    """It is counted against what happens with nothing granted."""
    line = corpus.Line("rm -rf ~", "destructive-fs", "ours", severity="high", tier="core")
    judged = {NOTHING.name: [Judged(line, "prompt", "")], BOTH.name: [Judged(line, "allow", "")]}
    broken = Report([], dangerous=Dangerous(judged)).broken()
    assert "1 clearly dangerous lines are allowed where something is granted." in broken
    assert "1 dangerous lines are allowed by a permission without an argument." in broken


def test_a_denied_line_of_the_day_breaks_the_promise() -> None:
    """A person can always let a line of the day pass."""
    denied = Answered(DayLine("ls", ["read"], "go"), "deny", "")
    assert "1 lines of the day are denied." in Report([], Day({NOTHING.name: [denied]})).broken()


def test_the_tables_name_scenarios_goals_and_other_guards(day: Day) -> None:
    """Goals are shown with what was reached, met or not."""
    none = Dangerous({scenario.name: [] for scenario in SCENARIOS})
    printed = "\n".join(markdown(day, none, SCENARIOS))
    assert all(scenario.name in printed for scenario in SCENARIOS)
    assert all(name in printed for name in PEERS)
    assert all(f"| {goal.what} | {day.share(goal.scenario, *goal.words):.1f} |" in printed for goal in GOALS)
