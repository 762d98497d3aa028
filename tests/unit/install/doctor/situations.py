"""A machine on which all is well, to break one thing of."""

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from assent._version import __version__
from assent.config import Config
from assent.harnesses.claude_code.settings import own_file
from assent.harnesses.site import Check, Finding, Level, Scope, Situation
from assent.install.apply import apply
from assent.install.plan import plan_install


def healthy(home: Path, tmp_path: Path) -> Situation:
    """Installed for the user, hub running, an event seen a moment ago, in a container."""
    project, root = tmp_path / "project", tmp_path / "root"
    project.mkdir()
    root.mkdir()
    (root / ".dockerenv").touch()
    environ = {"HOME": str(home), "PATH": str(tmp_path / "bin")}
    from assent import paths

    now = time.time()
    situation = Situation(
        paths=paths.find(environ),
        home=home,
        project=project,
        environ=environ,
        config=Config(),
        hub={
            "version": __version__,
            "pid": 4711,
            "port": 8717,
            "last_event_at": int(now * 1000) - 5000,
            "journal": {"trouble": None, "lost": 0},
            "config_trouble": None,
            "rules_trouble": None,
            "port_trouble": None,
            "bad_input": 0,
            "gaps": 0,
        },
        lock_held=True,
        root=root,
        now=now,
    )
    apply(plan_install(situation.site), situation.paths)
    return situation


def with_hub(situation: Situation, **said: Any) -> Situation:
    assert situation.hub is not None
    return replace(situation, hub={**situation.hub, **said})


def edit(situation: Situation, change: Callable[[Any], object], scope: Scope = "user") -> None:
    """Change a settings file as a person would."""
    path = own_file(situation.site, scope)
    value = json.loads(path.read_text()) if path.exists() else {}
    change(value)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value))


def manage(situation: Situation, value: Any, name: str = "managed-settings.json") -> Path:
    """What an administrator would put on the machine."""
    from assent.harnesses.claude_code import MANAGED_FOLDER

    path = situation.root / MANAGED_FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def wrong(check: Check, situation: Situation) -> list[tuple[str, Level]]:
    """What the check complains about."""
    return [(f.code, f.level) for f in check(situation) if f.level != "ok"]


def texts(findings: Iterable[Finding]) -> str:
    return "\n".join(f"{finding.text} {finding.remedy or ''}" for finding in findings)
