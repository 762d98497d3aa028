"""Events and decisions as they go on record: redacted, with what is known beside them."""

from dataclasses import dataclass
from typing import Any

import msgspec

from assent.hub.bus import now_ms
from assent.hub.pipeline.arrival import Arrival
from assent.policy.call import Scene
from assent.policy.judge import Judgement
from assent.protocol import modes as runs
from assent.protocol import terminal, todos
from assent.protocol.events import Event, ToolEvent, UnknownEvent
from assent.protocol.record import Draft
from assent.redact import Redactor


@dataclass(frozen=True, slots=True)
class Drafts:
    redactor: Redactor

    def event(self, event: Event, arrival: Arrival, scene: Scene, call: str | None) -> Draft:
        body: dict[str, Any] = {
            "event": event.name,
            "harness": arrival.harness,
            "transport": arrival.transport,
            "payload": self.redactor.storable(event.raw),
        }
        if run := arrival.env.get(runs.VARIABLE):
            body["env"] = self.redactor.storable({runs.VARIABLE: run})
        client = event.client
        body["project"] = self.redactor.text(str(scene.project))
        if client.attended is not None:
            body["attended"] = client.attended
        if client.entrypoint:
            body["entrypoint"] = self.redactor.text(client.entrypoint)
        if client.pid is not None:
            body["pid"] = client.pid
        if client.remote:
            body["remote"] = True
        if place := terminal.of(arrival.env):
            body[terminal.FIELD] = self.redactor.storable(msgspec.to_builtins(place))
        if event.todos is not None:
            # Results are not kept, and only they say how a new entry is called.
            body[todos.FIELD] = self.redactor.storable(msgspec.to_builtins(event.todos))
        if isinstance(event, UnknownEvent):
            body |= {"known": False, "event": self.redactor.text(event.name)}
        return Draft(
            at=now_ms(),
            kind="event",
            session=event.session_id,
            agent=event.agent_id,
            call=call,
            request=arrival.request_id,
            body=body,
        )

    def decision(
        self,
        judgement: Judgement,
        arrival: Arrival,
        call: str | None,
        took_us: int,
        *,
        dropped: tuple[str, ...] = (),
        ask: str | None = None,
    ) -> Draft:
        event, verdict = judgement.event, judgement.verdict
        decision = msgspec.to_builtins(verdict.decision)
        body: dict[str, Any] = {
            "event": event.name,
            "harness": arrival.harness,
            "project": str(judgement.scene.project),
            "decision": decision,
            "trace": msgspec.to_builtins(verdict.trace),
            # The hub's own time, from the event's arrival until it was decided; the disk's comes on top for an allow.
            "took_us": took_us,
        }
        if isinstance(event, ToolEvent):
            body["tool"] = event.tool_name
        if dropped:
            body["dropped"] = list(dropped)
        body = self.redactor.storable(body)
        if body["decision"] != decision:
            body["redacted"] = True
        return Draft(
            at=now_ms(),
            kind="decision",
            session=event.session_id,
            agent=event.agent_id,
            call=call,
            ask=ask,
            request=arrival.request_id,
            risk=verdict.risk,
            decision=verdict.decision.word,
            by=verdict.by,
            body=body,
        )
