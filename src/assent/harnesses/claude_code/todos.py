"""Claude Code's to-do tools: what a call that succeeded changes in the list.

Client 2.1.325 has TaskCreate, TaskUpdate and TaskList, which name an entry by its number; all agents of a session share
one list. Older clients have TodoWrite, which sends the whole list, one for each agent.

Results are never kept, so no text is taken from them: only numbers and states of entries."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from assent.protocol.todos import MOST, State, TodoChange, entry

Given = Mapping[str, Any]

_STATES: dict[object, State] = {"pending": "open", "in_progress": "doing", "completed": "done"}


def change(tool: str, given: Given, response: Any, *, is_main: bool) -> TodoChange | None:
    """None where the call says nothing of the list. Never raises."""
    read = _READERS.get(tool)
    return read(given, response if isinstance(response, dict) else {}, is_main) if read else None


def _created(given: Given, response: Given, _: bool) -> TodoChange | None:
    task = response.get("task")
    if not isinstance(task, dict):
        return None
    made = entry(given.get("subject"), "open", _number(task.get("id")))
    return TodoChange((made,)) if made.id and made.text else None


def _updated(given: Given, response: Given, _: bool) -> TodoChange | None:
    number = given.get("taskId")
    if response.get("success") is not True or not isinstance(number, str) or not number:
        return None
    if given.get("status") == "deleted":
        return TodoChange(dropped=(number[:40],))
    changed = entry(given.get("subject"), _state(given), number)
    return TodoChange((changed,)) if changed.id and (changed.text or changed.state) else None


def _listed(_: Given, response: Given, __: bool) -> TodoChange | None:
    tasks = response.get("tasks")
    if not isinstance(tasks, list):
        return None
    items = [entry("", _state(task), _number(task.get("id"))) for task in tasks[:MOST] if isinstance(task, dict)]
    known = tuple(item for item in items if item.id and item.state)
    return TodoChange(known) if known else None


def _written(given: Given, _: Given, is_main: bool) -> TodoChange | None:
    todos = given.get("todos")
    if not is_main or not isinstance(todos, list):
        return None
    items = [entry(todo.get("content"), _state(todo)) for todo in todos[:MOST] if isinstance(todo, dict)]
    return TodoChange(tuple(item for item in items if item.text), is_whole=True)


def _number(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= 6 and value.isascii() and value.isdigit() else ""


def _state(given: Given) -> State | Literal[""]:
    status = given.get("status")
    return _STATES.get(status, "") if isinstance(status, str) else ""


_READERS: dict[str, Callable[[Given, Given, bool], TodoChange | None]] = {
    "TaskCreate": _created,
    "TaskUpdate": _updated,
    "TaskList": _listed,
    "TodoWrite": _written,
}
