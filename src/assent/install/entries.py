"""The hook entries we write into Claude Code's settings."""

from assent.harness import claude_code
from assent.harness.base import Subscription
from assent.harness.claude_code_settings import URL_PATH, Form, Handler, form_of
from assent.paths import Paths
from assent.shim import place

__all__ = [
    "HARNESS",
    "URL_PATH",
    "Form",
    "Handler",
    "deadline",
    "exec_entry",
    "form_of",
    "http_entry",
    "shell_entry",
    "silence",
]

HARNESS = claude_code.NAME

# What the spinner says while a hook runs, instead of "running Stop hook". It stands there for a blink also when
# nobody is asked, so it must be true then, too.
_TURN_END = "assent: reply from any screen, or Esc to let it stop"
STATUS_MESSAGES = {
    "Stop": _TURN_END,
    "SubagentStop": _TURN_END,
    # Seen when somebody said yes at the terminal and the other screens do not know it yet.
    "PermissionRequest": "assent: your other screens can answer, too",
    # Here the client's own form waits for us.
    "Elicitation": "assent: your other screens can answer this",
    # Answered at once, but where an instruction goes out here the model is shown this, or else our command line.
    "TeammateIdle": "assent: what your user queued",
    "TaskCompleted": "assent: what your user queued",
}

# Stands in files that others check out: no path of this machine, no token, and silence where Assent is not installed.
_SHELL = (
    's="${{ASSENT_HOME:+$ASSENT_HOME/state}}"; '
    's="${{s:-${{XDG_STATE_HOME:-$HOME/.local/state}}/assent}}/shim/run"; '
    '[ -x "$s" ] || exit 0; '
    'exec "$s" {harness} {event} {deadline} {silence}'
)


def deadline(subscription: Subscription) -> int:
    """When the shim gives up, in seconds; the client must not kill it first."""
    return subscription.timeout - (30 if subscription.may_hold else 2)


def silence(subscription: Subscription) -> int:
    """How long the shim listens to a hub that says nothing at all."""
    patience = 2 if subscription.event == "PreToolUse" else 5
    return min(patience, deadline(subscription) - 1)


def exec_entry(subscription: Subscription, paths: Paths) -> Handler:
    command, *args = place.command(paths, HARNESS, subscription.event, deadline(subscription), silence(subscription))
    return _finished({"type": "command", "command": command, "args": args}, subscription)


def shell_entry(subscription: Subscription) -> Handler:
    command = _SHELL.format(
        harness=HARNESS,
        event=subscription.event,
        deadline=deadline(subscription),
        silence=silence(subscription),
    )
    return _finished({"type": "command", "command": command}, subscription)


def http_entry(subscription: Subscription, port: int, token: str) -> Handler:
    handler: Handler = {
        "type": "http",
        "url": f"http://127.0.0.1:{port}{URL_PATH}",
        "headers": {"Authorization": f"Bearer {token}"},
    }
    return _finished(handler, subscription)


def _finished(handler: Handler, subscription: Subscription) -> Handler:
    handler["timeout"] = subscription.timeout
    if message := STATUS_MESSAGES.get(subscription.event):
        handler["statusMessage"] = message
    return handler
