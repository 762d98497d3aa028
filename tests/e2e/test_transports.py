"""HTTP observers, the plugin folder, and many sessions at once."""

import json
from collections.abc import Iterator
from pathlib import Path

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.hub import Entry
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import bash, say
from tests.e2e.lab.waiting import HANG

PLUGIN = Path(__file__).parents[2] / "plugin"
CALL = [[bash("echo hello")], [say("Done.")]]
SESSIONS = 10


def transports(lab: Lab) -> dict[str, str]:
    return {entry.event: str(entry.body["transport"]) for entry in lab.hub.entries("event")}


def test_observers_arrive_over_http_with_the_post_token(lab: LabFactory) -> None:
    """Gates come through the shim, observers over HTTP, both from one installation."""
    here = lab(CALL)
    here.guard()
    here.headless()
    came = transports(here)
    assert came["PreToolUse"] == "shim"
    assert came["PostToolUse"] == "http"
    assert "PostToolBatch" not in came


def test_batches_arrive_where_the_settings_ask_for_them(lab: LabFactory) -> None:
    """One more post for each message with calls, as before."""
    here = lab(CALL)
    here.hub.configure(hub="tool_batches = true\n")
    here.guard()
    here.headless()
    assert transports(here)["PostToolBatch"] == "http"


def test_wrong_token_costs_the_observers_and_nothing_else(lab: LabFactory) -> None:
    """The hub refuses the posts; the session goes on and its gates still hold."""
    here = lab(CALL)
    here.guard()
    token = (here.hub.paths.keys / "post.token").read_text().strip()
    settings = here.user_settings()
    settings.write_text(settings.read_text().replace(token, "x" * len(token)))
    run = here.headless()
    assert run.result["result"] == "Done."
    came = transports(here)
    assert "PreToolUse" in came
    assert "PostToolUse" not in came


def test_plugin_folder_is_an_installation(lab: LabFactory) -> None:
    """`--plugin-dir` with our plugin, and settings that do not know us: the rule holds and every event arrives."""
    here = lab([[bash("touch made.txt")], [say("Done.")]], arguments=("--plugin-dir", str(PLUGIN)))
    here.client.env = {"ASSENT_HOME": str(here.folder / "assent")}
    here.hub.configure(rules='[[rule]]\nmatch = "Bash(touch *)"\ndecision = "deny"\nreason = "Not through here."\n')
    here.hub.start()
    here.headless()
    assert not (here.project / "made.txt").exists()
    assert "Not through here." in here.model.news()[1][0]
    assert {"SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"} <= set(here.hub.events())


def test_ten_sessions_at_once_are_recorded_in_order_and_apart(lab: LabFactory) -> None:
    """Every session's events stand in the journal in the order they happened, with nothing of another session."""
    lanes = [f"LANE-{letter}" for letter in "ABCDEFGHIJ"]
    script = {lane: [[bash(f"echo {lane} one")], [bash(f"echo {lane} two")], [say(lane)]] for lane in lanes}
    here = lab(script, alone=True)
    here.guard()
    here.take_slot()
    running = {lane: here.client.popen(f"{lane} go") for lane in lanes}
    sessions: dict[str, str] = {}
    for lane, process in running.items():
        stdout, stderr = process.communicate(timeout=HANG)
        assert f'"result":"{lane}"' in stdout, f"{lane}: {stdout}{stderr}"
        sessions[lane] = json.loads(stdout)["session_id"]
    assert len(set(sessions.values())) == SESSIONS

    entries = here.hub.entries("event")
    for lane, session in sessions.items():
        own = [entry for entry in entries if entry.session == session]
        assert list(shape(own)) == [
            "UserPromptSubmit",
            *("PreToolUse", "PostToolUse") * 2,
            "Stop",
            "SessionEnd",
        ]
        commands = [e.payload["tool_input"]["command"] for e in own if e.event == "PreToolUse"]
        assert commands == [f"echo {lane} one", f"echo {lane} two"]
        prompts = [entry.payload["prompt"] for entry in own if entry.event == "UserPromptSubmit"]
        assert prompts == [f"{lane} go"]


def shape(entries: list[Entry]) -> Iterator[str]:
    """The events of a session without those whose place among the first is the client's own business."""
    return (entry.event for entry in entries if entry.event not in ("SessionStart", "InstructionsLoaded"))
