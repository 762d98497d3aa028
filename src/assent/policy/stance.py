"""The general attitude: what is said about a risk when no rule speaks."""

from collections.abc import Callable
from typing import Literal

from assent.config import StanceName as StanceName
from assent.policy.call import Call
from assent.policy.risk_of import FOR_PEOPLE, risk_of
from assent.policy.voice import Opinion, Scene
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion, Prompt
from assent.protocol.events import Event, PermissionRequest
from assent.protocol.risk import Risk

_Word = Literal["allow", "none", "prompt", "deny"]

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
        name = self._choose(scene)
        risk, why, evidence, safer = risk_of(call, scene)
        word = TABLE[name][risk]
        # The dialog opens because somebody's rule or mode asked for it: our ease does not overrule that.
        if word == "allow" and (call.tool in FOR_PEOPLE or isinstance(event, PermissionRequest)):
            word = "none"
        advice = f"{why} Safer: {safer}." if safer else why
        decision = _decision(word, name, risk, advice)
        return Opinion(decision, f"stance:{name}", f"{risk.word}: {advice}", evidence, risk=risk)


def _decision(word: _Word, stance: StanceName, risk: Risk, why: str) -> Decision:
    reason = f"{why} Risk: {risk.word}; stance: {stance}."
    made: dict[_Word, Decision] = {
        "allow": Allow(),
        "none": NoOpinion("no_rule"),
        "prompt": Prompt(reason),
        "deny": Deny(reason),
    }
    return made[word]
