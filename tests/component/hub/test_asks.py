"""Asks in a real hub: from the hook that waits to the reply it gets."""

import json
import os
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.component.hub.ask_client import WAITING, Hook, answer, asks, hook, one, permission, waiting
from tests.component.hub.conftest import StartHub
from tests.component.hub_process import HubProcess, bash, until
from tests.waiting import HANG

UNATTENDED = {"CLAUDE_CODE_SESSION_ATTENDED": "0"}
ALWAYS = '[asks]\nunattended = "always"\n'


@pytest.fixture
def hub(start_hub: StartHub) -> HubProcess:
    """Without rules: what the policy leaves open is asked about."""
    return start_hub()


def records(hub: HubProcess, kind: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(f"file:{hub.paths.journal}?mode=ro", uri=True)) as db:
        found = db.execute("SELECT body FROM records WHERE kind = ? ORDER BY seq", (kind,)).fetchall()
    return [json.loads(body) for (body,) in found]


def ended(hub: HubProcess, ask: dict[str, Any]) -> dict[str, Any]:
    def probe() -> dict[str, Any] | None:
        found = one(hub, ask["id"])
        return found if found["state"] == "closed" else None

    return until(probe, "the end of the ask")


def test_yes_reaches_the_agent_and_is_told(hub: HubProcess) -> None:
    """Allow once: the reply the client honours, and the receipt."""
    with hook(hub, permission()) as (run, ask):
        assert answer(hub, ask, "allow") == (202, {"state": "answered"})
        assert run.decision == {"behavior": "allow"}
        assert until(lambda: one(hub, ask["id"])["state"] == "told", "the receipt")


def test_no_carries_the_message_and_nothing_else(hub: HubProcess) -> None:
    """The agent reads exactly the message."""
    with hook(hub, permission()) as (run, ask):
        answer(hub, ask, "deny", message="Use a pull request.")
        assert run.decision == {"behavior": "deny", "message": "Use a pull request."}
        assert until(lambda: one(hub, ask["id"]).get("result", {}).get("ending") == "denied", "the end")


def test_no_can_stop_the_turn(hub: HubProcess) -> None:
    """Deny and stop interrupts."""
    with hook(hub, permission()) as (run, ask):
        answer(hub, ask, "deny_and_stop")
        assert (run.decision["behavior"], run.decision["interrupt"]) == ("deny", True)


def test_handed_back_is_silence(hub: HubProcess) -> None:
    """The terminal's own dialog decides."""
    with hook(hub, permission()) as (run, ask):
        answer(hub, ask, "hand_back")
        assert run.result() == {"action": "passthrough"}
        assert until(lambda: one(hub, ask["id"]).get("result", {}).get("ending") == "handed_back", "the end")


def test_edited_input_is_what_runs(hub: HubProcess) -> None:
    """The whole input goes back, judged like any other."""
    with hook(hub, permission("npm install left-pad")) as (run, ask):
        edited = {"command": "npm install left-pad@1.3.0"}
        assert answer(hub, ask, "allow_edited", edited=edited)[0] == 202
        assert run.decision == {"behavior": "allow", "updatedInput": edited}


@pytest.mark.parametrize("command", ["rm -rf ~", "rm -rf build && git push --force"])
def test_edit_that_makes_it_worse_is_refused(hub: HubProcess, command: str) -> None:
    """No edit gets past the floor, or past what was shown."""
    with hook(hub, permission("npm install left-pad")) as (_, ask):
        status, reply = answer(hub, ask, "allow_edited", edited={"command": command})
        assert (status, reply["error"]["code"]) == (409, "refused-by-policy")
        assert one(hub, ask["id"])["state"] in WAITING


@pytest.mark.parametrize(
    ("choice", "destination"),
    [("allow_session", "session"), ("allow_project", "localSettings"), ("allow_user", "userSettings")],
)
def test_lasting_yes_is_sent_as_the_client_writes_it(hub: HubProcess, choice: str, destination: str) -> None:
    """One rule, for the scope that was chosen."""
    with hook(hub, permission("npm test")) as (run, ask):
        assert answer(hub, ask, choice, grant="rule:Bash(npm test)")[0] == 202
        rule = {"toolName": "Bash", "ruleContent": "npm test"}
        grant = {"type": "addRules", "rules": [rule], "behavior": "allow", "destination": destination}
        assert run.decision == {"behavior": "allow", "updatedPermissions": [grant]}


@pytest.mark.parametrize("grant", ["rule:Bash", "rule:Bash(python *)", "mode:bypassPermissions", "", "nonsense"])
def test_grant_that_is_too_wide_is_refused(hub: HubProcess, grant: str) -> None:
    """And the ask still waits."""
    with hook(hub, permission("npm test")) as (_, ask):
        status, reply = answer(hub, ask, "allow_session", grant=grant)
        assert (status, reply["error"]["code"]) == (409, "unfit")
        assert one(hub, ask["id"])["state"] in WAITING


def test_danger_gets_exact_rules_only(hub: HubProcess) -> None:
    """A wildcard for what cannot be undone is not granted."""
    with hook(hub, permission("git push --force origin main")) as (_, ask):
        match = ask["risk"]["match"]
        wide = answer(hub, ask, "allow_session", grant="rule:Bash(git push *)", match=match)
        assert (wide[0], wide[1]["error"]["code"]) == (409, "unfit")
        exact = answer(hub, ask, "allow_session", grant="rule:Bash(git push --force origin main)", match=match)
        assert exact[0] == 202


def test_note_with_a_yes_comes_with_the_result(hub: HubProcess) -> None:
    """The client takes no note beside an allow, so it waits for the call to end."""
    call = bash("git push origin main", tool_use_id="t1")
    hub.send(call)
    with hook(hub, permission()) as (run, ask):
        answer(hub, ask, "allow", message="Then open a pull request.")
        assert run.decision == {"behavior": "allow"}
    output = hub.send({**call, "hook_event_name": "PostToolUse", "tool_response": {}})["stdout_json"]
    assert output["hookSpecificOutput"]["additionalContext"] == "Your user says: Then open a pull request."
    assert until(lambda: one(hub, ask["id"]).get("result", {}).get("ending") == "ran", "the end")


def test_answer_to_a_changed_file_is_refused_and_shown_anew(hub: HubProcess, tmp_path: Any) -> None:
    """What would be overwritten is part of what was shown."""
    file = tmp_path / "a.py"
    file.write_text("one\n")
    event = permission(tool_name="Edit", cwd=str(tmp_path))
    event["tool_input"] = {"file_path": str(file), "old_string": "one", "new_string": "two"}
    with hook(hub, event) as (run, ask):
        file.write_text("zero\none\n")
        status, reply = answer(hub, ask, "allow")
        assert (status, reply["error"]["code"], reply["ask"]["rev"]) == (409, "changed", 2)
        assert answer(hub, reply["ask"], "allow")[0] == 202
        assert run.decision == {"behavior": "allow"}


@pytest.mark.parametrize("inner", [False, True])
def test_answer_to_a_changed_script_is_refused_and_shown_anew(hub: HubProcess, tmp_path: Path, inner: bool) -> None:
    """A yes is bound to the file that runs, and to the files that this one runs."""
    (tmp_path / "run.sh").write_text("./inner.sh\n")
    (tmp_path / "inner.sh").write_text("echo one\n")
    with hook(hub, permission("bash run.sh", cwd=str(tmp_path))) as (run, ask):
        (tmp_path / ("inner.sh" if inner else "run.sh")).write_text("echo two\n")
        status, reply = answer(hub, ask, "allow")
        assert (status, reply["error"]["code"], reply["ask"]["rev"]) == (409, "changed", 2)
        assert answer(hub, reply["ask"], "allow")[0] == 202
        assert run.decision == {"behavior": "allow"}


def test_second_answer_is_refused_with_the_state(hub: HubProcess) -> None:
    """Two people, one answer."""
    with hook(hub, permission()) as (run, ask):
        assert answer(hub, ask, "deny")[0] == 202
        status, reply = answer(hub, ask, "allow")
        assert (status, reply["error"]["code"]) == (409, "too-late")
        assert run.decision["behavior"] == "deny"


def test_call_that_ran_closes_its_ask_as_answered_at_the_terminal(hub: HubProcess) -> None:
    """The client does not report a yes there; the result does."""
    call = bash("git push origin main", tool_use_id="t1")
    hub.send(call)
    with hook(hub, permission()) as (run, ask):
        hub.send({**call, "hook_event_name": "PostToolUse", "tool_response": {}})
        assert run.result() == {"action": "passthrough"}
        closed = ended(hub, ask)
        assert (closed["result"]["ending"], closed.get("choices")) == ("terminal", None)


def test_equal_calls_side_by_side_do_not_close_each_other(hub: HubProcess) -> None:
    """A result names its call; the other one still waits."""
    calls = [bash("git push origin main", tool_use_id=f"t{number}") for number in (1, 2)]
    for call in calls:
        hub.send(call)
    with hook(hub, permission()) as (_, first), hook(hub, permission()) as (run, second):
        hub.send({**calls[0], "hook_event_name": "PostToolUse", "tool_response": {}})
        until(lambda: one(hub, first["id"])["state"] == "closed", "the end of the first")
        assert one(hub, second["id"])["state"] in WAITING
        answer(hub, second, "allow")
        assert run.decision == {"behavior": "allow"}


def test_hook_that_was_killed_closes_its_ask(hub: HubProcess) -> None:
    """The client ends our hook on a no at the terminal."""
    with hook(hub, permission()) as (run, ask):
        run.leave()
        assert ended(hub, ask)["result"]["ending"] == "terminal"
        assert answer(hub, ask, "allow")[0] == 409


def test_asks_of_calls_that_were_all_denied_at_the_terminal_close_without_a_report(hub: HubProcess) -> None:
    """Their hooks were ended, and nothing else ever tells of these calls: no result, no batch, no telemetry."""
    with (
        hook(hub, permission("touch one.txt")) as (first, one_ask),
        hook(hub, permission("touch two.txt")) as (last, two),
    ):
        first.leave()
        last.leave()
        assert [ended(hub, ask)["result"]["ending"] for ask in (one_ask, two)] == ["terminal", "terminal"]


def test_restarted_hub_takes_its_asks_up_again(hub: HubProcess) -> None:
    """The shim comes back with the same request; the ask keeps its name, and its answer counts."""
    event = permission()
    with hook(hub, event) as (run, ask):
        hub.stop()
        hub.start()
        again = Hook(hub, event, request_id=run.request_id)
        (found,) = waiting(hub)
        assert (found["id"], found["rev"], found["hash"]) == (ask["id"], ask["rev"], ask["hash"])
        answer(hub, found, "allow")
        assert again.decision == {"behavior": "allow"}
    assert len(records(hub, "ask")) == 1


def test_answer_from_before_a_restart_is_repeated_and_not_asked_again(hub: HubProcess) -> None:
    """Once it is on record, that is what the agent is told, however often it asks."""
    event = permission()
    with hook(hub, event) as (run, ask):
        answer(hub, ask, "allow")
        assert run.decision == {"behavior": "allow"}
    hub.stop()
    hub.start()
    assert Hook(hub, event, request_id=run.request_id).decision == {"behavior": "allow"}
    assert asks(hub) == []


def test_unattended_run_is_not_held_where_no_person_looks(hub: HubProcess) -> None:
    """A pipeline does not stand still for a person who is not there."""
    assert hub.send(permission(), env=UNATTENDED) == {"action": "passthrough"}
    assert asks(hub) == []


def test_unattended_call_waits_for_a_person_where_the_settings_say_so(start_hub: StartHub) -> None:
    """The prompt would be refused, so the call itself is held; what is not answered stays refused."""
    hub = start_hub(config=ALWAYS)
    with hook(hub, bash("git push --force origin main"), env=UNATTENDED) as (run, ask):
        assert answer(hub, ask, "allow", match=ask["risk"]["match"])[0] == 202
        assert run.result()["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "allow"
    with hook(hub, bash("git push --force origin main"), env=UNATTENDED) as (run, ask):
        answer(hub, ask, "hand_back")
        # Never silence: under an allow rule of the user's, silence would run it.
        assert run.result()["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "ask"


def test_secrets_are_shown_as_marks_and_survive_an_edit(hub: HubProcess) -> None:
    """The token is not shown, and what runs has it."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    with hook(hub, permission(f"curl -H 'Authorization: Bearer {token}' https://example.com/a")) as (run, ask):
        assert token not in json.dumps(ask)
        assert "redacted" in ask["flags"]
        edited = {"command": ask["view"]["raw"]["command"].replace("/a", "/b")}
        assert answer(hub, ask, "allow_edited", edited=edited)[0] == 202
        assert run.decision["updatedInput"]["command"].endswith(f"{token}' https://example.com/b")
    assert token not in hub.paths.journal.read_bytes().decode("latin-1")


def test_contents_of_a_form_reach_the_agent_and_no_record(start_hub: StartHub) -> None:
    """What people type into forms is private."""
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    event = {
        "session_id": "s1",
        "cwd": "/p",
        "hook_event_name": "Elicitation",
        "mcp_server_name": "travel",
        "message": "Where to?",
        "mode": "form",
        "requested_schema": schema,
    }
    hub = start_hub(config=ALWAYS)
    with hook(hub, event, env=UNATTENDED) as (run, ask):
        assert answer(hub, ask, "submit", content={})[1]["error"]["code"] == "unfit"
        assert answer(hub, ask, "submit", content={"city": "Ouagadougou"})[0] == 202
        output = run.result()["stdout_json"]["hookSpecificOutput"]
        assert (output["action"], output["content"]) == ("accept", {"city": "Ouagadougou"})
    hub.stop()
    assert b"Ouagadougou" not in hub.paths.journal.read_bytes()


def test_match_word_is_never_recorded(hub: HubProcess) -> None:
    """Neither the right one nor the wrong ones."""
    with hook(hub, permission("git push --force origin main")) as (_, ask):
        answer(hub, ask, "allow", match="correct-horse-battery")
    hub.stop()
    assert b"correct-horse-battery" not in hub.paths.journal.read_bytes()


def test_unknown_ask_is_not_found(hub: HubProcess) -> None:
    """There is no such thing as answering the topmost."""
    assert answer(hub, {"id": "zzzzz", "rev": 1, "hash": ""}, "allow")[0] == 404


@pytest.mark.parametrize("body", [b"", b"{}", b"[1]", b'{"rev":1,"hash":"","choice":"maybe"}', b"\xff" * 100])
def test_answer_that_is_none_is_refused_and_changes_nothing(hub: HubProcess, body: bytes) -> None:
    """Bad input is never an answer."""
    with hook(hub, permission()) as (_, ask):
        assert hub.api("POST", f"/api/asks/{ask['id']}/answer", body)[0] == 400
        assert one(hub, ask["id"])["state"] in WAITING


def test_ask_expires_by_itself(start_hub: StartHub) -> None:
    """No opinion, by no person."""
    hub = start_hub(config='[asks]\nwait = "1s"\n')
    run = Hook(hub, permission())
    assert run.result() == {"action": "passthrough"}
    (ask,) = until(lambda: asks(hub, "closed"), "the end")
    assert (ask["result"]["ending"], ask.get("answer")) == ("expired", None)


def test_stream_carries_the_ask_and_its_end(hub: HubProcess) -> None:
    """A watcher sees it come and go without asking again."""
    since = hub.api("GET", "/api/snapshot")[1]["seq"]
    with hook(hub, permission()) as (run, ask):
        answer(hub, ask, "deny")
        run.result()
    until(lambda: one(hub, ask["id"])["state"] == "closed", "the end")
    seen = _streamed(hub, since, ask["id"], "closed")
    assert seen[-1] == "closed"


def _streamed(hub: HubProcess, since: int, name: str, last: str) -> list[str]:
    states: list[str] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(HANG)
        sock.connect(str(hub.paths.desk_socket))
        sock.sendall(f"GET /api/stream?rows=1&since={since} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        with sock.makefile("rb") as lines:
            for line in lines:
                if line.startswith(b"data:"):
                    states += [a["state"] for a in json.loads(line[5:]).get("asks", []) if a["id"] == name]
                    if states and states[-1] == last:
                        return states
    return states


def transcript(file: Path, *lines: dict[str, Any]) -> None:
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def said(text: str, command: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What an agent writes down of a message: its words, and its call."""
    call = {"type": "tool_use", "id": "toolu_7", "name": "Bash", "input": {"command": command}}
    blocks = ({"type": "text", "text": text}, call)
    first, second = ({"type": "assistant", "message": {"id": "m1", "content": [block]}} for block in blocks)
    return first, second


def test_card_tells_what_led_to_the_call(hub: HubProcess, tmp_path: Path) -> None:
    """The person's words and the agent's, without secrets: shown, on record, and in what an answer is bound to."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    file = tmp_path / "s1.jsonl"
    push = permission(transcript_path=str(file))
    hub.send(bash("", hook_event_name="UserPromptSubmit", prompt=f"Release it with {secret}."))
    until(lambda: any("prompt" in one for one in hub.api("GET", "/api/snapshot")[1]["sessions"]), "the prompt")
    transcript(file, *said(f"Tests pass, so I push with {secret}.", "git push origin main"))
    with hook(hub, push) as (_, ask):
        assert ask["asked"].startswith("Release it with ")
        assert ask["words"].startswith("Tests pass, so I push with ")
        assert secret not in json.dumps(ask)
    recorded = records(hub, "ask")[0]
    assert recorded["card"]["words"].startswith("Tests pass, so I push with ")
    assert secret not in json.dumps(recorded)
    transcript(file, *said("Something else.", "git push origin main"))
    with hook(hub, push) as (_, other):
        assert other["words"] == "Something else."
        assert other["hash"] != ask["hash"]


def test_sub_agent_is_asked_about_with_its_own_words_and_task(start_hub: StartHub, tmp_path: Path) -> None:
    """From a file of its own, beside that of the main agent."""
    hub = start_hub(config=ALWAYS)
    file = tmp_path / "s1.jsonl"
    own = tmp_path / "s1" / "subagents" / "agent-a1.jsonl"
    own.parent.mkdir(parents=True)
    task = {"type": "user", "message": {"role": "user", "content": "Find the leak."}}
    transcript(own, task, *said("I push what I found.", "git push origin main"))
    event = permission(transcript_path=str(file), agent_id="a1", agent_type="Explore")
    with hook(hub, event, env=UNATTENDED) as (_, ask):
        assert (ask["words"], ask["subject"]["task"]) == ("I push what I found.", "Find the leak.")


@pytest.mark.parametrize("kind", ["missing", "pipe", "folder", "link", "noise"])
def test_transcript_that_cannot_be_read_leaves_the_card_without_words(
    hub: HubProcess, tmp_path: Path, kind: str
) -> None:
    """Nothing waits for it, and the ask is answered as ever."""
    file = tmp_path / "s1.jsonl"
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    elif kind == "link":
        transcript(tmp_path / "real", *said("Linked.", "git push origin main"))
        file.symlink_to(tmp_path / "real")
    elif kind == "noise":
        file.write_bytes(b"\xff\x00[[[{" * 100_000)
    with hook(hub, permission(transcript_path=str(file))) as (run, ask):
        assert "words" not in ask
        assert answer(hub, ask, "allow")[0] == 202
        assert run.decision == {"behavior": "allow"}
