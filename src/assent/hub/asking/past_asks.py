"""Asks on record, judged as they would be asked today: what a person can stop being asked about without waiting for the
next one."""

import logging
from dataclasses import dataclass
from pathlib import Path

from assent.hub.pipeline.pipeline import Pipeline
from assent.journal.base import Journal
from assent.learn.recorded_call import Case, cases
from assent.policy import trial
from assent.policy.judge import judge
from assent.policy.judges import permissions
from assent.policy.judges.permissions import ByRule
from assent.protocol import modes
from assent.protocol.bodies import AskBody, read
from assent.protocol.decision import Deny, TrialQuestion
from assent.protocol.lasting import Shape, Stay
from assent.protocol.operations import FOR_PEOPLE
from assent.protocol.record import Record

log = logging.getLogger("assent.hub")


@dataclass(frozen=True, slots=True)
class PastAsk:
    """What an answer that stays would cover, and where."""

    project: str
    harness: str
    stay: Stay
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class PastAsks:
    journal: Journal
    pipeline: Pipeline
    # The allow rule that lets one command of a line pass.
    by_rule: ByRule

    async def offer(self, seq: int) -> PastAsk | None:
        """None where the ask is not on record as a whole, or would not offer it today. Raises JournalError."""
        records = await self.journal.read(after=seq - 1, limit=1)
        if not records or records[0].seq != seq or records[0].call is None:
            return None
        story = await self.journal.story(records[0].call)
        body, case = _ask_of(story), next(cases(story), None)
        if body is None or case is None or not body.project or not case.is_whole or case.project != body.project:
            return None
        try:
            return self._judged(case)
        except Exception as error:
            # The next ask of its kind is asked as ever.
            log.error("an ask on record cannot be judged: %s", type(error).__name__)
            return None

    def _judged(self, case: Case) -> PastAsk | None:
        cwd = str(case.payload.get("cwd") or case.project)
        mode = str(case.payload.get("permission_mode") or modes.DEFAULT)
        question = TrialQuestion(cwd=cwd, mode=mode, tool=case.tool, input=case.input, harness=case.harness)
        scene = self.pipeline.scene_of(Path(case.project), case.harness)
        judgement = judge(trial.event_of(question), scene, self.pipeline.voices)
        call = judgement.call
        if call is None or isinstance(call.operation, FOR_PEOPLE) or isinstance(judgement.verdict.decision, Deny):
            return None
        stays = permissions.stays(call, judgement.scene, self.by_rule)
        stay = next((each for each in stays if each.kind == "shape"), None)
        if stay is None:
            return None
        shapes = permissions.shapes_of(call, judgement.scene, self.by_rule)
        return PastAsk(case.project, case.harness, stay, shapes)


def _ask_of(story: list[Record]) -> AskBody | None:
    bodies = (read(record, AskBody) for record in story if record.kind == "ask")
    return next((body for body in bodies if body is not None and body.what == "permission"), None)
