"""The policy as it would judge a recorded call now: floor, a rules file of your choice, the projects' rules, stance."""

import functools
import hashlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from assent import config
from assent.config import Config
from assent.errors import UsageError
from assent.harnesses import registry
from assent.harnesses.base import UnreadableError
from assent.paths import Paths
from assent.policy import own, trial, world
from assent.policy.call import Call, Scene, Voice
from assent.policy.judge import judge
from assent.policy.judges.floor import Floor
from assent.policy.judges.harness_rules import AgentSettings
from assent.policy.judges.permissions import Permissions
from assent.policy.judges.rules import Rules
from assent.policy.judges.stance import Stance, StanceName
from assent.policy.permissions import file as permission_file
from assent.policy.rules.book import RuleBook
from assent.policy.rules.file import RuleFile
from assent.policy.rules.last_good import LastGood
from assent.policy.rules.rule import Rule
from assent.policy.shell.acts import Act
from assent.protocol import modes
from assent.protocol.approval import ApprovalView
from assent.protocol.decision import Risk, Trial, TrialQuestion, Verdict
from assent.protocol.events import Event
from assent.protocol.lasting import Permission
from assent.toml.document import ConfigError

if TYPE_CHECKING:
    # It brings the journal along.
    from assent.learn.recorded_call import Case

_MOST_PROJECTS = 1_000


def same_as(case: "Case") -> bytes:
    """Equal for calls that every court judges equally."""
    payload = case.payload
    facts = [case.harness, case.event, case.tool, case.deciding, case.project, case.attended]
    facts += [payload.get("cwd"), modes.canonical(str(payload.get("permission_mode") or ""))]
    return hashlib.blake2b(msgspec.json.encode(facts), digest_size=16).digest()


def event_of(case: "Case") -> Event | None:
    """The event as it came, as far as it decides; None if it cannot be told any more."""
    harness = registry.of(case.harness)
    if harness is None or not case.is_whole:
        return None
    try:
        return harness.decode(msgspec.json.encode(case.payload), event_name=case.event)
    except UnreadableError:
        return None


def scene_of(case: "Case") -> Scene:
    return Scene(project=_path(case.project), attended=case.attended, harness=case.harness)


class Court:
    """Files are read once: what changes while the record is read does not count."""

    def __init__(self, paths: Paths, settings: Config, rules: Path, *, must_exist: bool = False) -> None:
        """Raises ConfigError where the hub would go on with older rules: here every difference has its true cause."""
        if must_exist and not rules.exists():
            raise UsageError(f"Nothing was judged: there is no file {rules}.")
        last_good = LastGood(paths.last_rules, is_kept=False)
        self._book = RuleBook(rules, paths.trust, clock=_standing_still, last_good=last_good)
        self.rules = len(self._book.users().rules)
        self._settings = settings
        self._own = own.of(paths)
        self._floor = Floor(paths)
        self._agents = {
            name: AgentSettings(name, functools.partial(registry.rule_files, harness), clock=_standing_still)
            for name, harness in registry.HARNESSES.items()
        }
        self._stance = Stance(self._stance_of)
        self._permissions = Permissions(self._by_rule)
        self._given = _given(paths)
        self._stances: dict[Path, StanceName] = {}

    def judge(self, event: Event, scene: Scene, extra: Sequence[Rule] = (), *, call: Call | None = None) -> Verdict:
        """``extra`` are rules that stand behind those of the user's file, ``call`` the event's if it was looked at."""
        voices = self._voices(self._book)
        if extra:
            user, project = self._book.files(scene.project)
            rules = Rules((*user.rules, *extra, *project.rules))
            voices = (*self._voices(rules), _Approvals(self._book))
        return judge(event, self._whole(scene), voices, call=call).verdict

    def hold(self, question: TrialQuestion, scene: Scene) -> Trial:
        """Judge a hypothetical call, with everything that was seen."""
        return trial.hold(question, self._whole(scene), self._voices(self._book))

    def _whole(self, scene: Scene) -> Scene:
        held = permission_file.holding(self._given, str(scene.project), scene.harness, time.time_ns() // 1_000_000)
        held = tuple(each for each in held if not each.session)
        return structs.replace(scene, own=self._own, permissions=(*scene.permissions, *held))

    def _by_rule(self, call: Call, scene: Scene, act: Act) -> str:
        by_agent = (agent.naming(call, scene, act) for agent in self._agents.values())
        return self._book.naming(call, scene, act) or next(filter(None, by_agent), "")

    def files(self, project: Path) -> tuple[RuleFile, ...]:
        """The user's rules and the project's, with those that are not heard."""
        return self._book.files(project)

    def read(self, scene: Scene) -> None:
        """The rules and settings that hold there, so that no file of them is read while something is judged."""
        self.files(scene.project)
        if agent := self._agents.get(scene.harness or ""):
            agent.standing(scene.project)

    @property
    def troubles(self) -> tuple[ConfigError, ...]:
        """What is wrong with projects' rules and the agent's settings: they are not heard."""
        return (*self._book.troubles, *(trouble for agent in self._agents.values() for trouble in agent.troubles))

    def _voices(self, rules: Voice) -> tuple[Voice, ...]:
        return self._floor, rules, *self._agents.values(), self._stance, self._permissions

    def _stance_of(self, scene: Scene) -> StanceName:
        if scene.project not in self._stances:
            if len(self._stances) >= _MOST_PROJECTS:
                self._stances.clear()
            self._stances[scene.project] = config.for_project(self._settings, scene.project).stance
        return self._stances[scene.project]


@dataclass(frozen=True, slots=True)
class _Approvals:
    """A voice that has no opinion, and knows which calls need an approval."""

    book: RuleBook

    def speak(self, event: Event, scene: Scene) -> None:
        """Its rules are heard beside others."""

    def approval(self, call: Call, scene: Scene, risk: Risk | None) -> ApprovalView | None:
        return self.book.approval(call, scene, risk)


def _given(paths: Paths) -> tuple[Permission, ...]:
    try:
        return permission_file.read(paths.permissions)
    except ValueError:
        # The hub says so; nothing is permitted by it.
        return ()


def _standing_still() -> float:
    return 0.0


_path = functools.lru_cache(maxsize=1_000)(Path)


class Trials:
    """Raises ConfigError where a file of the user's is wrong: older rules are nowhere to be had here."""

    def __init__(self, paths: Paths, here: str | None = None) -> None:
        """``here`` is the folder from which others are named; the one of this process if not said."""
        settings = config.load(paths.config)
        self.court = Court(paths, settings, paths.rules)
        self._here = os.getcwd() if here is None else here  # noqa: PTH109 - text, as the agent gives it
        self._scene = functools.lru_cache(maxsize=1_000)(_scene)

    def hold(self, question: TrialQuestion) -> Trial:
        return self.court.hold(*self.placed(question))

    def placed(self, question: TrialQuestion) -> tuple[TrialQuestion, Scene]:
        """The question with a whole path, and the project that path is in."""
        cwd = os.path.normpath(os.path.join(self._here, question.cwd))  # noqa: PTH118 - text from outside
        return structs.replace(question, cwd=cwd), self._scene(cwd, question.harness or registry.DEFAULT)


def _scene(cwd: str, harness: str) -> Scene:
    return Scene(project=Path(world.repository(cwd)), harness=harness)
