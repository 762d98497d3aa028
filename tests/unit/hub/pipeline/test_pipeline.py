"""What is told and what is written down are two things."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest

from assent.harnesses import claude_code, codex, registry
from assent.harnesses.base import Harness
from assent.hub.pipeline.arrival import Arrival
from assent.hub.pipeline.drafts import Drafts
from assent.hub.pipeline.pipeline import Pipeline
from assent.hub.recorder import Live, Recorder
from assent.journal.base import JournalError
from assent.journal.memory import MemoryJournal
from assent.policy.call import Opinion, Scene
from assent.protocol.decision import Allow, Deny
from assent.protocol.envelope import SILENT
from assent.protocol.events import Event
from assent.protocol.record import Record
from assent.redact import Redactor
from tests.waiting import HANG

TOKEN = "ghp_EXAMPLE0EXAMPLE0EXAMPLE0"
CALL = {
    "session_id": "s1",
    "transcript_path": "/t.jsonl",
    "cwd": "/p",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "make"},
    "tool_use_id": "t1",
}
OBSERVED = msgspec.json.encode({**CALL, "hook_event_name": "PostToolUse", "tool_response": {}})
PERMISSION_REQUEST = claude_code.decode(
    msgspec.json.encode({**CALL, "hook_event_name": "PermissionRequest"}), event_name="PermissionRequest"
)
ARRIVAL = Arrival(
    harness=claude_code.NAME,
    event_name="PreToolUse",
    payload=msgspec.json.encode(CALL),
    transport="unix",
    request_id="ab" * 8,
)


@dataclass
class Changes:
    """A voice that allows with another command."""

    command: str

    def speak(self, event: Event, scene: Scene) -> Opinion:
        return Opinion(Allow(updated_input={"command": self.command}), "test:changes", f"runs {self.command}")


class Refuses:
    def speak(self, event: Event, scene: Scene) -> Opinion:
        return Opinion(Deny(reason="Not today."), "test:refuses", "it refuses")


class Allows:
    def speak(self, event: Event, scene: Scene) -> Opinion:
        return Opinion(Allow(), "test:allows", "it allows")


def pipeline(journal: MemoryJournal, command: str) -> Pipeline:
    return Pipeline(
        recorder=Recorder(journal, Live()),
        voices=[Changes(command)],
        drafts=Drafts(Redactor(lambda text: f"{len(text):08x}")),
        harnesses={claude_code.NAME: claude_code, codex.NAME: codex},
    )


async def recorded(pipeline: Pipeline) -> None:
    """Wait for what was told before it was written."""
    await asyncio.sleep(0)
    await pipeline.recorder.settled()


def told(stdout: dict[str, Any] | None) -> Any:
    assert stdout is not None
    return stdout["hookSpecificOutput"]["updatedInput"]


@pytest.mark.anyio
async def test_decision_is_told_whole_and_written_redacted() -> None:
    """The agent needs the real command; the journal must not have it."""
    journal = MemoryJournal()
    output = await pipeline(journal, f"deploy {TOKEN}").answer(ARRIVAL)
    assert told(output.stdout_json) == {"command": f"deploy {TOKEN}"}
    record = await journal.decision_for(ARRIVAL.request_id)
    assert record is not None
    assert record.body["decision"]["updated_input"] == {"command": "deploy ⟨token:0000001c⟩"}
    assert record.body["redacted"] is True
    assert TOKEN not in str(record)


@pytest.mark.anyio
async def test_redacted_decision_is_not_repeated_by_another_life() -> None:
    """A command with a mark in it is not the one that was allowed."""
    journal = MemoryJournal()
    await pipeline(journal, f"deploy {TOKEN}").answer(ARRIVAL)
    assert await pipeline(journal, f"deploy {TOKEN}").answer(ARRIVAL) == SILENT


@pytest.mark.anyio
async def test_call_is_denied_where_silence_would_run_it_as_it_was() -> None:
    """It was allowed with another command, which is not on record as it was told."""
    journal = MemoryJournal()
    arrival = replace(ARRIVAL, harness=codex.NAME)
    first = await pipeline(journal, f"deploy {TOKEN}").answer(arrival)
    assert told(first.stdout_json) == {"command": f"deploy {TOKEN}"}
    again = await pipeline(journal, f"deploy {TOKEN}").answer(arrival)
    assert again.stdout_json is not None
    assert again.stdout_json["hookSpecificOutput"]["permissionDecision"] == "deny"


@pytest.mark.anyio
async def test_unchanged_decision_is_repeated_by_another_life() -> None:
    """Where the record is what was told, it is told again."""
    journal = MemoryJournal()
    first = await pipeline(journal, "make -j2").answer(ARRIVAL)
    assert told(first.stdout_json) == {"command": "make -j2"}
    assert await pipeline(journal, "make clean").answer(ARRIVAL) == first


@pytest.mark.anyio
async def test_request_on_record_is_neither_judged_nor_recorded_again() -> None:
    """A hub that starts after a kill repeats what stands there, whatever it would decide now."""
    journal = MemoryJournal()
    first = await pipeline(journal, "make -j2").answer(ARRIVAL)
    records = await journal.read()
    later = pipeline(journal, "make clean")
    later.earlier = {ARRIVAL.request_id}
    assert await later.answer(ARRIVAL) == first
    assert later.calls.id_of(PERMISSION_REQUEST) is None
    assert await journal.read() == records


@pytest.mark.anyio
@pytest.mark.parametrize("payload", [OBSERVED, b"no call"], ids=["observed", "unreadable"])
async def test_event_on_record_is_not_recorded_again(payload: bytes) -> None:
    """What needs no decision, and what cannot be read, is asked again after a kill as well."""
    journal = MemoryJournal()
    arrival = replace(ARRIVAL, event_name="PostToolUse" if payload is OBSERVED else "PreToolUse", payload=payload)
    before = pipeline(journal, "make")
    first = await before.answer(arrival)
    await recorded(before)
    records = await journal.read()
    assert [record.kind for record in records][:1] == ["event"]
    later = pipeline(journal, "make")
    later.earlier = {ARRIVAL.request_id}
    assert await later.answer(arrival) == first
    await recorded(later)
    assert await journal.read() == records


class Unreadable(MemoryJournal):
    """Holds unreadable records, as one whose server is away."""

    async def decision_for(self, request: str) -> Record | None:
        raise JournalError("The server is away.")


@pytest.mark.anyio
async def test_request_on_record_is_never_allowed_while_its_decision_cannot_be_read() -> None:
    """An allow that cannot be read is none, and nothing is recorded twice in its place."""
    journal = Unreadable()
    assert (await pipeline(journal, "make").answer(ARRIVAL)).stdout_json
    records = await journal.read()
    assert await pipeline(journal, "make").answer(ARRIVAL) == SILENT
    later = pipeline(journal, "make")
    later.earlier = {ARRIVAL.request_id}
    assert await later.answer(ARRIVAL) == SILENT
    await recorded(later)
    assert await journal.read() == records
    later = pipeline(journal, "make")
    later.earlier = {ARRIVAL.request_id}
    later.voices = [Refuses()]
    denied = (await later.answer(ARRIVAL)).stdout_json
    assert denied is not None
    assert denied["hookSpecificOutput"]["permissionDecision"] == "deny"
    await recorded(later)
    assert await journal.read() == records


@pytest.mark.anyio
@pytest.mark.parametrize("is_done", [True, False])
async def test_same_request_is_told_that_it_waits_only_while_it_does(is_done: bool) -> None:
    """A shim that asks again gets the same answer, and is held if there is none yet."""
    made = pipeline(MemoryJournal(), "make")
    held: list[str] = []
    first = asyncio.ensure_future(made.answer(ARRIVAL))
    if is_done:
        await first
    else:
        await asyncio.sleep(0)
    again = await made.answer(replace(ARRIVAL, on_hold=lambda: held.append("held")))
    assert again == await first
    assert held == ([] if is_done else ["held"])
    await recorded(made)


@pytest.mark.anyio
async def test_request_that_fails_leaves_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same request asked twice: both end."""
    made = pipeline(MemoryJournal(), "make")

    async def fail(*_: object) -> None:
        await asyncio.sleep(0)
        raise ZeroDivisionError

    monkeypatch.setattr(Pipeline, "_answer", fail)
    both = [asyncio.ensure_future(made.answer(ARRIVAL)) for _ in range(2)]
    ended = await asyncio.wait_for(asyncio.gather(*both, return_exceptions=True), HANG)
    assert isinstance(ended[0], ZeroDivisionError)
    assert isinstance(ended[1], BaseException)


@pytest.mark.anyio
async def test_end_of_a_session_is_recorded_once() -> None:
    """Some clients send it several times; after something else was heard it is another end."""
    journal = MemoryJournal()
    made = pipeline(journal, "make")
    for number, name in enumerate(("SessionEnd", "SessionEnd", "SessionStart", "SessionEnd", "SessionEnd")):
        payload = msgspec.json.encode({"session_id": "s1", "cwd": "/p", "hook_event_name": name})
        await made.answer(replace(ARRIVAL, event_name=name, payload=payload, request_id=f"{number:016x}"))
    await recorded(made)
    heard = [record.body["event"] for record in await journal.read() if record.kind == "event"]
    assert heard == ["SessionEnd", "SessionStart", "SessionEnd"]


BEFORE_CALL = {"claude-code": "PreToolUse", "gemini": "BeforeTool"}


@pytest.mark.anyio
@pytest.mark.parametrize(("name", "decision"), [("claude-code", "allow"), ("gemini", "no_opinion")])
async def test_allow_that_approves_nothing_is_recorded_as_none(name: str, decision: str) -> None:
    """Where the client's own check follows, what it decides is not known here."""
    journal = MemoryJournal()
    harness: Harness = registry.HARNESSES[name]
    made = replace(pipeline(journal, ""), voices=[Allows()], harnesses={name: harness})
    payload = msgspec.json.encode({**CALL, "hook_event_name": BEFORE_CALL[name]})
    await made.answer(replace(ARRIVAL, harness=name, event_name=BEFORE_CALL[name], payload=payload))
    await recorded(made)
    record = await journal.decision_for(ARRIVAL.request_id)
    assert record is not None
    assert record.decision == decision
