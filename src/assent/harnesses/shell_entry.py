"""A hook entry as one shell line: it replaces itself by the shim, and answers by itself where the shim is gone.

``<state>/shim/python`` and ``<state>/shim/hook.py`` are all it names, so what stands there may change without a change
of the client's settings."""

import math
import re
import shlex
from dataclasses import replace
from datetime import timedelta

from assent.harnesses.base import Subscription
from assent.harnesses.site import shim_command
from assent.paths import Paths

# The hub lets go so long before the client would end the hook, and the shim after that, so many seconds before.
_BEFORE = timedelta(seconds=30)
LEFT = 20
# No client takes a longer timeout for certain: milliseconds of 31 bits.
LONGEST = timedelta(days=24)
_START = "if [ -x {python} ] && [ -r {script} ]; then exec {command}; fi"
_OURS = re.compile(
    r"; then exec .{1,300}/shim/python'? -I -S .{1,300}/shim/hook\.py'? .{1,300} (?P<harness>[\w-]+) \w+ \d+ \d+; fi"
)


def fitting(subscription: Subscription, wait: timedelta, longest: timedelta = LONGEST) -> Subscription:
    """With a timeout in which the hub can wait so long for a person, as far as the client takes one."""
    if not subscription.may_hold:
        return subscription
    needed = math.ceil((min(wait, longest - _BEFORE) + _BEFORE).total_seconds())
    return replace(subscription, timeout=max(subscription.timeout, needed))


def deadline(subscription: Subscription) -> int:
    """When the shim gives up, in seconds; the client must not kill it first."""
    return subscription.timeout - (LEFT if subscription.may_hold else 2)


def started(paths: Paths, words: list[str]) -> str:
    """The beginning of a line: the shim in its place, where it is there."""
    python, script = (shlex.quote(str(paths.shim / name)) for name in ("python", "hook.py"))
    return _START.format(python=python, script=script, command=shlex.join(words))


def line(
    paths: Paths,
    harness: str,
    subscription: Subscription,
    last_word: bytes = b"",
    *,
    in_bypass: tuple[bytes, bytes] = (b"", b""),
    in_a_run: bytes = b"",
) -> str:
    """The command of one entry. ``last_word`` is printed where the interpreter or the script is gone; where that is
    nothing, ``in_a_run`` in a run of `assent exec`, and the second of ``in_bypass`` where the payload holds the first,
    the name of the mode that runs tools unasked."""
    patience = 2 if subscription.becomes == "PreToolUse" or subscription.event == "PreToolUse" else 5
    limit = deadline(subscription)
    words = shim_command(paths, harness, subscription.event, limit, min(patience, limit - 1))
    start = started(paths, words)
    if last_word:
        return f"{start}; {_said(last_word)}"
    mode, reply = in_bypass
    # A run of `assent exec` never goes on unjudged. Built-in words only, so no PATH is needed.
    parts = [f'[ -z "${{ASSENT_RUN+x}}" ] || {{ {_said(in_a_run)}; exit 0; }}'] if in_a_run else []
    if mode and reply:
        found = f"*{shlex.quote(mode.decode())}*) {_said(reply)}; exit 0;;"
        parts.append(f'while IFS= read -r l || [ -n "${{l-}}" ]; do case ${{l-}} in {found} esac; done')
    return "; ".join([start, *parts])


def _said(reply: bytes) -> str:
    return f"printf %s {shlex.quote(reply.decode())}"


def is_ours(command: object, harness: str) -> bool:
    """Whether a version of ours wrote this line for this harness."""
    found = _OURS.search(command) if isinstance(command, str) else None
    return found is not None and found["harness"] == harness
