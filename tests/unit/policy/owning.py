"""A home with Assent installed by pipx, to judge lines in. Its folders need not exist."""

from pathlib import Path
from typing import Any

from assent.paths import find
from assent.policy.call import Scene
from assent.policy.judge import judge
from assent.policy.judges.floor import Floor
from assent.policy.judges.stance import Stance
from assent.policy.own import Own
from tests.unit.policy.calls import pre

HOME = "/home/me"
PROJECT = "/home/me/shop"
PATHS = find({"HOME": HOME})
VENV = f"{HOME}/.local/share/pipx/venvs/assent"
HUB = 4_194_303
OWN = Own(
    kept=(str(PATHS.config_dir), str(PATHS.state)),
    code=(VENV, "/usr/bin/python3"),
    settings=(f"{HOME}/.claude/settings.json",),
    hub=HUB,
)


def word(
    line: str = "",
    mode: str = "default",
    *,
    tool: str = "Bash",
    project: str = PROJECT,
    cwd: str | None = None,
    own: Own = OWN,
    client: int | None = None,
    **fields: Any,
) -> str:
    """What the agent is told about a line, or about another tool's call."""
    scene = Scene(Path(project), own=own, client=client)
    event = pre(tool, cwd=cwd or project, mode=mode, **(fields or {"command": line}))
    return judge(event, scene, [Floor(PATHS), Stance(lambda _: "balanced")]).decision.word


def words(line: str, **where: Any) -> tuple[str, str]:
    """The same in default mode and in bypassPermissions."""
    return word(line, **where), word(line, "bypass", **where)
