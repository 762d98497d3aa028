"""Something to ask about, without a hub around it."""

import hashlib
from dataclasses import dataclass, field
from typing import Any

from assent.asks.card.offers import grant_of
from assent.asks.open_ask import Drawn
from assent.asks.timeouts import Way
from assent.protocol.bodies import AskKind
from assent.protocol.card import (
    AnswerRequest,
    Card,
    FormView,
    GrantScope,
    OptionView,
    Peril,
    QuestionView,
    Segment,
    Subject,
    View,
)
from assent.protocol.decision import Decision, NoOpinion
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event, PermissionRequest
from assent.protocol.permission import Grant
from assent.protocol.record import Draft

QUESTION = QuestionView("Which database?", options=(OptionView("SQLite"), OptionView("PostgreSQL")))


@dataclass(eq=False)
class FakeCase:
    """A call whose input may change while it is shown."""

    request: str = "r1"
    text: str = "git status"
    harness: str = "claude-code"
    call: str | None = "c1"
    tool_use_id: str | None = None
    project: str = "/p"
    way: Way = "beside"
    kind: AskKind = "permission"
    level: str = "change"
    match: str = ""
    session: str = ""
    policy: Decision = field(default_factory=lambda: NoOpinion("no_rule"))
    edit_why: str | None = None
    event: Event = field(init=False)

    def __post_init__(self) -> None:
        self.event = PermissionRequest(
            session_id=self.session or f"session-{self.request}",
            tool_name="Bash",
            tool_input={"command": self.text},
        )

    async def look(self) -> bool:
        return False

    def draw(self) -> Drawn:
        view = View(
            verb="Run a command",
            tool="Bash",
            segments=(Segment(self.text),),
            markdown="# Plan" if self.kind == "plan" else "",
            questions=(QUESTION,) if self.kind == "question" else (),
            form=FormView("server") if self.kind == "form" else None,
        )
        card = Card(self.kind, view, Subject("claude-code"), Peril(self.level, match=self.match))
        return Drawn(card, hashlib.sha256(self.text.encode()).hexdigest(), self.policy)

    def redraw(self) -> Drawn:
        return self.draw()

    def stored(self, card: Card) -> dict[str, Any]:
        return {"text": card.view.segments[0].text}

    def restored(self, edited: dict[str, Any]) -> dict[str, Any]:
        return edited

    def denial_refused(self, grant: str) -> str | None:
        return None

    def edit_refused(self, drawn: Drawn, edited: dict[str, Any]) -> str | None:
        return self.edit_why

    def content_refused(self, card: Card, content: dict[str, Any] | None) -> str | None:
        return None

    def grant_of(self, text: str, scope: GrantScope) -> Grant:
        return grant_of(text, scope)

    def keeps(self, answer: AnswerRequest) -> bool:
        return False

    def lasting(self, said: AnswerRequest) -> tuple[Grant, ...]:
        return ()

    def undecided(self, decision: Decision) -> Decision:
        return decision

    def encode(self, decision: Decision) -> tuple[Output, tuple[str, ...]]:
        if isinstance(decision, NoOpinion):
            return SILENT, ()
        return Output(action="json_output", stdout_json={"decision": decision.word}), ()

    def decided(self, decision: Decision, by: str, ask: str) -> tuple[Draft, ...]:
        draft = Draft(at=1, kind="decision", request=self.request, ask=ask, decision=decision.word, by=by)
        return (draft,)
