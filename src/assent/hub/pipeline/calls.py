"""One id for one tool call, from PreToolUse to its result, even where the harness sends none."""

import dataclasses
import hashlib
import os
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assent.asks.open_ask import Case, Person
from assent.harnesses import registry
from assent.harnesses.base import Harness
from assent.policy.call import Opinion, Scene
from assent.policy.judge import Judgement
from assent.protocol.approval import ApprovalView
from assent.protocol.card import AnswerRequest
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion, Proceed, TraceLine, Verdict
from assent.protocol.events import (
    Event,
    PermissionDenied,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionEnd,
    Stop,
    SubagentStop,
    ToolEvent,
    UserPromptSubmit,
)
from assent.protocol.operations import CHANGES_FILES, FOR_PEOPLE, Edit, FileChange, Operation, Patch, Shell, Write
from assent.protocol.record import Record

_PATHS = frozenset({"file_path", "notebook_path", "path"})
# A hook that adds one of these changes what happens, though nothing of what was judged is gone.
_TELLING = _PATHS | {"command", "url"}


def differs(
    before: Operation,
    after: Operation,
    judged: Mapping[str, Any],
    ran: Mapping[str, Any],
    *,
    by_person: bool = False,
    cwd: str = "",
) -> bool:
    """Whether a call was made otherwise than it was judged: the operations, and the inputs as the client has them.

    ``by_person``: a person changed the edit in the client before it was made."""
    if type(before) is not type(after):
        return True
    if isinstance(before, FOR_PEOPLE):
        return False
    if isinstance(before, Shell) and isinstance(after, Shell):
        return (before.command or "") != (after.command or "") or before.unsandboxed != after.unsandboxed
    names = set(judged) | (_TELLING & set(ran))
    if by_person and isinstance(before, CHANGES_FILES):
        names &= _PATHS
    return any(_is_other(judged, ran, name, cwd) for name in names)


def _is_other(judged: Mapping[str, Any], ran: Mapping[str, Any], name: str, cwd: str = "") -> bool:
    one, other = judged.get(name), ran.get(name)
    if one == other or (one in (None, False) and other in (None, False)):
        return False
    if name in _PATHS and isinstance(one, str) and isinstance(other, str):
        return _whole(one, cwd) != _whole(other, cwd)
    return True


def _whole(path: str, cwd: str) -> str:
    return os.path.normpath(os.path.join(cwd, os.path.expanduser(path)))  # noqa: PTH111, PTH118 - text, on every event


# Forgotten oldest first: a session that never reports results must not grow without end.
MOST_OPEN = 500
MOST_SESSIONS = 200

_FINAL = (PostToolUse, PostToolUseFailure, PermissionDenied)
_FINAL_NAMES = frozenset(kind.__name__ for kind in _FINAL)
_TURN_ENDS = frozenset({"Stop", "SubagentStop"})


@dataclass(slots=True)
class _Call:
    id: str
    tool_use_id: str | None
    agent: str | None
    tool: str
    digest: bytes
    # Whether a PermissionRequest may still be about it.
    may_be_asked: bool = True
    # The input as it was judged, or as we changed it; None for a call of an earlier life, whose secrets are gone.
    judged: dict[str, Any] | None = None
    operation: Operation | None = None
    harness: str = ""
    mode: str | None = None
    # Minted at a PermissionRequest, and its PreToolUse has not come; and whether a person said yes to it.
    asked_first: bool = False
    agreed: bool = False
    # Allowed when it came; and by a person, who need not be asked again about this call.
    allowed: bool = False
    agreed_early: bool = False
    # What those agreed to who had to, and whether the call was given back because they did not.
    approval: ApprovalView | None = None
    handed_back: bool = False


@dataclass(slots=True)
class Calls:
    """Open calls by session, oldest first; the session heard of last comes last."""

    _open: dict[str, list[_Call]] = field(default_factory=dict)
    # Random once, then counted: asking the kernel for each id costs more than judging the call.
    _life: str = field(default_factory=lambda: secrets.token_hex(4))
    _minted: int = 0

    def id_of(self, event: Event, *, permission_first: bool = False) -> str | None:
        """The call this event belongs to; minted at PreToolUse, or where the harness asks first, at PermissionRequest.

        Elsewhere a PermissionRequest without its call stays without one: a later equal call is another one."""
        if not isinstance(event, ToolEvent):
            return None
        if isinstance(event, PreToolUse):
            asked = self._asked_before(event) if permission_first else None
            if asked is None:
                return self._minted_for(event).id
            asked.tool_use_id, asked.asked_first, asked.agreed = event.tool_use_id, False, False
            return asked.id
        calls = self._of(event.session_id)
        match = self._asked(calls, event) if isinstance(event, PermissionRequest) else self._result(calls, event)
        if match is not None and isinstance(event, _FINAL):
            calls.remove(match)
        if match is None and permission_first and isinstance(event, PermissionRequest):
            match = self._minted_for(event)
            match.asked_first, match.may_be_asked = True, False
        return None if match is None else match.id

    def agreed(self, session: str, call: str | None, approval: ApprovalView | None = None) -> None:
        """A person said yes to a call at its first event, or all whose ``approval`` it needed: the second one needs no
        answer of theirs."""
        for open_call in self._open.get(session, ()):
            if open_call.id == call:
                open_call.approval = approval
                open_call.agreed = open_call.agreed or open_call.asked_first
                open_call.agreed_early = open_call.may_be_asked and not open_call.asked_first

    def unapproved(self, session: str, call: str | None) -> None:
        """Those whose approval it needed did not give it, and their rule leaves it to the owner."""
        for open_call in self._open.get(session, ()):
            if open_call.id == call:
                open_call.handed_back = True

    def is_handed_back(self, event: Event) -> bool:
        """Whether the owner alone is asked about this call now."""
        if not isinstance(event, PermissionRequest):
            return False
        held = self._to_be_asked(event)
        return held is not None and held.handed_back and held.harness == event.client.harness

    def _to_be_asked(self, event: PermissionRequest) -> _Call | None:
        calls = [call for call in self._open.get(event.session_id, ()) if call.may_be_asked]
        return _oldest_equal(calls, event) if calls else None

    def is_agreed(self, event: Event, approval: ApprovalView | None = None) -> bool:
        """Whether a person said yes to this call already, and where it needs an approval, all whose it is. ``id_of``
        then takes that yes: it counts once."""
        if isinstance(event, PermissionRequest):
            held = self._to_be_asked(event)
            if held is None or not _is_covered(approval, held):
                return False
            return held.agreed_early and held.harness == event.client.harness
        asked = self._asked_before(event) if isinstance(event, PreToolUse) else None
        # A change of the mode may have let it through in place of a person.
        asked_for = None if asked is None else (asked.harness, asked.mode)
        if asked is not None and not _is_covered(approval, asked):
            return False
        return asked is not None and asked.agreed and asked_for == (event.client.harness, event.permission_mode)

    def was_asked(self, event: Event) -> bool:
        """Whether this is the refusal of a call that the client asked about: one ask for both."""
        call = self._refused(event)
        return call is not None and not call.may_be_asked

    def was_allowed(self, event: Event) -> bool:
        """Whether the client refused this call although it was told to let it run."""
        call = self._refused(event)
        return call is not None and call.allowed

    def _refused(self, event: Event) -> _Call | None:
        if not isinstance(event, PermissionDenied):
            return None
        return self._result(self._open.get(event.session_id, []), event)

    def _asked_before(self, event: PreToolUse) -> _Call | None:
        waiting = [call for call in self._open.get(event.session_id, ()) if call.asked_first]
        return _oldest_equal(waiting, event) if waiting else None

    def _minted_for(self, event: ToolEvent) -> _Call:
        call = _Call(self._mint(), event.tool_use_id, event.agent_id, event.tool_name, _digest_of(event))
        call.judged, call.operation = event.tool_input, registry.operation(event)
        call.harness, call.mode = event.client.harness, event.permission_mode
        self._add(event.session_id, call)
        return call

    def ran_differently(self, event: PostToolUse | PostToolUseFailure) -> bool:
        """Whether this result is of a call that was judged with another input. ``id_of`` then forgets the call."""
        call = None if event.tool_use_id is None else self._result(self._open.get(event.session_id, []), event)
        if call is None or call.judged is None:
            return False
        if call.tool != event.tool_name or call.operation is None:
            return True
        return differs(
            call.operation,
            registry.operation(event),
            call.judged,
            event.tool_input,
            by_person=event.changed_by_person,
            cwd=event.cwd,
        )

    def harness_id(self, session: str, call: str | None) -> str | None:
        """What the harness calls it."""
        return next((open_call.tool_use_id for open_call in self._open.get(session, ()) if open_call.id == call), None)

    def decided(self, event: Event, call: str | None, decision: Decision) -> None:
        """Learn what the agent is told: it changes what later events of a call look like, and whether they come."""
        if isinstance(event, SessionEnd):
            self._open.pop(event.session_id, None)
        elif isinstance(event, Stop | SubagentStop):
            self._turn_over(event.session_id, event.agent_id)
        elif isinstance(event, UserPromptSubmit):
            self._given_up(event.session_id)
        elif isinstance(decision, Deny):
            self._settle(event.session_id, call, no_dialog=True, is_over=True)
        elif isinstance(decision, Allow):
            self._settle(event.session_id, call, updated_input=decision.updated_input, is_allowed=True)
        elif isinstance(event, PermissionRequest):
            # The client's own dialog opens. Where it asks first, only a yes there brings the call's PreToolUse.
            for open_call in self._open.get(event.session_id, ()):
                if open_call.id == call and open_call.asked_first:
                    open_call.agreed = True

    def recall(self, record: Record) -> None:
        """Know a call of an earlier life again, as far as its record tells: secrets in its input are gone."""
        if record.session is None:
            return
        if record.kind == "decision":
            updated_input = (record.body.get("decision") or {}).get("updated_input")
            self._settle(
                record.session,
                record.call,
                no_dialog=record.decision == "deny",
                updated_input=updated_input,
                is_allowed=record.decision == "allow",
            )
        elif record.kind == "event":
            self._recall_event(record, record.session)

    def _recall_event(self, record: Record, session: str) -> None:
        name, payload = record.body.get("event"), record.body.get("payload") or {}
        if name == "SessionEnd":
            self._open.pop(session, None)
        elif name in _TURN_ENDS:
            self._turn_over(session, record.agent)
        elif record.call is None:
            return
        elif name == "PreToolUse" and (open_call := self._called(session, record.call)) is not None:
            open_call.asked_first = False
        elif name == "PermissionRequest" and _asks_first(record) and self._called(session, record.call) is None:
            digest = _recorded_digest(record)
            call = _Call(record.call, None, record.agent, payload.get("tool_name", ""), digest, may_be_asked=False)
            call.asked_first, call.mode = True, payload.get("permission_mode")
            call.harness = str(record.body.get("harness", ""))
            self._add(session, call)
        elif name == "PreToolUse":
            digest = _recorded_digest(record)
            tool = payload.get("tool_name", "")
            self._add(session, _Call(record.call, payload.get("tool_use_id"), record.agent, tool, digest))
        elif name in _FINAL_NAMES:
            calls = self._of(session)
            calls[:] = [call for call in calls if call.id != record.call]
        else:
            self._settle(session, record.call, no_dialog=True)

    def _called(self, session: str, name: str) -> _Call | None:
        return next((call for call in self._open.get(session, ()) if call.id == name), None)

    def _turn_over(self, session: str, agent: str | None) -> None:
        """Nothing asks about the calls of a turn that is over, though a late result still finds its call."""
        for call in self._open.get(session, ()):
            if call.agent == agent:
                call.may_be_asked = call.asked_first = call.agreed = call.agreed_early = False
                # Whole files may stand in it.
                call.judged = None

    def _given_up(self, session: str) -> None:
        """What was asked about and did not come by now was refused in the client, and an equal call is another one."""
        for call in self._open.get(session, ()):
            if call.asked_first:
                call.asked_first = call.agreed = False

    def _settle(
        self,
        session: str,
        call: str | None,
        *,
        no_dialog: bool = False,
        updated_input: dict[str, Any] | None = None,
        is_over: bool = False,
        is_allowed: bool = False,
    ) -> None:
        for open_call in self._open.get(session, ()):
            if open_call.id == call:
                open_call.may_be_asked = open_call.may_be_asked and not no_dialog
                open_call.judged = None if is_over else open_call.judged
                open_call.allowed = open_call.allowed or is_allowed
                if updated_input is not None:
                    open_call.judged = None if open_call.judged is None else updated_input
                    open_call.operation = registry.operation_of(open_call.harness, open_call.tool, updated_input)
                    open_call.digest = _digest(updated_input, open_call.operation)

    def _add(self, session: str, call: _Call) -> None:
        calls = self._of(session)
        calls.append(call)
        del calls[:-MOST_OPEN]

    def _of(self, session: str) -> list[_Call]:
        calls = self._open.pop(session, None)
        if calls is None:
            calls = []
            if len(self._open) >= MOST_SESSIONS:
                # Sessions end without saying so; the one not heard of for longest is the likeliest.
                del self._open[next(iter(self._open))]
        self._open[session] = calls
        return calls

    def _mint(self) -> str:
        self._minted += 1
        return f"c{self._life}{self._minted:x}"

    @staticmethod
    def _result(calls: list[_Call], event: ToolEvent) -> _Call | None:
        if event.tool_use_id is not None:
            return next((call for call in calls if call.tool_use_id == event.tool_use_id), None)
        return _oldest_equal([call for call in calls if call.tool_use_id is None], event)

    @staticmethod
    def _asked(calls: list[_Call], event: ToolEvent) -> _Call | None:
        """A PermissionRequest carries no id: it is about the oldest equal call that was not asked about yet."""
        waiting = [call for call in calls if call.may_be_asked]
        match = _oldest_equal(waiting, event) or _oldest_about(waiting, event)
        if match is not None:
            match.may_be_asked = False
        return match


def _is_covered(needs: ApprovalView | None, call: _Call) -> bool:
    return needs is None or (call.approval is not None and call.approval.includes(needs))


def _asks_first(record: Record) -> bool:
    harness = registry.of(str(record.body.get("harness", "")))
    return harness is not None and harness.FACTS.permission_first


def _oldest_equal(calls: list[_Call], event: ToolEvent) -> _Call | None:
    wanted = (event.agent_id, event.tool_name, _digest_of(event))
    return next((call for call in calls if (call.agent, call.tool, call.digest) == wanted), None)


def _oldest_about(calls: list[_Call], event: ToolEvent) -> _Call | None:
    """For clients without ids that ask in other words than they call: another name of the tool, fewer fields, a diff in
    place of a text. It tells which call is asked about, and never that a person agreed to it: the rest may differ."""
    asked = registry.operation(event)
    without_id = (call for call in calls if call.tool_use_id is None and call.agent == event.agent_id)
    return next((call for call in without_id if _is_about(call.operation, asked)), None)


def _is_about(called: Operation | None, asked: Operation) -> bool:
    match called, asked:
        case Shell(command=str(one)), Shell(command=str(other)):
            return one == other
        case ((Write() | Edit()), (Write() | Edit())):
            return called.path is not None and called.path == asked.path
        case ((Write() | Edit()), Patch(files=files)):
            return called.path is not None and [file.path for file in files] == [called.path]
        case Patch(files=files), (Write(path=str(path)) | Edit(path=str(path)) | Patch(files=[FileChange(path=path)])):
            # Its paths may be relative there.
            return len(files) == 1 and f"/{path}".endswith(f"/{files[0].path.lstrip('/')}")
    return False


def _digest_of(event: ToolEvent) -> bytes:
    return _digest(event.tool_input, registry.operation(event))


def _recorded_digest(record: Record) -> bytes:
    payload = record.body.get("payload") or {}
    given, harness = payload.get("tool_input"), str(record.body.get("harness", ""))
    if not isinstance(given, dict):
        return _digest(given, None)
    return _digest(given, registry.operation_of(harness, str(payload.get("tool_name", "")), given))


def _digest(tool_input: dict[str, Any] | None, operation: Operation | None) -> bytes:
    """What an agent says about its command is left out: some clients send it with one event of a call only."""
    if isinstance(operation, Shell) and tool_input and "description" in tool_input:
        tool_input = {name: value for name, value in tool_input.items() if name != "description"}
    return hashlib.sha256(msgspec.json.encode(tool_input, order="sorted")).digest()


def agreed(judgement: Judgement, harness: Harness) -> Judgement:
    """The person was asked about this call before, and is not asked again."""
    verdict = judgement.verdict
    can_allow = Allow in harness.HONOURED.get(type(judgement.event), ())
    decision: Decision = Allow() if can_allow else NoOpinion("no_rule")
    line = TraceLine("person:before", decision.word, "A person said yes when its permission was asked for.")
    agreed = Verdict(decision, line.by, verdict.risk, (*verdict.trace, line))
    return dataclasses.replace(judgement, verdict=agreed, is_left=False, approval=None)


MOST = 200
_EDITED = "Your user changed the input of this call before allowing it; what ran is what they wrote."


@dataclass(slots=True)
class Notes:
    """A voice."""

    # By the harness's id of the call; the newest last.
    _waiting: OrderedDict[str, str] = field(default_factory=OrderedDict)

    def on_yes(self, case: Case, answer: AnswerRequest, person: Person) -> None:  # noqa: ARG002 - as all who hear it
        if isinstance(case.event, PermissionDenied):
            # That call has no result; the note goes out with the news of the yes.
            return
        words = [_EDITED] if answer.choice == "allow_edited" else []
        # On PreToolUse the note went out with the allow.
        if answer.message.strip() and (answer.choice == "allow_edited" or not isinstance(case.event, PreToolUse)):
            words.append(f"Your user says: {answer.message.strip()}")
        if words and case.tool_use_id:
            self._waiting[case.tool_use_id] = " ".join(words)
            if len(self._waiting) > MOST:
                self._waiting.popitem(last=False)

    def speak(self, event: Event, _: Scene) -> Opinion | None:
        if not self._waiting or not isinstance(event, PostToolUse | PostToolUseFailure) or event.tool_use_id is None:
            return None
        note = self._waiting.pop(event.tool_use_id, None)
        return None if note is None else Opinion(Proceed(note), "person:note", "A person said this with their yes.")
