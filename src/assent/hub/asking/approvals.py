"""Approvals at an event: whether it can be held for those who have to agree, and what it is told where it cannot.

A call is held before it reaches its client, whose own dialog is then no way around those who have to agree."""

from dataclasses import replace
from datetime import timedelta

from assent.asks.desk import Desk
from assent.asks.timeouts import Way
from assent.harnesses.base import Harness
from assent.policy.judge import Judgement
from assent.protocol.approval import ApprovalView
from assent.protocol.decision import Allow, Deny, TraceLine, Verdict
from assent.protocol.events import PermissionRequest, PreToolUse

_OPEN_ALREADY = "Its dialog is open already, where one person could answer it. Make the call again: it is asked before."
_CANNOT_WAIT = "{title} cannot let a call wait for it at this point."
_RUN = "The run was started with --on-ask deny."
_TOO_MUCH = "Too much is asked at once, or this is too long to be read."


def way(judgement: Judgement) -> Way:
    """How such an ask is held: nobody at the terminal can answer it."""
    return "instead" if judgement.scene.attended is False else "before"


def obstacle(harness: Harness, judgement: Judgement, needs: ApprovalView, desk: Desk) -> str:
    """Why this cannot be held for those who have to agree; "" where it can."""
    event, scene = judgement.event, judgement.scene
    if not isinstance(event, PreToolUse | PermissionRequest) or Allow not in harness.HONOURED.get(type(event), ()):
        return _CANNOT_WAIT.format(title=harness.TITLE)
    is_open = isinstance(event, PermissionRequest) and harness.FACTS.dialog_beside and scene.attended is not False
    if is_open and event.agent_id is None:
        # Where it is the first that is heard of a call, there is nothing before it that could be held.
        return _CANNOT_WAIT.format(title=harness.TITLE) if harness.FACTS.permission_first else _OPEN_ALREADY
    if scene.run is not None and scene.run.on_ask == "deny":
        return _RUN
    # One who is away for a moment is waited for; a hub in no team has nobody.
    return desk.counting.unreachable(needs) if not desk.counting.is_joined else ""


def wait(needs: ApprovalView, usual: timedelta, longest: timedelta) -> timedelta:
    """As long as the rule says, and no longer than the client lets a hook run."""
    seconds = needs.shortest_wait_s
    return min(usual if seconds is None else timedelta(seconds=seconds), longest)


def ended(judgement: Judgement, why: str = "") -> Judgement:
    """The judgement of a call that nobody can be asked about: denied, or given back to its owner, as the rule says."""
    needs, verdict = judgement.approval, judgement.verdict
    assert needs is not None
    decision, why = judgement.without_approval, why or _TOO_MUCH
    if isinstance(decision, Deny):
        decision = Deny(f"{decision.reason} {why}")
    line = TraceLine(needs.rule, decision.word, why)
    over = Verdict(decision, needs.rule, verdict.risk, (*verdict.trace, line))
    return replace(judgement, verdict=over, is_left=False)
