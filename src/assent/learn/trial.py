"""Judging without a hub, with the files of the user who asks."""

import functools
import os
from pathlib import Path

from msgspec import structs

from assent import config
from assent.harness import claude_code
from assent.learn.court import Court
from assent.paths import Paths
from assent.policy import world
from assent.policy.voice import Scene
from assent.protocol.trial import Question, Trial


class Trials:
    """Raises ConfigError where a file of the user's is wrong: older rules are nowhere to be had here."""

    def __init__(self, paths: Paths) -> None:
        settings = config.load(paths.config)
        self.court = Court(paths, settings, paths.rules)
        self._here = os.getcwd()  # noqa: PTH109 - text, as the agent gives it
        self._scene = functools.lru_cache(maxsize=1_000)(_scene)

    def hold(self, question: Question) -> Trial:
        return self.court.hold(*self.placed(question))

    def placed(self, question: Question) -> tuple[Question, Scene]:
        """The question with a whole path, and the project that path is in."""
        cwd = os.path.normpath(os.path.join(self._here, question.cwd))  # noqa: PTH118 - text from outside
        return structs.replace(question, cwd=cwd), self._scene(cwd)


def _scene(cwd: str) -> Scene:
    return Scene(project=Path(world.repository(cwd)), harness=claude_code.NAME)
