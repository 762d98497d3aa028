"""The risk of one tool call: of a shell command from what it would do, of any other from what its input names."""

from typing import NamedTuple

from assent.policy import sensitive
from assent.policy.call import EDITS, READS, SUB_AGENTS, Call
from assent.policy.effects import Effect
from assent.policy.voice import Scene
from assent.protocol.risk import Risk

LONGEST_EVIDENCE = 200
# They wait for a person, whatever anybody else thinks.
FOR_PEOPLE = frozenset({"AskUserQuestion", "ExitPlanMode"})

_BOOKKEEPING = FOR_PEOPLE | frozenset(
    [
        "TodoWrite",
        "TodoRead",
        "TaskCreate",
        "TaskGet",
        "TaskList",
        "TaskUpdate",
        "TaskOutput",
        "BashOutput",
        "AgentOutput",
        "EnterPlanMode",
        "ToolSearch",
        "StructuredOutput",
    ]
)


class Appraisal(NamedTuple):
    risk: Risk
    why: str
    # The part of a line that decided, and the safer way where there is one.
    evidence: str | None = None
    safer: str = ""


def risk_of(call: Call, scene: Scene) -> Appraisal:
    if call.tool in _BOOKKEEPING:
        return Appraisal(Risk.LOOK, "It only keeps the session's own books.")
    if call.tool in SUB_AGENTS:
        return Appraisal(Risk.CHANGE, "A sub-agent starts; each of its own calls is judged again.")
    if call.tool in READS | EDITS:
        if call.path is None or call.real_path is None:
            return Appraisal(Risk.CARE, "It names no file that can be read.")
        return (_read if call.tool in READS else _edit)(call, call.path, call.real_path, scene)
    if call.tool in ("WebFetch", "WebSearch"):
        return Appraisal(Risk.CARE, "It sends something to the network.")
    if call.command is not None:
        return _line(call, scene)
    return Appraisal(Risk.CARE, "Nobody here knows what this tool does.")


def _line(call: Call, scene: Scene) -> Appraisal:
    """As risky as the worst it does. Nothing to do is nothing to fear, but a line of no commands is odd."""
    worst: tuple[Effect, str] | None = None
    for act in call.acts(str(scene.project), scene.own):
        for each in act.all():
            for effect in each.effects:
                if worst is None or effect.risk > worst[0].risk:
                    worst = effect, each.text
    if worst is None:
        return Appraisal(Risk.LOOK, "It runs no command.")
    effect, text = worst
    return Appraisal(effect.risk, effect.why, text[:LONGEST_EVIDENCE], effect.safer)


def _read(call: Call, path: str, real: str, scene: Scene) -> Appraisal:
    # Glob tells names only; Grep may be pointed at secrets by its filter.
    filtered = (call.text("glob") or "").replace("*", "") if call.tool == "Grep" else ""
    if call.tool != "Glob" and any(sensitive.is_secret(name) for name in (path, real, filtered)):
        return Appraisal(Risk.DANGER, "Secrets go by this name.")
    if not _is_inside(call, path, real, scene):
        return Appraisal(Risk.CARE, "It lies outside the project.")
    return Appraisal(Risk.LOOK, "It reads inside the project.")


def _edit(call: Call, path: str, real: str, scene: Scene) -> Appraisal:
    if sensitive.is_plan(path) and sensitive.is_plan(real):
        return Appraisal(Risk.CHANGE, "It writes down a plan.")
    if sensitive.is_obeyed(path) or sensitive.is_obeyed(real):
        return Appraisal(Risk.DANGER, "Programs or agents act on what this file says.")
    secret = sensitive.is_secret(path) or sensitive.is_secret(real)
    if not _is_inside(call, path, real, scene):
        if secret:
            return Appraisal(Risk.DANGER, "Secrets go by this name, and it lies outside the project.")
        return Appraisal(Risk.CARE, "It lies outside the project.")
    if secret:
        return Appraisal(Risk.CARE, "Secrets go by this name, and git does not keep them.")
    return Appraisal(Risk.CHANGE, "It edits a file of the project.")


def _is_inside(call: Call, path: str, real: str, scene: Scene) -> bool:
    """As named and with links followed: a link must not lead out."""
    root = str(scene.project)
    return _below(path, root) and _below(real, call.real_root(root))


def _below(path: str, root: str) -> bool:
    return path == root or path.startswith(root if root.endswith("/") else f"{root}/")
