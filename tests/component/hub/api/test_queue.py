"""A queue over the API of a real hub, told to the agent that stops, also after a restart and a kill."""

import json
import os
import signal
import socket
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

from assent.client import ApiError, Client
from tests.component.hub.ask_client import answer, hook, one, permission
from tests.component.hub.conftest import StartHub
from tests.component.hub_process import DEADLINE, HubProcess, UnixConnection, bash, until

CONTEXT = "Your user says: {}"


def stop(*, active: bool = False, session: str = "s1") -> dict[str, Any]:
    return {"session_id": session, "cwd": "/p", "hook_event_name": "Stop", "stop_hook_active": active}


def told(answer: dict[str, Any]) -> str | None:
    """What a Stop's answer tells the agent."""
    if answer["action"] == "passthrough":
        return None
    context: str = answer["stdout_json"]["hookSpecificOutput"]["additionalContext"]
    return context


def begun(hub: HubProcess, session: str = "s1") -> Client:
    """A hub that knows a session."""
    client = Client(hub.paths)
    hub.send(bash("ls", session_id=session))
    until(lambda: any(known.id == session for known in client.sessions()), "the session")
    return client


def did(hub: HubProcess) -> list[str]:
    _, answer = hub.api("GET", "/api/log?limit=200")
    return [r["body"]["did"] for r in answer["records"] if r["kind"] == "hub" and r["body"]["what"] == "queue"]


def test_queue_is_told_in_order_at_each_stop(hub: HubProcess) -> None:
    """One instruction a stop, then a real stop; all of it on record with the decision."""
    client = begun(hub)
    client.queue_add("s1", "Commit.")
    queue = client.queue_add("s1", "Run the tests.")
    client.queue_change("s1", queue.items[1].id, place=1)
    client.queue_change("s1", queue.items[0].id, text="Commit all of it.")
    assert told(hub.send(stop(), request_id="a1" * 8)) == CONTEXT.format("Run the tests.")
    # The shim asks again with the same id when its connection broke: the same answer, not the next one.
    assert told(hub.send(stop(), request_id="a1" * 8)) == CONTEXT.format("Run the tests.")
    assert told(hub.send(stop(active=True))) == CONTEXT.format("Commit all of it.")
    assert told(hub.send(stop(active=True))) is None
    queue = client.queue("s1")
    assert ([item.text for item in queue.delivered], queue.items, queue.used) == (
        ["Run the tests.", "Commit all of it."],
        (),
        2,
    )
    assert until(lambda: len(did(hub)) == 6 and did(hub), "all changes on record") == [
        *("added", "added", "moved", "changed", "delivered", "delivered")
    ]
    _, answer = hub.api("GET", "/api/log?limit=200")
    (first, _) = [r for r in answer["records"] if r["kind"] == "decision" and r["decision"] == "proceed"]
    assert first["by"] == "person:desk"


def test_snapshot_has_what_waits(hub: HubProcess) -> None:
    """Every screen knows the queues from the start."""
    client = begun(hub)
    client.queue_add("s1", "Run the tests.")
    _, snapshot = hub.api("GET", "/api/snapshot")
    assert [item["text"] for item in snapshot["queues"]["s1"]] == ["Run the tests."]


def test_restart_tells_nothing_twice_and_loses_nothing(start_hub: StartHub) -> None:
    """What waits is told by the next life, what was told is not."""
    hub = start_hub()
    client = begun(hub)
    client.queue_add("s1", "Run the tests.")
    client.queue_add("s1", "Commit.")
    assert told(hub.send(stop())) == CONTEXT.format("Run the tests.")
    hub.stop()
    hub.start()
    assert told(hub.send(stop(active=True))) == CONTEXT.format("Commit.")
    assert told(hub.send(stop(active=True))) is None


def test_hub_killed_with_the_reply_on_its_way_repeats_it_and_no_more(start_hub: StartHub) -> None:
    """The shim asks the next life with the same request and gets the same words; the file of before is not believed."""
    hub = start_hub()
    client = begun(hub)
    client.queue_add("s1", "Run the tests.")
    client.queue_add("s1", "Commit.")
    waiting = hub.paths.queues.read_bytes()
    hub.send(stop(), request_id="b2" * 8)
    assert hub.process is not None
    os.kill(hub.process.pid, signal.SIGKILL)
    hub.process.communicate()
    # As if it had been killed before the file was written.
    hub.paths.queues.write_bytes(waiting)
    hub.start()
    assert [item.text for item in client.queue("s1").items] == ["Commit."]
    assert told(hub.send(stop(), request_id="b2" * 8)) == CONTEXT.format("Run the tests.")
    assert told(hub.send(stop(active=True))) == CONTEXT.format("Commit.")


def test_client_that_went_away_was_not_told(hub: HubProcess) -> None:
    """The reply was not taken, so the next stop gets it."""
    client = begun(hub)
    client.queue_add("s1", "Run the tests.")
    line = json.dumps({"request_id": "c3" * 8, "ts": 1, "session_id": "s1", "hook_event_name": "Stop"})
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as gone:
        gone.settimeout(DEADLINE)
        gone.connect(str(hub.paths.hook_socket))
        gone.sendall(f'{line[:-1]},"payload":{json.dumps(stop())}}}\n'.encode())
    until(lambda: "returned" in did(hub), "the instruction is back")
    assert [item.text for item in client.queue("s1").items] == ["Run the tests."]
    assert told(hub.send(stop())) == CONTEXT.format("Run the tests.")


def test_nothing_goes_out_without_a_record(start_hub: StartHub) -> None:
    """A hub that cannot remember what it said does not say it; the instruction waits."""
    hub = start_hub()
    client = begun(hub)
    client.queue_add("s1", "Run the tests.")
    hub.stop()
    hub.paths.journal.write_bytes(b"no database")
    hub.start()
    assert told(hub.send(stop())) is None
    waiting = json.loads(hub.paths.queues.read_text())["sessions"]["s1"]["items"]
    assert [item["text"] for item in waiting] == ["Run the tests."]


HOLD = '[asks]\nhold_stops = "always"\n'


def held(hub: HubProcess, sending: Executor, *, active: bool = False) -> Future[dict[str, Any]]:
    """A stop that waits for a person."""
    before = len(asks(hub))
    answer = sending.submit(hub.send, stop(active=active))
    until(lambda: len(asks(hub)) > before, "the stop is held")
    return answer


def asks(hub: HubProcess) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = hub.api("GET", "/api/snapshot")[1]["asks"]
    return found


def test_instruction_for_a_held_stop_is_told_at_once(start_hub: StartHub) -> None:
    """An agent that waits for a person gets what is queued for it, and the queue stays empty."""
    hub = start_hub(config=HOLD)
    client = begun(hub)
    with ThreadPoolExecutor() as sending:
        answer = held(hub, sending)
        assert asks(hub)[0]["kind"] == "stop"
        assert client.queue_add("s1", "Look here.", "subagent").items[0].text == "Look here."
        assert not answer.done()
        assert [item.text for item in client.queue_add("s1", " Run the tests. ").items] == ["Look here."]
        assert told(answer.result(DEADLINE)) == CONTEXT.format("Run the tests.")
    until(lambda: asks(hub)[0]["state"] == "closed", "the ask is closed")
    assert asks(hub)[0]["answer"]["message"] == "Run the tests."


def test_held_stop_says_how_often_it_was_kept_going(start_hub: StartHub) -> None:
    """Whether the queue or a person kept it going, and what is queued needs no person."""
    hub = start_hub(config=HOLD)
    client = begun(hub)
    client.queue_add("s1", "Run the tests.")
    assert told(hub.send(stop())) == CONTEXT.format("Run the tests.")
    used = []
    with ThreadPoolExecutor() as sending:
        for number in range(2):
            answer = held(hub, sending, active=True)
            used.append(asks(hub)[0]["view"]["stop"]["used"])
            client.queue_add("s1", f"Step {number}.")
            assert told(answer.result(DEADLINE)) == CONTEXT.format(f"Step {number}.")
    assert used == [1, 2]


def test_stop_the_client_would_not_listen_at_is_not_held(start_hub: StartHub) -> None:
    """After eight continuations a person's words would be lost, so they are not asked for."""
    hub = start_hub(config=HOLD)
    client = begun(hub)
    for number in range(10):
        client.queue_add("s1", f"Step {number}.")
    answers = [told(hub.send(stop(active=number > 0))) for number in range(9)]
    assert answers == [CONTEXT.format(f"Step {number}.") for number in range(8)] + [None]
    assert [item.text for item in client.queue("s1").items] == ["Step 8.", "Step 9."]
    assert asks(hub) == []


def test_stream_tells_what_waits_after_each_change(hub: HubProcess) -> None:
    """A screen that follows need not ask."""
    client = begun(hub)
    connection = UnixConnection(str(hub.paths.desk_socket))

    def told_next() -> list[str]:
        while True:
            line = response.readline()
            if line.startswith(b"data:") and (queues := json.loads(line[5:]).get("queues")):
                return [item["text"] for item in queues["s1"]]

    try:
        connection.request("GET", "/api/stream?rows=1")
        response = connection.getresponse()
        response.readline()
        client.queue_add("s1", "Run the tests.")
        seen = [told_next()]
        hub.send(stop())
        seen.append(told_next())
    finally:
        connection.close()
    assert seen == [["Run the tests."], []]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/api/sessions/nobody/queue", {"text": "x"}, 404, "no-such-session"),
        ("POST", "/api/sessions/s1/queue", {"text": " "}, 422, "no-text"),
        ("POST", "/api/sessions/s1/queue", {"text": "x", "to": "boss"}, 400, "bad-json"),
        ("POST", "/api/sessions/s1/queue", {"text": "x" * 4001}, 422, "too-long"),
        ("POST", "/api/sessions/s1/queue", {"text": "x" * 70_000}, 413, "too-large"),
        ("PATCH", "/api/sessions/s1/queue/none", {"text": "x"}, 404, "no-such-item"),
        ("DELETE", "/api/sessions/s1/queue/none", {}, 404, "no-such-item"),
    ],
)
def test_request_that_cannot_be_met_says_why(
    hub: HubProcess, method: str, path: str, body: dict[str, str], status: int, code: str
) -> None:
    """Nothing changes, and the answer names the reason."""
    begun(hub)
    answered, answer = hub.api(method, path, json.dumps(body).encode())
    assert (answered, answer["error"]["code"]) == (status, code)
    assert Client(hub.paths).queue("s1").items == ()


def test_full_queue_is_refused(hub: HubProcess) -> None:
    """Twenty wait at most."""
    client = begun(hub)
    for number in range(20):
        client.queue_add("s1", f"Step {number}.")
    with pytest.raises(ApiError) as refused:
        client.queue_add("s1", "One more.")
    assert refused.value.code == "queue-full"


def test_hook_token_may_not_instruct(hub: HubProcess) -> None:
    """Who may post events may not tell an agent what to do."""
    begun(hub)
    token = (hub.paths.keys / "post.token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "Host": f"localhost:{hub.port}"}
    status, answer = hub.tcp("POST", "/api/sessions/s1/queue", b'{"text":"x"}', headers)
    assert (status, answer["error"]["code"]) == (403, "scope")


def test_receipt_says_what_was_told_with_the_result(hub: HubProcess) -> None:
    """What was queued for the next tool result went to the model together with this one."""
    call = bash("touch one.txt", tool_use_id="toolu_1")
    hub.send(call)
    with hook(hub, permission("touch one.txt")) as (run, ask):
        Client(hub.paths).queue_add("s1", "Run the tests.", "tool")
        answer(hub, ask, "allow")
        run.result()
    hub.send({**call, "hook_event_name": "PostToolUse", "tool_response": {"stdout": ""}})
    until(lambda: one(hub, ask["id"]).get("told_with") == "Run the tests.", "the words on the ask")


def test_ended_session_offers_no_place_to_queue(hub: HubProcess) -> None:
    """One sentence says why; what was queued before stays."""
    client = begun(hub)
    assert client.queue("s1").note == ""
    hub.send({"session_id": "s1", "cwd": "/p", "hook_event_name": "SessionEnd", "reason": "other"})
    until(lambda: client.queue("s1").note, "the sentence")
    assert client.queue("s1").note == "The session has ended; what is queued is told if it is resumed."
