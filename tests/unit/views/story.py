"""Records one after the other, for tests of the views."""

from typing import Any

from msgspec import Struct

from assent.protocol import bodies
from assent.protocol.record import GENESIS, Draft, Kind, Record, chained

SECOND = 1_000


class Story:
    """Each record comes a second after the one before, unless time is let pass."""

    def __init__(self, start: int = 0) -> None:
        self.records: list[Record] = []
        self.now = start

    def wait(self, ms: int) -> "Story":
        self.now += ms
        return self

    def add(self, kind: Kind, *, session: str | None = "s1", **fields: Any) -> "Story":
        self.now += SECOND
        seq = len(self.records) + 1
        prev = self.records[-1].hash if self.records else GENESIS
        self.records.append(
            chained(Draft(at=self.now, kind=kind, session=session, **fields), hub="h", seq=seq, prev=prev)
        )
        return self

    def event(self, name: str, *, call: str | None = None, project: str = "/src/shop", **more: Any) -> "Story":
        fields = {key: more.pop(key) for key in ("session", "agent") if key in more}
        body = {"event": name, "harness": "claude-code", "project": project, "payload": {"cwd": project, **more}}
        return self.add("event", call=call, request=f"q{len(self.records)}", body=body, **fields)

    def tool(self, name: str, call: str | None = "c1", tool: str = "Bash", **more: Any) -> "Story":
        return self.event(name, call=call, tool_name=tool, **{"tool_input": {"command": "make"}, **more})

    def decision(self, word: str, by: str = "judge", *, took_us: int | None = None, **told: Any) -> "Story":
        """About the event before."""
        about = self.records[-1]
        body = {
            "event": about.body["event"],
            "project": about.body["project"],
            "tool": about.body["payload"].get("tool_name"),
            "decision": {"decision": word, **told},
            **({} if took_us is None else {"took_us": took_us}),
        }
        same: dict[str, Any] = {"call": about.call, "request": about.request, "agent": about.agent}
        return self.add("decision", session=about.session, decision=word, by=by, body=body, **same)

    def about(self, ask: str, kind: Kind, body: Struct, **fields: Any) -> "Story":
        return self.add(kind, ask=ask, body=bodies.body(body), **fields)

    def asked(
        self,
        ask: str = "kfmzt",
        call: str | None = "c1",
        *,
        rev: int = 1,
        event: str = "PermissionRequest",
        **fields: Any,
    ) -> "Story":
        body = bodies.AskBody(
            "permission", event, "claude-code", project="/src/shop", tool="Bash", line="make", rev=rev
        )
        return self.about(ask, "ask", body, call=call, **fields)

    def answered(self, choice: bodies.Choice = "allow", ask: str = "kfmzt", *, waited: int = 12_000) -> "Story":
        body = bodies.AnswerBody(choice, "telegram", device="Pixel", waited_ms=waited)
        return self.about(ask, "answer", body, by="person:phone")

    def told(self, ask: str = "kfmzt", *, delivered: bool = True, why: str = "") -> "Story":
        return self.about(ask, "told", bodies.ToldBody(delivered, why=why))

    def ended(
        self, ending: bodies.Ending, ask: str = "kfmzt", certainty: bodies.Certainty = "certain", call: str = "c1"
    ) -> "Story":
        return self.about(ask, "outcome", bodies.OutcomeBody(ending, certainty), call=call)
