"""The policy as it would judge a recorded call now: floor, a rules file of your choice, the projects' rules, stance."""

import functools
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from assent import config
from assent.config import Config
from assent.errors import UsageError
from assent.harness import claude_code
from assent.harness.base import Harness, UnreadableError
from assent.learn.case import Case
from assent.paths import Paths
from assent.policy import own, rule_file, trial
from assent.policy.agent_settings import AgentSettings
from assent.policy.floor import Floor
from assent.policy.judge import judge
from assent.policy.rule import Rule
from assent.policy.rule_book import RuleBook
from assent.policy.rule_file import RuleFile
from assent.policy.rules import Rules
from assent.policy.stance import Stance, StanceName
from assent.policy.voice import Scene, Voice
from assent.protocol.decision import Verdict
from assent.protocol.events import Event
from assent.protocol.trial import Question, Trial
from assent.toml.document import ConfigError

_MOST_PROJECTS = 1_000
HARNESSES: Mapping[str, Harness] = {claude_code.NAME: claude_code}


def same_as(case: Case) -> bytes:
    """Equal for calls that every court judges equally."""
    payload = case.payload
    facts = [case.harness, case.event, case.tool, case.deciding, case.project, case.attended]
    facts += [payload.get("cwd"), payload.get("permission_mode")]
    return hashlib.blake2b(msgspec.json.encode(facts), digest_size=16).digest()


def event_of(case: Case) -> Event | None:
    """The event as it came, as far as it decides; None if it cannot be told any more."""
    harness = HARNESSES.get(case.harness)
    if harness is None or not case.is_whole:
        return None
    try:
        return harness.decode(msgspec.json.encode(case.payload), event_name=case.event)
    except UnreadableError:
        return None


def scene_of(case: Case) -> Scene:
    return Scene(project=_path(case.project), attended=case.attended, harness=case.harness)


class Court:
    """Files are read once: what changes while the record is read does not count."""

    def __init__(self, paths: Paths, settings: Config, rules: Path, *, must_exist: bool = False) -> None:
        """Raises ConfigError where the hub would go on with older rules: here every difference has its true cause."""
        if must_exist and not rules.exists():
            raise UsageError(f"Nothing was judged: there is no file {rules}.")
        self.rules = len(rule_file.load_user(rules).rules)
        self._settings = settings
        self._own = own.of(paths)
        self._floor = Floor(paths)
        self._book = RuleBook(rules, paths.trust, clock=_standing_still)
        self._agent = AgentSettings(claude_code.NAME, claude_code.settings_here, clock=_standing_still)
        self._stance = Stance(self._stance_of)
        self._stances: dict[Path, StanceName] = {}

    def judge(self, event: Event, scene: Scene, extra: Sequence[Rule] = ()) -> Verdict:
        """``extra`` are rules that stand behind those of the user's file."""
        rules: Voice = self._book
        if extra:
            user, project = self._book.files(scene.project)
            rules = Rules((*user.rules, *extra, *project.rules))
        return judge(event, replace(scene, own=self._own), self._voices(rules))

    def hold(self, question: Question, scene: Scene) -> Trial:
        """A call that nobody makes, with everything that was seen."""
        return trial.hold(question, replace(scene, own=self._own), self._voices(self._book))

    def files(self, project: Path) -> tuple[RuleFile, ...]:
        """The user's rules and the project's, with those that are not heard."""
        return self._book.files(project)

    @property
    def troubles(self) -> tuple[ConfigError, ...]:
        """What is wrong with projects' rules and the agent's settings: they are not heard."""
        return (*self._book.troubles, *self._agent.troubles)

    def _voices(self, rules: Voice) -> tuple[Voice, ...]:
        return self._floor, rules, self._agent, self._stance

    def _stance_of(self, scene: Scene) -> StanceName:
        if scene.project not in self._stances:
            if len(self._stances) >= _MOST_PROJECTS:
                self._stances.clear()
            self._stances[scene.project] = config.for_project(self._settings, scene.project).stance
        return self._stances[scene.project]


def _standing_still() -> float:
    return 0.0


_path = functools.lru_cache(maxsize=1_000)(Path)
