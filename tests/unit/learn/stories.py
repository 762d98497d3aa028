"""Records as the hub writes them, made by hand: calls that were judged, asked about, approved, refused, run."""

from dataclasses import dataclass, field
from typing import Any

from assent.harnesses import claude_code
from assent.learn.recorded_call import Case, cases
from assent.protocol.record import Kind, Record

PROJECT = "/home/ada/src/webshop"
DAY = 86_400_000


@dataclass(slots=True)
class Story:
    """Each method adds the records of one thing that happened."""

    records: list[Record] = field(default_factory=list)
    project: str = PROJECT
    attended: str = "1"
    at: int = 1_800_000_000_000

    def add(self, kind: Kind, **fields: Any) -> None:
        seq = len(self.records) + 1
        self.at += 1_000
        self.records.append(Record(at=self.at, kind=kind, hub="h", seq=seq, prev="", hash="", **fields))

    def event(self, name: str, *, session: str = "s1", call: str | None = None, **payload: Any) -> None:
        body = {
            "event": name,
            "harness": claude_code.NAME,
            "payload": {"session_id": session, "hook_event_name": name, "cwd": self.project, **payload},
            "env": {"CLAUDE_PROJECT_DIR": self.project, "CLAUDE_CODE_SESSION_ATTENDED": self.attended},
        }
        agent = payload.get("agent_id")
        self.add("event", session=session, call=call, agent=agent, request=f"r{len(self.records)}", body=body)

    def decision(self, event: str, word: str, *, by: str, call: str | None, session: str = "s1") -> None:
        request = self.records[-1].request
        body = {"event": event, "decision": {"decision": word}}
        self.add("decision", session=session, call=call, request=request, decision=word, by=by, risk="care", body=body)

    def wanted(
        self, tool: str, given: dict[str, Any], told: str = "no_opinion", *, session: str = "s1", **payload: Any
    ) -> str:
        """A call reaches PreToolUse and is told something."""
        call = f"c{len(self.records)}"
        self.event("PreToolUse", session=session, call=call, tool_name=tool, tool_input=given, **payload)
        self.decision("PreToolUse", told, by="stance:balanced", call=call, session=session)
        return call

    def asked(self, tool: str, given: dict[str, Any], *, session: str = "s1", told: str = "no_opinion") -> str:
        """… and a dialog opens."""
        call = self.wanted(tool, given, session=session)
        self.event("PermissionRequest", session=session, call=call, tool_name=tool, tool_input=given)
        self.decision("PermissionRequest", told, by="judge", call=call, session=session)
        return call

    def ran(self, tool: str, given: dict[str, Any], call: str, *, session: str = "s1") -> None:
        self.event("PostToolUse", session=session, call=call, tool_name=tool, tool_input=given)

    def approved(self, tool: str, given: dict[str, Any], *, session: str = "s1") -> None:
        """… and the person at the terminal says yes."""
        self.ran(tool, given, self.asked(tool, given, session=session), session=session)

    def refused(self, tool: str, given: dict[str, Any], *, session: str = "s1") -> None:
        """… and the person at the terminal says no, which ends the turn without a word."""
        self.asked(tool, given, session=session)
        self.event("UserPromptSubmit", session=session, prompt="Do something else.")

    def cases(self) -> list[Case]:
        return sorted(cases(self.records), key=lambda case: case.seq)


def bash(command: str) -> dict[str, Any]:
    return {"command": command}
