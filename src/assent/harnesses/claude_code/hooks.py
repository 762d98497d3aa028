"""The hook entries we write into Claude Code's settings: what they say.

A command hook is one shell line. It replaces itself by the shim where the shim is there; where the interpreter or the
script is gone it gives the answer of a hub that cannot be reached. In a shell line, because clients that read these
settings but know no ``args`` would start a bare interpreter. ``<state>/shim/python`` and ``<state>/shim/hook.py`` are
all it names, so what stands there may change without a change of the settings."""

import functools
import json
import re
import shlex
from dataclasses import dataclass, replace

from assent import keys
from assent.harnesses.base import Subscription
from assent.harnesses.claude_code.facts import KNOWN, NAME, NO_HTTP, subscribed
from assent.harnesses.claude_code.reply import BYPASS
from assent.harnesses.claude_code.settings import URL_PATH, Form, form_of
from assent.harnesses.hook_table import Handler
from assent.harnesses.shell_entry import LEFT, LONGEST, deadline, fitting, started
from assent.harnesses.site import DEFAULT_UNREACHABLE, Scope, Site, Transport, shim_command
from assent.paths import Paths

GATE = "PreToolUse"

# What the spinner says while a hook runs, instead of "running Stop hook". It stands there for a blink also when
# nothing is asked, so it must be true then, too.
_TURN_END = "assent: reply from any screen, or Esc to let it stop"
STATUS_MESSAGES = {
    "Stop": _TURN_END,
    "SubagentStop": _TURN_END,
    "PreToolUse": "assent: looking; if held, any screen of yours can answer",
    # Seen when the user said yes at the terminal and the other screens do not know it yet.
    "PermissionRequest": "assent: your other screens can answer, too",
    "PermissionDenied": "assent: refused; your other screens can let it run once",
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
# With a minus in every variable that may be unset: another client that runs these lines skips one that names such a
# variable plainly.
_SHARED = (
    's="${{ASSENT_HOME:+${{ASSENT_HOME-}}/state}}"; s="${{s:-${{XDG_STATE_HOME:-$HOME/.local/state}}/assent}}"; '
    'if [ -x "${{s-}}/shim/python" ] && [ -r "${{s-}}/shim/hook.py" ] && [ -x "${{s-}}/shim/run" ]; '
    'then exec "${{s-}}/shim/run" {arguments}; fi'
)
_SHARED_0_1_0 = (
    's="${{ASSENT_HOME:+$ASSENT_HOME/state}}"; '
    's="${{s:-${{XDG_STATE_HOME:-$HOME/.local/state}}/assent}}/shim/run"; '
    '[ -x "$s" ] || exit 0; '
    'exec "$s" {arguments}'
)
_INSTALLED_HERE = (
    'c="${ASSENT_HOME:+${ASSENT_HOME-}/config}"; c="${c:-${XDG_CONFIG_HOME:-$HOME/.config}/assent}"; '
    '[ -d "${s-}" ] || [ -d "${c-}" ] || exit 0'
)
# A run of `assent exec` never goes on unjudged.
_IN_A_RUN = '[ -z "${ASSENT_RUN+x}" ] || d'
# As a whole JSON string: in the text of a command its quotes are escaped. Built-in words only, so no PATH is needed.
_IN_BYPASS = f"while IFS= read -r l || [ -n \"${{l-}}\" ]; do case ${{l-}} in *'{BYPASS[1].decode()}'*) d;; esac; done"


def as_written(handler: Handler, subscription: Subscription) -> Subscription:
    """With the time this entry gives its hook, where that is no less than we ever wrote."""
    args = handler.get("args")
    text = " ".join(map(str, (handler.get("command"), *(args if isinstance(args, list) else ()))))
    found = re.search(rf"\b{NAME} {subscription.event} (\d{{1,7}}) \d", text) if subscription.may_hold else None
    if found is None or not subscription.timeout - 30 <= int(found[1]) <= LONGEST.total_seconds() + 30:
        return subscription
    return replace(subscription, timeout=int(found[1]) + LEFT)


def silence(subscription: Subscription) -> int:
    """How long the shim listens to a hub that says nothing at all."""
    patience = 2 if subscription.event == GATE else 5
    return min(patience, deadline(subscription) - 1)


def entries(site: Site, scope: Scope, transport: Transport, token: str) -> dict[str, Handler]:
    """The entry of each event we subscribe."""
    return {
        event: _handler(site, fitting(subscription, site.wait), form(scope, transport, subscription), token)
        for event, subscription in subscribed(batches=site.tool_batches).items()
    }


def form(scope: Scope, transport: Transport, subscription: Subscription) -> Form:
    if scope == "project":
        return "shared"
    wish = subscription.transport if transport == "auto" else transport
    return "http" if wish == "http" and subscription.event not in NO_HTTP else "local"


def _handler(site: Site, subscription: Subscription, form: Form, token: str) -> Handler:
    if form == "http":
        return http_entry(subscription, site.port, token, site.unreachable)
    if form == "shared":
        return shared_entry(subscription)
    return local_entry(subscription, site.paths, site.unreachable)


def local_entry(subscription: Subscription, paths: Paths, unreachable: str = DEFAULT_UNREACHABLE) -> Handler:
    """For files of this user on this machine."""
    words = shim_command(paths, NAME, subscription.event, deadline(subscription), silence(subscription))
    command = "; ".join([started(paths, words), *_last_word(subscription, UNREACHABLE[unreachable])])
    return _finished({"type": "command", "command": command}, subscription, unreachable)


def shared_entry(subscription: Subscription) -> Handler:
    """For files that others use too; what a user set up for themselves does not reach into it."""
    arguments = [NAME, subscription.event, str(deadline(subscription)), str(silence(subscription))]
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
    command, given = handler.get("command"), as_written(handler, subscription)
    return next((name for name in UNREACHABLE if local_entry(given, paths, name)["command"] == command), None)


def is_ours(handler: object, paths: Paths) -> bool:
    """Whether this is word for word an entry of this version or of 0.1.0: what only resembles one may do anything."""
    if not isinstance(handler, dict):
        return False
    if form_of(handler) == "http":
        token = keys.read(keys.post_token_file(paths))
        return token is not None and handler.get("headers") == {"Authorization": f"Bearer {token}"}
    command, args = handler.get("command"), handler.get("args")
    words = (command, *args) if isinstance(args, list) else (command,)
    if not all(isinstance(word, str) for word in words):
        return False
    given = tuple(as_written(handler, subscription) for subscription in KNOWN.values())
    return words in _written(paths, given)


@functools.lru_cache(maxsize=64)
def _written(paths: Paths, events: tuple[Subscription, ...]) -> frozenset[tuple[str, ...]]:
    """Every command we write for these, with its arguments."""
    commands: set[tuple[str, ...]] = set()
    for event in events:
        times = deadline(event), silence(event)
        commands |= {(local_entry(event, paths, unreachable)["command"],) for unreachable in UNREACHABLE}
        commands.add((shared_entry(event)["command"],))
        commands.add(tuple(shim_command(paths, NAME, event.event, *times)))
        commands.add((_SHARED_0_1_0.format(arguments=" ".join([NAME, event.event, *map(str, times)])),))
    return frozenset(commands)


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
