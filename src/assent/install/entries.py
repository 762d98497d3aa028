"""The hook entries we write into Claude Code's settings, and how we know our own again."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Literal
from urllib.parse import urlsplit

from assent.harness import claude_code
from assent.harness.base import Subscription
from assent.paths import Paths
from assent.shim import place

HARNESS = claude_code.NAME
URL_PATH = f"/hook/{HARNESS}"

Form = Literal["exec", "shell", "http"]
Handler = dict[str, Any]

# What the spinner says while a hook runs. Only a held Stop lasts long enough to be read.
STATUS_MESSAGES = {"Stop": "assent: held for your reply on any screen; Esc lets go"}

# Stands in files that others check out: no path of this machine, no token, and silence where Assent is not installed.
_SHELL = (
    's="${{ASSENT_HOME:+$ASSENT_HOME/state}}"; '
    's="${{s:-${{XDG_STATE_HOME:-$HOME/.local/state}}/assent}}/shim/run"; '
    '[ -x "$s" ] || exit 0; '
    'exec "$s" {harness} {event} {deadline} {silence}'
)
_OUR_SHELL = re.compile(rf'/shim/run"?.*\b{HARNESS}\b|/(?:assent|state)/shim/hook\.py\b.*\b{HARNESS}\b', re.DOTALL)
_OUR_FOLDERS = frozenset({"assent", "state"})


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


def form_of(handler: object) -> Form | None:
    """Which of our forms this entry has, by any version of ours; None for somebody else's."""
    if not isinstance(handler, Mapping):
        return None
    url, command, args = handler.get("url"), handler.get("command"), handler.get("args")
    if isinstance(url, str):
        return "http" if _is_our_url(url) else None
    if not isinstance(command, str):
        return None
    if isinstance(args, list):
        return "exec" if HARNESS in args and any(_is_our_script(arg) for arg in (command, *args)) else None
    return "shell" if _OUR_SHELL.search(command) else None


def _is_our_script(arg: object) -> bool:
    if not isinstance(arg, str):
        return False
    parts = PurePosixPath(arg).parts[-3:]
    return len(parts) == 3 and parts[0] in _OUR_FOLDERS and parts[1:] in {("shim", "hook.py"), ("shim", "run")}


def _is_our_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.path == URL_PATH and parts.hostname in {"127.0.0.1", "localhost", "::1"}
