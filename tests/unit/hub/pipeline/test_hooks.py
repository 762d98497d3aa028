"""What the agent never heard is on record as such, beside the decision it is about."""

import asyncio
from typing import Any

import pytest
from starlette.requests import Request

from assent.hub.api import Api
from assent.hub.undelivered import LOOKS, Undelivered
from assent.journal.memory import MemoryJournal
from assent.protocol.bodies import ToldBody, read
from tests.unit.hub.test_pipeline import ARRIVAL, pipeline

pytestmark = pytest.mark.anyio


async def noted(journal: MemoryJournal, *, answered: bool = True) -> None:
    line = pipeline(journal, "make -j2")
    if answered:
        await line.answer(ARRIVAL)
    undelivered = Undelivered(line)
    undelivered.note(ARRIVAL)
    await asyncio.gather(*undelivered._noting)


async def test_undelivered_decision_is_recorded_with_its_call() -> None:
    """Which call, which decision, and why the agent did not hear it."""
    journal = MemoryJournal()
    await noted(journal)
    *_, decision, told = await journal.read()
    assert (told.kind, told.decision, told.by) == ("told", "allow", "hub:socket")
    assert (told.call, told.session, told.request) == (decision.call, "s1", ARRIVAL.request_id)
    body = read(told, ToldBody)
    assert body is not None
    assert (body.delivered, body.event, body.tool, body.project) == (False, "PreToolUse", "Bash", "/p")
    assert body.why


async def test_nothing_is_recorded_about_a_decision_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """After some looks for it, no record is better than one without its beginning."""
    assert sum(LOOKS) < 5
    monkeypatch.setattr("assent.hub.undelivered.LOOKS", (0.0, 0.0))
    journal = MemoryJournal()
    await noted(journal, answered=False)
    assert await journal.read() == []


async def test_full_disk_costs_only_the_note(caplog: pytest.LogCaptureFixture) -> None:
    """The hub goes on, and its log says it."""
    journal = MemoryJournal()
    line = pipeline(journal, "make -j2")
    await line.answer(ARRIVAL)
    journal.trouble = "Not recorded: the disk is full."
    undelivered = Undelivered(line)
    undelivered.note(ARRIVAL)
    await asyncio.gather(*undelivered._noting)
    assert "was not delivered, and that is not on record" in caplog.text


@pytest.mark.parametrize("stays", [True, False])
async def test_http_client_that_is_gone_was_not_told(stays: bool) -> None:
    """A hook over HTTP whose client closed its connection before the answer."""
    journal = MemoryJournal()
    api = Api.__new__(Api)
    api.pipeline = pipeline(journal, "make -j2")
    api.undelivered = Undelivered(api.pipeline)
    messages: list[dict[str, Any]] = [{"type": "http.request", "body": ARRIVAL.payload, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        if stays:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": "POST", "headers": [], "path_params": {"harness": ARRIVAL.harness}}
    response = await api.hook(Request(scope, receive))
    await asyncio.gather(*api.undelivered._noting)
    assert response.status_code == 200
    assert ("told" in [record.kind for record in await journal.read()]) != stays
