"""What is in force right now: configuration, rules, and the voices made of them."""

from collections.abc import Sequence

from assent import config
from assent.config import Config
from assent.paths import Paths
from assent.policy.voice import Scene, Voice


class Standing:
    def __init__(self, paths: Paths, extra_voices: Sequence[Voice]) -> None:
        self._config = config.watch(paths.config)
        self._extra = extra_voices
        self._seen = self._config.current()

    @property
    def config(self) -> Config:
        return self._config.current()

    @property
    def config_trouble(self) -> str | None:
        return str(self._config.trouble) if self._config.trouble else None

    @property
    def rules_trouble(self) -> str | None:
        return None

    def voices(self, scene: Scene) -> Sequence[Voice]:
        return self._extra

    def refresh(self) -> bool:
        """Look at the disk; whether the configuration changed."""
        before, self._seen = self._seen, self.config
        return before != self._seen
