"""The general attitude: what is said about a risk when no rule speaks."""

from collections.abc import Callable
from typing import Literal, get_args

from assent.config import StanceName as StanceName
from assent.policy import modes
from assent.policy.call import Call
from assent.policy.risk_of import FOR_PEOPLE, LONGEST_EVIDENCE, risk_of
from assent.policy.tools.mcp import is_shell_like
from assent.policy.voice import Opinion, Scene
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion, Prompt
from assent.protocol.events import Event, PermissionRequest
from assent.protocol.risk import Risk

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
        call = Call.of(event)
        if call is None:
            return None
        risk, why, evidence, safer = risk_of(call, scene)
        name = self._stricter(scene, risk)
        word = TABLE[name][risk]
        if word == "allow" and (call.tool in FOR_PEOPLE or _is_asked_for(event)):
            word = "none"
        if word == "none" and event.permission_mode == modes.BYPASS and is_shell_like(call):
            # Left to the client it would run, and it cannot be read here.
            word, why = "prompt", f"Assent cannot read the commands of the tool {call.tool[:60]}. {why}"
        advice = f"{why} Safer: {safer}." if safer else why
        decision = _decision(word, name, risk, advice)
        return Opinion(decision, f"stance:{name}", f"{risk.word}: {advice}{_client_says(event)}", evidence, risk=risk)

    def _stricter(self, scene: Scene, risk: Risk) -> StanceName:
        """Of the settings' stance and the run's: what a run adds never permits more than there was."""
        name = self._choose(scene)
        added = next((known for known in TABLE if scene.run is not None and known == scene.run.stance), name)
        return max(name, added, key=lambda each: _STRICT.index(TABLE[each][risk]))


def _is_asked_for(event: Event) -> bool:
    """Whether a dialog opens because somebody wants it: an ask rule of the user's, or another hook.

    Then the client offers nothing lasting with it. Where it does, only its own caution asks, as it would have done
    without us: looking is answered here if the answer to PreToolUse was ignored, or none was given.
    """
    return isinstance(event, PermissionRequest) and not event.permission_suggestions


def _client_says(event: Event) -> str:
    """What some clients send along when they ask: why, and about which path."""
    if not isinstance(event, PermissionRequest):
        return ""
    found = [event.raw.get(name) for name in ("decision_reason", "blocked_path")]
    reason, path = (text[:LONGEST_EVIDENCE] if isinstance(text, str) else "" for text in found)
    return (f" The client says: {reason}" if reason else "") + (f" The client stopped at {path}." if path else "")


def _decision(word: _Word, stance: StanceName, risk: Risk, why: str) -> Decision:
    if word == "allow":
        return Allow()
    if word == "none":
        return NoOpinion("no_rule")
    reason = f"{why} Risk: {risk.word}; stance: {stance}."
    return Deny(reason) if word == "deny" else Prompt(reason)
