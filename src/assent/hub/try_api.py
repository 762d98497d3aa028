"""Trying a call over HTTP: judged as in earnest, recorded nowhere."""

from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from assent.harness import claude_code
from assent.hub import incoming
from assent.hub.log_api import Endpoint
from assent.hub.pipeline import Pipeline
from assent.hub.problem import ProblemError, json_response
from assent.policy import trial, world
from assent.policy.voice import Scene
from assent.protocol.trial import Question

LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class TryApi:
    pipeline: Pipeline

    def routes(self) -> list[tuple[str, Endpoint]]:
        return [("/api/try", self.hold)]

    async def hold(self, request: Request) -> Response:
        """A command, or ``tool`` and ``input``; the repository around ``cwd`` is the project."""
        question = await incoming.decoded(request, Question, LARGEST)
        if not question.command and question.input is None:
            raise ProblemError(400, "no-command", "There is no command to judge.")
        if not question.cwd.startswith("/"):
            raise ProblemError(400, "bad-folder", "The folder is given with its whole path.", hint='set "cwd".')
        project = Path(world.repository(question.cwd))
        scene = Scene(
            project=project,
            own=self.pipeline.own,
            harness=claude_code.NAME,
            added=self.pipeline.directories(project),
        )
        held = trial.hold(question, scene, self.pipeline.voices(scene), paused=self.pipeline.live.paused_for > 0)
        return json_response(held)
