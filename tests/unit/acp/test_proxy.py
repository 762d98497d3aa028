"""Every line goes through unchanged, in order and once, and the hub hears of what it tells."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.acp.proxy import plain_name
from tests.unit.acp.wire import Wire, chosen, line, permission, wired, write

# --- whatever comes

IDS = st.none() | st.integers(-(2**53), 2**53) | st.text(max_size=4) | st.sampled_from([1, 2, "1", 0])
METHODS = st.sampled_from(
    ["initialize", "session/update", "session/prompt", "session/new", "session/cancel", "fs/read_text_file", "x/y"]
) | st.text(max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
MESSAGES = st.builds(
    lambda fields, more: {**more, **fields},
    st.fixed_dictionaries(
        {}, optional={"id": IDS, "method": METHODS, "params": VALUES, "result": VALUES, "error": VALUES}
    ),
    st.dictionaries(st.text(max_size=4), VALUES, max_size=2),
)
JSON_LINES = st.one_of(MESSAGES, st.lists(MESSAGES, max_size=3), VALUES).map(
    lambda value: json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
)
BYTES = st.binary(max_size=40).map(lambda data: data.replace(b"\n", b"") + b"\n")
LINES = st.lists(st.tuples(st.booleans(), st.one_of(JSON_LINES, BYTES)), max_size=20)


def is_taken(data: bytes) -> bool:
    """Whether it is one of the requests that the proxy may answer."""
    return any(name in data for name in (b"request_permission", b"write_text_file", b"terminal/create"))


@given(passing=LINES)
@settings(deadline=None)
def test_every_other_line_goes_through_unchanged_in_order_and_once(passing: list[tuple[bool, bytes]]) -> None:
    """Broken JSON, batches, unknown methods, strange ids: what is no question of the agent's is not touched."""

    async def run() -> Wire:
        wire = wired({"outcome": "allow"})
        for is_from_agent, data in passing:
            (wire.proxy.from_agent if is_from_agent else wire.proxy.from_editor)(data)
        await wire.settle()
        await wire.close()
        return wire

    passing = [(side, data) for side, data in passing if not is_taken(data)]
    wire = asyncio.run(run())
    assert wire.editor == [data for is_from_agent, data in passing if is_from_agent]
    assert wire.agent == [data for is_from_agent, data in passing if not is_from_agent]


REPLIES = st.sampled_from([None, "hold", {"outcome": "allow"}, {"outcome": "deny", "reason": "No."}])
ASKED = st.lists(st.tuples(st.sampled_from([1, 2, "1", "a", 1.5]), st.booleans(), REPLIES), min_size=1, max_size=8)


@given(asked=ASKED, order=st.randoms(use_true_random=False))
@settings(deadline=None)
def test_every_question_is_answered_once(asked: list[tuple[Any, bool, Any]], order: Any) -> None:
    """However the hub and the editor race: for each request one answer, and none without a request."""

    async def run() -> None:
        replies = [reply for _, _, reply in asked]
        wire = wired(
            lambda event, _: replies.pop(0) if event in ("session/request_permission", "fs/write_text_file") else None
        )
        open_ids: set[Any] = set()
        for number, (name, is_write, _) in enumerate(asked):
            key = (type(name), name)
            if key in open_ids:
                # The same id twice is for the tests of the gate.
                replies.pop(0)
                continue
            open_ids.add(key)
            await wire.from_agent(write(name, f"/srv/p/{number}") if is_write else permission(name, f"touch {number}"))
        held = list(range(len(wire.hub.held)))
        forwarded = [
            each
            for each in wire.at_editor()
            if each.get("method") in ("session/request_permission", "fs/write_text_file")
        ]
        moves: list[Any] = [*held, *forwarded]
        order.shuffle(moves)
        for move in moves:
            if isinstance(move, int):
                if not wire.hub.held[move].done():
                    wire.hub.answer({"outcome": "deny", "reason": "No."}, move)
                await wire.settle()
            else:
                answer = chosen(move["id"]) if "permission" in move["method"] else line(id=move["id"], result=None)
                await wire.from_editor(answer)
        answered = [(type(each["id"]), each["id"]) for each in wire.at_agent() if "method" not in each]
        assert sorted(map(str, answered)) == sorted(map(str, open_ids))
        await wire.close()

    asyncio.run(run())


def test_huge_line_goes_through() -> None:
    """A whole file may stand in a message."""

    async def run() -> None:
        wire = wired()
        data = line(method="session/update", params={"sessionId": "s", "update": {"x": "y" * (4 << 20)}})
        await wire.from_agent(data)
        assert wire.editor == [data]
        await wire.close()

    asyncio.run(run())


# --- what the hub hears


def update(**fields: Any) -> bytes:
    return line(method="session/update", params={"sessionId": "s", "update": fields})


async def begun() -> Wire:
    """A session of an agent that said how it is called."""
    wire = wired(lambda *_: None)
    await wire.from_editor(line(id=0, method="initialize", params={}))
    await wire.from_agent(line(id=0, result={"agentInfo": {"name": "Lab Agent", "version": "1"}}))
    await wire.from_editor(line(id=1, method="session/new", params={"cwd": "/srv/p", "mcpServers": []}))
    await wire.from_agent(line(id=1, result={"sessionId": "s", "modes": {"currentModeId": "yolo"}}))
    return wire


@pytest.mark.anyio
async def test_session_is_told_with_folder_mode_and_agent() -> None:
    wire = await begun()
    (event, payload), *_ = wire.hub.told
    assert event == "session/new"
    assert payload["permission_mode"] == "bypass"
    assert (payload["cwd"], payload["agent"], payload["source"]) == ("/srv/p", "Lab-Agent", "startup")
    await wire.close()


@pytest.mark.anyio
async def test_turn_is_told_from_prompt_to_result() -> None:
    wire = await begun()
    prompt = [{"type": "text", "text": "go"}]
    await wire.from_editor(line(id=2, method="session/prompt", params={"sessionId": "s", "prompt": prompt}))
    await wire.from_agent(update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": "Done"}))
    await wire.from_agent(update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": "."}))
    await wire.from_agent(line(id=2, result={"stopReason": "end_turn"}))
    assert wire.hub.events()[1:] == ["session/prompt", "prompt_result"]
    assert wire.hub.told[1][1]["prompt"] == "go"
    assert wire.hub.told[2][1]["last_assistant_message"] == "Done."
    await wire.close()


@pytest.mark.anyio
async def test_turn_that_failed_is_told_with_its_error() -> None:
    wire = await begun()
    await wire.from_editor(line(id=2, method="session/prompt", params={"sessionId": "s", "prompt": []}))
    await wire.from_agent(line(id=2, error={"code": 1, "message": "quota"}))
    assert wire.hub.told[-1][1]["error"] == "quota"
    await wire.close()


@pytest.mark.anyio
async def test_mode_that_is_set_counts_once_the_agent_took_it() -> None:
    wire = await begun()
    await wire.from_editor(line(id=2, method="session/set_mode", params={"sessionId": "s", "modeId": "plan"}))
    await wire.from_agent(line(id=2, error={"code": 1, "message": "no such mode"}))
    assert wire.proxy.sessions.of("s").mode == "yolo"
    await wire.from_editor(line(id=3, method="session/set_mode", params={"sessionId": "s", "modeId": "plan"}))
    await wire.from_agent(line(id=3, result={}))
    assert wire.proxy.sessions.of("s").mode == "plan"
    await wire.close()


@pytest.mark.anyio
async def test_call_that_ran_unasked_is_told_with_its_result() -> None:
    wire = await begun()
    call = {"toolCallId": "7", "kind": "execute", "rawInput": {"command": "ls"}}
    await wire.from_agent(update(sessionUpdate="tool_call", status="pending", **call))
    assert wire.hub.events()[1:] == []
    await wire.from_agent(update(sessionUpdate="tool_call_update", toolCallId="7", status="in_progress"))
    await wire.from_agent(update(sessionUpdate="tool_call_update", toolCallId="7", status="in_progress"))
    await wire.from_agent(update(sessionUpdate="tool_call_update", toolCallId="7", status="completed"))
    assert wire.hub.events()[1:] == ["tool_call", "tool_call_update"]
    assert wire.hub.told[1][1]["tool_call"]["rawInput"] == {"command": "ls"}
    await wire.close()


@pytest.mark.anyio
async def test_end_of_the_agent_ends_its_sessions() -> None:
    wire = await begun()
    wire.proxy.ended()
    await wire.settle()
    assert wire.hub.events()[-1] == "session_end"
    await wire.close()


def test_name_of_an_agent_fits_into_a_filter() -> None:
    assert plain_name("Gemini CLI") == "Gemini-CLI"
    assert plain_name("a" * 90) == "a" * 40
    assert plain_name("  ") == ""
