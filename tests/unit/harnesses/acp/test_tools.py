"""What tool calls of the protocol are."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.acp import tools
from assent.protocol.operations import (
    Edit,
    Fetch,
    FileChange,
    Operation,
    Other,
    Patch,
    Plan,
    Read,
    Replacement,
    Search,
    Shell,
    Write,
)


def diff(path: str, old: str | None, new: str) -> dict[str, Any]:
    return {"type": "diff", "path": path, "oldText": old, "newText": new}


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ({"kind": "execute", "rawInput": {"command": "ls"}}, Shell(command="ls")),
        ({"kind": "execute", "rawInput": {"command": ["bash", "-lc", "ls | wc"]}}, Shell(command="ls | wc")),
        ({"kind": "execute", "rawInput": {"command": ["git", "log", "a b"]}}, Shell(command="git log 'a b'")),
        ({"kind": "execute", "rawInput": {"command": 7}}, Shell(command=None)),
        ({"kind": "edit", "content": [diff("/a", None, "x")]}, Write(path="/a", content="x")),
        ({"kind": "edit", "content": [diff("/a", "", "x")]}, Write(path="/a", content="x")),
        (
            {"kind": "edit", "content": [diff("/a", "x", "y")]},
            Edit(path="/a", replacements=(Replacement(old="x", new="y"),)),
        ),
        (
            {"kind": "edit", "content": [diff("/a", "x", "y"), diff("/b", None, "z")]},
            Patch(files=(FileChange(path="/a", old="x", new="y"), FileChange(path="/b", new="z"))),
        ),
        (
            {"kind": "edit", "rawInput": {"filePath": "/a", "oldString": "x", "newString": "y"}},
            Edit(path="/a", replacements=(Replacement(old="x", new="y"),)),
        ),
        ({"kind": "edit", "rawInput": {"path": "/a", "content": "x"}}, Write(path="/a", content="x")),
        ({"kind": "edit", "locations": [{"path": "/a"}]}, Edit(path="/a")),
        ({"kind": "edit", "locations": [{"path": "/a"}, {"path": "/b"}]}, Edit(path=None)),
        ({"kind": "delete", "locations": [{"path": "/a"}]}, Patch(files=(FileChange(path="/a"),))),
        ({"kind": "read", "rawInput": {"absolute_path": "/a"}}, Read(path="/a")),
        ({"kind": "read", "locations": [{"path": "/a"}]}, Read(path="/a")),
        ({"kind": "read"}, Read(path=None)),
        ({"kind": "search", "rawInput": {"pattern": "x"}}, Search(kind="content", pattern="x")),
        ({"kind": "search"}, Other()),
        ({"kind": "fetch", "rawInput": {"url": "https://a"}}, Fetch(url="https://a")),
        ({"kind": "switch_mode", "rawInput": {"plan": "First this."}}, Plan(text="First this.")),
        ({"kind": "think", "title": "Hm"}, Other()),
        ({"title": "Bash"}, Other()),
    ],
)
def test_call_is_told_by_its_kind_and_what_it_shows(call: dict[str, Any], expected: Operation) -> None:
    assert tools.operation(tools.named(call), tools.given(call, "new")) == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("execute", {"command": "ls -l"}), ("terminal/create", {"command": "ls", "args": ["-l"]})),
        (("execute", {"command": "ls -l"}), ("terminal/create", {"command": "sh", "args": ["-c", "ls -l"]})),
        (
            ("edit", {"changes": [{"path": "/a", "old": "x", "new": "y"}]}),
            ("fs/write_text_file", {"path": "/a", "content": "y"}),
        ),
    ],
)
def test_same_call_is_known_whichever_message_it_came_with(
    first: tuple[str, dict[str, Any]], second: tuple[str, dict[str, Any]]
) -> None:
    assert tools.key(*first, "/srv/p") == tools.key(*second, "/srv/p") is not None


def test_same_command_in_another_folder_is_another_call() -> None:
    assert tools.key("execute", {"command": "ls"}, "/a") != tools.key("execute", {"command": "ls"}, "/b")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
FIELDS = st.sampled_from(["kind", "title", "rawInput", "content", "locations", "path", "command", "args", "changes"])
CALLS = st.dictionaries(FIELDS, JSON | st.dictionaries(FIELDS, JSON, max_size=3), max_size=6)


@given(call=CALLS, kind=st.sampled_from([*tools._MAKERS, "other"]))
def test_no_call_breaks_the_reading(call: dict[str, Any], kind: str) -> None:
    """Agents are many, and each has its own idea of an input."""
    call = {**call, "kind": kind}
    made = tools.given(call, "gemini-cli")
    assert isinstance(tools.operation(kind, made), Operation)
    tools.folder(call, made)
    tools.key(kind, made, "/")
