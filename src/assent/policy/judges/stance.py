"""The decision for each risk where no rule applies: by the stance, and by the mode of the session."""

from collections.abc import Callable, Iterator
from typing import Literal, get_args

from assent.config import StanceName as StanceName
from assent.harnesses import registry
from assent.policy import own, sensitive, world
from assent.policy.call import Call, Opinion, Scene
from assent.policy.commands.files import MAKES_FOLDER, REMOVES_EMPTY
from assent.policy.commands.python import COMPILES
from assent.policy.effects import Effect
from assent.policy.paths import is_temporary
from assent.policy.risk_of import LONGEST_EVIDENCE, effects_of, risk_of
from assent.policy.shell import spelling
from assent.policy.tools.mcp import is_shell_like
from assent.protocol import modes
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion, Prompt, Risk
from assent.protocol.events import Event, PermissionRequest, PreToolUse
from assent.protocol.modes import ACCEPT_EDITS, BYPASS, PLAN
from assent.protocol.operations import FOR_PEOPLE

_Word = Literal["allow", "none", "prompt", "deny"]
_STRICT: tuple[_Word, ...] = get_args(_Word)

#                                       Look     Change  Care      Danger
TABLE: dict[StanceName, dict[Risk, _Word]] = {
    "watch": dict(zip(Risk, ("none", "none", "none", "none"), strict=True)),
    "balanced": dict(zip(Risk, ("allow", "none", "none", "prompt"), strict=True)),
    "strict": dict(zip(Risk, ("allow", "none", "prompt", "deny"), strict=True)),
}


class Stance:
    """Always speaks about a tool call, if only to name its risk."""

    def __init__(self, choose: Callable[[Scene], StanceName]) -> None:
        self._choose = choose

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        call = Call.of(event, scene)
        if call is None:
            return None
        risk, why, evidence, safer = risk_of(call, scene)
        name = self._stricter(scene, risk)
        word = TABLE[name][risk]
        if word == "allow" and (isinstance(call.operation, FOR_PEOPLE) or is_asked_for(event)):
            word = "none"
        if word == "none" and event.permission_mode == modes.BYPASS and is_shell_like(call):
            # Left to the client it would run, and it cannot be read here.
            word, why = "prompt", f"Assent cannot read the commands of the tool {call.tool[:60]}. {why}"
        advice = f"{why} Safer: {safer}." if safer else why
        decision = _decision(word, advice)
        return Opinion(decision, f"stance:{name}", f"{risk.word}: {advice}{_client_says(event)}", evidence, risk=risk)

    def _stricter(self, scene: Scene, risk: Risk) -> StanceName:
        """Of the settings' stance and the run's: what a run adds never permits more than there was."""
        name = self._choose(scene)
        if scene.run is None:
            return name
        added = next((stance for stance in TABLE if stance == scene.run.stance), name)
        return max(name, added, key=lambda each: _STRICT.index(TABLE[each][risk]))


def is_asked_for(event: Event) -> bool:
    """Whether a dialog opens because it is wanted: an ask rule of the user's, or another hook.

    Then the client offers nothing lasting with it. Where it does, only its own caution asks, as it would have done
    without us: looking is answered here if the answer to PreToolUse was ignored, or none was given.
    """
    if not isinstance(event, PermissionRequest) or event.permission_suggestions:
        return False
    return (registry.of(event.client.harness) or registry.default()).FACTS.suggests


def _client_says(event: Event) -> str:
    """What some clients send along when they ask: why, and about which path."""
    if not isinstance(event, PermissionRequest):
        return ""
    texts = [event.raw.get(name) for name in ("decision_reason", "blocked_path")]
    reason, path = (text[:LONGEST_EVIDENCE] if isinstance(text, str) else "" for text in texts)
    return (f" The client says: {reason}" if reason else "") + (f" The client stopped at {path}." if path else "")


def _decision(word: _Word, why: str) -> Decision:
    if word == "allow":
        return Allow()
    if word == "none":
        return NoOpinion("no_rule")
    return Deny(why) if word == "deny" else Prompt(why)


_HARMLESS_CHANGES = frozenset({MAKES_FOLDER, REMOVES_EMPTY, COMPILES})
_CHANGES = frozenset({"write", "delete", "mode", "persist", "tamper", "history"})
# What a plan is for: changes here, and what reaches others. Tests, fetches and unknown things are the client's.
_PLANNED = _CHANGES | {"send", "publish", "remote"}
_FILES = frozenset({"write", "delete", "mode"})
# What is started in a container or a pod has effects of its own.
_STARTS_THERE = "It runs a command in a "
_UNREAD = ("floor:unread", "judge:")


def in_mode(event: Event, scene: Scene, chosen: Opinion, risk: Risk | None) -> tuple[Decision, str] | None:
    """The decision that takes the place of the chosen one in this mode, and why; None where it stands."""
    decision = chosen.decision
    mode = event.permission_mode
    if chosen.by.startswith("person:") or chosen.by == "stance:watch":
        return None
    if mode == PLAN and isinstance(decision, Allow | Prompt | NoOpinion):
        return _in_plan(event, scene, chosen, risk)
    if mode == ACCEPT_EDITS and isinstance(decision, NoOpinion) and not chosen.by.startswith("rule:"):
        return _with_edits_accepted(event, scene)
    if mode == BYPASS and isinstance(decision, Prompt) and not _is_asked_about(event, scene, chosen):
        why = f"In the mode {BYPASS} the client would run this without asking."
        return Deny(f"{decision.reason} {why} A person can do it, or leave that mode."), why
    return None


def _in_plan(event: Event, scene: Scene, chosen: Opinion, risk: Risk | None) -> tuple[Decision, str] | None:
    planned = next(_planned(event, scene), None) if isinstance(event, PreToolUse) else None
    if planned is not None:
        why = "In plan mode nothing is changed, whatever rules allow."
        return Deny(
            f"{planned.why} {why} Put this step into the plan, and do it once a person has accepted the plan."
        ), why
    if isinstance(chosen.decision, Allow) and risk is not None and _acts(event, scene, risk):
        # What a plan would do waits until a person has agreed to it.
        return NoOpinion("no_rule"), "In plan mode nothing but looking is allowed."
    return None


def _planned(event: Event, scene: Scene) -> Iterator[Effect]:
    """What belongs into a plan, the worst first. The plan itself and temporary files do not."""
    changed = _changed(event, scene, _PLANNED)
    roots = world.with_real((str(scene.project),))
    effects = [
        effect
        for effect, path in changed
        if effect.kind not in _FILES or not _is_free(path) or (_is_in(path, roots) and not sensitive.is_plan(path))
    ]
    yield from sorted(effects, key=lambda effect: effect.risk, reverse=True)


def _with_edits_accepted(event: Event, scene: Scene) -> tuple[Decision, str] | None:
    """The client lets edits and some commands for files pass in this mode, but it means those in the project."""
    roots = world.with_real((str(scene.project), *scene.added))
    for effect, path in _changed(event, scene, _FILES) if isinstance(event, PreToolUse) else ():
        if _is_outside(path, roots):
            why = f"The mode {ACCEPT_EDITS} is for edits in the project."
            return Prompt(f"{effect.why} {why}"), why
    return None


def _changed(event: Event, scene: Scene, kinds: frozenset[str]) -> Iterator[tuple[Effect, str]]:
    """Effects of these kinds that do more than look, each with the whole path it is about: "" for none, "…" in it where
    that is known only when it runs."""
    call = Call.of(event, scene)
    if call is None:
        return
    try:
        effects = _found(call, scene)
    except Exception:
        # Where judging fails, a prompt was chosen already, and stands.
        return
    for effect, cwd in effects:
        if effect.kind in kinds and effect.risk >= Risk.CHANGE and not effect.why.startswith(_STARTS_THERE):
            is_known = bool(effect.target) and "…" not in effect.target and cwd is not None
            yield effect, world.whole(effect.target, cwd) if is_known else effect.target and "…"


def _found(call: Call, scene: Scene) -> list[tuple[Effect, str | None]]:
    """All effects, each with the folder it happens in; None where that is not known."""
    if call.command is None:
        return [(done.effect, call.cwd) for done in effects_of(call, scene)]
    acts = call.look(scene).every
    return [(effect, act.runs[0].cwd if act.runs else call.cwd) for act in acts for effect in act.effects]


def _is_free(path: str) -> bool:
    return sensitive.is_plan(path) or is_temporary(path)


def _is_outside(path: str, roots: tuple[str, ...]) -> bool:
    if not path or _is_free(path) or path.startswith("/dev/"):
        return False
    return path == "…" or not all(_is_in(each, roots) for each in (path, spelling.real_path(path)))


def _is_in(path: str, roots: tuple[str, ...]) -> bool:
    return any(path == root or path.startswith(f"{root.rstrip('/')}/") for root in roots)


def _acts(event: Event, scene: Scene, risk: Risk) -> bool:
    """Whether it does more than look. Where only a plan is wanted, even an empty folder is more."""
    if risk > Risk.LOOK:
        return True
    call = Call.of(event, scene)
    return call is not None and any(done.effect.why in _HARMLESS_CHANGES for done in effects_of(call, scene))


def _is_asked_about(event: Event, scene: Scene, chosen: Opinion) -> bool:
    """Whether the client obeys a prompt in this mode. About files that it guards by itself it does not: it drops the
    prompt together with its own. Ours are more than those; what is unreadable may name one."""
    call = Call.of(event, scene)
    if not isinstance(event, PreToolUse) or call is None:
        return True
    if chosen.by.startswith(_UNREAD) or is_shell_like(call):
        return False
    try:
        did = effects_of(call, scene)
    except Exception:
        # A voice that failed on it counted as a prompt.
        return False
    if any(done.effect.why in own.GUARDED for done in did):
        return False
    changed = [path for done in did if done.effect.kind in _CHANGES for path in (done.path, done.effect.target)]
    return not any(map(_may_be_obeyed, changed))


def _may_be_obeyed(path: str) -> bool:
    if sensitive.is_obeyed(path) or sensitive.may_be_agents(path.replace("…", "*")):
        return True
    return not path.startswith("/") and sensitive.may_be_in_an_agents_folder(path)
