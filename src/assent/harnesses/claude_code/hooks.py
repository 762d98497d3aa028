"""The hook entries we write into Claude Code's settings.

A command hook is one shell line. It replaces itself by the shim where the shim is there; where the interpreter or the
script is gone it gives the answer of a hub that cannot be reached. In a shell line, because clients that read these
settings but know no ``args`` would start a bare interpreter. ``<state>/shim/python`` and ``<state>/shim/hook.py`` are
all it names, so what stands there may change without a change of the settings."""

import functools
import json
import shlex
from dataclasses import dataclass

from assent import keys
from assent.harness import claude_code
from assent.harness.base import Subscription
from assent.harness.claude_code_fallback import BYPASS
from assent.harness.claude_code_settings import URL_PATH, Form, Handler, form_of
from assent.install.site import DEFAULT_UNREACHABLE
from assent.paths import Paths
from assent.shim import place

__all__ = [
    "HARNESS",
    "UNREACHABLE",
    "URL_PATH",
    "Form",
    "Handler",
    "deadline",
    "form_of",
    "http_entry",
    "is_ours",
    "local_entry",
    "shared_entry",
    "silence",
    "written_for",
]

HARNESS = claude_code.NAME
GATE = "PreToolUse"

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

# No apostrophe and no backslash: it stands between single quotes of a shell, inside JSON.
MISSING = (
    "Assent could not be reached: its hook program is missing, so nothing has judged this call. Ways out: run assent "
    "install or assent up, which put the program back (assent doctor says what is wrong; reinstall Assent if the "
    "command is gone, too), or leave the permission mode bypassPermissions."
)


@dataclass(frozen=True, slots=True)
class _Fallback:
    """What a gate answers without its program; ``None`` for nothing."""

    decision: str | None
    # Where silence would run the call; otherwise always.
    only_in_bypass: bool = True


# By the values of [hub] unreachable.
UNREACHABLE = {
    "no_opinion": _Fallback(None),
    "prompt_in_bypass": _Fallback("ask"),
    "deny_in_bypass": _Fallback("deny"),
    "deny": _Fallback("deny", only_in_bypass=False),
}
# In files shared by several users no user's own configuration counts.
_SHARED_UNREACHABLE = "deny_in_bypass"

# Stands in files that others check out: no path of this machine, no token, and silence where Assent is not installed.
_SHARED = (
    's="${{ASSENT_HOME:+$ASSENT_HOME/state}}"; s="${{s:-${{XDG_STATE_HOME:-$HOME/.local/state}}/assent}}"; '
    'if [ -x "$s/shim/python" ] && [ -r "$s/shim/hook.py" ] && [ -x "$s/shim/run" ]; '
    'then exec "$s/shim/run" {arguments}; fi'
)
_SHARED_0_1_0 = (
    's="${{ASSENT_HOME:+$ASSENT_HOME/state}}"; '
    's="${{s:-${{XDG_STATE_HOME:-$HOME/.local/state}}/assent}}/shim/run"; '
    '[ -x "$s" ] || exit 0; '
    'exec "$s" {arguments}'
)
_INSTALLED_HERE = (
    'c="${ASSENT_HOME:+$ASSENT_HOME/config}"; c="${c:-${XDG_CONFIG_HOME:-$HOME/.config}/assent}"; '
    '[ -d "$s" ] || [ -d "$c" ] || exit 0'
)
_LOCAL = "if [ -x {python} ] && [ -r {script} ]; then exec {command}; fi"
# A run of `assent exec` never goes on unjudged.
_IN_A_RUN = '[ -z "${ASSENT_RUN+x}" ] || d'
# As a whole JSON string: in the text of a command its quotes are escaped. Built-in words only, so no PATH is needed.
_IN_BYPASS = f"while IFS= read -r l || [ -n \"$l\" ]; do case $l in *'{BYPASS[1].decode()}'*) d;; esac; done"


def deadline(subscription: Subscription) -> int:
    """When the shim gives up, in seconds; the client must not kill it first."""
    return subscription.timeout - (30 if subscription.may_hold else 2)


def silence(subscription: Subscription) -> int:
    """How long the shim listens to a hub that says nothing at all."""
    patience = 2 if subscription.event == GATE else 5
    return min(patience, deadline(subscription) - 1)


def local_entry(subscription: Subscription, paths: Paths, unreachable: str = DEFAULT_UNREACHABLE) -> Handler:
    """For files of this user on this machine."""
    words = place.command(paths, HARNESS, subscription.event, deadline(subscription), silence(subscription))
    start = _LOCAL.format(
        python=shlex.quote(str(paths.shim / "python")),
        script=shlex.quote(str(paths.shim / "hook.py")),
        command=shlex.join(words),
    )
    command = "; ".join([start, *_last_word(subscription, UNREACHABLE[unreachable])])
    return _finished({"type": "command", "command": command}, subscription, unreachable)


def shared_entry(subscription: Subscription) -> Handler:
    """For files that others use too; what a user set up for themselves does not reach into it."""
    arguments = [HARNESS, subscription.event, str(deadline(subscription)), str(silence(subscription))]
    last_word = _last_word(subscription, UNREACHABLE[_SHARED_UNREACHABLE])
    parts = [_SHARED.format(arguments=" ".join(arguments)), *([_INSTALLED_HERE] if last_word else []), *last_word]
    return _finished({"type": "command", "command": "; ".join(parts)}, subscription, _SHARED_UNREACHABLE)


def http_entry(subscription: Subscription, port: int, token: str, unreachable: str = DEFAULT_UNREACHABLE) -> Handler:
    handler: Handler = {
        "type": "http",
        "url": f"http://127.0.0.1:{port}{URL_PATH}",
        "headers": {"Authorization": f"Bearer {token}"},
    }
    return _finished(handler, subscription, unreachable)


def written_for(handler: Handler, subscription: Subscription, paths: Paths) -> str | None:
    """The value of ``unreachable`` this entry was written for; None if it is no local entry of this version."""
    command = handler.get("command")
    return next((name for name in UNREACHABLE if local_entry(subscription, paths, name)["command"] == command), None)


def is_ours(handler: object, paths: Paths) -> bool:
    """Whether this is word for word an entry of this version or of 0.1.0: what only resembles one may do anything."""
    if not isinstance(handler, dict):
        return False
    if form_of(handler) == "http":
        token = keys.read(keys.post_token_file(paths))
        return token is not None and handler.get("headers") == {"Authorization": f"Bearer {token}"}
    command, args = handler.get("command"), handler.get("args")
    words = (command, *args) if isinstance(args, list) else (command,)
    return all(isinstance(word, str) for word in words) and words in _written(paths)


@functools.cache
def _written(paths: Paths) -> frozenset[tuple[str, ...]]:
    """Every command we write, with its arguments."""
    found: set[tuple[str, ...]] = set()
    for event in claude_code.SUBSCRIPTIONS.values():
        times = deadline(event), silence(event)
        found |= {(local_entry(event, paths, unreachable)["command"],) for unreachable in UNREACHABLE}
        found.add((shared_entry(event)["command"],))
        found.add(tuple(place.command(paths, HARNESS, event.event, *times)))
        found.add((_SHARED_0_1_0.format(arguments=" ".join([HARNESS, event.event, *map(str, times)])),))
    return frozenset(found)


def _last_word(subscription: Subscription, fallback: _Fallback) -> list[str]:
    """Silence on every event but the gate's: exit 2 there would keep turns going and swallow prompts."""
    if subscription.event != GATE:
        return []
    answer = {
        "hookSpecificOutput": {
            "hookEventName": GATE,
            "permissionDecision": fallback.decision or "deny",
            "permissionDecisionReason": MISSING,
        }
    }
    say = f"printf %s {shlex.quote(json.dumps(answer, separators=(',', ':')))}"
    if not fallback.only_in_bypass:
        return [say]
    parts = [f"d() {{ {say}; exit 0; }}", _IN_A_RUN]
    return [*parts, _IN_BYPASS] if fallback.decision else parts


def _finished(handler: Handler, subscription: Subscription, unreachable: str) -> Handler:
    handler["timeout"] = subscription.timeout
    if message := STATUS_MESSAGES.get(subscription.event):
        handler["statusMessage"] = message
    # Nowhere else: on PermissionRequest it would close the dialog over the person's head, elsewhere swallow prompts.
    if subscription.event == GATE and unreachable == "deny":
        handler["onFailure"] = "block"
    return handler
