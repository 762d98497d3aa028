"""What the agent's own permission rules already allow, as far as its settings files tell."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from assent.harness import claude_code
from assent.learn.families import may_be_granted
from assent.policy import agent_settings
from assent.policy.agent_settings import Permissions, SettingsScope, covered
from assent.policy.call import Call
from assent.policy.cover import Cover
from assent.policy.pattern import Pattern
from assent.toml.document import ConfigError

# How the agent reads these inside a rule is not known well enough to write them.
_UNSURE = re.compile(r"[\\()]")


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

    def __init__(self, *, home: Path, config_dir: Path | None = None, root: Path = Path("/")) -> None:
        self._home = home
        self._config_dir = config_dir
        self._root = root
        self._known: dict[str, list[Pattern]] = {}

    def allow(self, call: Call, project: str) -> bool:
        if project not in self._known:
            self._known[project] = list(self._patterns(Path(project)))
        return covered(call, self._known[project], project) is not Cover.NO

    def _patterns(self, project: Path) -> Iterator[Pattern]:
        found: list[tuple[SettingsScope, Permissions]] = []
        for scope, file in claude_code.settings_files(
            home=self._home, project=project, config_dir=self._config_dir, root=self._root
        ):
            with contextlib.suppress(ConfigError):
                found.append((scope, agent_settings.load(file)))
        heard = agent_settings.allowing_scopes(found)
        for scope, permissions in found:
            if scope in heard:
                yield from permissions.allow
