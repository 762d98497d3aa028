"""Hook entries as 0.1.0 wrote them: the program and its arguments, without a shell."""

from typing import Any

from assent.harnesses import shell_entry
from assent.harnesses.base import Subscription
from assent.harnesses.claude_code import hooks as entries
from assent.harnesses.claude_code.facts import NAME
from assent.harnesses.site import shim_command
from assent.paths import Paths


def exec_entry(subscription: Subscription, paths: Paths) -> dict[str, Any]:
    times = shell_entry.deadline(subscription), entries.silence(subscription)
    command, *args = shim_command(paths, NAME, subscription.event, *times)
    entry = {"type": "command", "command": command, "args": args, "timeout": subscription.timeout}
    message = entries.STATUS_MESSAGES.get(subscription.event)
    return entry if message is None else {**entry, "statusMessage": message}
