"""View of one run of `assent exec`: its records as lines for other programs, and its sums."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from assent.protocol import modes as runs
from assent.protocol.bodies import AnswerBody, AskBody, OutcomeBody, read
from assent.protocol.record import Record, client_of
from assent.text.safe import plain_line
from assent.views.line import describe, telling, what_of

Line = dict[str, Any]

# Commands may be long, and the output of a run has room.
LONGEST = 2_000
# Records of unclaimed sessions: an observer may be faster than the hook that says whose session it is.
UNCLAIMED = 200
_GATES = frozenset({"PreToolUse", "PermissionRequest"})
_RESULTS = frozenset({"PostToolUse", "PostToolUseFailure"})
_WORDS = frozenset({"allow", "deny", "prompt"})


@dataclass(slots=True)
class RunView:
    """Fed with every record of the hub in order; keeps to the sessions of its run."""

    run: str
    # Whether each has said that it is over.
    sessions: dict[str, bool] = field(default_factory=dict)
    # Calls that ran though no PreToolUse of theirs came.
    unjudged: int = 0
    calls: int = 0
    # What each call was last told, where that was more than silence.
    _told: dict[str, str] = field(default_factory=dict)
    _asked: set[str] = field(default_factory=set)
    _answered: set[str] = field(default_factory=set)
    _about: dict[str, str] = field(default_factory=dict)
    _unattended: set[str] = field(default_factory=set)
    _unclaimed: deque[Record] = field(default_factory=lambda: deque(maxlen=UNCLAIMED))

    def add(self, record: Record) -> list[Line]:
        """The lines this record adds; none where it is about something else."""
        name = record.session
        if name is None:
            return []
        if name in self.sessions:
            return [self._line(record)]
        if not self._is_of_run(record):
            self._unclaimed.append(record)
            return []
        self.sessions[name] = False
        earlier = [each for each in self._unclaimed if each.session == name]
        return [self._line(each) for each in (*earlier, record)]

    @property
    def is_over(self) -> bool:
        return bool(self.sessions) and all(self.sessions.values())

    @property
    def denied(self) -> int:
        return sum(word == "deny" for word in self._told.values())

    @property
    def allowed(self) -> int:
        return sum(word == "allow" for word in self._told.values())

    @property
    def asked(self) -> int:
        """How many calls needed a person."""
        return len(self._asked)

    @property
    def unanswered(self) -> int:
        return len(self._asked - self._answered)

    def summary(self, code: int) -> Line:
        named = list(self.sessions)
        return {
            "kind": "summary",
            "run": self.run,
            "session": named[0] if named else None,
            "calls": self.calls,
            "allowed": self.allowed,
            "denied": self.denied,
            "asked": self.asked,
            "unanswered": self.unanswered,
            "unjudged": self.unjudged,
            "exit": code,
            **({"sessions": named} if len(named) > 1 else {}),
        }

    def _is_of_run(self, record: Record) -> bool:
        if record.kind != "event":
            return False
        env = record.body.get("env") or {}
        run = runs.read(env.get(runs.VARIABLE))
        if run is None or run.id != self.run:
            return False
        if client_of(record.body).attended is False:
            self._unattended.add(str(record.session))
        return True

    def _line(self, record: Record) -> Line:
        body = record.body
        line: Line = {
            "kind": record.kind,
            "at": record.at,
            "seq": record.seq,
            "session": record.session,
            "agent": record.agent,
            "call": record.call,
            "ask": record.ask,
            "event": body.get("event"),
            "risk": record.risk,
            "decision": record.decision,
            "by": record.by,
            **self._told_by(record),
        }
        return {name: _inert(value) for name, value in line.items() if value not in (None, "")}

    def _told_by(self, record: Record) -> Line:
        match record.kind:
            case "event":
                return self._event(record)
            case "decision":
                return self._decision(record)
            case "ask":
                return self._ask(record)
            case "answer":
                return self._answer(record)
            case "outcome":
                return self._outcome(record)
            case "gap":
                return self._gap(record)
        return {"what": describe(record)}

    def _event(self, record: Record) -> Line:
        name, payload = str(record.body.get("event", "")), record.body.get("payload") or {}
        text = plain_line(telling(name, payload) or what_of(payload), LONGEST)
        self._about[record.request or ""] = text
        if name == "PreToolUse":
            self.calls += 1
        elif name in _RESULTS and record.call is None and payload.get("tool_use_id"):
            self.unjudged += 1
        elif name == "SessionEnd":
            self.sessions[str(record.session)] = True
        return {"tool": payload.get("tool_name"), "what": text}

    def _decision(self, record: Record) -> Line:
        decision: dict[str, Any] = record.body.get("decision") or {}
        key, word = _key(record), record.decision or ""
        if record.body.get("event") in _GATES:
            if word in _WORDS:
                self._told[key] = word
            if (record.by or "").startswith("run:") or (word == "prompt" and record.session in self._unattended):
                self._asked.add(key)
        why = next((line.get("why") for line in record.body.get("trace") or () if line.get("by") == record.by), "")
        reason = decision.get("reason") or decision.get("context") or why or decision.get("cause")
        return {"tool": record.body.get("tool"), "what": self._about.get(record.request or "", ""), "reason": reason}

    def _ask(self, record: Record) -> Line:
        body = read(record, AskBody)
        self._asked.add(_key(record))
        if body is None:
            return {}
        text = self._about.get(record.request or "") or body.line
        return {"tool": body.tool, "what": text, "until": body.deadline}

    def _answer(self, record: Record) -> Line:
        body = read(record, AnswerBody)
        self._answered.add(_key(record))
        text = self._about.get(record.request or "", "")
        return {"decision": body.choice, "what": text, "reason": body.message} if body else {"what": text}

    def _outcome(self, record: Record) -> Line:
        body = read(record, OutcomeBody)
        if body is None:
            return {}
        if body.ending == "terminal":
            self._answered.add(_key(record))
        return {"ending": body.ending, "what": self._about.get(record.request or "", ""), "reason": body.why}

    def _gap(self, record: Record) -> Line:
        """No hub was there: a hook of a run then denies by itself."""
        name = record.body.get("event")
        if name == "PreToolUse":
            self.calls += 1
        if name in _GATES:
            self._told[_key(record)] = "deny"
        elif name == "SessionEnd":
            self.sessions[str(record.session)] = True
        return {"what": describe(record)}


def _key(record: Record) -> str:
    """The call it is about; a question that belongs to none stands for itself."""
    return record.call or record.ask or record.request or str(record.seq)


def _inert(value: Any) -> Any:
    return plain_line(value, LONGEST) if isinstance(value, str) else value
