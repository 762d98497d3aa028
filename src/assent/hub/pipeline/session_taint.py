"""History of each session for the judge. Small, bounded, and rebuilt from the journal as far as that tells."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assent.harnesses import registry
from assent.policy.call import Call, Scene
from assent.policy.risk_of import effects_of
from assent.policy.session_taint import Memory
from assent.protocol.decision import Allow, Decision, Deny
from assent.protocol.events import DirectoryAdded, Event, PermissionRequest, PreToolUse, SessionEnd
from assent.protocol.permission import AddDirectories
from assent.protocol.record import Record, client_of

log = logging.getLogger("assent.hub")

MOST_SESSIONS = 200
# So many of the newest calls are looked at again when the hub starts: it starts within a second.
MOST_RECALLED = 400


@dataclass(slots=True)
class SessionTaints:
    # The session heard of last comes last.
    _of: dict[str, Memory] = field(default_factory=dict)

    def of(self, session: str) -> Memory:
        memory = self._of.pop(session, None)
        if memory is None:
            memory = Memory()
            if len(self._of) >= MOST_SESSIONS:
                del self._of[next(iter(self._of))]
        self._of[session] = memory
        return memory

    def decided(self, event: Event, scene: Scene, decision: Decision) -> None:
        """Whatever was not refused is taken to have run: a person may have said yes at the terminal."""
        if isinstance(event, SessionEnd):
            self._of.pop(event.session_id, None)
        elif isinstance(event, DirectoryAdded):
            self.of(event.session_id).add((event.directory or "",))
        elif isinstance(event, PermissionRequest) and isinstance(decision, Allow):
            granted = [grant.directories for grant in decision.grants if isinstance(grant, AddDirectories)]
            self.of(event.session_id).add(folder for folders in granted for folder in folders)
        elif isinstance(event, PreToolUse) and not isinstance(decision, Deny):
            call = Call.of(event, scene)
            assert call is not None
            self._note(event.session_id, call, scene)

    def accepted(self, event: Event, scene: Scene) -> None:
        """A person let a call run: if it runs code, what the session wrote so far is no news to them."""
        call = Call.of(event, scene)
        if call is not None and any(done.effect.kind in ("project", "run") for done in effects_of(call, scene)):
            self.of(event.session_id).accept()

    def recall(self, records: Iterable[Record]) -> None:
        """Know sessions of an earlier life again. Secrets in their input are gone, names of files are not."""
        denied: set[str] = set()
        calls: list[tuple[str, dict[str, Any], Path, int]] = []
        ended: set[str] = set()
        added: dict[str, list[str]] = {}
        for record in records:
            if record.session is None:
                continue
            if record.kind == "decision" and record.decision == "deny" and record.request:
                denied.add(record.request)
            elif record.kind == "decision":
                added.setdefault(record.session, []).extend(_granted(record.body))
            elif record.kind == "event":
                name, payload = record.body.get("event"), record.body.get("payload") or {}
                if name == "SessionEnd":
                    ended.add(record.session)
                elif name == "SessionStart":
                    ended.discard(record.session)
                elif name == "DirectoryAdded":
                    added.setdefault(record.session, []).append(str(payload.get("directory") or ""))
                elif name == "PreToolUse":
                    project = client_of(record.body).project or payload.get("cwd") or "/"
                    fields = {"request": record.request, "harness": record.body.get("harness")}
                    calls.append((record.session, {**payload, **fields}, Path(str(project)), record.at))
        for session, folders in added.items():
            if folders and session not in ended:
                self.of(session).add(folders)
        for session, payload, project, at in calls[-MOST_RECALLED:]:
            tool, given = payload.get("tool_name"), payload.get("tool_input")
            if session in ended or payload["request"] in denied or not isinstance(given, dict):
                continue
            operation = registry.operation_of(str(payload["harness"]), str(tool), given)
            call = Call(str(tool), given, str(payload.get("cwd") or ""), decoded=operation)
            self._note(session, call, Scene(project), at * 1_000_000)

    def _note(self, session: str, call: Call, scene: Scene, at_ns: int | None = None) -> None:
        try:
            self.of(session).note(effects_of(call, scene), at_ns)
        except Exception as error:
            # The judge was heard as a prompt on this call; its record must be written all the same.
            log.error("a call of %s cannot be remembered: %s", call.tool[:60], type(error).__name__)


def _granted(body: dict[str, Any]) -> list[str]:
    """Directories that a recorded allow of a person's added."""
    decision = body.get("decision")
    grants = decision.get("grants") if isinstance(decision, dict) else None
    return [
        str(folder)
        for grant in grants or ()
        if isinstance(grant, dict) and grant.get("type") == "addDirectories"
        for folder in grant.get("directories") or ()
    ]
