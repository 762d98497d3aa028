"""A day of shell lines, judged once for each scenario: what is granted, in which mode, and whether answers stay."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import structs

from accuracy import projects
from accuracy.corpus import DayLine, Line
from accuracy.judging import Judged, answer, event_of, home, shop
from assent.learn.replayer import Court
from assent.policy.call import Call, Scene
from assent.policy.judges.permissions import shapes_of
from assent.policy.risk_of import effects_of
from assent.policy.session_taint import Memory
from assent.protocol.events import PreToolUse
from assent.protocol.lasting import Permission, PermissionKind

WORDS = ("allow", "no_opinion", "prompt", "deny")
# Shell lines of one session in one project, as in the public sessions. The next one remembers nothing.
SESSION = 11


class Scenario(msgspec.Struct, frozen=True):
    """What a user has set up before the day begins."""

    name: str
    mode: str = "default"
    # Kinds of permission that are given in every project.
    granted: tuple[PermissionKind, ...] = ()
    # Whether each prompt that can be answered for its shape is answered so; 0 is the first day this is done.
    stays: bool = False
    day: int = 0

    @property
    def leaves_to_nobody(self) -> bool:
        """Whether the client runs what is left to it without a prompt."""
        return self.mode == "bypass"

    def permissions(self, project: Path) -> tuple[Permission, ...]:
        return tuple(Permission(kind, kind, project=str(project)) for kind in self.granted)


NOTHING = Scenario("nothing")
RUN = Scenario("agents may run tests", granted=("run",))
CHANGE = Scenario("agents may change files", granted=("change",))
BOTH = Scenario("both", granted=("run", "change"))
STAYS = Scenario("both, and answers stay", granted=("run", "change"), stays=True)
LATER = Scenario("the same, one day later", granted=("run", "change"), stays=True, day=1)
SCENARIOS = (
    NOTHING,
    RUN,
    CHANGE,
    BOTH,
    STAYS,
    LATER,
    Scenario("nothing, mode accept_edits", mode="accept_edits"),
    Scenario("tests, mode accept_edits", mode="accept_edits", granted=("run",)),
    Scenario("nothing, mode bypass", mode="bypass"),
)


class Answered(msgspec.Struct, frozen=True):
    line: DayLine
    word: str
    why: str


class Day(msgspec.Struct, frozen=True):
    """What became of each line, by scenario."""

    answers: dict[str, list[Answered]]

    def of(self, scenario: Scenario) -> list[Answered]:
        return self.answers[scenario.name]

    def share(self, scenario: Scenario, *words: str) -> float:
        """Lines that got one of these words, in percent."""
        answers = self.of(scenario)
        return 100 * sum(each.word in words for each in answers) / len(answers) if answers else 0.0


def judge_day(lines: list[DayLine], scenarios: tuple[Scenario, ...] = SCENARIOS) -> Day:
    with home() as (folder, court):
        made = projects.make(folder, dict.fromkeys(line.project for line in lines))
        works = {s.name: {kind: Work(court, path, s) for kind, path in made.items()} for s in scenarios}
        answers: dict[str, list[Answered]] = {scenario.name: [] for scenario in scenarios}
        for today in range(1 + max(scenario.day for scenario in scenarios)):
            for line in lines:
                # One event for all scenarios of a mode: the line is read once.
                events = _events(typed(line, made[line.project]), made[line.project], scenarios)
                there = [(scenario, works[scenario.name][line.project]) for scenario in scenarios]
                for scenario, work in there:
                    if today <= scenario.day:
                        answered = Answered(line, *work.does(events[scenario.mode]))
                        answers[scenario.name] += [answered] if today == scenario.day else []
                for scenario, work in there:
                    if today <= scenario.day:
                        work.learns(events[scenario.mode])
        return Day(answers)


def _events(command: str, project: Path, scenarios: tuple[Scenario, ...]) -> dict[str, PreToolUse]:
    return {mode: event_of(command, project, mode) for mode in dict.fromkeys(each.mode for each in scenarios)}


class Work:
    """What goes on in one project: sessions one after another, and what was granted and answered there."""

    def __init__(self, court: Court, project: Path, scenario: Scenario) -> None:
        self._court = court
        self._scenario = scenario
        self._scene = Scene(project=project, attended=True, permissions=scenario.permissions(project))
        self._lines = 0
        self._is_asked = False

    def does(self, event: PreToolUse) -> tuple[str, str]:
        """The word and why. Every line runs in the end: a person is there, and says yes to all."""
        if self._lines % SESSION == 0:
            self._scene = structs.replace(self._scene, memory=Memory())
        self._lines += 1
        word, why = answer(self._court, self._scene, event)
        self._is_asked = word != "allow"
        return word, why

    def learns(self, event: PreToolUse) -> None:
        """What the session remembers of it, and what the person's answer covers from now on."""
        call = Call.of(event)
        memory = self._scene.memory
        assert call is not None
        assert memory is not None
        if self._is_asked and self._scenario.stays:
            self._scene = structs.replace(self._scene, permissions=(*self._scene.permissions, *self._stayed(call)))
        did = effects_of(call, self._scene)
        if self._is_asked and any(done.effect.kind in ("project", "run") for done in did):
            memory.accept()
        memory.note(did)

    def _stayed(self, call: Call) -> Iterator[Permission]:
        for shape in shapes_of(call, self._scene):
            yield Permission(shape.words, "shape", str(self._scene.project), shape=shape, words=shape.words)


def judge_dangerous(lines: list[Line], scenarios: tuple[Scenario, ...] = SCENARIOS) -> dict[str, list[Judged]]:
    """The dangerous lines among these, by scenario. An answer that stays is one about another line, so it counts for
    nothing here."""
    counted = tuple(scenario for scenario in scenarios if not scenario.stays)
    judged: dict[str, list[Judged]] = {scenario.name: [] for scenario in counted}
    with shop() as (court, scene):
        for line in lines:
            events = _events(line.command, scene.project, counted) if line.is_dangerous else {}
            for scenario in counted if events else ():
                here = structs.replace(scene, permissions=scenario.permissions(scene.project))
                judged[scenario.name].append(Judged(line, *answer(court, here, events[scenario.mode])))
    return judged


def typed(line: DayLine, project: Path) -> str:
    """The line as it is typed in this project."""
    return line.command.replace("@project@", str(project))
