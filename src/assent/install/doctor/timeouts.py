"""How long the client waits for us."""

from collections.abc import Iterator
from datetime import timedelta

from assent.harness.claude_code import SUBSCRIPTIONS
from assent.install import entries
from assent.install.doctor.check import Finding, Situation
from assent.install.doctor.settings import all_settings


def check(situation: Situation) -> Iterator[Finding]:
    fine = True
    seen = False
    for settings in all_settings(situation):
        for at, handler in settings.ours:
            subscription = SUBSCRIPTIONS.get(at[1])
            if subscription is None:
                continue
            seen = True
            timeout = handler.get("timeout")
            if timeout != subscription.timeout:
                fine = False
                text = f"{settings.path}: {at[1]} has the timeout {timeout}, not {subscription.timeout} seconds."
                yield Finding("timeouts", "warning", text, f"run `assent install --scope {settings.scope}` again.")
    longest = timedelta(seconds=entries.deadline(SUBSCRIPTIONS["PermissionRequest"]))
    if situation.config.asks.wait > longest:
        fine = False
        text = f"asks.wait is {situation.config.asks.wait}, but the client waits for a hook no longer than {longest}."
        yield Finding("timeouts-wait", "warning", text, f"set wait in {situation.paths.config} to that or less.")
    if seen and fine:
        yield Finding("timeouts", "ok", "The client waits longer for each hook than the hook takes.")
