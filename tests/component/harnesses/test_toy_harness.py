"""A harness that no line of the program knows goes through judge, ask, answer and always."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.component.hub.ask_client import Hook, answer, one, waiting
from tests.component.hub_process import HubProcess, until
from tests.toy_harness import NAME

GO = {"bead": "go"}
SILENT = {"action": "passthrough"}
RULES = """
[[rule]]
match = "Bash(git push *)"
decision = "deny"
reason = "Pushes are reviewed."

[[rule]]
match = "Bash(make build)"
decision = "allow"

[[rule]]
match = "Bash(npm publish *)"
decision = "ask"
reason = "Publishing is for people."

[[rule]]
match = "Bash"
when = { mode = "bypassPermissions" }
decision = "deny"
reason = "Not in that mode."
"""


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[HubProcess]:
    running = HubProcess(tmp_path, rules=RULES, config='[asks]\nunattended = "always"\n')
    running.start(sys.executable, "-m", "tests.toy_program", "up")
    yield running
    running.stop()


def event(what: str, line: str = "ls", *, chat: str = "c1", **fields: Any) -> dict[str, Any]:
    return {"what": what, "chat": chat, "place": "/", "style": "careful", "tool": "reckon", "with": {"line": line}} | (
        fields
    )


def tell(hub: HubProcess, sent: dict[str, Any], **envelope: Any) -> dict[str, Any]:
    """What the client reads, or that it reads nothing."""
    envelope = {"harness": NAME, "hook_event_name": sent["what"], "session_id": sent["chat"], **envelope}
    reply = hub.send(sent, **envelope)
    said: dict[str, Any] = reply.get("stdout_json", reply)
    return said


class Waiting(Hook):
    """A permission that is asked for, until a person answers."""

    def __init__(self, hub: HubProcess, sent: dict[str, Any], *, seated: str = "no") -> None:
        shaped = {**sent, "session_id": sent["chat"], "hook_event_name": sent["what"]}
        super().__init__(hub, shaped, harness=NAME, env={"ABACUS_SEATED": seated, "ABACUS_FOLDER": "/"})


def records(hub: HubProcess, kind: str) -> list[dict[str, Any]]:
    listed = hub.api("GET", "/api/log?limit=100")[1]["records"]
    return [record for record in listed if record["kind"] == kind]


def test_rules_speak_about_its_shell(hub: HubProcess) -> None:
    """``Bash(…)`` is every shell of every harness, in whatever field the command stands."""
    assert tell(hub, event("about_to", "git push origin main")) == {
        "bead": "stay",
        "because": "Pushes are reviewed.",
    }
    assert tell(hub, event("may_i", "make build")) == GO
    # It takes no allow there: what is allowed is silence.
    assert tell(hub, event("about_to", "make build")) == SILENT


def test_the_floor_holds(hub: HubProcess) -> None:
    assert tell(hub, event("may_i", "rm -rf ~"))["bead"] == "stay"
    own = event("may_i") | {"tool": "put", "with": {"file": str(hub.paths.rules), "says": "x"}}
    assert tell(hub, own)["bead"] == "stay"


def test_its_modes_are_ours(hub: HubProcess) -> None:
    """A rule names the mode as it was spelt for another client."""
    assert tell(hub, event("may_i", "make build", style="wild"))["bead"] == "stay"


def test_a_person_answers(hub: HubProcess) -> None:
    """The card shows what the call is, and offers what the client can be told."""
    run = Waiting(hub, event("may_i", "npm install left-pad"))
    (ask,) = waiting(hub)
    assert ask["subject"]["harness"] == NAME
    assert ask["view"]["verb"] == "Install left-pad"
    offered = {way["choice"] for way in ask["choices"]}
    assert {"allow", "deny", "allow_here"} <= offered
    # The root is no project.
    assert offered.isdisjoint({"allow_project", "allow_edited", "deny_and_stop"})
    (offer,) = hub.api("GET", f"/api/asks/{ask['id']}/offers")[1]["offers"]
    assert (offer["grant"], offer["keeper"]) == ("rule:Bash(npm install left-pad)", "assent")
    # Nothing but what is offered.
    assert answer(hub, ask, "allow_user", grant="rule:Bash(npm install *)")[0] >= 400
    assert answer(hub, ask, "allow")[0] == 202
    assert run.result()["stdout_json"] == GO


def test_a_no_carries_its_words(hub: HubProcess) -> None:
    run = Waiting(hub, event("may_i", "npm install left-pad"))
    (ask,) = waiting(hub)
    answer(hub, ask, "deny", message="Vendored already.")
    assert run.result()["stdout_json"] == {"bead": "stay", "because": "Vendored already."}


def test_a_yes_before_the_tool_is_not_asked_for_again(hub: HubProcess) -> None:
    """The call is the one that was asked about, and the yes counts once."""
    sent = event("may_i", "npm publish --tag next")
    run = Waiting(hub, sent)
    (ask,) = waiting(hub)
    answer(hub, ask, "allow", match=ask["risk"].get("match", ""))
    assert run.result()["stdout_json"] == GO
    before = {"env": {"ABACUS_SEATED": "no", "ABACUS_FOLDER": "/"}}
    assert tell(hub, {**sent, "what": "about_to"}, **before) == SILENT
    calls = {record.get("call") for record in records(hub, "event")}
    assert len(calls) == 1
    again = Waiting(hub, {**sent, "what": "about_to"})
    assert waiting(hub)
    again.leave()


def test_questions_it_cannot_be_told_are_not_answered_here(hub: HubProcess) -> None:
    run = Waiting(hub, event("may_i") | {"tool": "wonder", "with": {"about": "Which colour?"}})
    (ask,) = waiting(hub)
    assert "answer" not in {way["choice"] for way in ask["choices"]}
    answer(hub, ask, "hand_back")
    assert run.result() == SILENT


def test_always_is_remembered_by_assent(hub: HubProcess) -> None:
    """Its client remembers nothing, so the answer stays with Assent."""
    run = Waiting(hub, event("may_i", "npm install left-pad"))
    (ask,) = waiting(hub)
    stay = ask["stays"][0]
    assert answer(hub, ask, "allow_here", grant=stay["kind"])[0] == 202
    assert run.result()["stdout_json"] == GO
    until(lambda: one(hub, ask["id"])["state"] != "answered", "the answer to be told")
    assert tell(hub, event("may_i", "npm install left-pad", chat="c2")) == GO


def test_records_hold_its_own_words_and_plain_fields(hub: HubProcess) -> None:
    tell(hub, event("opened"), env={"ABACUS_FOLDER": "/srv/shop", "ABACUS_SEATED": "yes"})
    (record,) = until(lambda: records(hub, "event"), "the record")
    body = record["body"]
    assert (body["event"], body["harness"]) == ("SessionStart", NAME)
    assert (body["project"], body["attended"]) == ("/srv/shop", True)
    assert body["payload"]["permission_mode"] == "default"


def test_an_unknown_harness_is_recorded_and_shown(hub: HubProcess) -> None:
    assert hub.send({"bead": 1}, harness="slide-rule", hook_event_name="slid", session_id="s9") == SILENT
    (record,) = until(lambda: records(hub, "event"), "the record")
    body = record["body"]
    assert (record["session"], body["harness"], body["event"]) == ("s9", "slide-rule", "slid")
    assert "slide-rule" in body["trouble"]
    assert json.loads(json.dumps(body["payload"])) == {"bead": 1}
