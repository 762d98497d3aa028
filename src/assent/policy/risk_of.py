"""The risk of one tool call: the worst of what it would do, given what its session did before."""

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from assent.policy import reasons, world
from assent.policy.call import Call, Look, Scene
from assent.policy.effects import WAITS_FOR_INPUT, Done, Effect, care, danger, nothing
from assent.policy.session_taint import Memory
from assent.policy.tools import files, mcp, web
from assent.protocol import modes
from assent.protocol.decision import DANGER, LOOK, Risk
from assent.protocol.operations import (
    CHANGES_FILES,
    FOR_PEOPLE,
    READS_FILES,
    Fetch,
    Mcp,
    Operation,
    Other,
    Shell,
    Subagent,
)

LONGEST_EVIDENCE = 200

_BOOKS = nothing("It only keeps the session's own books.")
_UNKNOWN = care("unknown", "Assent does not know what this tool does.")
# Tools whose input does not matter.
_FIXED: dict[str, Effect] = {
    "bookkeeping": _BOOKS,
    "ends": Effect("process", Risk.CHANGE, "It ends what this session started."),
    "resource": care("fetch", "It brings in what a server says."),
    "later": care("persist", "It makes the agent act later, by itself."),
}


class Appraisal(NamedTuple):
    risk: Risk
    why: str
    # The part of a line that decided, and the safer way where there is one.
    evidence: str | None = None
    safer: str = ""


def risk_of(call: Call, scene: Scene) -> Appraisal:
    """Nothing to do is nothing to fear."""
    look, deciding = call.look(scene), _deciding(call, scene)
    did = _did(call, scene, look, deciding)
    if scene.memory is not None and not scene.memory.is_clear:
        return _appraised(call, scene, list(_in_its_session(did, scene.memory, str(scene.project))))
    return look.fact(("risk", call.tool, deciding), lambda: _appraised(call, scene, did))


def _appraised(call: Call, scene: Scene, did: list[Done]) -> Appraisal:
    if not did:
        return Appraisal(Risk.LOOK, "It runs no command.")
    worst = _worst(did)
    effect, part, why = worst.effect, worst.part, worst.effect.why
    if effect.risk > LOOK:
        same = [done.effect.target for done in did if reasons.is_told_with(done.effect, effect)]
        step = call.tool if part is None and effect.kind == "unknown" else part
        machines = _machines(did, part)
        home = world.home() if call.command is None else call.seen(scene)[1].home
        project = str(scene.project)
        why = reasons.completed(effect, tuple(same), step, home=home, project=project, machines=tuple(machines))
    return Appraisal(effect.risk, why, part[:LONGEST_EVIDENCE] if part else None, effect.safer)


def _worst(did: list[Done]) -> Done:
    """The one that is told: the first of those that cost most and say most, unless one reaches more machines."""
    worst = did[0]
    for done in did:
        risk = done.effect.risk
        if risk > worst.effect.risk or (
            risk is worst.effect.risk is not LOOK and reasons.telling(done.effect) > reasons.telling(worst.effect)
        ):
            worst = done
    # Connecting is Care: where nothing is worse, there is nothing to weigh.
    if worst.effect.risk is not DANGER or "fetch" not in [done.effect.kind for done in did]:
        return worst
    telling = reasons.telling(worst.effect)
    equals = {done.part: done for done in reversed(did) if reasons.telling(done.effect) == telling}
    return max(reversed(equals.values()), key=lambda done: len(_machines(did, done.part)))


def _machines(did: list[Done], part: str | None) -> list[str]:
    """The machines that this part of a line is carried to."""
    ways = (done for done in did if done.effect.kind == "fetch")
    return [way.effect.target for way in ways if reasons.connects_for(way.effect, way.part, part)]


def effects_of(call: Call, scene: Scene) -> list[Done]:
    """Effects of the call, computed once per scene."""
    return _did(call, scene, call.look(scene), _deciding(call, scene))


def _did(call: Call, scene: Scene, look: Look, deciding: Hashable) -> list[Done]:
    return look.fact(("effects", deciding), lambda: list(_effects(call, scene)))


def _deciding(call: Call, scene: Scene) -> tuple[Hashable, ...]:
    """What the effects of a line depend on beside what was seen in it."""
    operation = call.operation
    if not isinstance(operation, Shell):
        return ()
    return operation.unsandboxed, operation.typed_unseen, scene.sandboxed, call.mode


def _in_its_session(did: Iterable[Done], memory: Memory, project: str) -> Iterator[Done]:
    for done in did:
        # Before the effect itself: of two that cost the same, it tells people more.
        for loaded in memory.loaded(done.effect, done.path, project):
            yield Done(loaded, done.part, done.path)
        yield Done(memory.raised(done.effect), done.part, done.path)


def _effects(call: Call, scene: Scene) -> Iterable[Done]:
    operation = call.operation
    if isinstance(operation, Shell) and operation.command is not None:
        done = _of_line(call, scene, unsandboxed=operation.unsandboxed)
        return [*done, *_typed(call, scene)] if operation.typed_unseen else done
    return _of_other(operation, call, scene)


def _of_other(operation: Operation, call: Call, scene: Scene) -> Iterator[Done]:
    if isinstance(operation, FOR_PEOPLE):
        yield Done(_BOOKS, None, "")
    elif isinstance(operation, CHANGES_FILES + READS_FILES):
        for effect, path in files.effects(call, scene, call.look(scene).setting):
            yield Done(effect, None, path)
    elif isinstance(operation, Other) and operation.does in _FIXED:
        yield Done(_FIXED[operation.does], None, "")
    else:
        for effect in _of_tool(call, scene):
            yield Done(effect, None, "")


_UNASKING = frozenset({modes.BYPASS, modes.PREAPPROVED_ONLY, modes.AUTO})


def _of_sub_agent(operation: Subagent) -> Iterator[Effect]:
    yield Effect("agent", Risk.CHANGE, "A sub-agent starts; each of its own calls is judged again.")
    if operation.mode in _UNASKING:
        yield danger("agent", "It starts a sub-agent that never asks.", operation.mode or "")


def _of_tool(call: Call, scene: Scene) -> Iterable[Effect]:
    setting = call.look(scene).setting
    match call.operation:
        case Subagent() as operation:
            return _of_sub_agent(operation)
        case Fetch(query=None, url=url):
            return web.fetch(url, setting)
        case Fetch(query=query):
            return web.search(query or "")
        case Mcp() as operation:
            return mcp.effects(operation, call, setting)
    return (_UNKNOWN, *mcp.told_by_input(call, setting))


def _of_line(call: Call, scene: Scene, *, unsandboxed: bool) -> list[Done]:
    done = []
    if unsandboxed:
        # Where no sandbox is on it changes nothing, unless the mode skips questions.
        is_grave = scene.sandboxed or call.mode in (modes.AUTO, modes.BYPASS)
        sandbox = (danger if is_grave else care)("privilege", "It asks to run outside the client's sandbox.")
        done.append(Done(sandbox, None, ""))
    for act in call.look(scene).every:
        for effect in act.effects:
            path = ""
            if effect.kind in _WITH_PATHS:
                path = world.whole(effect.target, act.runs[0].cwd if act.runs else call.cwd)
            done.append(Done(effect, act.text, path))
    return done


def _typed(call: Call, scene: Scene) -> Iterator[Done]:
    """Where the client tells nothing of what is typed later, starting what waits for it is the last that is judged."""
    effects = (effect for act in call.look(scene).every for effect in act.effects)
    if any(WAITS_FOR_INPUT in effect.why for effect in effects):
        yield Done(danger("run", "What is typed into it later is not judged."), None, "")


_WITH_PATHS = frozenset({"write", "persist", "tamper", "project", "run"})
