"""What the agent's own permission rules already allow, as far as its settings files tell."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from assent.harness import claude_code
from assent.learn.families import may_be_granted
from assent.policy import pattern
from assent.policy.call import Call
from assent.policy.cover import Cover
from assent.policy.pattern import CommandPattern, Pattern, covers_line

LARGEST = 1 << 20
# How the agent reads these inside a rule is not known well enough to write them.
_UNSURE = re.compile(r"[\\()]")
_Scope = Literal["user", "project", "local"]


def as_agent_writes(text: str) -> str | None:
    """The rule as the agent's settings spell it; None if it must not, or cannot safely, stand there."""
    tool, _, content = text.removesuffix(")").partition("(")
    if not content:
        return text if may_be_granted(tool, None) else None
    if _UNSURE.search(content) or not may_be_granted(tool, content):
        return None
    # As the client itself writes it when somebody says *always*.
    return f"{tool}({content[:-2]}:*)" if content.endswith(" *") else text


class AgentRules:
    """Reads the settings of each project once. A file or a rule that cannot be read allows nothing."""

    def __init__(self, *, home: Path, config_dir: Path | None = None) -> None:
        self._home = home
        self._config_dir = config_dir
        self._known: dict[str, list[Pattern]] = {}

    def allow(self, call: Call, project: str) -> bool:
        if project not in self._known:
            self._known[project] = list(self._patterns(Path(project)))
        patterns = self._known[project]
        if call.command is not None:
            return covers_line(call, [p for p in patterns if isinstance(p, CommandPattern)]) is not Cover.NO
        return any(allowed.covers(call, project) is not Cover.NO for allowed in patterns)

    def _patterns(self, project: Path) -> Iterable[Pattern]:
        for scope in get_args(_Scope):
            file = claude_code.settings_file(scope, home=self._home, project=project, config_dir=self._config_dir)
            for text in _allowed(_settings(file)):
                try:
                    yield pattern.parse(text)
                except ValueError:
                    continue


def _settings(file: Path) -> Any:
    try:
        with file.open("rb") as opened:
            return msgspec.json.decode(opened.read(LARGEST))
    except (OSError, msgspec.DecodeError):
        return None


def _allowed(settings: Any) -> list[str]:
    permissions = settings.get("permissions") if isinstance(settings, dict) else None
    allowed = permissions.get("allow") if isinstance(permissions, dict) else None
    return [text for text in allowed if isinstance(text, str)] if isinstance(allowed, list) else []
