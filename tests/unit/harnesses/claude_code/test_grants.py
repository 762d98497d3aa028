"""Which lasting permissions may be sent."""

from typing import Any

import msgspec
import pytest

from assent.harnesses.claude_code.grants import fault
from assent.protocol.events import PermissionRequest
from assent.protocol.permission import (
    AddDirectories,
    AddRules,
    Destination,
    PermissionRule,
    PermissionUpdate,
    RemoveDirectories,
    RemoveRules,
    ReplaceRules,
    SetMode,
    ToolAlwaysAllow,
)
from tests.captured import payloads


def allow(content: str | None, tool: str = "Bash") -> AddRules:
    return AddRules(rules=(PermissionRule(tool, content),), behavior="allow", destination="localSettings")


@pytest.mark.parametrize(
    "content",
    [
        "git push *",
        "git push:*",
        "touch:*",
        "npm test *",
        "npm run build *",
        "npm run build:*",
        "pnpm run lint",
        "cargo test *",
        "docker ps *",
        "kubectl get *",
        "uv sync *",
        "pytest *",
        "NODE_ENV=test npm test *",
        # Exact commands, whatever they run: that very line and no other.
        "python3 -c 'print(1)'",
        "make test",
        "sudo systemctl restart nginx",
    ],
)
def test_bash_rule_is_granted(content: str) -> None:
    """A pattern that names its program and what it does may last."""
    assert fault(allow(content)) is None


@pytest.mark.parametrize(
    "content",
    [
        "python *",
        "python3 *",
        "python3.12:*",
        "/usr/bin/python3 *",
        "./venv/bin/python -m *",
        "node *",
        "bash *",
        "bash -c *",
        "make *",
        "make test *",
        "ssh *",
        "ssh host *",
        "sudo *",
        "env *",
        "xargs *",
        "find *",
        "awk *",
        "npx *",
        "npm *",
        "npm run *",
        "npm run:*",
        "npm exec *",
        "npm --prefix x *",
        "yarn dlx *",
        "docker *",
        "docker run *",
        "docker run ubuntu *",
        "kubectl exec *",
        "uv run *",
        "uv run pytest *",
        "poetry run *",
        "go run *",
        "cargo run *",
        "git *",
        "git:*",
        "git -c *",
        "FOO=1 python *",
        "FOO=1 *",
        "assent *",
        "claude *",
        "*",
        ":*",
        "* *",
        "py*",
        "/usr/bin/*",
        "ls; *",
        "ls && rm *",
        "echo $(cat x) *",
        '"python" *',
        "py\\thon *",
    ],
)
def test_bash_rule_that_runs_anything_is_refused(content: str) -> None:
    """A wildcard behind an interpreter, a shell or a runner is a rule for everything."""
    assert fault(allow(content)) is not None


@pytest.mark.parametrize(
    ("tool", "content"),
    [("Bash", None), ("Monitor", None), ("Read", "//**"), ("Read", "**"), ("WebFetch", "domain:*"), ("Edit", "~/**")],
)
def test_rule_for_everything_is_refused(tool: str, content: str | None) -> None:
    """A rule without a limit is none."""
    assert fault(allow(content, tool)) is not None


@pytest.mark.parametrize(
    ("tool", "content"),
    [
        ("WebSearch", None),
        ("mcp__lab__echo", None),
        ("Read", "//srv/data/**"),
        ("WebFetch", "domain:docs.example.com"),
        ("Skill", "hello:*"),
    ],
)
def test_rule_for_another_tool_is_granted(tool: str, content: str | None) -> None:
    """The client's own suggestions for tools that run no commands may last."""
    assert fault(allow(content, tool)) is None


@pytest.mark.parametrize("behavior", ["deny", "ask"])
def test_rule_that_tightens_may_be_as_wide_as_it_likes(behavior: Any) -> None:
    """Refusing everything is no risk."""
    wide = AddRules(rules=(PermissionRule("Bash"),), behavior=behavior, destination="session")
    assert fault(wide) is None


@pytest.mark.parametrize("tool", ["", "Bash(python *)", "*", "mcp__*", "Ba sh", "Bash\n"])
def test_tool_name_must_be_a_plain_name(tool: str) -> None:
    """A pattern cannot be smuggled in as the name of a tool."""
    assert fault(allow("git push *", tool)) is not None


@pytest.mark.parametrize("content", ["", "  ", "git push\n*", "git \x1b[0m"])
def test_rule_content_must_be_readable(content: str) -> None:
    """An unreadable rule cannot be overseen."""
    assert fault(allow(content)) is not None


@pytest.mark.parametrize("kind", [ReplaceRules, RemoveRules])
def test_rules_that_refuse_are_never_taken_away(kind: type[ReplaceRules | RemoveRules]) -> None:
    """An allow must not disarm what a person forbade."""
    rules = (PermissionRule("Bash", "git push *"),)
    assert fault(kind(rules=rules, behavior="deny", destination="session")) is not None
    assert fault(kind(rules=rules, behavior="ask", destination="session")) is not None
    assert fault(kind(rules=rules, behavior="allow", destination="session")) is None


@pytest.mark.parametrize("destination", ["localSettings", "projectSettings", "userSettings"])
def test_rules_of_a_file_are_never_replaced(destination: Destination) -> None:
    """The client loses the rules that stood there, so it is not asked to."""
    rules = (PermissionRule("Bash", "git push *"),)
    assert fault(ReplaceRules(rules=rules, behavior="allow", destination=destination)) is not None


def test_rules_replaced_are_checked_like_rules_added() -> None:
    """A rule too wide to add is too wide to put in another's place; removing it is fine."""
    rules = (PermissionRule("Bash", "python *"),)
    assert fault(ReplaceRules(rules=rules, behavior="allow", destination="session")) is not None
    assert fault(RemoveRules(rules=rules, behavior="allow", destination="session")) is None


@pytest.mark.parametrize(
    ("mode", "granted"),
    [
        ("default", True),
        ("acceptEdits", True),
        ("plan", True),
        ("bypassPermissions", False),
        ("auto", False),
        ("dontAsk", False),
        ("warp", False),
    ],
)
def test_mode_is_granted_only_if_people_still_see_calls(mode: str, granted: bool) -> None:
    """Modes that never ask are never granted, and unknown ones would void the answer."""
    assert (fault(SetMode(mode=mode, destination="session")) is None) == granted


@pytest.mark.parametrize(
    ("directories", "granted"),
    [
        (("/srv/data", "/home/dev"), True),
        ((), False),
        (("srv",), False),
        (("",), False),
        (("/",), False),
        (("/srv/..",), False),
        (("/a\nb",), False),
    ],
)
def test_directory_must_be_absolute_and_not_the_disk(directories: tuple[str, ...], granted: bool) -> None:
    """A directory is granted by its full name, and never all of them."""
    for kind in (AddDirectories, RemoveDirectories):
        assert (fault(kind(directories=directories, destination="session")) is None) == granted


def test_rules_must_not_be_empty() -> None:
    """A grant of nothing is a mistake."""
    assert fault(AddRules(rules=(), behavior="allow", destination="session")) is not None


def test_entry_the_client_would_not_understand_is_refused() -> None:
    """Wrong words and types void the whole answer, so they never leave."""
    anything: Any = "theMoon"
    number: Any = 7
    refused: tuple[PermissionUpdate, ...] = (
        ToolAlwaysAllow(tool="Bash"),
        SetMode(mode="plan", destination=anything),
        SetMode(mode=number, destination="session"),
        AddRules(rules=(PermissionRule("Read"),), behavior=anything, destination="session"),
        AddRules(rules=(PermissionRule(number),), behavior="allow", destination="session"),
        AddDirectories(directories=number, destination="session"),
    )
    assert [fault(entry) for entry in refused] == [
        "Claude Code would not understand it, and would void the whole answer"
    ] * len(refused)


def test_captured_suggestions_are_granted_but_for_runners() -> None:
    """What the client itself offers may be given, except for the one wildcard that runs any script."""
    events = [each for each in payloads() if each["hook_event_name"] == "PermissionRequest"]
    entries = [entry for raw in events for entry in msgspec.convert(raw, PermissionRequest).permission_suggestions]
    assert len(entries) > 40
    refused = [entry for entry in entries if isinstance(entry, dict) or fault(entry)]
    assert refused
    assert all(entry == allow("npm run *") for entry in refused)
