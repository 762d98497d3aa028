"""Tool inputs: typed where we know the tool, whole where we do not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.claude_code import tools
from assent.harnesses.claude_code.tools import (
    TOOLS,
    Agent,
    AskUserQuestion,
    Bash,
    ExitPlanMode,
    Grep,
    McpTool,
    MultiEdit,
    Option,
    OtherTool,
    Question,
    Replacement,
    ToolInput,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=8), children, max_size=3),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("name", "raw", "expected"),
    [
        (
            "Bash",
            {"command": "ls", "timeout": 5000, "dangerouslyDisableSandbox": True},
            Bash(command="ls", timeout=5000, dangerously_disable_sandbox=True),
        ),
        (
            "MultiEdit",
            {"file_path": "/a", "edits": [{"old_string": "x", "new_string": "y"}]},
            MultiEdit(file_path="/a", edits=(Replacement(old_string="x", new_string="y"),)),
        ),
        ("Grep", {"pattern": "x", "-i": True, "-C": 2}, Grep(pattern="x", ignore_case=True, around=2)),
        ("Agent", {"prompt": "go", "name": "bob"}, Agent(prompt="go", name="bob")),
        ("Task", {"prompt": "go"}, Agent(prompt="go")),
        ("ExitPlanMode", {}, ExitPlanMode()),
        ("ExitPlanMode", {"plan": "p", "planFilePath": "/p.md"}, ExitPlanMode(plan="p", plan_file_path="/p.md")),
        (
            "AskUserQuestion",
            {
                "questions": [
                    {
                        "question": "Which?",
                        "header": "DB",
                        "options": [{"label": "A", "description": "a", "preview": "code"}, {"label": "B"}],
                        "multiSelect": True,
                    }
                ],
                "answers": {"Which?": "A, B"},
                "annotations": {"Which?": {"notes": "n"}},
            },
            AskUserQuestion(
                questions=(
                    Question(
                        question="Which?",
                        header="DB",
                        options=(Option(label="A", description="a", preview="code"), Option(label="B")),
                        multi_select=True,
                    ),
                ),
                answers={"Which?": "A, B"},
                annotations={"Which?": {"notes": "n"}},
            ),
        ),
        ("mcp__git_hub__make_x", {"a": 1}, McpTool(server="git_hub", tool="make_x", arguments={"a": 1})),
        ("mcp__lab__a__b", {}, McpTool(server="lab", tool="a__b", arguments={})),
        ("mcp__lab", {}, OtherTool(name="mcp__lab", input={})),
        ("mcp____x", {}, OtherTool(name="mcp____x", input={})),
        ("Teleport", {"to": "x"}, OtherTool(name="Teleport", input={"to": "x"})),
        ("bash", {"command": "ls"}, OtherTool(name="bash", input={"command": "ls"})),
    ],
)
def test_parse_reads_the_input_as_its_type(name: str, raw: dict[str, Any], expected: ToolInput) -> None:
    """Each tool's input becomes its struct; what is no known tool stays whole."""
    assert tools.parse(name, raw) == expected


@pytest.mark.parametrize("raw", [{}, {"command": 7}, {"command": None}, {"command": "ls", "timeout": "soon"}])
def test_parse_makes_misfits_other_tools(raw: dict[str, Any]) -> None:
    """An input that does not fit its type is not understood, and says so by its type."""
    assert tools.parse("Bash", raw) == OtherTool(name="Bash", input=raw)


@given(
    name=st.sampled_from(sorted(TOOLS)) | st.text(max_size=20) | st.text(max_size=8).map("mcp__".__add__),
    raw=st.dictionaries(st.sampled_from(["command", "file_path", "questions", "edits", "x"]) | st.text(), JSON),
)
def test_parse_never_raises(name: str, raw: dict[str, Any]) -> None:
    """Whatever a payload holds, there is a typed input or an open one."""
    assert isinstance(tools.parse(name, raw), ToolInput)
