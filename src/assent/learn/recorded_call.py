"""One tool call as the record tells it: what was wanted, what was decided, what people said, whether it ran."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from assent.config import Config
from assent.filter import project_of
from assent.harnesses import registry
from assent.journal import choose, reading
from assent.paths import Paths
from assent.protocol.bodies import AnswerBody, OutcomeBody, read
from assent.protocol.operations import CHANGES_FILES, READS_FILES, Fetch, Operation, Other, Shell, Subagent
from assent.protocol.record import Record, client_of, is_counted


class History(Protocol):
    """The records of this hub up to the moment it was opened, oldest first; and about how many they are."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Record]: ...


def open_history(paths: Paths, settings: Config, *, since: int) -> History:
    """The records from ``since`` (Unix milliseconds) until now. Raises AssentError."""
    url = settings.journal.url
    if url == choose.SQLITE:
        return reading.History(paths.journal, since=since)
    return choose.postgres_history(url, since, file=paths.journal, hub_file=paths.hub_id)


# Redaction leaves these brackets where it took something away or cut a text.
MARK = "⟨"
# A longer list of fields was cut, and the one that decides may be among those that are gone.
MOST_FIELDS = 200
# What of a payload decides, or tells what the call was about.
NEEDED = ("session_id", "hook_event_name", "cwd", "permission_mode", "tool_name", "tool_input", "agent_id")

# All that the policy looks at in an operation. Of any other it knows the name of the tool alone.
_DECIDING: dict[type[Operation], tuple[str, ...]] = {
    Shell: ("command", "unsandboxed"),
    **dict.fromkeys(READS_FILES + CHANGES_FILES, ("path", "pattern", "files")),
    Subagent: ("kind",),
    Fetch: ("url",),
    Other: ("names",),
}

YES = frozenset({"allow", "allow_here", "allow_for", "allow_session", "allow_project", "allow_user"})
NO = frozenset({"deny", "deny_here", "deny_and_stop"})


@dataclass(slots=True)
class Case:
    """Filled in as the records of the call are read, oldest first."""

    # The record of the event that opened it.
    seq: int
    at: int
    event: str
    session: str
    harness: str
    project: str
    payload: dict[str, Any]
    agent: str | None = None
    attended: bool | None = None
    # What was told at that event, by whom; empty if no record says so.
    decision: str = ""
    by: str = ""
    risk: str = ""
    # Whether a dialog opened, what we told it, and what a person chose on a screen of ours.
    asked: bool = False
    told: str = ""
    choice: str | None = None
    # The agent's own check refused it.
    blocked: bool = False
    ran: bool = False
    # The turn went on without it: what has not run by now did not run.
    over: bool = False
    asks: tuple[str, ...] = ()
    # Not even all names of its fields are on record.
    is_cut: bool = False

    @property
    def tool(self) -> str:
        return str(self.payload.get("tool_name", ""))

    @property
    def input(self) -> dict[str, Any]:
        given = self.payload.get("tool_input")
        return given if isinstance(given, dict) else {}

    @property
    def operation(self) -> Operation:
        return registry.operation_of(self.harness, self.tool, self.input)

    @property
    def deciding(self) -> tuple[Any, ...]:
        operation = self.operation
        return tuple(getattr(operation, name, None) for name in _DECIDING.get(type(operation), ()))

    @property
    def is_whole(self) -> bool:
        """Whether everything that decides is on record as it was: nothing redacted, nothing cut."""
        texts = (self.tool, self.project, str(self.payload.get("cwd", "")), *self.deciding)
        return not self.is_cut and not any(MARK in str(text) for text in texts)

    @property
    def is_approved(self) -> bool:
        """A person said yes to exactly this: on a screen of ours, or in the terminal, where only its result tells."""
        if self.choice is not None:
            return self.choice in YES
        return self.asked and self.told in ("no_opinion", "") and self.ran and not self.blocked

    @property
    def is_refused(self) -> bool:
        """A person said no, as far as the record tells: it was asked about, a person was there, and it did not run."""
        if self.choice is not None:
            return self.choice in NO
        was_shown = (self.asked and self.told in ("no_opinion", "")) or self.decision == "prompt"
        # A dialog that could not be matched to its call cannot be matched to its result either.
        is_matched = self.event == "PreToolUse"
        return was_shown and is_matched and self.over and not self.ran and self.attended is not False

    @property
    def refusal(self) -> str | None:
        """Who did not want it, in words; None if that is not on record."""
        if self.choice in NO:
            return "a person said no"
        if self.decision == "deny" or self.told == "deny":
            return f"denied by {self.by}"
        if self.blocked:
            return "the agent's own check refused it"
        return "it was asked about and did not run" if self.is_refused else None


def needed(payload: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """What is kept of a payload, and whether fields of its input are gone: there may be many calls to remember."""
    kept = {name: payload[name] for name in NEEDED if name in payload}
    given = kept.get("tool_input")
    if not isinstance(given, dict):
        return kept, False
    # Contents stand there as a size and a fingerprint, and decide nothing.
    kept["tool_input"] = {name: value for name, value in given.items() if not isinstance(value, dict)}
    return kept, len(given) >= MOST_FIELDS


GATES = frozenset({"PreToolUse", "PermissionRequest"})
RESULTS = frozenset({"PostToolUse", "PostToolUseFailure"})
# After these no call waits for an answer any more; a result may still be on its way.
TURN_ENDS = frozenset({"Stop", "StopFailure", "SubagentStop", "UserPromptSubmit"})
# Forgotten oldest first, so that memory does not grow with history.
MOST_OPEN = 5_000


def cases(records: Iterable[Record]) -> Iterator[Case]:
    """Each call of an agent once, as soon as nothing more can be learnt about it."""
    fold = _Fold()
    for record in records:
        if is_counted(record.session):
            yield from fold.take(record)
    yield from fold.rest()


class _Fold:
    def __init__(self) -> None:
        self._open: dict[str, Case] = {}
        self._of_session: dict[str, dict[str, None]] = {}
        self._of_ask: dict[str, str] = {}

    def take(self, record: Record) -> list[Case]:
        match record.kind:
            case "event":
                return self._event(record)
            case "decision":
                self._decision(record)
            case "ask" if record.ask and (case := self._open.get(_key(record))):
                self._of_ask[record.ask] = _key(record)
                case.asks += (record.ask,)
            case "answer":
                self._answer(record)
            case "outcome":
                self._outcome(record)
        return []

    def rest(self) -> list[Case]:
        return [self._close(key) for key in list(self._open)]

    def _event(self, record: Record) -> list[Case]:
        name = str(record.body.get("event"))
        if name in GATES:
            return self._gate(record, name)
        if name in TURN_ENDS or name == "SessionEnd":
            return self._end_of_turn(record, ends_session=name == "SessionEnd")
        case = self._open.get(_key(record))
        if case is None:
            return []
        if name == "PermissionDenied":
            case.blocked = True
        elif name in RESULTS:
            case.ran = True
        else:
            return []
        # A result settles it. After a refusal the agent may be told to try the same call again.
        return [self._close(_key(record))] if case.ran else []

    def _gate(self, record: Record, name: str) -> list[Case]:
        key = _key(record)
        case = self._open.get(key)
        if case is None:
            payload = record.body.get("payload")
            if not isinstance(payload, dict) or record.session is None:
                return []
            kept, is_cut = needed(payload)
            case = self._open[key] = Case(
                seq=record.seq,
                at=record.at,
                event=name,
                # The same few come again with every call, and thousands of calls may be remembered.
                session=sys.intern(record.session),
                harness=sys.intern(str(record.body.get("harness", ""))),
                project=sys.intern(project_of(record) or "/"),
                payload=kept,
                agent=record.agent,
                attended=client_of(record.body).attended,
                is_cut=is_cut,
            )
            self._of_session.setdefault(record.session, {})[key] = None
        if name == "PermissionRequest":
            case.asked = True
        return [self._close(next(iter(self._open)))] if len(self._open) > MOST_OPEN else []

    def _decision(self, record: Record) -> None:
        case = self._open.get(_key(record))
        if case is None or record.decision is None:
            return
        if record.body.get("event") == "PermissionRequest":
            case.told = record.decision
            if record.decision == "deny":
                case.by = record.by or ""
        if record.body.get("event") == case.event:
            case.decision, case.by, case.risk = record.decision, record.by or "", record.risk or ""

    def _answer(self, record: Record) -> None:
        case, answer = self._about(record), read(record, AnswerBody)
        if case is not None and answer is not None:
            case.choice = answer.choice

    def _outcome(self, record: Record) -> None:
        """A no in the terminal may be known from elsewhere than from the silence after it."""
        case, outcome = self._about(record), read(record, OutcomeBody)
        if case is not None and case.choice is None and outcome is not None and outcome.ending == "denied":
            case.choice = "deny"

    def _about(self, record: Record) -> Case | None:
        return self._open.get(_key(record)) or self._open.get(self._of_ask.get(record.ask or "", ""))

    def _end_of_turn(self, record: Record, *, ends_session: bool) -> list[Case]:
        """A late result still finds its call, until the next turn is over, too."""
        done = []
        for key in list(self._of_session.get(record.session or "", ())):
            case = self._open[key]
            if not ends_session and case.agent != record.agent:
                continue
            if case.over or ends_session:
                done.append(key)
            case.over = True
        return [self._close(key) for key in done]

    def _close(self, key: str) -> Case:
        case = self._open.pop(key)
        of_session = self._of_session[case.session]
        del of_session[key]
        if not of_session:
            del self._of_session[case.session]
        for ask in case.asks:
            self._of_ask.pop(ask, None)
        return case


def _key(record: Record) -> str:
    """Its call; a dialog that could not be matched to one stands for itself."""
    return record.call or f"request:{record.request}"
