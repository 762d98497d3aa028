"""The risk of one tool call: the worst of what it would do, in the light of what its session did before."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from assent.policy import world
from assent.policy.call import EDITS, READS, SUB_AGENTS, Call
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.tools import files, mcp, web
from assent.policy.voice import Scene
from assent.protocol.risk import Risk

LONGEST_EVIDENCE = 200
# They wait for a person, whatever anybody else thinks.
FOR_PEOPLE = frozenset({"AskUserQuestion", "ExitPlanMode"})

_BOOKS = nothing("It only keeps the session's own books.")
_UNKNOWN = care("unknown", "Nobody here knows what this tool does.")
# Tools whose input does not matter.
_FIXED: dict[str, Effect] = {
    **dict.fromkeys(FOR_PEOPLE, _BOOKS),
    **dict.fromkeys(("TodoWrite", "TodoRead", "EnterPlanMode", "ToolSearch", "StructuredOutput"), _BOOKS),
    **dict.fromkeys(("TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "TaskOutput", "BashOutput"), _BOOKS),
    **dict.fromkeys(("AgentOutput", "ListMcpResourcesTool"), _BOOKS),
    **dict.fromkeys(
        ("KillShell", "KillBash", "TaskStop"), Effect("process", Risk.CHANGE, "It ends what this session started.")
    ),
    "ReadMcpResourceTool": care("fetch", "It brings in what a server says."),
    **dict.fromkeys(("CronCreate", "ScheduleWakeup"), care("persist", "It makes the agent act later, by itself.")),
}


class Appraisal(NamedTuple):
    risk: Risk
    why: str
    # The part of a line that decided, and the safer way where there is one.
    evidence: str | None = None
    safer: str = ""


class Done(NamedTuple):
    """One effect of a call, which part of a line has it, and the whole path of its target, "" where it is no file."""

    effect: Effect
    part: str | None
    path: str


def risk_of(call: Call, scene: Scene) -> Appraisal:
    """Nothing to do is nothing to fear."""
    worst: Done | None = None
    for done in _in_its_session(effects_of(call, scene), scene):
        if worst is None or done.effect.risk > worst.effect.risk:
            worst = done
    if worst is None:
        return Appraisal(Risk.LOOK, "It runs no command.")
    effect, part, _ = worst
    return Appraisal(effect.risk, effect.why, part[:LONGEST_EVIDENCE] if part else None, effect.safer)


def effects_of(call: Call, scene: Scene) -> list[Done]:
    """What it would do whoever asks for it, looked at once for all who ask from the same place."""
    room = call.__dict__
    place = (scene.project, scene.own, scene.added)
    if room.get("_effects_at") != place:
        room["_effects"] = list(_effects(call, scene))
        room["_effects_at"] = place
    found: list[Done] = room["_effects"]
    return found


def _in_its_session(did: Iterable[Done], scene: Scene) -> Iterator[Done]:
    memory = scene.memory
    if memory is None:
        yield from did
        return
    for done in did:
        # Before the effect itself: of two that cost the same, it tells people more.
        for loaded in memory.loaded(done.effect, done.path, str(scene.project)):
            yield Done(loaded, done.part, done.path)
        yield Done(memory.raised(done.effect), done.part, done.path)


def _effects(call: Call, scene: Scene) -> Iterator[Done]:
    if (fixed := _FIXED.get(call.tool)) is not None:
        yield Done(fixed, None, "")
    elif call.command is not None:
        yield from _of_line(call, scene)
    else:
        for effect in _of_tool(call, scene):
            yield Done(effect, None, call.path or "")


_UNASKING = frozenset({"bypassPermissions", "dontAsk", "auto"})


def _of_sub_agent(call: Call) -> Iterator[Effect]:
    yield Effect("agent", Risk.CHANGE, "A sub-agent starts; each of its own calls is judged again.")
    if call.text("mode") in _UNASKING:
        yield danger("agent", "It starts a sub-agent that asks nobody.", call.text("mode") or "")


def _of_tool(call: Call, scene: Scene) -> Iterable[Effect]:
    setting = call.setting(scene)
    if call.tool in SUB_AGENTS:
        return _of_sub_agent(call)
    if call.tool in READS or call.tool in EDITS:
        return files.effects(call, scene, setting)
    if call.tool == "WebFetch":
        return web.fetch(call, setting)
    if call.tool == "WebSearch":
        return web.search(call)
    if call.tool.startswith(mcp.PREFIX):
        return mcp.effects(call, setting)
    return (_UNKNOWN, *mcp.told_by_input(call, setting))


def _of_line(call: Call, scene: Scene) -> Iterator[Done]:
    if call.input.get("dangerouslyDisableSandbox"):
        yield Done(care("privilege", "It asks to run outside the client's sandbox."), None, "")
    for act in call.acts(scene):
        for each in act.all():
            for effect in each.effects:
                cwd = each.runs[0].cwd if each.runs else call.cwd
                yield Done(effect, each.text, world.whole(effect.target, cwd) if effect.kind in _WITH_PATHS else "")


_WITH_PATHS = frozenset({"write", "persist", "tamper", "project", "run"})
