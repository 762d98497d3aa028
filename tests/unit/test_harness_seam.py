"""Only ``harnesses/`` knows how a client spells things."""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import assent
from assent.harnesses.claude_code import tools
from assent.protocol import modes

SOURCE = Path(assent.__file__).parent

CLIENT = re.compile("claude", re.IGNORECASE)
# A mode as a client spells it, as a word of its own.
MODES = re.compile(rf"\b(?:{'|'.join(modes.EARLIER)})\b")
# Without the one that is also a label on screens.
TOOLS = (frozenset(tools.TOOLS) - {"Agent"}) | {"Monitor", "LS", "NotebookRead", "Skill", "KillShell", "TodoWrite"}

# At most twelve files may name a client, each with its reason.
MAY: dict[str, str] = {
    "protocol/modes.py": "earlier spellings of modes, in records, rules and answers",
    "protocol/record.py": "variables in records of version 0.1.0",
    "protocol/rule_words.py": "the words of the rule language",
    "policy/sensitive.py": "files and variables of agents that are guarded",
    "policy/own.py": "settings in which Assent's own hooks stand",
    "policy/commands/_asking.py": "hosts of documentation",
    "policy/commands/_js.py": "packages that are known programs",
    "policy/commands/_origins.py": "packages of agents and guards",
    "policy/commands/agents.py": "programs that start agents",
    "policy/commands/processes.py": "names of processes that are guarded",
    "policy/shell/variables.py": "variables that change what agents obey",
    "policy/shell/whole_line.py": "programs and packages of agents",
}
MOST = 12


@functools.cache
def offences() -> dict[str, list[str]]:
    """What each file outside of the harnesses names."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith("harnesses/") and (named := list(_named(path.read_text(encoding="utf-8")))):
            found[name] = named
    return found


def _named(text: str) -> Iterator[str]:
    yield from CLIENT.findall(text)
    yield from MODES.findall(text)
    if any(tool in text for tool in TOOLS):
        yield from (
            node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant) and node.value in TOOLS
        )


def test_only_harnesses_name_a_client() -> None:
    """Nor its tools, nor its modes: a second client is added without a change here."""
    assert {name: named for name, named in offences().items() if name not in MAY} == {}


def test_exceptions_are_few_and_needed() -> None:
    assert sorted(MAY.keys() - offences().keys()) == []
    assert len(MAY) <= MOST


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"""For Claude Code."""', ["Claude"]),
        ('MODE = "acceptEdits"', ["acceptEdits"]),
        ('if tool == "Bash": pass', ["Bash"]),
        ('HINT = "Bash(git push *)"', []),
        ('"accept_edits"', []),
    ],
)
def test_what_counts(text: str, expected: list[str]) -> None:
    """A tool counts as a text of its own; inside a sentence it is an example of the rule language."""
    assert list(_named(text)) == expected
