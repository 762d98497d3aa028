"""Calls judged on trial over HTTP: as the hub would decide them, or as a program at the desk would itself."""

import asyncio
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from assent import surroundings
from assent.errors import AssentError
from assent.harnesses import registry
from assent.hub.access import caller
from assent.hub.pipeline.pipeline import Pipeline
from assent.learn.replayer import Trials
from assent.paths import Paths
from assent.policy import trial, world
from assent.policy.call import Scene
from assent.policy.shell import spelling
from assent.protocol.decision import HostedTrial, TrialQuestion, Tried
from assent.protocol.surfaces import Scope
from assent.toml.document import ConfigError
from assent.webapi import endpoint
from assent.webapi.endpoint import ProblemError, Route, json_response

LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class TrialApi:
    paths: Paths
    pipeline: Pipeline
    # By then the code was loaded, or will be as it is.
    started: int = field(default_factory=time.time_ns)

    def routes(self) -> list[Route]:
        return [
            ("POST", "/api/try", Scope.WATCH, self.hold),
            ("POST", "/api/try/here", Scope.WATCH, self.hold_here),
        ]

    async def hold(self, request: Request) -> Response:
        """A command, or ``tool`` and ``input``; the repository around ``cwd`` is the project."""
        question = await endpoint.decoded(request, TrialQuestion, LARGEST)
        if not question.command and question.input is None:
            raise ProblemError(400, "no-command", "There is no command to judge.")
        if not question.cwd.startswith("/"):
            raise ProblemError(400, "bad-folder", "The folder is given with its whole path.", hint='set "cwd".')
        project = Path(world.repository(question.cwd))
        held = trial.hold(
            question,
            self.pipeline.scene_of(project, question.harness),
            self.pipeline.voices,
            paused=self.pipeline.is_paused,
        )
        return json_response(held)

    async def hold_here(self, request: Request) -> Response:
        """As a program at the desk would judge it: with the files as they are now and its own PATH, paused or not.

        Refused to one in other surroundings, which would judge otherwise."""
        if caller.peer_of(request) is None:
            raise ProblemError(403, "desk-only", "This is for programs on the desk socket.", hint="use /api/try.")
        wanted = await endpoint.decoded(request, HostedTrial, LARGEST)
        # Files are read aside; judging shares what is in memory with the way of events, so it is done here.
        trials, question, scene = await asyncio.to_thread(self._prepared, wanted)
        spelling.forget()
        with world.searching(wanted.search_path):
            held = trials.court.hold(question, scene)
        return json_response(Tried(held, tuple(map(str, trials.court.troubles))))

    def _prepared(self, wanted: HostedTrial) -> tuple[Trials, TrialQuestion, Scene]:
        """Raises ProblemError wherever the program would not come to the same answer, or to an error of its own."""
        if wanted.surroundings != surroundings.found(self.paths) or self._is_replaced():
            raise ProblemError(409, "elsewhere", "The hub runs in other surroundings than this program.")
        refused = ProblemError(422, "not-judged", "This cannot be judged.", hint="`assent try` says why.")
        try:
            given = registry.input_of(wanted.harness, wanted.tool, wanted.text)
            trials = Trials(self.paths, wanted.here)
        except (ValueError, AssentError, ConfigError, OSError):
            raise refused from None
        if given is None:
            raise refused
        question, scene = trials.placed(
            TrialQuestion(wanted.text, wanted.cwd, wanted.mode, wanted.tool, given, wanted.harness)
        )
        trials.court.read(scene)
        return trials, question, scene

    def _is_replaced(self) -> bool:
        """Whether any of the code in use was written since this process began: that judges otherwise now, maybe."""
        files = [module.__file__ for name, module in list(sys.modules.items()) if name.startswith("assent.")]
        try:
            # When it was put there, too, which an older file may be.
            return any(os.stat(file).st_ctime_ns > self.started for file in files if file)  # noqa: PTH116
        except OSError:
            return True
