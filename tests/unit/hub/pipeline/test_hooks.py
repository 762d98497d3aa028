"""What the agent never heard is on record as such, beside the decision it is about."""

import asyncio
from typing import Any

import pytest
from starlette.requests import Request

from assent.hub.api.hooks import HookApi
from assent.hub.pipeline.hooks import LOOKS, Hooks
from assent.journal.memory import MemoryJournal
from assent.protocol.bodies import ToldBody, read
from tests.unit.hub.pipeline.test_pipeline import ARRIVAL, pipeline

pytestmark = pytest.mark.anyio


async def noted(journal: MemoryJournal, *, answered: bool = True) -> None:
    line = pipeline(journal, "make -j2")
    if answered:
        await line.answer(ARRIVAL)
    hooks = Hooks(line)
    hooks.missed(ARRIVAL)
    await asyncio.gather(*hooks._noting)


async def test_undelivered_decision_is_recorded_with_its_call() -> None:
    """Which call, which decision, and why the agent did not hear it."""
    journal = MemoryJournal()
    await noted(journal)
    *_, decision, page = await journal.read()
    assert (page.kind, page.decision, page.by) == ("told", "allow", "hub:socket")
    assert (page.call, page.session, page.request) == (decision.call, "s1", ARRIVAL.request_id)
    body = read(page, ToldBody)
    assert body is not None
    assert (body.delivered, body.event, body.tool, body.project) == (False, "PreToolUse", "Bash", "/p")
    assert body.why


async def test_nothing_is_recorded_about_a_decision_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """After some looks for it, no record is better than one without its beginning."""
    assert sum(LOOKS) < 5
    monkeypatch.setattr("assent.hub.pipeline.hooks.LOOKS", (0.0, 0.0))
    journal = MemoryJournal()
    await noted(journal, answered=False)
    assert await journal.read() == []


async def test_full_disk_costs_only_the_note(caplog: pytest.LogCaptureFixture) -> None:
    """The hub goes on, and its log says it."""
    journal = MemoryJournal()
    line = pipeline(journal, "make -j2")
    await line.answer(ARRIVAL)
    journal.trouble = "Not recorded: the disk is full."
    hooks = Hooks(line)
    hooks.missed(ARRIVAL)
    await asyncio.gather(*hooks._noting)
    assert "was not delivered, and that is not on record" in caplog.text


@pytest.mark.parametrize("stays", [True, False])
async def test_http_client_that_is_gone_was_not_told(stays: bool) -> None:
    """A hook over HTTP whose client closed its connection before the answer."""
    journal = MemoryJournal()
    line = pipeline(journal, "make -j2")
    hooks = Hooks(line)
    messages: list[dict[str, Any]] = [{"type": "http.request", "body": ARRIVAL.payload, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        if stays:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": "POST", "headers": [], "path_params": {"harness": ARRIVAL.harness}}
    response = await HookApi(hooks, line.live).hook(Request(scope, receive))
    await asyncio.gather(*hooks._noting)
    assert response.status_code == 200
    assert ("told" in [record.kind for record in await journal.read()]) != stays
