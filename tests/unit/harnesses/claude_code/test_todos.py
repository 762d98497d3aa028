"""The client's to-do tools, as client 2.1.325 and older ones send their results."""

from typing import Any

import msgspec
import pytest

from assent.harnesses.claude_code.decode import decode
from assent.harnesses.claude_code.todos import change
from assent.protocol.todos import Todo, TodoChange

CREATED = {"task": {"id": "1", "subject": "Write docs", "description": "All of them"}}
GIVEN = {"subject": "Write docs", "description": "All of them", "activeForm": "Writing docs"}
UPDATED = {"success": True, "taskId": "1", "updatedFields": ["status"]}


def of(tool: str, given: dict[str, Any], response: Any = None, *, is_main: bool = True) -> TodoChange | None:
    return change(tool, given, response, is_main=is_main)


def test_task_is_created_under_the_number_of_the_result() -> None:
    """In a sub-agent, too: the list is the session's."""
    assert of("TaskCreate", GIVEN, CREATED) == TodoChange((Todo("Write docs", "open", "1"),))
    assert of("TaskCreate", GIVEN, CREATED, is_main=False) == TodoChange((Todo("Write docs", "open", "1"),))
    assert of("TaskCreate", GIVEN, "gone") is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"status": "in_progress"}, TodoChange((Todo("", "doing", "1"),))),
        ({"status": "completed"}, TodoChange((Todo("", "done", "1"),))),
        ({"subject": "Write more"}, TodoChange((Todo("Write more", "", "1"),))),
        ({"status": "deleted"}, TodoChange(dropped=("1",))),
        ({"owner": "researcher"}, None),
        ({"status": ["pending"]}, None),
    ],
)
def test_task_is_updated(given: dict[str, Any], expected: TodoChange | None) -> None:
    """Only what the call names."""
    assert of("TaskUpdate", {"taskId": "1", **given}, UPDATED) == expected


def test_update_that_did_not_succeed_changes_nothing() -> None:
    """A hook may have kept a task from being called done."""
    assert of("TaskUpdate", {"taskId": "9", "status": "completed"}, {"success": False, "taskId": "9"}) is None
    assert of("TaskUpdate", {"taskId": 9, "status": "completed"}, UPDATED) is None


def test_list_of_tasks_tells_states_and_no_text() -> None:
    """Results are never kept: a text of theirs may be a secret that nothing gives away."""
    tasks = [{"id": "1", "subject": "Write docs", "status": "in_progress", "blockedBy": []}, "x", {"id": "2"}]
    listed = of("TaskList", {}, {"tasks": tasks})
    assert listed == TodoChange((Todo("", "doing", "1"),))
    assert of("TaskList", {}, {"tasks": None}) is None


def test_whole_list_of_an_older_client_is_that_of_the_main_agent() -> None:
    """There each agent has its own."""
    given = {"todos": [{"content": "a", "status": "completed", "activeForm": "b"}, {"content": "c"}, 7]}
    assert of("TodoWrite", given) == TodoChange((Todo("a", "done"), Todo("c")), is_whole=True)
    assert of("TodoWrite", given, is_main=False) is None
    assert of("TodoWrite", {"todos": "all"}) is None


def test_other_tools_say_nothing_of_the_list() -> None:
    """Nor does a call that has no result yet."""
    assert of("Bash", {"command": "ls"}, {}) is None
    payload = {"session_id": "s", "tool_name": "TaskCreate", "tool_input": GIVEN, "tool_use_id": "t"}
    before = decode(msgspec.json.encode({**payload, "hook_event_name": "PreToolUse"}), event_name="PreToolUse")
    after = {**payload, "hook_event_name": "PostToolUse", "tool_response": CREATED}
    assert before.todos is None
    assert decode(msgspec.json.encode(after), event_name="PostToolUse").todos is not None
