"""Whether the client's telemetry reaches the hub: by it answers given in the terminal are noticed at once."""

from collections.abc import Iterator

from assent.install import telemetry, tokens
from assent.install.doctor.check import Finding, Situation
from assent.install.doctor.settings import all_settings

WITHOUT = "answers given in the terminal are noticed a little later, and what sessions cost is not known"


def check(situation: Situation) -> Iterator[Finding]:
    where = telemetry.elsewhere(situation.site)
    found = [settings for settings in all_settings(situation) if telemetry.ours(settings.value)]
    if where and found:
        text = f"Telemetry is set up twice ({where}, and {found[0].path} for Assent): one of them gets nothing."
        yield Finding("telemetry-twice", "warning", text, "run `assent install` again, which then leaves it alone.")
    elif where:
        text = f"The client's telemetry is set up for something else ({where}): {WITHOUT}."
        yield Finding("telemetry-elsewhere", "note", text)
    elif not found:
        text = f"The client sends no telemetry: {WITHOUT}."
        yield Finding("telemetry-off", "note", text, "`assent install` offers it.")
    elif telemetry.ours(found[0].value) != telemetry.variables(situation.port, tokens.existing(situation.paths) or ""):
        text = f"The telemetry variables in {found[0].path} are not the ones this hub needs: {WITHOUT}."
        yield Finding("telemetry-wrong", "warning", text, "run `assent install` again.")
    else:
        yield from _on(situation)


def _on(situation: Situation) -> Iterator[Finding]:
    told = (situation.hub or {}).get("telemetry") or {}
    if count := told.get("rejected"):
        text = f"{count} pieces of telemetry could not be read. A newer client may speak differently."
        yield Finding("telemetry-unread", "warning", text)
    if last := told.get("last_at"):
        ago = max(0.0, situation.now - last / 1000)
        how_long = f"{ago:.0f} s" if ago < 120 else f"{ago / 60:.0f} min" if ago < 7200 else f"{ago / 3600:.0f} h"
        yield Finding("telemetry", "ok", f"The client's telemetry reaches the hub, the last {how_long} ago.")
    else:
        yield Finding("telemetry", "ok", "The client's telemetry goes to the hub; none came yet since it started.")
