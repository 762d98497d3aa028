"""What a running hub tells a shim, and what it writes down before."""

import sqlite3
from contextlib import closing
from typing import Any

from tests.component.hub.conftest import StartHub
from tests.component.hub_process import UNATTENDED, HubProcess, bash, until

Row = dict[str, Any]


def records(hub: HubProcess, where: str = "1") -> list[Row]:
    with closing(sqlite3.connect(f"file:{hub.paths.journal}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        rows = connection.execute(f"SELECT * FROM records WHERE {where} ORDER BY seq").fetchall()
    connection.close()
    return [dict(row) for row in rows]


def test_deny_rule_denies_with_its_reason(hub: HubProcess) -> None:
    """The agent is told no in exactly the form its client honours."""
    answer = hub.send(bash("git push origin main"))
    assert answer["action"] == "json_output"
    assert answer["stdout_json"]["hookSpecificOutput"] == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "Pushes are reviewed.",
    }


def test_ask_rule_prompts(hub: HubProcess) -> None:
    """An ask rule makes the client show its own dialog."""
    answer = hub.send(bash("npm publish --access public"))
    assert answer["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "ask"


def test_allow_is_on_disk_when_it_is_told(hub: HubProcess) -> None:
    """Once the answer is read, its record is in the journal."""
    answer = hub.send(bash("make build"), request_id="ab" * 8)
    assert answer["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "allow"
    event, decision = records(hub, "request = 'abababababababab'")
    assert (event["kind"], decision["kind"], decision["decision"]) == ("event", "decision", "allow")
    assert decision["by"] == "rule:user#2"
    assert event["call"] == decision["call"]


def test_no_decision_is_silence(hub: HubProcess) -> None:
    """No opinion is empty output, never an approval."""
    assert hub.send(bash("cargo build")) == {"action": "passthrough"}


def test_floor_denies_whatever_the_rules_say(start_hub: StartHub) -> None:
    """Nothing silences the floor."""
    hub = start_hub(rules='[[rule]]\nmatch = "Bash(rm -rf /)"\ndecision = "allow"\n')
    answer = hub.send(bash("rm -rf /"))
    assert answer["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_same_request_gets_the_same_answer_once_recorded(hub: HubProcess) -> None:
    """A shim that lost its connection may ask again; it is one decision."""
    first = hub.send(bash("make build", tool_use_id="t1"), request_id="cd" * 8)
    second = hub.send(bash("make build", tool_use_id="t1"), request_id="cd" * 8)
    assert first == second
    assert len(records(hub, "request = 'cdcdcdcdcdcdcdcd' AND kind = 'decision'")) == 1


def test_same_request_is_remembered_across_a_restart(start_hub: StartHub, hub: HubProcess) -> None:
    """The decision of another life of the hub is repeated, not made again."""
    hub.send(bash("make build", tool_use_id="t1"), request_id="ef" * 8)
    hub.stop()
    hub.start()
    answer = hub.send(bash("make build", tool_use_id="t1"), request_id="ef" * 8)
    assert answer["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "allow"
    assert len(records(hub, "request = 'efefefefefefefef' AND kind = 'decision'")) == 1


def test_permission_request_belongs_to_its_call(hub: HubProcess) -> None:
    """A PermissionRequest carries no id, and is still part of the call it is about."""
    hub.send(bash("cargo build", tool_use_id="t1"))
    request = bash("cargo build", hook_event_name="PermissionRequest")
    del request["tool_use_id"]
    hub.send(request, env=UNATTENDED)
    calls = until(lambda: [row["call"] for row in records(hub, "kind = 'event'")][1:], "the second event")
    assert calls == [records(hub, "kind = 'event'")[0]["call"]]


def test_contents_are_not_written_down(hub: HubProcess) -> None:
    """What a tool wrote or returned stays out of the journal."""
    hub.send(bash("x", tool_name="Write", tool_input={"file_path": "/p/a", "content": "hunter2"}))
    hub.send(bash("x", hook_event_name="PostToolUse", tool_response={"stdout": "hunter2"}))
    until(lambda: len(records(hub, "kind = 'event'")) == 2, "both events")
    assert "hunter2" not in str(records(hub))
    assert "hunter2" not in hub.log()


def test_rules_change_without_a_restart(hub: HubProcess) -> None:
    """Saving the file is enough."""
    assert hub.send(bash("cargo build")) == {"action": "passthrough"}
    hub.paths.rules.write_text('[[rule]]\nmatch = "Bash(cargo *)"\ndecision = "deny"\nreason = "No."\n')
    until(lambda: hub.send(bash("cargo build"))["action"] == "json_output", "the new rule")


def test_broken_rules_leave_the_last_good_ones_in_force(hub: HubProcess) -> None:
    """A typo must not disarm the rules."""
    hub.paths.rules.write_text('[[rule]]\nmatch = "Bash(git push *)"\ndecision = "dney"\n')
    until(lambda: "dney" in (hub.api("GET", "/api/status")[1]["rules_trouble"] or ""), "the trouble in status")
    assert hub.send(bash("git push"))["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_secrets_are_not_written_down(start_hub: StartHub) -> None:
    """A token in a command, a prompt or a rule's evidence is in no file of the hub and not in what it tells."""
    hub = start_hub(config='[redact]\nextra = ["ACME-[0-9]{6}"]')
    tokens = ["ghp_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0", "EXAMPLEhunter2", "ACME-123456"]
    denied = hub.send(bash(f"rm -rf / {tokens[0]} --password {tokens[1]} {tokens[2]}"))
    assert denied["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "deny"
    prompt = {"session_id": "s1", "transcript_path": "/t", "cwd": "/p", "hook_event_name": "UserPromptSubmit"}
    hub.send({**prompt, "prompt": f"push with {tokens[0]}, the password is {tokens[1]}, {tokens[2]}"})
    hub.send({**bash(tokens[0]), "tool_name": 7, "tool_input": tokens[1]})
    until(lambda: len(records(hub, "kind = 'event'")) == 3, "three events")
    log_text = str(hub.api("GET", "/api/log"))
    assert "⟨token:" in log_text
    assert "⟨password:" in log_text
    assert "⟨extra:" in log_text
    files = [file for file in hub.paths.state.rglob("*") if file.is_file()]
    assert {hub.paths.journal, hub.paths.log} <= set(files)
    for token in tokens:
        assert token not in log_text
        assert [file for file in files if token.encode() in file.read_bytes()] == []


def test_added_expression_is_in_force_without_a_restart(hub: HubProcess) -> None:
    """Saving the configuration is enough."""
    hub.paths.config.write_text(f'{hub.paths.config.read_text()}\n[redact]\nextra = ["ACME-[0-9]+"]\n')

    def is_marked() -> bool:
        hub.send(bash("echo ACME-1234"))
        return "⟨extra:" in str(records(hub, "kind = 'event'"))

    until(is_marked, "a mark")
