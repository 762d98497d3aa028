"""What Claude Code is told where no hub answers: the replies a shim prints by itself.

They are written into the placed copy of the shim as they go over the wire, so that the shim parses and builds nothing.
"""

import json
from typing import Literal

Unreachable = Literal["no_opinion", "prompt_in_bypass", "deny_in_bypass", "deny"]
# What a shim may find itself in. Each may have a variant for the mode that runs tools unasked.
Situation = Literal[
    "unreachable", "unreachable_bypass", "held", "held_bypass", "run", "run_bypass", "stopped", "stopped_bypass"
]
Replies = dict[str, dict[Situation, bytes]]

# How the payload says that tools run unasked: this key with this value, both as they stand in JSON.
BYPASS = (b'"permission_mode"', b'"bypassPermissions"')

# Plain words without quotes: they also stand in shell lines.
WHY = "Assent could not be reached, so nothing has judged this call. Run assent doctor to find out why."
WAYS_OUT = (
    "In bypassPermissions it would have run unjudged, so it was denied. Three ways out, for the user to choose: "
    "assent up starts Assent, assent down works without it, or leave bypassPermissions."
)
STOPPED = "Assent was stopped with assent down: nothing is judged and nobody is asked until assent up."


def _call(decision: str, reason: str) -> bytes:
    return _json(
        {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": decision,
                "permissionDecisionReason": reason,
            }
        }
    )


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


PROMPT = _call("ask", WHY)
DENY = _call("deny", WHY)
DENY_IN_BYPASS = _call("deny", f"{WHY} {WAYS_OUT}")
REFUSE = _json(
    {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", "message": WHY}}}
)
NOTICE = _json({"systemMessage": STOPPED})
# The events on which the client shows a hook's message to the person.
NOTICED_ON = ("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop")

_IN_BYPASS: dict[Unreachable, bytes] = {
    "no_opinion": b"",
    "prompt_in_bypass": PROMPT,
    "deny_in_bypass": DENY_IN_BYPASS,
    "deny": DENY_IN_BYPASS,
}


def replies(unreachable: Unreachable) -> Replies:
    """By event and situation; what is not named is silence, and exit code 0 always."""
    elsewhere = DENY if unreachable == "deny" else b""
    in_bypass = _IN_BYPASS[unreachable]
    refused = REFUSE if unreachable == "deny" else b""
    table: Replies = {event: {"stopped": NOTICE, "stopped_bypass": NOTICE} for event in NOTICED_ON}
    table["PreToolUse"] |= {
        "unreachable": elsewhere,
        "unreachable_bypass": in_bypass,
        # A hub that kept the call waiting for a person had promised at least a prompt: under an allow rule of the
        # client's, silence would run it.
        "held": elsewhere or PROMPT,
        "held_bypass": in_bypass or PROMPT,
        "run": DENY,
        "run_bypass": DENY,
    }
    table["PermissionRequest"] = {
        "unreachable": refused,
        "unreachable_bypass": refused,
        "held": refused,
        "held_bypass": refused,
        "run": REFUSE,
        "run_bypass": REFUSE,
    }
    return table
