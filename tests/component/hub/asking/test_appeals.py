"""Appeals in a real hub: auto mode refused a call, a person says otherwise, and the repeated call runs once."""

import json
import os
from typing import Any

import pytest

from tests.component.hub.ask_client import Hook, answer, asks, hook, one, permission, waiting
from tests.component.hub.conftest import StartHub
from tests.component.hub.test_asks import ended, records
from tests.component.hub_process import UNATTENDED, HubProcess, bash, until

COMMAND = "curl -s https://example.com/x"
ALWAYS = '[asks]\nunattended = "always"\n'
ATTENDED = {"CLAUDE_CODE_SESSION_ATTENDED": "1"}
RETRY = {"hookSpecificOutput": {"hookEventName": "PermissionDenied", "retry": True}}
NO_RETRY = {"hookSpecificOutput": {"hookEventName": "PermissionDenied", "retry": False}}
PASSED_ON = {"action": "passthrough"}


@pytest.fixture
def hub(start_hub: StartHub) -> HubProcess:
    """Its unattended runs wait for people."""
    return start_hub(config=ALWAYS)


def refusal(command: str = COMMAND, reason: str = "[Data Exfiltration]", **fields: Any) -> dict[str, Any]:
    """A PermissionDenied for a Bash call."""
    return bash(
        command, **{"hook_event_name": "PermissionDenied", "permission_mode": "auto", "reason": reason, **fields}
    )


def made(hub: HubProcess, command: str = COMMAND, **fields: Any) -> str:
    """What the client is told when the call is made: "allow", or "" for nothing."""
    reply = hub.send(bash(command, permission_mode="auto", **fields), env=UNATTENDED)
    return str(reply.get("stdout_json", {}).get("hookSpecificOutput", {}).get("permissionDecision", ""))


def event(name: str, **fields: Any) -> dict[str, Any]:
    return {"session_id": "s1", "cwd": "/p", "permission_mode": "auto", "hook_event_name": name, **fields}


def told(reply: dict[str, Any]) -> str:
    return str(reply.get("stdout_json", {}).get("hookSpecificOutput", {}).get("additionalContext", ""))


def appealed(hub: HubProcess, choice: str = "allow", refused: dict[str, Any] | None = None, **more: Any) -> Any:
    """What the client is told about a refusal that a person answered."""
    with hook(hub, refused or refusal(), env=UNATTENDED) as (run, ask):
        assert answer(hub, ask, choice, **more)[0] == 202
        return run.result()["stdout_json"]


def late(hub: HubProcess, refused: dict[str, Any] | None = None) -> dict[str, Any]:
    """An ask whose hook was let go, because nobody at the terminal can be reached elsewhere."""
    assert hub.send(refused or refusal(), env=ATTENDED) == PASSED_ON
    (ask,) = waiting(hub)
    return ask


def test_yes_tells_the_client_to_retry_and_allows_the_repeated_call_once(hub: HubProcess) -> None:
    """The repeated call has another id and other words, and the one after it is the client's again."""
    assert appealed(hub) == RETRY
    again = {"command": COMMAND, "description": "Once more"}
    assert made(hub, tool_input=again) == "allow"
    assert made(hub) == ""


@pytest.mark.parametrize(
    "other",
    [
        {"session_id": "s2"},
        {"agent_id": "a1", "agent_type": "Explore"},
        {"tool_input": {"command": f"{COMMAND}y"}},
        {"cwd": "/elsewhere"},
    ],
)
def test_yes_is_for_that_call_only(hub: HubProcess, other: dict[str, Any]) -> None:
    """Not for another session, agent, input or place."""
    appealed(hub)
    assert made(hub, **other) == ""


def test_note_with_a_yes_comes_with_the_result_of_the_repeated_call(hub: HubProcess) -> None:
    """The agent made it before anything could tell it more than that it may try again."""
    appealed(hub, message="And never again.")
    again = bash(COMMAND, permission_mode="auto")
    hub.send(again, env=UNATTENDED)
    result = {**again, "hook_event_name": "PostToolUse", "tool_response": {"stdout": ""}}
    said = told(hub.send(result, env=UNATTENDED))
    assert "And never again." in said
    assert "once more" not in said
    assert told(hub.send({**result, "tool_use_id": "toolu_2"}, env=UNATTENDED)) == ""


def test_yes_without_a_note_leaves_nothing_to_tell_after_the_repeated_call(hub: HubProcess) -> None:
    """It ran, and that is what there was to say."""
    appealed(hub)
    again = bash(COMMAND, permission_mode="auto")
    hub.send(again, env=UNATTENDED)
    assert told(hub.send({**again, "hook_event_name": "PostToolUse", "tool_response": {}}, env=UNATTENDED)) == ""


def test_no_stays_a_no(hub: HubProcess) -> None:
    """And what the person said goes to the agent with the next thing the client passes on."""
    assert appealed(hub, "deny", message="Use the mirror.") == NO_RETRY
    assert "Use the mirror." in told(hub.send(event("PostToolBatch", tool_calls=[]), env=UNATTENDED))
    assert told(hub.send(event("PostToolBatch", tool_calls=[]), env=UNATTENDED)) == ""
    assert made(hub) == ""


def test_time_that_runs_out_is_a_no(start_hub: StartHub) -> None:
    """Silence allows nothing, however late the call comes again."""
    hub = start_hub(config='[asks]\nunattended = "always"\nwait = "1s"\n')
    with hook(hub, refusal(), env=UNATTENDED) as (run, ask):
        assert run.result() == PASSED_ON
    assert ended(hub, ask)["result"]["ending"] == "expired"
    assert made(hub) == ""


def test_explanation_stands_on_the_card(hub: HubProcess) -> None:
    """In the check's own words, with what our judge thinks of it behind it, and at least as Care."""
    with hook(hub, refusal(reason="It leaks a key."), env=UNATTENDED) as (_, ask):
        assert ask["risk"]["reason"].startswith("Auto mode refused it: “It leaks a key.”")
        assert ask["risk"]["level"] == "care"
        assert "appeal" in ask["flags"]
        assert [way["choice"] for way in ask["choices"]] == [
            *("deny", "deny_here", "allow", "allow_here", "allow_for", "hand_back")
        ]


def test_danger_needs_its_word(hub: HubProcess) -> None:
    """The refusal of a check makes nothing easier."""
    with hook(hub, refusal("git push --force origin main"), env=UNATTENDED) as (run, ask):
        assert ask["risk"]["level"] == "danger"
        assert answer(hub, ask, "allow")[0] != 202
        assert answer(hub, ask, "allow", match=ask["risk"]["match"])[0] == 202
        assert run.result()["stdout_json"] == RETRY
    assert made(hub, "git push --force origin main") == "allow"


def test_rule_that_denies_wins_over_the_yes(hub: HubProcess) -> None:
    """A rule written between the yes and the repeated call counts."""
    appealed(hub)
    hub.paths.rules.write_text('[[rule]]\nmatch = "Bash(curl *)"\ndecision = "deny"\nreason = "No."\n')
    until(lambda: made(hub, f"{COMMAND}?{os.urandom(2).hex()}") == "deny", "the new rule")
    assert made(hub) == "deny"


def test_restarted_hub_has_no_grants(hub: HubProcess) -> None:
    """In doubt it is asked again."""
    appealed(hub)
    hub.stop()
    hub.start()
    assert made(hub) == ""


def test_held_refusal_waits_on_over_a_restart(hub: HubProcess) -> None:
    """Its shim comes back, and the yes counts in the new hub."""
    refused = refusal()
    with hook(hub, refused, env=UNATTENDED) as (run, ask):
        hub.stop()
        hub.start()
        again = Hook(hub, refused, request_id=run.request_id, env=UNATTENDED)
        (found,) = waiting(hub)
        assert found["id"] == ask["id"]
        answer(hub, found, "allow")
        assert again.result()["stdout_json"] == RETRY
    assert made(hub) == "allow"


def test_result_of_the_repeated_call_ends_the_ask(hub: HubProcess) -> None:
    """The ask follows the call that its yes let run."""
    with hook(hub, refusal(), env=UNATTENDED) as (run, ask):
        answer(hub, ask, "allow")
        run.result()
    call = bash(COMMAND, permission_mode="auto")
    hub.send(call, env=UNATTENDED)
    hub.send({**call, "hook_event_name": "PostToolUse", "tool_response": {}}, env=UNATTENDED)
    assert ended(hub, ask)["result"]["ending"] == "ran"
    decision = next(each for each in records(hub, "decision") if each["event"] == "PreToolUse")
    assert decision["trace"][-1]["why"].startswith("Auto mode had refused this call")


def test_status_counts_what_became_of_calls_in_auto_mode(hub: HubProcess) -> None:
    """One that only looks, one that the check refused and a person allowed."""
    assert made(hub, "ls -la") == "allow"
    appealed(hub)

    def counts() -> Any:
        status = hub.api("GET", "/api/status")[1]["auto_mode"]
        return status if status["appealed"] else None

    words = "auto mode: 1 call answered before the classifier, 1 refused, 1 appealed"
    assert until(counts, "the appeal is counted") == {"answered": 1, "refused": 1, "appealed": 1, "words": words}


def test_unattended_run_that_reaches_nobody_is_not_held(start_hub: StartHub) -> None:
    """As with every other ask."""
    hub = start_hub()
    assert hub.send(refusal(), env=UNATTENDED) == PASSED_ON
    assert asks(hub) == []


def test_call_the_client_asked_about_is_not_asked_about_again(hub: HubProcess) -> None:
    """From the third refusal in a row on it asks first: one ask for both."""
    call = bash(COMMAND, permission_mode="auto")
    hub.send(call, env=UNATTENDED)
    with hook(hub, permission(COMMAND, permission_mode="auto"), env=UNATTENDED) as (run, ask):
        answer(hub, ask, "hand_back")
        run.result()
    refused = {**call, "hook_event_name": "PermissionDenied", "reason": "3 consecutive actions were blocked."}
    assert hub.send(refused, env=UNATTENDED) == PASSED_ON
    assert asks(hub) == []


def test_refused_in_spite_of_our_allow_offers_no_yes(hub: HubProcess) -> None:
    """The client guards it, so the card says that, and a yes is refused."""
    call = bash("ls -la", permission_mode="auto")
    assert hub.send(call, env=UNATTENDED)["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "allow"
    refused = {**call, "hook_event_name": "PermissionDenied", "reason": "[Self-Modification]"}
    with hook(hub, refused, env=UNATTENDED) as (run, ask):
        assert "guarded" in ask["flags"]
        assert [way["choice"] for way in ask["choices"]] == ["deny", "deny_here", "hand_back"]
        assert answer(hub, ask, "allow")[0] != 202
        assert answer(hub, ask, "hand_back")[0] == 202
        assert run.result() == PASSED_ON


def test_attended_session_goes_on_where_nobody_can_be_reached(hub: HubProcess) -> None:
    """The agent is not kept waiting, and the ask stays open."""
    ask = late(hub)
    assert one(hub, ask["id"])["state"] == "open"
    hub.send(event("Stop", stop_hook_active=False), env=ATTENDED)
    hub.send(event("UserPromptSubmit", prompt="next"), env=ATTENDED)
    assert one(hub, ask["id"])["state"] == "open"


@pytest.mark.parametrize("name", ["Stop", "PostToolBatch", "UserPromptSubmit"])
def test_late_yes_is_told_with_the_next_thing_the_client_passes_on(hub: HubProcess, name: str) -> None:
    """Once; the ask is then told, and the call made again is allowed."""
    ask = late(hub)
    assert answer(hub, ask, "allow")[0] == 202
    news = told(hub.send(event(name, stop_hook_active=False, prompt="next", tool_calls=[]), env=ATTENDED))
    assert "Make exactly this call once more" in news
    assert COMMAND in news
    until(lambda: one(hub, ask["id"])["state"] == "told", "the ask is told")
    assert told(hub.send(event("PostToolBatch", tool_calls=[]), env=ATTENDED)) == ""
    assert made(hub) == "allow"


def test_late_yes_of_one_agent_is_not_told_to_another(hub: HubProcess) -> None:
    """Sub-agents and other sessions hear nothing of it."""
    answer(hub, late(hub), "allow")
    for fields in ({"session_id": "s2"}, {"agent_id": "a1"}):
        assert told(hub.send(event("PostToolBatch", tool_calls=[], **fields), env=ATTENDED)) == ""


def test_late_yes_need_not_be_told_once_its_call_ran(hub: HubProcess) -> None:
    """The agent repeated it by itself."""
    ask = late(hub)
    answer(hub, ask, "allow")
    assert made(hub) == "allow"
    assert told(hub.send(event("Stop", stop_hook_active=False), env=ATTENDED)) == ""


def test_late_no_ends_the_ask(hub: HubProcess) -> None:
    """It holds without being told."""
    ask = late(hub)
    answer(hub, ask, "deny")
    assert ended(hub, ask)["result"]["ending"] == "denied"
    assert made(hub) == ""


def test_open_appeal_ends_with_its_session(hub: HubProcess) -> None:
    """There is no agent left to run it."""
    ask = late(hub)
    hub.send(event("SessionEnd", reason="exit"), env=ATTENDED)
    assert ended(hub, ask)["result"]["ending"] == "withdrawn"


def test_session_that_ended_has_no_grants(hub: HubProcess) -> None:
    """Not even where it is resumed under the same name."""
    answer(hub, late(hub), "allow")
    hub.send(event("SessionEnd", reason="exit"), env=ATTENDED)
    assert made(hub) == ""


def test_agent_of_a_person_who_is_away_waits(hub: HubProcess) -> None:
    """And its stop waits for an appeal that is still open."""
    ask = late(hub)
    assert hub.api("PUT", "/api/presence", json.dumps({"away": True}).encode())[0] == 200
    stop = Hook(hub, event("Stop", stop_hook_active=False), env=ATTENDED)
    answer(hub, ask, "allow")
    assert "Make exactly this call once more" in told(stop.result())
    with hook(hub, refusal(f"{COMMAND}2"), env=ATTENDED) as (run, second):
        answer(hub, second, "allow")
        assert run.result()["stdout_json"] == RETRY


def test_entry_of_an_earlier_version_is_not_held(hub: HubProcess) -> None:
    """It came over HTTP and gives a hook five seconds: the yes is told later."""
    token = (hub.paths.keys / "post.token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    status, _ = hub.tcp("POST", "/hook/claude-code", json.dumps(refusal()).encode(), headers)
    assert status == 200
    (ask,) = waiting(hub)
    answer(hub, ask, "allow")
    assert "Make exactly" in told(hub.send(event("PostToolBatch", tool_calls=[]), env=ATTENDED))


def test_removal_is_held_before_a_dialog_that_refuses_by_itself(hub: HubProcess) -> None:
    """Where a person is away; their yes is then the answer to the dialog, too."""
    assert hub.api("PUT", "/api/presence", json.dumps({"away": True}).encode())[0] == 200
    call = bash("rm -rf /is-not-there", permission_mode="auto")
    with hook(hub, call, env=ATTENDED) as (run, ask):
        answer(hub, ask, "allow", match=ask["risk"]["match"])
        assert run.result()["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "allow"
    reply = hub.send(permission("rm -rf /is-not-there", permission_mode="auto"), env=ATTENDED)
    assert reply["stdout_json"]["hookSpecificOutput"]["decision"] == {"behavior": "allow"}
    with hook(hub, permission("rm -rf /is-not-there", permission_mode="auto"), env=ATTENDED) as (_, second):
        assert second["id"] != ask["id"]


@pytest.mark.parametrize("fields", [{"permission_mode": "default"}, {"permission_mode": "auto"}])
def test_removal_opens_the_clients_dialog_where_that_is_better(hub: HubProcess, fields: dict[str, str]) -> None:
    """In a mode whose dialog waits, and where nobody could be reached anyway."""
    reply = hub.send(bash("rm -rf /is-not-there", **fields), env=ATTENDED)
    assert reply["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "ask"
