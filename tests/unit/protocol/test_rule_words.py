"""The words by which rules name a tool, whatever its client calls it."""

import pytest

from assent.protocol.operations import (
    Edit,
    Fetch,
    Mcp,
    Operation,
    Other,
    Patch,
    Plan,
    Question,
    Read,
    Search,
    Shell,
    Subagent,
    Write,
)
from assent.protocol.rule_words import words_of


@pytest.mark.parametrize(
    ("tool", "operation", "expected"),
    [
        ("Bash", Shell(command="ls"), {"Bash"}),
        ("Monitor", Shell(command="ls"), {"Bash", "Monitor"}),
        ("run_it", Shell(command="ls"), {"Bash", "run_it"}),
        ("Write", Write(path="/a"), {"Edit", "Write"}),
        ("MultiEdit", Edit(path="/a"), {"Edit", "MultiEdit"}),
        ("apply_patch", Patch(files=()), {"Edit", "apply_patch"}),
        ("Grep", Search(kind="content"), {"Read", "Grep"}),
        ("look", Search(kind="names"), {"Read", "Glob", "look"}),
        ("Read", Read(path="/a"), {"Read"}),
        ("WebFetch", Fetch(url="https://a.example"), {"WebFetch"}),
        ("WebSearch", Fetch(query="x"), {"WebSearch"}),
        ("Task", Subagent(), {"Agent", "Task"}),
        ("AskUserQuestion", Question(), {"AskUserQuestion"}),
        ("ExitPlanMode", Plan(), {"ExitPlanMode"}),
        ("mcp__git__log", Mcp(server="git", tool="log"), {"mcp__git__log"}),
        ("git__log", Mcp(server="git", tool="log"), {"mcp__git__log", "git__log"}),
        ("Skill", Other(), {"Skill"}),
        ("TodoWrite", Other(), {"TodoWrite"}),
    ],
)
def test_rules_name_what_a_call_is(tool: str, operation: Operation, expected: set[str]) -> None:
    assert words_of(tool, operation) == expected


def test_a_shell_is_never_named_by_the_word_for_reading() -> None:
    """A client may call its shell as it likes; a rule that allows reading must not allow it."""
    assert words_of("Read", Shell(command="ls")) == {"Bash"}
