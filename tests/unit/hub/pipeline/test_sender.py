"""Who sent an event that came through the hook entries of another client."""

from pathlib import Path

import pytest

from assent.harnesses import copilot, grok, registry
from assent.harnesses.base import Harness
from assent.harnesses.site import Site
from assent.hub.pipeline.arrival import Arrival
from assent.hub.pipeline.sender import routed
from assent.paths import find

FIXTURES = Path(__file__).parents[3] / "fixtures"
OF_GROK = (FIXTURES / "grok/PreToolUse-run_terminal_command.json").read_bytes()
OWN = b'{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("GROK_HOME", "COPILOT_HOME", "QWEN_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def arrival(payload: bytes = OWN, harness: str = registry.DEFAULT, **env: str) -> Arrival:
    return Arrival(harness=harness, event_name="PreToolUse", payload=payload, transport="shim", env=env)


def install(harness: Harness, home: Path) -> None:
    site = Site(find({"HOME": str(home)}), home, home / "project", environ={"HOME": str(home)})
    path = harness.places(site)[0].path
    path.parent.mkdir(parents=True)
    path.write_bytes(harness.plan(site, "user", None, transport="auto", token="", with_telemetry=False).after)


def test_event_of_the_client_whose_entry_it_is_stays() -> None:
    """With variables that the client inherited from another one, too."""
    for came in (arrival(), arrival(CLAUDE_PID="7", COPILOT_CLI="1")):
        assert routed(came) is came


def test_event_of_another_client_gets_its_name() -> None:
    """By what it sends, also over HTTP, where no variable comes along."""
    came = routed(arrival(OF_GROK))
    assert came is not None
    assert (came.harness, came.event_name) == ("grok", "PreToolUse")


def test_event_of_a_client_with_entries_of_its_own_is_dropped(home: Path) -> None:
    """These send it, too."""
    install(grok, home)
    assert routed(arrival(OF_GROK, GROK_HOOK_EVENT="pre_tool_use")) is None
    own = arrival(OF_GROK, "grok", GROK_HOOK_EVENT="pre_tool_use")
    assert routed(own) is own


def test_client_that_is_known_by_a_variable_alone(home: Path) -> None:
    """Without entries of its own what it sends is read as the entry expects it; with them it is dropped."""
    came = arrival(COPILOT_CLI="1")
    assert routed(came) is came
    install(copilot, home)
    assert routed(came) is None
    inherited = arrival(COPILOT_CLI="1", CLAUDE_PID="7")
    assert routed(inherited) is inherited


def test_entries_that_do_not_run_are_none(home: Path) -> None:
    """A file that switches its hooks off must not silence the way that is left."""
    install(copilot, home)
    (file,) = home.rglob("assent.json")
    file.write_text('{"disableAllHooks": true}')
    came = arrival(COPILOT_CLI="1")
    assert routed(came) is came


def test_event_for_an_unknown_harness_stays() -> None:
    came = arrival(OF_GROK, "abacus")
    assert routed(came) is came


@pytest.mark.parametrize("harness", [name for name in registry.HARNESSES if name != registry.DEFAULT])
def test_variable_of_a_repository_silences_no_other_client(home: Path, harness: str) -> None:
    """Several clients read a ``.env`` of the project: a marker in it must not make their events another one's."""
    for other in (grok, copilot):
        install(other, home)
    env = {each.MARKER: "1" for each in registry.HARNESSES.values() if each.MARKER}
    came = arrival(OWN, harness, **env)
    assert routed(came) is came
