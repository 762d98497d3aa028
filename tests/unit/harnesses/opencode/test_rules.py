"""What the plugin reads in opencode's settings, run with Node."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from assent.harnesses import opencode
from scripts import get_clients

RULES = Path(opencode.__file__).with_name("rules.js")
CACHED = get_clients.node_of(os.environ)


@pytest.fixture
def node() -> str:
    found = str(CACHED) if os.access(CACHED, os.X_OK) else shutil.which("node")
    if found is None:
        pytest.skip("Node is not here; scripts/test-needs fetches it")
    return found


def called(node: str, name: str, *values: object) -> object:
    """What an exported function makes of these values."""
    given = ", ".join(map(json.dumps, values))
    code = f"const m = await import({json.dumps(RULES.as_uri())}); console.log(JSON.stringify(m.{name}({given})))"
    done = subprocess.run([node, "--input-type=module", "-e", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("tool", "servers", "expected"),
    [
        ("git_status", ["git", "other"], "git"),
        ("bash", ["git"], ""),
        # A repository names its servers: none of these names makes an edit a call of a server.
        ("apply_patch", ["apply"], ""),
        # Nor one server's tool that of another.
        ("a_b_c", ["a", "a_b"], ""),
    ],
)
def test_server_of_a_tool_is_certain_or_none(node: str, tool: str, servers: list[str], expected: str) -> None:
    assert called(node, "serverOf", tool, servers) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([], True),
        ([("*", "*", "allow")], False),
        ([("*", "*", "allow"), ("edit", "*", "ask")], True),
        ([("edit", "*", "ask"), ("edit", "src/*", "allow")], False),
        ([("edit", "*", "allow"), ("edit", "src/*", "ask")], False),
        ([("e?it", "*", "deny")], True),
    ],
)
def test_it_asks_always_where_no_rule_allows_a_part(
    node: str, rules: list[tuple[str, str, str]], expected: bool
) -> None:
    """Later rules count."""
    names = ("permission", "pattern", "action")
    assert called(node, "asksAlways", "edit", [dict(zip(names, rule, strict=True)) for rule in rules]) is expected


def test_settings_of_the_user_and_the_project_stay_as_they_are(node: str) -> None:
    """What they say nothing about is asked about; an agent that only reads is given no right to edit."""
    config = {"permission": {"bash": "allow"}, "agent": {"build": {"permission": {"webfetch": "deny"}}}}
    code = (
        f"const m = await import({json.dumps(RULES.as_uri())}); const c = {json.dumps(config)};"
        "m.askMore(c); console.log(JSON.stringify(c))"
    )
    done = subprocess.run([node, "--input-type=module", "-e", code], capture_output=True, text=True, check=True)
    agents = json.loads(done.stdout)["agent"]
    assert agents["build"]["permission"] == {"webfetch": "deny", "websearch": "ask", "edit": "ask"}
    assert agents["plan"]["permission"] == {"webfetch": "ask", "websearch": "ask"}
