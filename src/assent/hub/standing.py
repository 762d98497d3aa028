"""What is in force right now: configuration, rules, and the voices made of them."""

from collections.abc import Sequence

from assent import config
from assent.config import Config
from assent.paths import Paths
from assent.policy.floor import Floor
from assent.policy.rule_book import RuleBook
from assent.policy.stance import Stance, StanceName
from assent.policy.voice import Scene, Voice


class Standing:
    """Files are looked at on use, so a change is in force within a second and needs no restart."""

    def __init__(self, paths: Paths, extra_voices: Sequence[Voice]) -> None:
        self._config = config.watch(paths.config)
        self._rules = RuleBook(paths.rules)
        self._voices: tuple[Voice, ...] = (Floor(paths), self._rules, Stance(self._stance), *extra_voices)
        self._seen = self._config.current()
        self._anywhere = paths.config_dir
        # Now and not with the first event: a file that breaks in between must find good rules in force.
        self._rules.files(self._anywhere)

    @property
    def config(self) -> Config:
        return self._config.current()

    @property
    def config_trouble(self) -> str | None:
        return str(self._config.trouble) if self._config.trouble else None

    @property
    def rules_trouble(self) -> str | None:
        self._rules.files(self._anywhere)
        return "\n\n".join(str(trouble) for trouble in self._rules.troubles) or None

    def voices(self, _: Scene) -> Sequence[Voice]:
        return self._voices

    def refresh(self) -> bool:
        """Look at the disk; whether the configuration changed."""
        before, self._seen = self._seen, self.config
        return before != self._seen

    def _stance(self, scene: Scene) -> StanceName:
        return config.for_project(self.config, scene.project).stance
