"""Every settings file the client reads, against what the client accepts: ours and all others."""

from collections.abc import Iterator
from pathlib import Path

from assent.harness import claude_code_schema
from assent.harness.claude_code_schema import Fault
from assent.install.doctor.check import Finding, Situation
from assent.install.doctor.settings import Settings, all_settings, read

REMEDY = "correct it in the file."
MOST_PLUGINS = 500


def check(situation: Situation) -> Iterator[Finding]:
    fine = True
    for settings in (*all_settings(situation), *_plugins(situation)):
        for fault in claude_code_schema.faults(settings.value) if settings.value is not None else ():
            fine = False
            yield _finding(settings, fault)
    if fine:
        yield Finding("schema", "ok", "Every hook entry is as the client wants it.")


def _finding(settings: Settings, fault: Fault) -> Finding:
    ours = {at[1] for at, _ in settings.ours}
    lost = ours if fault.voids is None else ours & {fault.voids}
    if fault.voids is None:
        what = "the client ignores the whole file"
    elif fault.voids == "":
        what = "these hooks never run"
    else:
        what = f"the client runs no {fault.voids} hook of this file"
    also = ", Assent's neither" if lost else ""
    text = f"{settings.path}: {fault.place} {fault.text}: {what}{also}, and an unattended run does not say so."
    return Finding("schema", "problem" if lost else "warning", text, REMEDY)


def _plugins(situation: Situation) -> Iterator[Settings]:
    """The hooks of plugins, wherever below the client's folder they were put."""
    folder: Path = situation.site.settings("user").parent / "plugins"
    found = folder.glob("**/hooks/hooks.json") if folder.is_dir() else iter(())
    for _, path in zip(range(MOST_PLUGINS), found, strict=False):
        settings = read("plugin", path)
        if isinstance(settings.value, dict) and "hooks" in settings.value:
            # Beside its hooks such a file holds a description, no settings.
            yield Settings("plugin", path, {"hooks": settings.value["hooks"]})
