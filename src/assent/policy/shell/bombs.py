"""Fork bombs: what starts itself again without waiting, until the machine stops. And writing that never ends."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assent.policy.effects import care
from assent.policy.paths import DISCARDS
from assent.policy.shell.tree import Case, Command, Counting, For, Function, Group, If, List, ScriptTree, Simple, While
from assent.protocol.decision import Risk

if TYPE_CHECKING:
    from assent.policy.shell.acts import Act

WHY = "It starts copies of itself until the machine has no memory left."
_OWN_NAME = ("$0", '"$0"', "${0}", '"${0}"')


def multiplies(name: str, body: Command) -> bool:
    """Whether a function of this name and body calls itself twice at once, or without waiting."""
    for script in _scripts(body):
        for item in script.items:
            stages = [stage for pipeline in _pipelines(item) for stage in pipeline]
            if item.background and any(_calls(name, stage) for stage in stages):
                return True
            if any(sum(_calls(name, stage) for stage in pipeline) > 1 for pipeline in _pipelines(item)):
                return True
            if any(multiplies(name, stage) for stage in stages if not isinstance(stage, Simple)):
                return True
    return False


def copies_itself(item: List) -> bool:
    """``$0 | $0 &``: the script that runs this line, twice."""
    starts = [
        stage
        for pipeline in _pipelines(item)
        for stage in pipeline
        if isinstance(stage, Simple) and stage.words and stage.words[0].raw.removeprefix("./") in _OWN_NAME
    ]
    return item.background and len(starts) > 1


def repeated(condition: ScriptTree, acts: "list[Act]") -> None:
    """What is harmless once is not where nothing ends the loop: folders and temporary files that are made."""
    if not any(isinstance(stage, Simple) and stage.raw in (":", "true") for stage in _stages(condition)):
        return
    for act in (each for top in acts for each in top.all()):
        act.effects[:] = [
            care("write", "It writes again and again, and nothing ends it.", effect.target)
            if effect.kind == "write" and effect.risk is Risk.LOOK and effect.why != DISCARDS
            else effect
            for effect in act.effects
        ]


def _stages(script: ScriptTree) -> Iterator[Command]:
    for item in script.items:
        for pipeline in _pipelines(item):
            yield from pipeline


def _calls(name: str, command: Command) -> bool:
    if isinstance(command, Simple):
        return bool(command.words) and command.words[0].plain == name
    return any(
        _calls(name, stage)
        for script in _scripts(command)
        for item in script.items
        for pipeline in _pipelines(item)
        for stage in pipeline
    )


def _pipelines(item: List) -> list[tuple[Command, ...]]:
    return [item.first.stages, *(pipeline.stages for _, pipeline in item.rest)]


def _scripts(command: Command) -> Iterator[ScriptTree]:
    match command:
        case Group(body) | For(_, _, body):
            yield body
        case While(condition, body):
            yield condition
            yield body
        case Counting(_, body) if body is not None:
            yield body
        case If(branches):
            for asked, then in branches:
                yield then
                if asked is not None:
                    yield asked
        case Case(_, branches):
            for _, then in branches:
                yield then
        case Function(_, body):
            yield from _scripts(body)
        case _:
            return
