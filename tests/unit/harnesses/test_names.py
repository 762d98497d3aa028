"""What people call harnesses and their tools."""

import pytest

from assent.harnesses import names


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ExitPlanMode", "Plan"),
        ("Bash", "Bash"),
        ("mcp__github__get_issue", "github: get issue"),
        ("mcp__github", "github"),
        ("NewTool", "NewTool"),
        ("", ""),
    ],
)
def test_tool_is_named_in_words_where_its_name_says_nothing(name: str, words: str) -> None:
    """What is the thing itself, and what is not known, keeps its name."""
    assert names.tool(name) == words


def test_tools_of_another_harness_keep_their_names() -> None:
    """One client's name is another's word."""
    assert names.tool("ExitPlanMode", "toy") == "ExitPlanMode"
