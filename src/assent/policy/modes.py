"""What a client's permission mode makes of a decision: where it would be ignored, a stricter one takes its place."""

from assent.policy import own, sensitive
from assent.policy.call import Call
from assent.policy.risk_of import effects_of
from assent.policy.tools.mcp import is_shell_like
from assent.policy.voice import Opinion, Scene
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion, Prompt
from assent.protocol.events import Event, PreToolUse
from assent.protocol.risk import Risk

PLAN = "plan"
BYPASS = "bypassPermissions"

_CHANGES = frozenset({"write", "delete", "mode", "persist", "tamper", "history"})
_UNREAD = ("floor:unread", "judge:")


def in_mode(event: Event, scene: Scene, chosen: Opinion, risk: Risk | None) -> tuple[Decision, str] | None:
    """The decision that takes the place of the chosen one in this mode, and why; None where it stands."""
    decision = chosen.decision
    if event.permission_mode == PLAN and isinstance(decision, Allow) and risk is not None and risk > Risk.LOOK:
        # What a plan would do waits until a person has agreed to it.
        return NoOpinion("no_rule"), "In plan mode nothing but looking is allowed."
    if event.permission_mode == BYPASS and isinstance(decision, Prompt) and not _is_asked_about(event, scene, chosen):
        why = "In the mode bypassPermissions the client would run this without asking anybody."
        return Deny(f"{decision.reason} {why} A person can do it, or leave that mode."), why
    return None


def _is_asked_about(event: Event, scene: Scene, chosen: Opinion) -> bool:
    """Whether the client obeys a prompt in this mode. About files that it guards by itself it does not: it drops the
    prompt together with its own. Ours are more than those; what nobody could read may name one."""
    call = Call.of(event)
    if not isinstance(event, PreToolUse) or call is None:
        return True
    if chosen.by.startswith(_UNREAD) or is_shell_like(call):
        return False
    try:
        did = effects_of(call, scene)
    except Exception:
        # Whoever failed on it was heard as a prompt.
        return False
    if any(done.effect.why in own.GUARDED for done in did):
        return False
    changed = [path for done in did if done.effect.kind in _CHANGES for path in (done.path, done.effect.target)]
    return not any(map(_may_be_obeyed, changed))


def _may_be_obeyed(path: str) -> bool:
    if sensitive.is_obeyed(path) or sensitive.may_be_agents(path.replace("…", "*")):
        return True
    return not path.startswith("/") and sensitive.may_be_in_an_agents_folder(path)
