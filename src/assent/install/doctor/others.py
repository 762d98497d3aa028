"""Hooks of others that decide too."""

from collections.abc import Iterator
from typing import Any

from assent.install import merge
from assent.install.doctor.check import Finding, Level, Situation
from assent.install.doctor.settings import all_settings
from assent.install.entries import form_of

LONGEST = 60

# What it means that somebody else answers the same event.
MEANING: dict[str, tuple[Level, str]] = {
    "PreToolUse": ("note", "may deny, or ask about, what Assent allows"),
    "PermissionRequest": ("warning", "may answer before a person does: the first answer wins, also an allow"),
}


def check(situation: Situation) -> Iterator[Finding]:
    found = False
    for settings in all_settings(situation):
        for at, handler in merge.handlers(settings.value):
            if at[1] in MEANING and not form_of(handler):
                found = True
                level, meaning = MEANING[at[1]]
                text = f"Another {at[1]} hook in {settings.path} {meaning}: {_name(handler)}"
                yield Finding(f"others-{at[1]}", level, text)
    if not found:
        yield Finding("others", "ok", "No other hook decides about tool calls.")


def _name(handler: Any) -> str:
    what = handler.get("command") or handler.get("url") or handler.get("type") if isinstance(handler, dict) else handler
    text = "".join(c if c.isprintable() else "·" for c in str(what))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
