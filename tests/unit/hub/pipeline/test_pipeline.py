"""What is told and what is written down are two things."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest

from assent.harness import claude_code
from assent.hub.live import Live
from assent.hub.pipeline import Arrival, Pipeline
from assent.journal.base import JournalError
from assent.journal.memory import MemoryJournal
from assent.policy.voice import Opinion, Scene
from assent.protocol.decision import Allow, Deny
from assent.protocol.envelope import SILENT
from assent.protocol.events import Event
from assent.protocol.record import Record
from assent.redact import Redactor

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


def pipeline(journal: MemoryJournal, command: str) -> Pipeline:
    return Pipeline(
        journal=journal,
        live=Live(),
        harnesses={claude_code.NAME: claude_code},
        voices=lambda _: [Changes(command)],
        redactor=Redactor(lambda text: f"{len(text):08x}"),
    )


async def recorded(pipeline: Pipeline) -> None:
    """Wait for what was told before it was written."""
    await asyncio.sleep(0)
    await asyncio.gather(*pipeline._writing)


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
    """Holds records that nobody can read, as one whose server is away."""

    async def decision_for(self, request: str) -> Record | None:
        raise JournalError("The server is away.")


@pytest.mark.anyio
async def test_request_on_record_is_never_allowed_while_nobody_can_read_what_was_decided() -> None:
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
    later.voices = lambda _: [Refuses()]
    denied = (await later.answer(ARRIVAL)).stdout_json
    assert denied is not None
    assert denied["hookSpecificOutput"]["permissionDecision"] == "deny"
    await recorded(later)
    assert await journal.read() == records
