"""Hook entries as 0.1.0 wrote them: the program and its arguments, without a shell."""

from typing import Any

from assent.harness.base import Subscription
from assent.install import entries
from assent.paths import Paths
from assent.shim import place


def exec_entry(subscription: Subscription, paths: Paths) -> dict[str, Any]:
    times = entries.deadline(subscription), entries.silence(subscription)
    command, *args = place.command(paths, entries.HARNESS, subscription.event, *times)
    entry = {"type": "command", "command": command, "args": args, "timeout": subscription.timeout}
    message = entries.STATUS_MESSAGES.get(subscription.event)
    return entry if message is None else {**entry, "statusMessage": message}
