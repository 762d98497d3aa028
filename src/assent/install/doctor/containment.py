"""What stands between an agent and the rest of the machine: open, contained or managed."""

from collections.abc import Iterator

from assent.install.doctor.check import Finding, Situation
from assent.install.doctor.settings import all_settings, managed

MARKS = (".dockerenv", "run/.containerenv")


def check(situation: Situation) -> Iterator[Finding]:
    by = [s for s in managed(situation) if any(at[1] == "PreToolUse" for at, _ in s.ours)]
    if by:
        text = f"Level: managed. {by[0].path} has Assent's hooks; users and agents cannot take them out."
        yield Finding("level-managed", "ok", text)
    elif why := _contained(situation):
        text = f"Level: contained. {why}; Assent's own files are still within the agent's reach."
        yield Finding("level-contained", "ok", text)
    else:
        text = (
            "Level: open. Code that an agent may run runs as you, and can read Assent's files or stop the hub: "
            "tampering is made visible, not impossible."
        )
        yield Finding("level-open", "note", text, "use the client's sandbox, a container or managed settings.")


def _contained(situation: Situation) -> str | None:
    for mark in MARKS:
        if (situation.root / mark).exists():
            return f"This is a container (/{mark})"
    if kind := situation.environ.get("container"):
        return f"This is a container ({kind})"
    for settings in all_settings(situation):
        if settings.get("sandbox", "enabled") is True:
            return f"The client's sandbox is enabled in {settings.path}"
    return None
