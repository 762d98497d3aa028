"""Policy in force: configuration, rules, and the voices made of them."""

import functools
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

from assent import config
from assent.asks import timeouts
from assent.config import Config, ConfigError, Watched
from assent.harnesses import registry
from assent.harnesses.base import Harness, subscription
from assent.hub.bus import Bus, Seconds
from assent.paths import Paths
from assent.policy import commands
from assent.policy.call import Call, Scene, Voice
from assent.policy.judges.floor import Floor
from assent.policy.judges.harness_rules import AgentSettings, ClientPermissions, SettingsScope
from assent.policy.judges.permissions import Permissions
from assent.policy.judges.stance import Stance, StanceName
from assent.policy.rules import approvals
from assent.policy.rules.book import RuleBook
from assent.policy.rules.file import CHANGED, RuleFile
from assent.policy.rules.last_good import LastGood
from assent.policy.shell.acts import Act
from assent.surfaces.webpush import CONTACT
from assent.toml import document


# The client ends a hook when its timeout is over, and looks on that as a failure.
def _longest_wait(harness: Harness) -> timedelta:
    held = subscription(harness, "PermissionRequest")
    return timedelta(seconds=held.timeout if held is not None else 0) - timeouts.MARGIN


LONGEST_WAIT = _longest_wait(registry.default())


def agent_settings(clock: Seconds = time.monotonic) -> dict[str, AgentSettings]:
    """What the settings of each harness say, by its name."""
    return {
        name: AgentSettings(name, functools.partial(registry.rule_files, harness), clock=clock)
        for name, harness in registry.HARNESSES.items()
    }


class SettingsInForce(Protocol):
    """As much of it as parts need that follow the settings."""

    @property
    def config(self) -> Config: ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """What stands in the file."""

    def reload(self) -> None:
        """The file was written."""


@dataclass(frozen=True, slots=True)
class _Settings:
    """What a file means, and what stands in it."""

    config: Config = field(default_factory=Config)
    written: dict[str, Any] = field(default_factory=dict)


class PolicyInForce:
    """Files are looked at on use, so a change is in force within a second and needs no restart."""

    def __init__(self, paths: Paths, bus: Bus | None = None) -> None:
        self._bus = bus or Bus()
        self._settings = Watched(paths.config, _load, _Settings())
        # The loop goes on judging while a long list of rules is read.
        aside = ThreadPoolExecutor(1, "rules")
        self._rules = RuleBook(paths.rules, paths.trust, aside=aside, last_good=LastGood(paths.last_rules))
        self._agents = agent_settings()
        ours: tuple[Voice, ...] = (Stance(self._stance), Permissions(self.by_rule))
        self.voices: tuple[Voice, ...] = (Floor(paths), self._rules, *self._agents.values(), *ours)
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
        broken = [(file, trouble) for file, trouble in self._rules.known() if trouble is not None]
        return "\n\n".join(f"{trouble}\n{_instead(file)}" for file, trouble in broken) or None

    @property
    def rules_note(self) -> str | None:
        """Which files would allow something and may not."""
        withheld = [_withheld(file) for file, _ in self._rules.known() if file.ignored]
        troubles = [str(trouble) for agent in self._agents.values() for trouble in agent.troubles]
        waits = [approvals.too_long(rule) for file, _ in self._rules.known() for rule in file.approvals]
        return "\n".join(filter(None, [*withheld, *troubles, *waits])) or None

    def rule_files(self) -> list[tuple[RuleFile, ConfigError | None]]:
        """The rules in force of every file known by now, and what is wrong with the file as it is."""
        return self._rules.known()

    def by_rule(self, call: Call, scene: Scene, act: Act) -> str:
        """The allow rule, ours or the agent's, that lets one command of a line pass; "" for none."""
        agent = self._agents.get(scene.harness or registry.DEFAULT)
        return self._rules.naming(call, scene, act) or (agent.naming(call, scene, act) if agent else "")

    def directories(self, project: Path, harness: str) -> tuple[str, ...]:
        """The folders that the agent's settings add to the project."""
        agent = self._agents.get(harness)
        return agent.directories(project) if agent else ()

    def client_permissions(self, project: Path) -> list[tuple[str, SettingsScope, Path, ClientPermissions]]:
        """What the settings of each harness say in a project, file by file."""
        return [(name, *each) for name, agent in self._agents.items() for each in agent.standing(project)]

    def sandboxed(self, project: Path, harness: str) -> bool:
        """Whether the agent's settings keep commands in the client's sandbox."""
        agent = self._agents.get(harness)
        return agent is not None and agent.sandboxed(project)

    def hurry(self) -> None:
        """The user's rules were written: they hold for the very next call."""
        self._rules.hurry()

    def refresh(self) -> bool:
        """Look at the disk; whether the configuration changed."""
        self._settings.hurry()
        before, self._seen = self._seen, self.config
        return before != self._seen

    def reload(self) -> None:
        """The same, and tell all who depend on it."""
        if self.refresh():
            self._bus.settings()

    def secret_patterns(self) -> Sequence[str]:
        return self.config.redact.extra

    def push_contact(self) -> str:
        """Whom push services may turn to."""
        written = self.config.surface.get("push", {}).get("contact")
        return written if isinstance(written, str) and written.startswith(("mailto:", "https://")) else CONTACT

    def _stance(self, scene: Scene) -> StanceName:
        return config.for_project(self.config, scene.project).stance


def _instead(file: RuleFile) -> str:
    """What is in force in place of a broken file."""
    if file.is_lost:
        return "There is no good copy of it, so every call that it could be about is asked about until it is mended."
    return "The last good copy of it is in force." if file.is_copy else "What it said before is in force."


def _too_long(table: str, wait: timedelta) -> str:
    client = registry.default().TITLE
    return (
        f"{table} wait is {wait}, longer than {client} lets a hook run: an ask waits {LONGEST_WAIT} at most. "
        f'Write wait = "{LONGEST_WAIT.total_seconds() / 60:.0f}m" or less.'
    )


def _withheld(file: RuleFile) -> str:
    count = len(file.ignored)
    rules = "1 rule that allows is" if count == 1 else f"{count} rules that allow are"
    why = "the file changed since you trusted it" if file.ignored[0].why == CHANGED else "you did not trust the file"
    return f"{rules} not obeyed, because {why}: {file.path}. `assent trust` shows what it would allow."


def _load(path: Path) -> _Settings:
    """Raises ConfigError."""
    file = document.read(path)
    return _Settings() if file is None else _Settings(config.parse(file), file.data)
