"""No secret that an agent sends is written down, whatever happens to the hub: not in the journal, not beside it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from assent.shim import stopped
from tests import captured
from tests.component.hub.secret_planter import Planter
from tests.component.hub_process import HubProcess, bash, until
from tests.unit.redact import secret_set
from tests.waiting import HANG

# Events with free text, and the fields that hold it.
SAYINGS = (
    ("UserPromptSubmit", ("prompt",)),
    ("Notification", ("message", "title")),
    ("Stop", ("last_assistant_message",)),
    ("StopFailure", ("error", "error_details")),
    ("PostToolUseFailure", ("error",)),
    ("SessionStart", ("session_title",)),
    ("Elicitation", ("mcp_server_name", "message")),
    ("TaskCreated", ("task_subject", "task_description", "team_name")),
    ("PermissionDenied", ("reason",)),
)
# A hub with a voice that fails on one command, and says in its error all that it was given.
CLUMSY = """
import sys
from assent import paths
from assent.hub import daemon

class Clumsy:
    def speak(self, event, scene):
        if "stumble" in str(event.raw):
            raise RuntimeError(f"cannot judge {event.raw}")

daemon.run(paths.find(), extra_voices=[Clumsy()])
"""
# The program `assent` with a hub that dies of what it was handed.
FATAL = """
import sys
from assent.cli.main import run
from assent.hub import daemon

def die(*_, **__):
    raise RuntimeError(f"handling {sys.argv[1]}")

daemon.run = die
sys.exit(run(["up"]))
"""


@pytest.fixture
def planter() -> Planter:
    return Planter()


def send_everything(hub: HubProcess, planter: Planter) -> int:
    """All events the real client was seen to send, over the socket and over HTTP, and what cannot be read."""
    token = (hub.paths.keys / "post.token").read_text()
    payloads = captured.payloads()
    for payload in payloads:
        environ = {"CLAUDE_PROJECT_DIR": planter.folder("env"), "MOOD": planter.secret("another variable")}
        hub.send(planter.event(payload), env=environ)
        hub.tcp(
            "POST",
            "/hook/claude-code",
            json.dumps(planter.event(payload)).encode(),
            {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )
    hub.send({"session_id": "s", "hook_event_name": "NotYetKnown", "news": planter.text("an unknown event")})
    head = '{"request_id":"r1","ts":1,"session_id":"s","hook_event_name":"PreToolUse","payload":{"a":"'
    hub.send_line(f"{head}{planter.text('cut off')}".encode())
    hub.send_line(planter.text("no envelope").encode())
    return len(payloads)


def test_no_secret_of_any_event_is_written_down(idle_hub: HubProcess, tmp_path: Path, planter: Planter) -> None:
    """Journal, side files, index, statistics, backup, log and spool hold none of what was planted in every field."""
    with idle_hub.paths.config.open("a") as config:
        config.write('[redact]\nextra = ["ACME-[0-9]{8}"]\n')
        # Whatever can be asked about is, for a moment: what people are shown is on record, too.
        config.write('[asks]\nwait = "20ms"\nunattended = "always"\nhold_stops = "never"\n')
    hub = idle_hub.start()
    sent = send_everything(hub, planter)
    hub.send(bash("echo ACME-12345678"))
    marker = bash("echo the end")
    hub.send(marker)
    until(lambda: hub.api("GET", "/api/log?q=%22the%20end%22")[1]["records"], "the last record")
    # The end of a session is on record once, however often it is told.
    assert hub.api("GET", "/api/status")[1]["events"] > 2 * sent - 10
    assert len(hub.api("GET", "/api/snapshot")[1]["asks"]) > 30
    assert planter.found_below(tmp_path) == []
    backup = subprocess.run(
        [sys.executable, "-m", "assent", "log", "backup", str(tmp_path / "copy.db")],
        env=hub.environ,
        capture_output=True,
        timeout=HANG,
    )
    assert backup.returncode == 0, backup
    assert (tmp_path / "copy.db").stat().st_size > 10_000
    assert hub.process is not None
    hub.process.kill()
    hub.process.communicate()
    assert planter.found_below(tmp_path) == []
    hub.start()
    until(lambda: hub.api("GET", "/api/stats")[1]["counted"], "statistics that count something")
    hub.stop()
    names = {path.name for path in tmp_path.rglob("*")}
    assert {"journal.db", "hub.log", "stats.json"} <= names
    assert planter.found_below(tmp_path) == []
    assert not any(b"ACME-12345678" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert len(planter.planted) > 300


def test_no_form_of_a_secret_is_written_down(idle_hub: HubProcess, tmp_path: Path) -> None:
    """Tokens of all vendors in prompts, commands, names of tools and servers, messages, errors, titles and news."""
    with idle_hub.paths.config.open("a") as config:
        config.write('[asks]\nwait = "20ms"\nunattended = "always"\nhold_stops = "never"\n')
    hub = idle_hub.start()
    samples = list(secret_set.prose(31))
    planted = [secret_set.core(sample.secret).encode() for sample in samples]
    for at in range(0, len(samples), 9):
        text = "\n".join(sample.text for sample in samples[at : at + 9])
        for event, fields in SAYINGS:
            hub.send({**captured.payload(event), **dict.fromkeys(fields, text)})
        hub.send({**captured.payload("PreToolUse", "mcp__lab__echo"), "tool_input": {"value": text, text: 1}})
        hub.send({**captured.payload("PreToolUse", "Bash"), "tool_input": {"command": "true", "description": text}})
        hub.send({"session_id": "s", "hook_event_name": "NotYetKnown", "news": [text], "more": {"deep": text}})
    for sample in samples[::3]:
        name = f"mcp__{sample.secret}__run"
        for event in ("PreToolUse", "PermissionRequest", "PostToolUseFailure"):
            hub.send({**captured.payload(event, "Bash"), "tool_name": name, "tool_input": {"a": 1}})
        hub.send({"session_id": "s", "hook_event_name": sample.secret})
    hub.send(bash("echo the end"))
    until(lambda: hub.api("GET", "/api/log?q=%22the%20end%22")[1]["records"], "the last record")
    hub.stop()
    stored = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(planted) > 500
    assert [(name, secret) for name, text in stored.items() for secret in planted if secret in text] == []


def test_judge_that_fails_quotes_nothing_in_the_log(idle_hub: HubProcess, tmp_path: Path, planter: Planter) -> None:
    """An error's own words may be what an agent sent, and the log has only its name and place."""
    hub = idle_hub.start(sys.executable, "-c", CLUMSY)
    planted = planter.event(captured.payload("PreToolUse", "Bash"))
    planted["tool_input"]["command"] += " and stumble"
    # Nothing gives this one away, so it is recorded as any other argument is.
    planted["tool_input"]["note"] = "open sesame"
    output = hub.send(planted)["stdout_json"]["hookSpecificOutput"]
    hub.stop()
    assert output["permissionDecision"] in ("ask", "deny")
    assert planter.found_below(tmp_path) == []
    assert "Clumsy failed on PreToolUse: RuntimeError" in hub.log()
    assert "stumble" not in hub.log()
    assert "open sesame" not in hub.log()


def test_hub_that_dies_leaves_a_crash_file_without_what_it_handled(
    idle_hub: HubProcess, tmp_path: Path, planter: Planter
) -> None:
    """Where it happened is kept; the words of the error are shown once and never written."""
    secret = planter.secret("the error's words")
    done = subprocess.run(
        [sys.executable, "-c", FATAL, secret], env=idle_hub.environ, capture_output=True, text=True, timeout=HANG
    )
    assert done.returncode == 3
    (crash,) = idle_hub.paths.state.glob("crash-*.txt")
    assert "RuntimeError" in crash.read_text()
    assert planter.found_below(tmp_path) == []


def test_gap_of_a_shim_without_a_hub_has_no_payload(idle_hub: HubProcess, tmp_path: Path, planter: Planter) -> None:
    """What goes by unjudged is counted by its size."""
    hub = idle_hub.start()
    hub.stop()
    stopped.leave(hub.paths, stopped.arm(hub.paths))
    start = [str(hub.paths.shim / "python"), "-I", "-S", str(hub.paths.shim / "hook.py"), str(hub.paths.hook_socket)]
    payload = json.dumps(planter.event(captured.payload("PreToolUse", "Bash"))).encode()
    subprocess.run(
        [*start, "claude-code", "PreToolUse", "5", "2"],
        input=payload,
        env={"CLAUDE_CODE_SESSION_ID": "s1", "ANTHROPIC_API_KEY": planter.secret("a variable")},
        capture_output=True,
        timeout=HANG,
        check=True,
    )
    assert json.loads((hub.paths.spool / "gaps.ndjson").read_text())["size"] == len(payload)
    assert planter.found_below(tmp_path) == []
