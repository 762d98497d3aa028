"""One tool call as the policy sees it."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.call import Call, Scene
from assent.protocol.events import PostToolUse, Stop
from tests.unit.policy.calls import call, pre, request


def test_call_is_there_for_gates_only() -> None:
    """Nothing else is about to happen on other events."""
    assert Call.of(pre("Bash", command="ls")) is not None
    assert Call.of(request("Bash", command="ls")) is not None
    assert Call.of(Stop(session_id="s")) is None
    assert Call.of(PostToolUse(session_id="s", tool_name="Bash", tool_input={})) is None


def test_call_is_the_one_of_the_scene() -> None:
    """The line is read once for all who look at one event."""
    event = pre("Bash", command="ls")
    shared = Call.of(event)
    assert Call.of(event, Scene(Path("/p"), call=shared)) is shared
    assert Call.of(event) is not shared


@pytest.mark.parametrize(
    ("tool", "fields", "path"),
    [
        ("Read", {"file_path": "/etc/hosts"}, "/etc/hosts"),
        ("Write", {"file_path": "a/../b.py"}, "/srv/project/b.py"),
        ("Edit", {"file_path": "/srv/project/../x"}, "/srv/x"),
        ("NotebookEdit", {"notebook_path": "n.ipynb"}, "/srv/project/n.ipynb"),
        ("Grep", {"pattern": "x"}, "/srv/project"),
        ("Grep", {"pattern": "x", "path": "src"}, "/srv/project/src"),
        ("Glob", {"pattern": "**/*.py"}, "/srv/project"),
        ("Glob", {"pattern": "/etc/*.conf"}, "/etc"),
        ("Glob", {"pattern": "../other/*"}, "/srv/other"),
        ("Glob", {"pattern": "src/*.py", "path": "/opt"}, "/opt/src"),
        ("Glob", {"pattern": "/*"}, "/"),
        ("Read", {}, None),
        ("Read", {"file_path": 3}, None),
        ("Read", {"file_path": ""}, None),
        ("Read", {"file_path": "a\0b"}, None),
        ("Bash", {"file_path": "/x"}, None),
    ],
)
def test_path_is_whole_and_without_detours(tool: str, fields: dict[str, Any], path: str | None) -> None:
    """Relative to where the agent works; a search without a path looks there, a glob may look elsewhere."""
    assert call(tool, **fields).path == path


def test_path_expands_the_home(home: Path) -> None:
    """As the tools do."""
    assert call("Read", file_path="~/.ssh/id").path == str(home / ".ssh/id")


def test_real_path_follows_links(tmp_path: Path) -> None:
    """Where the bytes really are."""
    (tmp_path / "link").symlink_to("/etc")
    assert call("Read", file_path=str(tmp_path / "link/hosts")).real_path == "/etc/hosts"


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://example.com/a", "example.com"),
        ("https://EXAMPLE.com:8443", "example.com"),
        ("http://example.com./", "example.com"),
        ("https://evil.com\\@example.com/", None),
        ("https://user@example.com/", None),
        ("https://exa mple.com", None),
        ("https://ex%61mple.com", None),
        ("https://[::1]/", None),
        ("https://[bad", None),
        ("example.com", None),
        ("", None),
    ],
)
def test_host_is_known_only_where_all_programs_agree(url: str, host: str | None) -> None:
    """Browsers and libraries read odd addresses differently, and that is how filters are passed."""
    assert call("WebFetch", url=url).host == host


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(
    st.sampled_from(["Bash", "Read", "Glob", "Grep", "WebFetch", "Write", "Agent"]),
    st.dictionaries(st.sampled_from(["command", "file_path", "path", "pattern", "url", "subagent_type"]), json),
)
def test_call_never_raises_on_odd_input(tool: str, fields: dict[str, Any]) -> None:
    """Input comes from a model; every field may hold anything."""
    odd = Call(tool, fields, "/srv/project")
    _ = (odd.command, odd.forms, odd.path, odd.real_path, odd.host)
