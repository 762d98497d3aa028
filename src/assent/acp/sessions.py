"""What the proxy knows of sessions, from the messages that pass: folder, mode, tool calls, last words."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assent.harnesses import acp
from assent.harnesses.acp.facts import CALLED, ENDED_CALL

Fields = dict[str, Any]

MOST_SESSIONS = 200
MOST_CALLS = 500
LONGEST_WORDS = 10_000
_RUNS, _ENDED = "in_progress", ("completed", "failed")
# Of a call these come in pieces: what is not named stays as it was.
_PARTS = ("toolCallId", "title", "kind", "status", "rawInput", "content", "locations")


@dataclass(slots=True)
class Call:
    fields: Fields = field(default_factory=dict)
    # As it was asked about, or as it began: what comes later are results.
    begun: Fields | None = None
    is_told: bool = False

    def add(self, update: Mapping[str, Any]) -> None:
        self.fields |= {name: update[name] for name in _PARTS if update.get(name) is not None}

    def begin(self) -> Fields:
        """The call itself, from now on the same whatever its updates say of results."""
        if self.begun is None:
            self.begun = dict(self.fields)
        return self.begun

    def ended(self) -> Fields:
        """The call with how it ended; if the agent then names another command, that one."""
        begun, status = self.begin(), {"status": self.fields.get("status")}
        before, after = begun.get("rawInput"), self.fields.get("rawInput")
        if isinstance(before, dict) and isinstance(after, dict) and before.get("command") != after.get("command"):
            return {**begun, **status, "rawInput": after}
        return {**begun, **status}


@dataclass(slots=True)
class Session:
    id: str
    cwd: str = ""
    mode: str = ""
    # Of the turn that is under way: what the agent said last.
    words: str = ""
    calls: OrderedDict[str, Call] = field(default_factory=OrderedDict)

    def call(self, update: Mapping[str, Any]) -> Call:
        """The call that an update or a permission request is about, with what that says of it."""
        name = update.get("toolCallId")
        if not isinstance(name, str):
            call = Call()
        else:
            call = self.calls.setdefault(name, Call())
            if len(self.calls) > MOST_CALLS:
                self.calls.popitem(last=False)
        call.add(update)
        return call


@dataclass(slots=True)
class Sessions:
    """By id, the one heard of last at the end."""

    # The agent as records name it.
    agent: str = ""
    _known: OrderedDict[str, Session] = field(default_factory=OrderedDict)

    def of(self, name: str) -> Session:
        session = self._known.pop(name, None) or Session(name)
        self._known[name] = session
        if len(self._known) > MOST_SESSIONS:
            self._known.popitem(last=False)
        return session

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._known.values()))

    def started(self, name: str, cwd: object, result: object) -> Session:
        session = self.of(name)
        session.cwd = cwd if isinstance(cwd, str) else session.cwd
        offered = result.get("modes") if isinstance(result, dict) else None
        if isinstance(offered, dict) and isinstance(current := offered.get("currentModeId"), str):
            session.mode = current
        self.configured(session, result)
        return session

    @staticmethod
    def configured(session: Session, result: object) -> None:
        """Newer agents tell their mode as one of several options."""
        options = result.get("configOptions") if isinstance(result, dict) else None
        for each in options if isinstance(options, list) else ():
            if isinstance(each, dict) and "mode" in (each.get("category"), each.get("id")):
                current = each.get("currentValue")
                session.mode = current if isinstance(current, str) else session.mode

    def payload(self, session: Session, **more: Any) -> Fields:
        """What the hub is told of every event."""
        mode = {"permission_mode": acp.mode(session.mode)} if session.mode else {}
        about = {"session_id": session.id, "cwd": session.cwd, "project": session.cwd, "agent": self.agent}
        return {**about, **mode, **more}

    def updated(self, session: Session, update: Mapping[str, Any]) -> Iterator[tuple[str, Fields]]:
        """The events that an update of the agent's makes."""
        match update.get("sessionUpdate"):
            case "agent_message_chunk":
                content = update.get("content")
                text = content.get("text") if isinstance(content, dict) else None
                session.words = (session.words + text)[-LONGEST_WORDS:] if isinstance(text, str) else session.words
            case "current_mode_update" if isinstance(mode := update.get("currentModeId"), str):
                session.mode = mode
            case "config_option_update":
                self.configured(session, update)
            case "tool_call" | "tool_call_update":
                session.words = ""
                yield from self._called(session, session.call(update))

    def _called(self, session: Session, call: Call) -> Iterator[tuple[str, Fields]]:
        status = call.fields.get("status")
        is_known = bool(call.fields.get("rawInput")) or call.begun is not None
        if not call.is_told and (status in _ENDED or (status == _RUNS and is_known)):
            call.is_told = True
            yield CALLED, self.payload(session, tool_call=call.begin())
        if status in _ENDED:
            content = call.fields.get("content")
            yield ENDED_CALL, self.payload(session, tool_call=call.ended(), content=content)
            session.calls.pop(str(call.fields.get("toolCallId")), None)
