"""What the proxy keeps of sessions."""

from typing import Any

from assent.acp import sessions
from assent.acp.sessions import Sessions


def update(known: Sessions, **fields: Any) -> list[tuple[str, dict[str, Any]]]:
    return list(known.updated(known.of("s"), fields))


def test_call_is_told_once_its_input_is_known() -> None:
    """Some agents say first that it runs, and then what."""
    known = Sessions("lab")
    assert update(known, sessionUpdate="tool_call", toolCallId="1", kind="execute", status="in_progress") == []
    ((event, payload),) = update(
        known, sessionUpdate="tool_call_update", toolCallId="1", status="in_progress", rawInput={"command": "ls"}
    )
    assert event == "tool_call"
    assert payload["tool_call"]["rawInput"] == {"command": "ls"}


def test_result_is_told_with_the_call_as_it_began() -> None:
    """What an update shows of a result is no part of the call; another command is."""
    known = Sessions("lab")
    diff = [{"type": "diff", "path": "/a", "oldText": None, "newText": "x"}]
    update(
        known,
        sessionUpdate="tool_call",
        toolCallId="1",
        kind="edit",
        status="in_progress",
        rawInput={"a": 1},
        content=diff,
    )
    text = [{"type": "content", "content": {"type": "text", "text": "ok"}}]
    ((event, payload),) = update(
        known, sessionUpdate="tool_call_update", toolCallId="1", status="completed", content=text
    )
    assert event == "tool_call_update"
    assert payload["tool_call"]["content"] == diff
    assert payload["content"] == text

    update(known, sessionUpdate="tool_call", toolCallId="2", status="in_progress", rawInput={"command": "ls"})
    ((_, payload),) = update(
        known, sessionUpdate="tool_call_update", toolCallId="2", status="completed", rawInput={"command": "ls -l"}
    )
    assert payload["tool_call"]["rawInput"] == {"command": "ls -l"}


def test_mode_is_known_from_every_way_it_is_told() -> None:
    known = Sessions()
    assert known.started("s", "/srv/p", {"modes": {"currentModeId": "default"}}).mode == "default"
    update(known, sessionUpdate="current_mode_update", currentModeId="yolo")
    assert known.payload(known.of("s"))["permission_mode"] == "bypass"
    options = [{"id": "mode", "category": "mode", "currentValue": "plan"}, {"id": "model", "currentValue": "x"}]
    update(known, sessionUpdate="config_option_update", configOptions=options)
    assert known.of("s").mode == "plan"


def test_what_is_kept_is_bounded() -> None:
    known = Sessions()
    for number in range(sessions.MOST_SESSIONS + 5):
        known.of(str(number))
    assert len(list(known)) == sessions.MOST_SESSIONS
    for number in range(sessions.MOST_CALLS + 5):
        update(known, sessionUpdate="tool_call", toolCallId=str(number), status="pending")
    assert len(known.of("s").calls) == sessions.MOST_CALLS
    update(known, sessionUpdate="agent_message_chunk", content={"type": "text", "text": "x" * 50_000})
    assert len(known.of("s").words) == sessions.LONGEST_WORDS
