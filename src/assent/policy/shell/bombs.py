"""Fork bombs: what starts itself again without waiting, until the machine stops."""

from collections.abc import Iterator

from assent.policy.tree import Case, Command, Counting, For, Function, Group, If, List, Script, Simple, While

WHY = "It starts copies of itself until the machine stops."
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


def _scripts(command: Command) -> Iterator[Script]:
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
