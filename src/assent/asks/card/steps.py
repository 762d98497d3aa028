"""What a call would do, step by step: the judge's tree of commands as a list for people, the worst first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from assent.asks.card import command_verbs
from assent.asks.card.command_verbs import Namer
from assent.asks.card.segments import parsed
from assent.protocol.card import StepView
from assent.protocol.decision import Risk, Step, Trial
from assent.protocol.decision import Seen as Effect

# Kinds whose targets are files: told beside the main thing that a command does.
_FILES = frozenset({"write", "delete", "secret", "persist", "tamper", "mode"})
_ADMINISTRATOR = frozenset({"sudo", "doas", "su", "pkexec"})
# They carry a command to another place, which is told with that command.
_MACHINES = frozenset({"ssh", "mosh", "autossh"})
_PLACES = {"docker": "in a container", "podman": "in a container", "kubectl": "in the cluster", "oc": "in the cluster"}
# What carriers do beside what they start.
_CARRYING = frozenset({"fetch", "privilege", "remote", "run", "dynamic", "query", "nothing"})
_ASIDE = frozenset({"cd", "pushd", "popd", "set", "shopt", "export", "unset", "true", ":", "sleep", "wait", "exit"})
MOST = 100
MOST_NAMES = 12
LONGEST_COMMAND = 200


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a command runs, as far as that is not here and as you."""

    words: str = ""
    machines: tuple[str, ...] = ()
    is_administrator: bool = False


@dataclass(frozen=True, slots=True)
class _Thing:
    command: str
    words: str
    effect: Effect | None
    place: _Place
    # Everything it is done to, where the words name only some of it.
    files: tuple[str, ...] = ()
    is_aside: bool = False

    @property
    def risk(self) -> Risk:
        return parsed(self.effect.risk) if self.effect else Risk.LOOK

    @property
    def weight(self) -> tuple[Risk, bool, int, bool, int]:
        """The first among equals is the one that reaches the most machines."""
        risk, telling, is_known = command_verbs.weight(self.effect) if self.effect else (Risk.LOOK, -99, False)
        return risk, not self.is_aside, telling, is_known, len(self.place.machines)

    @property
    def heading(self) -> str:
        place = self.place
        if place.machines:
            where = place.machines[0] if len(place.machines) == 1 else f"{len(place.machines)} servers"
            return f"{self.words} on {where}"
        if place.words:
            return f"{self.words} {place.words}"
        return f"{self.words}, as administrator" if place.is_administrator else self.words

    @property
    def view(self) -> StepView:
        words = f"{self.words} {self.place.words}".strip()
        return StepView(
            self.risk.word,
            f"{words}, as administrator" if self.place.is_administrator else words,
            where=(self.place.machines or self.files)[:MOST_NAMES],
            why=self.effect.why if self.effect else "",
            command=_beginning(self.command),
        )


def _beginning(text: str) -> str:
    return text if len(text) <= LONGEST_COMMAND else f"{text[: LONGEST_COMMAND - 1]}…"


def told(trial: Trial, command: str, name: Namer) -> tuple[str, tuple[StepView, ...]]:
    """The heading, which is about the worst of them, and the steps."""
    things = sorted(_things(_merged(trial.steps), name, _Place()), key=lambda thing: thing.weight, reverse=True)
    if not things:
        return command_verbs.of_text(command), ()
    heading = things[0].heading if things[0].command.strip("…") else command_verbs.of_text(command)
    done = [thing for thing in things if not thing.is_aside or thing.risk > Risk.LOOK]
    # The same words twice say nothing more.
    views = {(view.risk, view.words, view.where): view for view in (thing.view for thing in reversed(done or things))}
    return heading, tuple(reversed(views.values()))[:MOST]


def worst_effects(steps: Sequence[Step]) -> list[Effect]:
    """All effects, the worst first, in the order of the line among equals."""
    return sorted(_effects(steps), key=lambda effect: -parsed(effect.risk))


def _effects(steps: Sequence[Step]) -> Iterator[Effect]:
    for step in steps:
        yield from step.effects
        yield from _effects(step.starts)


def _merged(steps: Sequence[Step]) -> list[Step]:
    """A loop runs one command several times: one step, with everything that each of them touches."""
    alike: dict[str, list[Step]] = {}
    for step in steps:
        alike.setdefault(step.command, []).append(step)
    return [_one(each) if len(each) > 1 else each[0] for each in alike.values()]


def _one(alike: list[Step]) -> Step:
    effects = tuple(dict.fromkeys(effect for step in alike for effect in step.effects))
    starts = tuple(inner for step in alike for inner in step.starts)
    return msgspec.structs.replace(alike[0], effects=effects, starts=starts)


def _things(steps: Sequence[Step], name: Namer, place: _Place) -> Iterator[_Thing]:
    for step in steps:
        program, starts = command_verbs.program(step.command), _merged(step.starts)
        is_carrier = program in _MACHINES or program in _PLACES or program in _ADMINISTRATOR
        if is_carrier:
            # The line it carries, as far as it is known, and the commands in it.
            starts = [inner for inner in starts if not _is_vague(inner)] or starts
        if not starts or not is_carrier or any(effect.kind not in _CARRYING for effect in step.effects):
            yield from _of_step(step, program, name, place, has_more=bool(starts))
        yield from _things(starts, name, _inside(step, program, place) if is_carrier else place)


def _is_vague(step: Step) -> bool:
    return not step.starts and all(e.kind == "dynamic" and parsed(e.risk) < Risk.DANGER for e in step.effects)


def _inside(step: Step, program: str, place: _Place) -> _Place:
    if program in _ADMINISTRATOR:
        return replace(place, is_administrator=True)
    if program in _PLACES:
        return replace(place, words=_PLACES[program])
    machines = tuple(dict.fromkeys(effect.target for effect in step.effects if effect.kind == "fetch"))
    return replace(place, machines=tuple(filter(None, machines)) or ("another machine",))


def _of_step(step: Step, program: str, name: Namer, place: _Place, *, has_more: bool) -> Iterator[_Thing]:
    worst = command_verbs.worst(step.effects)
    if worst is None and has_more:
        # It only starts others.
        return
    is_aside = program in _ASIDE
    words = command_verbs.of_step(step, name)
    files = _named(step, worst.kind, name) if worst and worst.kind in _FILES else ()
    yield _Thing(step.command, words, worst, place, files if len(files) > command_verbs.MOST_NAMED else (), is_aside)
    others = {effect.kind: effect for effect in reversed(step.effects) if effect.kind in _FILES}
    for kind, effect in others.items():
        if worst is not None and kind != worst.kind and parsed(effect.risk) >= Risk.CARE and effect.target.strip("…"):
            alone = msgspec.structs.replace(step, effects=tuple(e for e in step.effects if e.kind == kind))
            files = _named(step, kind, name)
            words = command_verbs.of_effects(alone.effects, name)
            yield _Thing(step.command, words, effect, place, files if len(files) > command_verbs.MOST_NAMED else ())


def _named(step: Step, kind: str, name: Namer) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name(e.target) for e in step.effects if e.kind == kind and e.target.strip("…")))
