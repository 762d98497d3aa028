"""The hub on both event loops."""

import sys
from pathlib import Path

import pytest

from tests.component.hub.conftest import RULES
from tests.component.hub_process import HubProcess, bash

WITHOUT = "import sys; sys.modules['uvloop'] = sys.modules['httptools'] = None; "
WITH = "import uvloop, httptools; "
START = "sys.argv = ['assent', 'up']; from assent.cli.main import main; main()"


@pytest.mark.parametrize("first", [WITHOUT, f"import sys; {WITH}"], ids=["plain", "fast"])
def test_hub_works_with_and_without_the_fast_extra(tmp_path: Path, first: str) -> None:
    """Hook socket, desk socket, HTTP and a clean stop are the same on either."""
    hub = HubProcess(tmp_path, rules=RULES).start(sys.executable, "-c", first + START)
    token = (hub.paths.keys / "post.token").read_text()
    assert hub.send(bash("git push"))["action"] == "json_output"
    assert hub.send(bash("make build"))["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "allow"
    assert hub.api("GET", "/api/status")[0] == 200
    headers = {"Authorization": f"Bearer {token}"}
    body = b'{"session_id":"s1","hook_event_name":"Notification","message":"hi"}'
    assert hub.tcp("POST", "/hook/claude-code", body, headers) == (200, {})
    hub.stop()
    assert hub.process is not None
    assert hub.process.returncode == 0
    assert "Traceback" not in hub.log()
