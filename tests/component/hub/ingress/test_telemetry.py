"""The letterbox for telemetry of a real hub: who may post, what is kept, and what becomes of it."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.component.hub.conftest import StartHub
from tests.component.hub_process import HubProcess, until

FIXTURES = Path(__file__).parents[3] / "fixtures" / "otlp"
SESSION = "11111111-2222-4333-8444-555555555555"
LOGS, METRICS = ((FIXTURES / f"{kind}_headless.json").read_bytes() for kind in ("logs", "metrics"))


def post(hub: HubProcess, path: str, body: bytes, **headers: str) -> tuple[int, Any]:
    token = (hub.paths.keys / "post.token").read_text()
    told = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers}
    return hub.tcp("POST", path, body, told)


def begin(hub: HubProcess, *events: str) -> None:
    for name in events:
        hub.send({"session_id": SESSION, "hook_event_name": name, "cwd": "/src/shop"})


def session(hub: HubProcess) -> dict[str, Any]:
    sessions = hub.api("GET", "/api/sessions")[1]["sessions"]
    return dict(sessions[0]) if sessions else {}


def used(hub: HubProcess) -> list[dict[str, Any]]:
    records = hub.api("GET", "/api/log?limit=100")[1]["records"]
    return [record for record in records if record.get("by") == "hub:telemetry"]


def test_usage_reaches_the_session_and_survives_a_restart(start_hub: StartHub) -> None:
    """What a session cost is shown, counted by day and project, and known to the next life of the hub."""
    hub = start_hub()
    begin(hub, "SessionStart", "SessionEnd")
    assert post(hub, "/v1/logs", LOGS) == (200, {})
    assert post(hub, "/v1/metrics", METRICS) == (200, {})
    told = until(lambda: session(hub) if "cost_usd" in session(hub) else None, "the cost of the session")
    assert told["cost_usd"] == pytest.approx(0.002252)
    assert (told["tokens_in"], told["tokens_out"], told["tokens_cached"]) == (290, 50, 60)
    report = hub.api("GET", "/api/stats")[1]["report"]
    assert report["cost_usd"] == pytest.approx(0.002252)
    assert [(it["project"], it["figures"]["used"]["tokens_out"]) for it in report["projects"]] == [("/src/shop", 50)]

    hub.stop()
    hub.start()
    assert session(hub)["cost_usd"] == pytest.approx(0.002252)


def test_usage_of_a_session_at_work_is_not_lost_when_the_hub_stops(start_hub: StartHub) -> None:
    """It is recorded twice a minute, and once more at the end."""
    hub = start_hub()
    begin(hub, "UserPromptSubmit")
    post(hub, "/v1/logs", LOGS)
    assert used(hub) == []
    hub.stop()
    hub.start()
    assert session(hub)["tokens_out"] == 50
    assert len(used(hub)) == 1


def test_messages_that_come_twice_count_once(start_hub: StartHub) -> None:
    """A client that heard no answer sends again; compressed or not is all the same."""
    hub = start_hub()
    begin(hub, "SessionStart")
    post(hub, "/v1/logs", LOGS)
    assert post(hub, "/v1/logs", gzip.compress(LOGS), **{"Content-Encoding": "gzip"}) == (200, {})
    told = until(lambda: session(hub) if "cost_usd" in session(hub) else None, "the cost of the session")
    assert told["tokens_out"] == 50


def test_no_person_is_identified_by_what_is_kept(start_hub: StartHub) -> None:
    """Neither journal nor log has the account, the address or the organisation that came with every message."""
    hub = start_hub()
    begin(hub, "SessionStart")
    post(hub, "/v1/logs", LOGS)
    post(hub, "/v1/metrics", METRICS)
    until(lambda: used(hub), "the usage on record")
    hub.stop()
    kept = b"".join(path.read_bytes() for path in hub.paths.state.rglob("*") if path.is_file())
    assert SESSION.encode() in kept
    for secret in (b"someone@example.com", b"user_01EXAMPLE", b"aaaaaaaa-0000", b"bbbbbbbb-0000", b"0" * 63 + b"1"):
        assert secret in LOGS
        assert secret not in kept


@pytest.mark.parametrize("path", ["/v1/logs", "/v1/metrics"])
def test_bad_telemetry_is_refused_and_counted(hub: HubProcess, path: str) -> None:
    """Each kind of bad message with its own sentence; the hub goes on."""
    assert post(hub, path, b"{")[0] == 400
    assert post(hub, path, b'{"resourceLogs":7,"resourceMetrics":7}')[0] == 400
    assert post(hub, path, b"not gzip", **{"Content-Encoding": "gzip"})[0] == 400
    assert post(hub, path, gzip.compress(b" " * (9 << 20)), **{"Content-Encoding": "gzip"})[0] == 400
    assert post(hub, path, b"", **{"Content-Length": str(64 << 20)})[0] == 413
    status, answer = post(hub, path, b"\x0a\x00", **{"Content-Type": "application/x-protobuf"})
    assert (status, answer["error"]["hint"]) == (415, "set OTEL_EXPORTER_OTLP_PROTOCOL=http/json.")
    assert hub.api("GET", "/api/status")[1]["telemetry"] == {"messages": 0, "rejected": 4, "last_at": None}


def test_unreadable_record_is_told_to_the_sender(hub: HubProcess) -> None:
    """As the protocol wants it: the message was taken, part of it was not."""
    message = {"resourceLogs": [{"scopeLogs": [{"logRecords": [{"body": "api_request"}]}]}]}
    status, answer = post(hub, "/v1/logs", json.dumps(message).encode())
    assert (status, answer["partialSuccess"]["rejectedLogRecords"]) == (200, 1)


def test_telemetry_needs_the_token_and_the_place(hub: HubProcess) -> None:
    """The same door as for hooks."""
    assert hub.tcp("POST", "/v1/logs", LOGS, {"Content-Type": "application/json"})[0] == 401
    assert post(hub, "/v1/logs", LOGS, Host="evil.example:80")[0] == 403
    assert post(hub, "/v1/logs", LOGS, Origin="https://evil.example")[0] == 403


def test_flood_of_sessions_is_bounded_and_the_hub_answers(hub: HubProcess) -> None:
    """Thousands of sessions in one message cost a bounded memory and no answer."""
    record = json.loads(LOGS)["resourceLogs"][0]["scopeLogs"][0]["logRecords"]
    request = next(it for it in record if it["body"]["stringValue"] == "claude_code.api_request")
    text = json.dumps(request)
    many = [json.loads(text.replace(SESSION, f"s{number}")) for number in range(3_000)]
    message = {"resourceLogs": [{"scopeLogs": [{"logRecords": many}]}]}
    assert post(hub, "/v1/logs", json.dumps(message).encode()) == (200, {})
    assert hub.api("GET", "/api/status")[0] == 200
