"""What is in force right now: configuration, rules, and the voices made of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from assent import config
from assent.asks import patience
from assent.config import Config, ConfigError, Watched
from assent.harness import claude_code
from assent.paths import Paths
from assent.policy import commands
from assent.policy.agent_settings import AgentSettings
from assent.policy.floor import Floor
from assent.policy.rule_book import RuleBook
from assent.policy.rule_file import CHANGED, RuleFile
from assent.policy.stance import Stance, StanceName
from assent.policy.voice import Scene, Voice
from assent.toml import document

# The client ends a hook when its timeout is over, and looks on that as a failure.
LONGEST_WAIT = timedelta(seconds=claude_code.SUBSCRIPTIONS["PermissionRequest"].timeout) - patience.MARGIN


@dataclass(frozen=True, slots=True)
class _Settings:
    """What a file means, and what stands in it."""

    config: Config = field(default_factory=Config)
    written: dict[str, Any] = field(default_factory=dict)


class Standing:
    """Files are looked at on use, so a change is in force within a second and needs no restart."""

    def __init__(self, paths: Paths, extra_voices: Sequence[Voice]) -> None:
        self._settings = Watched(paths.config, _load, _Settings())
        self._rules = RuleBook(paths.rules, paths.trust)
        self._agent = AgentSettings(claude_code.NAME, claude_code.settings_here)
        own = (Floor(paths), self._rules, self._agent, Stance(self._stance))
        self._voices: tuple[Voice, ...] = (*own, *extra_voices)
        self._seen = self.config
        self._anywhere = paths.config_dir
        # Now and not with the first event, which would wait for it.
        commands.known()
        # Now, too: a file that breaks in between must find good rules in force.
        self._rules.files(self._anywhere)

    @property
    def config(self) -> Config:
        return self._settings.current().config

    @property
    def settings(self) -> dict[str, Any]:
        """What stands in the file that is in force."""
        return self._settings.current().written

    @property
    def settings_trouble(self) -> ConfigError | None:
        return self._settings.trouble

    @property
    def config_trouble(self) -> str | None:
        return str(self._settings.trouble) if self._settings.trouble else None

    @property
    def config_note(self) -> str | None:
        """Which settings ask for more than the client allows."""
        general = self.config.asks.wait
        own = {name: project.asks.wait for name, project in self.config.project.items()}
        # What a project only inherits is said once.
        waits = {"[asks]": general, **{f'[project."{name}"] asks': own[name] for name in own if own[name] != general}}
        return "\n".join(_too_long(table, wait) for table, wait in waits.items() if wait > LONGEST_WAIT) or None

    @property
    def rules_trouble(self) -> str | None:
        self._rules.files(self._anywhere)
        return "\n\n".join(str(trouble) for trouble in self._rules.troubles) or None

    @property
    def rules_note(self) -> str | None:
        """Which files would allow something and may not."""
        withheld = [_withheld(file) for file, _ in self._rules.known() if file.ignored]
        return "\n".join([*withheld, *(str(trouble) for trouble in self._agent.troubles)]) or None

    def rule_files(self) -> list[tuple[RuleFile, ConfigError | None]]:
        """The rules in force of every file known by now, and what is wrong with the file as it is."""
        return self._rules.known()

    def voices(self, _: Scene) -> Sequence[Voice]:
        return self._voices

    def directories(self, project: Path) -> tuple[str, ...]:
        """The folders that the agent's settings add to the project."""
        return self._agent.directories(project)

    def refresh(self) -> bool:
        """Look at the disk; whether the configuration changed."""
        self._settings.hurry()
        before, self._seen = self._seen, self.config
        return before != self._seen

    def _stance(self, scene: Scene) -> StanceName:
        return config.for_project(self.config, scene.project).stance


def _too_long(table: str, wait: timedelta) -> str:
    return (
        f"{table} wait is {wait}, longer than Claude Code lets a hook run: an ask waits {LONGEST_WAIT} at most. "
        f'Write wait = "{LONGEST_WAIT.total_seconds() / 60:.0f}m" or less.'
    )


def _withheld(file: RuleFile) -> str:
    count = len(file.ignored)
    rules = "1 rule that allows is" if count == 1 else f"{count} rules that allow are"
    why = "the file changed since you trusted it" if file.ignored[0].why == CHANGED else "you did not trust the file"
    return f"{rules} not obeyed, because {why}: {file.path}. `assent trust` shows what it would allow."


def _load(path: Path) -> _Settings:
    """Raises ConfigError."""
    found = document.read(path)
    return _Settings() if found is None else _Settings(config.parse(found), found.data)
