"""Claude Code's tools as operations."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.claude_code.decode import main_field, operation
from assent.protocol.operations import (
    Asked,
    Cell,
    Choice,
    Edit,
    Fetch,
    Mcp,
    Operation,
    Other,
    Plan,
    Question,
    Read,
    Replacement,
    Search,
    Shell,
    Subagent,
    Write,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=8), children, max_size=3),
    max_leaves=10,
)
EDIT = {"old_string": "x", "new_string": "y"}


@pytest.mark.parametrize(
    ("tool", "raw", "expected"),
    [
        ("Bash", {"command": "ls", "timeout": 5}, Shell(command="ls")),
        (
            "Bash",
            {"command": "ls", "dangerouslyDisableSandbox": True},
            Shell(command="ls", unsandboxed=True),
        ),
        ("Bash", {"command": 7}, Shell(command=None)),
        ("Monitor", {}, Shell(command=None, may_follow=True)),
        ("Write", {"file_path": "/a", "content": "x"}, Write(path="/a", content="x")),
        ("Write", {"file_path": 7}, Write(path=None)),
        ("Edit", {"file_path": "/a", **EDIT}, Edit(path="/a", replacements=(Replacement(old="x", new="y"),))),
        (
            "MultiEdit",
            {"file_path": "/a", "edits": [EDIT, {**EDIT, "replace_all": True}]},
            Edit(
                path="/a",
                replacements=(Replacement(old="x", new="y"), Replacement(old="x", new="y", everywhere=True)),
            ),
        ),
        (
            "NotebookEdit",
            {"notebook_path": "/n", "new_source": "x", "cell_id": "c", "edit_mode": "insert"},
            Edit(path="/n", cell=Cell(id="c", source="x", change="insert")),
        ),
        ("Read", {"file_path": "/a"}, Read(path="/a")),
        ("NotebookRead", {"notebook_path": "/n"}, Read(path="/n", is_notebook=True)),
        ("Grep", {"pattern": "x", "glob": "*.py"}, Search(kind="content", pattern="x", files="*.py")),
        ("Glob", {"pattern": "*.py", "path": "/a"}, Search(kind="names", path="/a", pattern="*.py")),
        ("LS", {"path": 7}, Search(kind="list", path="")),
        ("WebFetch", {"url": "https://a.example"}, Fetch(url="https://a.example")),
        ("WebSearch", {"query": "x"}, Fetch(query="x")),
        (
            "Agent",
            {"prompt": "go", "subagent_type": "Explore", "mode": "bypassPermissions"},
            Subagent(prompt="go", kind="Explore", mode="bypass"),
        ),
        ("Task", {"prompt": "go", "description": "d"}, Subagent(prompt="go", description="d")),
        (
            "AskUserQuestion",
            {"questions": [{"question": "Which?", "options": [{"label": "A"}], "multiSelect": True}]},
            Question(questions=(Asked(question="Which?", choices=(Choice(label="A"),), takes_several=True),)),
        ),
        ("AskUserQuestion", {"questions": 7}, Question()),
        (
            "ExitPlanMode",
            {"plan": "p", "planFilePath": "/p", "allowedPrompts": [{"tool": "Bash", "prompt": "test"}]},
            Plan(text="p", file="/p", allows=("Bash: test",)),
        ),
        ("mcp__git__log", {}, Mcp(server="git", tool="log")),
        ("mcp__git", {}, Mcp(server="git", tool="")),
        (
            "Skill",
            {"skill": "deploy"},
            Other(is_described=True, names=("deploy",), words="Use the skill deploy"),
        ),
        ("TodoWrite", {}, Other(does="bookkeeping", words="Update the to-do list")),
        ("Teleport", {"to": "x"}, Other()),
    ],
)
def test_tools_become_operations(tool: str, raw: dict[str, Any], expected: Operation) -> None:
    assert operation(tool, raw) == expected


def test_a_replacement_that_cannot_be_read_leaves_the_edit_unknown() -> None:
    """What the others write is judged all the same."""
    edit = operation("MultiEdit", {"file_path": "/a", "edits": [EDIT, {"old_string": "x"}]})
    assert isinstance(edit, Edit)
    assert not edit.is_whole
    assert edit.replacements[0].new == "y"


@given(
    tool=st.sampled_from(["Bash", "Edit", "MultiEdit", "Grep", "Agent", "AskUserQuestion", "ExitPlanMode", "mcp__a"]),
    raw=st.dictionaries(
        st.sampled_from(["command", "file_path", "questions", "edits", "path", "allowedPrompts", "mode"]), JSON
    ),
)
def test_no_input_makes_it_fail(tool: str, raw: dict[str, Any]) -> None:
    assert isinstance(operation(tool, raw), Operation)


@pytest.mark.parametrize(("tool", "field"), [("Bash", "command"), ("Edit", "file_path"), ("Teleport", None)])
def test_main_field_is_what_a_call_is_about(tool: str, field: str | None) -> None:
    assert main_field(tool) == field
