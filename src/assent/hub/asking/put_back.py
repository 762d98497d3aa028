"""The ask whether a settings file that lets agents past the gate is put back: answered like any other, done by the hub.

Only the hub waits for it: nothing happens until a person answers, and nothing is lost without an answer."""

import asyncio
import hashlib
import logging
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Any

import msgspec

from assent.asks.open_ask import Drawn
from assent.asks.timeouts import Way
from assent.harnesses import registry
from assent.hub.asking.asking import Asking
from assent.hub.bus import now_ms
from assent.hub.upkeep.client_settings import ClientSettings, Fault
from assent.protocol import bodies
from assent.protocol.bodies import Ending, OutcomeBody
from assent.protocol.card import AnswerRequest, Card, GrantScope, OptionView, Peril, QuestionView, Subject, View
from assent.protocol.decision import Answered, Decision, NoOpinion
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event, PermissionRequest
from assent.protocol.permission import Grant
from assent.protocol.record import Draft
from assent.protocol.rule_words import QUESTION

log = logging.getLogger("assent.hub")

SESSION = "assent"
PUT_BACK = "Put it back"
KEEP = "Keep it"
MOST_AT_ONCE = 5
WAITS = timedelta(days=1)
_TOOL = QUESTION
_OPTIONS = (
    OptionView(PUT_BACK, "The file becomes what it was when nothing was wrong with it."),
    OptionView(KEEP, "You made this change. Sessions that run now go on with the settings they had."),
)


@dataclass(slots=True)
class SettingsCase:
    """One file that is not as it was, as the desk asks about it."""

    fault: Fault
    settings: ClientSettings
    harness: str = registry.DEFAULT
    call: str | None = None
    way: Way = "instead"
    # The ask's name, once it has one.
    name: str = ""
    event: Event = field(init=False)
    request: str = field(init=False)
    tool_use_id: str | None = field(init=False)
    project: str = field(init=False)

    def __post_init__(self) -> None:
        file = PurePosixPath(self.fault.file)
        self.project = str(file.parent.parent)
        digest = hashlib.sha256(f"{self.fault.file} {self.fault.state}".encode()).hexdigest()[:16]
        self.request = self.tool_use_id = f"settings-{digest}"
        given = {"questions": [{"question": self.question}]}
        self.event = PermissionRequest(session_id=SESSION, cwd=self.project, tool_name=_TOOL, tool_input=given)

    @property
    def question(self) -> str:
        return f"{self.fault.sentence} Put the file back as it was?"

    async def look(self) -> bool:
        """No agent said anything about it."""
        return False

    def draw(self) -> Drawn:
        fault = self.settings.fault(self.fault.file)
        state = None if fault is None else fault.state
        view = View(
            f"Put back {self.fault.file}?",
            _TOOL,
            questions=(QuestionView(self.question, "Settings", _OPTIONS),),
            facts=(("file", self.fault.file),),
        )
        subject = Subject(self.harness, SESSION, title="Assent", project=self.project, folder=self.project)
        card = Card("question", view, subject, Peril("care", reason=self.fault.sentence))
        # An answer is to the file as it was shown.
        bound = msgspec.json.encode((card, state), order="sorted")
        return Drawn(card, hashlib.sha256(bound).hexdigest(), NoOpinion("no_rule"))

    def redraw(self) -> Drawn:
        return self.draw()

    def stored(self, card: Card) -> dict[str, Any]:
        built: dict[str, Any] = msgspec.to_builtins(card)
        return built

    def restored(self, edited: dict[str, Any]) -> dict[str, Any]:
        return edited

    def denial_refused(self, grant: str) -> str | None:  # noqa: ARG002 - as every case
        return "There is no rule that could deny this from now on."

    def edit_refused(self, drawn: Drawn, edited: dict[str, Any]) -> str | None:  # noqa: ARG002 - as every case
        return "This has no input that can be changed."

    def content_refused(self, card: Card, content: dict[str, Any] | None) -> str | None:  # noqa: ARG002 - as every case
        return "There is no form to fill in."

    def grant_of(self, text: str, scope: GrantScope) -> Grant:  # noqa: ARG002 - as every case
        raise ValueError("There is nothing to grant.")

    def keeps(self, answer: AnswerRequest) -> bool:  # noqa: ARG002 - as every case
        return False

    def lasting(self, answer: AnswerRequest) -> tuple[Grant, ...]:  # noqa: ARG002 - as every case
        return ()

    def undecided(self, decision: Decision) -> Decision:
        return decision

    def encode(self, decision: Decision) -> tuple[Output, tuple[str, ...]]:  # noqa: ARG002 - as every case
        return SILENT, ()

    def decided(self, decision: Decision, by: str, ask: str) -> tuple[Draft, ...]:
        self.name = ask
        draft = Draft(
            at=now_ms(),
            kind="decision",
            session=SESSION,
            ask=ask,
            request=self.request,
            risk="care",
            decision=decision.word,
            by=by,
            body={
                "event": self.event.name,
                "harness": self.harness,
                "project": self.project,
                "tool": _TOOL,
                "decision": msgspec.to_builtins(decision),
                "trace": [],
            },
        )
        return (draft,)


@dataclass(slots=True)
class PutBack:
    asking: Asking
    settings: ClientSettings
    # By file: how it was when it was asked about, so that one state is asked about once.
    _asked: dict[str, object] = field(default_factory=dict)
    _open: dict[str, tuple[SettingsCase, asyncio.Task[None]]] = field(default_factory=dict)

    def offer(self, faults: list[Fault]) -> None:
        """What is wrong now: asks open for what is new, and close for what is in order again."""
        wrong = {fault.file: fault for fault in faults}
        for file, (case, _) in list(self._open.items()):
            if file not in wrong or wrong[file].state != case.fault.state:
                self.asking.desk.reported(SESSION, case.request, "the file has changed since")
        for file in [each for each in self._asked if each not in wrong]:
            del self._asked[file]
        for fault in faults:
            is_asked = self._asked.get(fault.file, self) == fault.state
            if fault.has_good and not is_asked and fault.file not in self._open and len(self._open) < MOST_AT_ONCE:
                self._asked[fault.file] = fault.state
                case = SettingsCase(fault, self.settings)
                self._open[fault.file] = case, asyncio.ensure_future(self._ask(case))

    async def _ask(self, case: SettingsCase) -> None:
        file = case.fault.file
        try:
            release = await self.asking.desk.ask(case, WAITS, (), self.asking.earlier(case.request))
            self.asking.desk.told(case.request, delivered=True)
            if isinstance(release.decision, Answered):
                self._done(case, release.decision.answers.get(case.question, ""))
        finally:
            self._open.pop(file, None)

    def _done(self, case: SettingsCase, choice: str) -> None:
        ending: Ending = "ran"
        why = ""
        try:
            if choice == PUT_BACK:
                self.settings.put_back(case.fault.file)
            elif choice == KEEP:
                self.settings.keep(case.fault.file)
            else:
                ending, why = "failed", f"the answer is neither “{PUT_BACK}” nor “{KEEP}”: nothing was done"
        except OSError as error:
            ending, why = "failed", f"the file could not be put back: {error.strerror or error}"
            log.error("%s: %s", case.fault.file, why)
        body = bodies.body(OutcomeBody(ending, why=why))
        draft = Draft(at=now_ms(), kind="outcome", session=SESSION, ask=case.name, request=case.request, body=body)
        self.asking.desk.record([draft])

    def stop(self) -> None:
        for _, task in self._open.values():
            task.cancel()
