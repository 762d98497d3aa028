"""Rules that people's "always" becomes where the agent's client cannot be told to remember: kept and obeyed by Assent.

They hold for one kind of agent, in one project or everywhere, and never for Danger."""

import re
from collections.abc import Sequence
from dataclasses import replace

from assent.policy import world
from assent.policy.rules.pattern import Pattern
from assent.policy.rules.rule import Folder, RiskTest, Rule, When

NEVER_DANGER = RiskTest.parse("<danger")
_BELOW = "/**"
_WILD = re.compile(r"[*?\[\]]")


def folder_of(project: str) -> str:
    """The project as a condition names it; "" where that cannot be said, or would be everything."""
    if not project.startswith("/") or project in ("/", world.home()) or _WILD.search(project) or ".." in project:
        return ""
    return f"/{project.rstrip('/')}{_BELOW}"


def rule(patterns: Sequence[Pattern], harness: str, folder: str = "") -> Rule:
    """As it will stand in the file; ``folder`` as above, "" for every project."""
    cwd = (Folder.parse(folder),) if folder else None
    return Rule("user", 0, tuple(patterns), "allow", when=When(risk=NEVER_DANGER, cwd=cwd, harness=(harness,)))


def scope_of(when: When) -> tuple[str, str, When]:
    """The project and the kind of agent that conditions name, each "" where they name no single one; and the rest."""
    harness = when.harness[0] if when.harness and len(when.harness) == 1 and not _WILD.search(when.harness[0]) else ""
    place = when.cwd[0].text if when.cwd and len(when.cwd) == 1 else ""
    project = place[1:].removesuffix(_BELOW) if place.startswith("//") and place.endswith(_BELOW) else ""
    if _WILD.search(project):
        project = ""
    is_kept = harness and when.risk == NEVER_DANGER
    return (
        project,
        harness,
        replace(
            when,
            harness=None if harness else when.harness,
            cwd=None if project else when.cwd,
            risk=None if is_kept else when.risk,
        ),
    )
