"""Telemetry as the real client sent it, and as other programs might."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.claude_code import usage as otlp
from assent.harnesses.otlp import OtlpError, Reading, unpacked
from assent.protocol.usage import OfModel, Usage

FIXTURES = Path(__file__).parents[3] / "fixtures" / "otlp"
SESSION = "11111111-2222-4333-8444-555555555555"
MODEL = "claude-opus-5-5"


def fixture(name: str) -> bytes:
    return (FIXTURES / f"{name}.json").read_bytes()


def total(reading: Reading) -> Usage:
    whole = Usage()
    for used in reading.used:
        whole.add(used.usage)
    return whole


def log_message(*records: object) -> bytes:
    return json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": list(records)}]}]}).encode()


def log_record(name: str, **attributes: Any) -> dict[str, Any]:
    told = {"event.name": name, "session.id": SESSION, **attributes}
    return {"timeUnixNano": "5", "attributes": [{"key": k, "value": {"stringValue": v}} for k, v in told.items()]}


def metric_message(name: str, value: dict[str, Any], temporality: object = 1, **attributes: str) -> bytes:
    told = {"session.id": SESSION, **attributes}
    point = {
        "attributes": [{"key": k, "value": {"stringValue": v}} for k, v in told.items()],
        "startTimeUnixNano": "7",
        "timeUnixNano": "9",
        **value,
    }
    metric = {"name": name, "sum": {"aggregationTemporality": temporality, "dataPoints": [point]}}
    return json.dumps({"resourceMetrics": [{"scopeMetrics": [{"metrics": [metric]}]}]}).encode()


def test_decisions_of_a_real_terminal_session() -> None:
    """Yes, No, an always, a rule of the client's and a sub-agent's call, each with its own call id."""
    decided = otlp.read_logs(fixture("logs_terminal")).decided
    assert [(it.tool, it.accepted, it.source, it.at_terminal) for it in decided] == [
        ("Bash", True, "user_temporary", True),
        ("Bash", False, "user_reject", True),
        ("Bash", True, "user_temporary", True),
        ("Bash", True, "user_temporary", True),
        ("Agent", True, "config", False),
        ("Bash", True, "user_temporary", True),
    ]
    assert {it.session for it in decided} == {SESSION}
    assert len({it.tool_use_id for it in decided}) == len(decided)
    assert [it.agent is not None for it in decided] == [False] * 5 + [True]


@pytest.mark.parametrize("source", ["hook", "config", "", "user", "user_future"])
def test_only_known_words_mean_a_person_at_the_terminal(source: str) -> None:
    """A word of a newer client closes nothing until its meaning is known."""
    record = log_record("tool_decision", decision="accept", tool_use_id="t1", source=source)
    assert [it.at_terminal for it in otlp.read_logs(log_message(record)).decided] == [False]


@pytest.mark.parametrize("name", ["headless", "terminal"])
def test_requests_and_metrics_of_a_real_session_tell_the_same(name: str) -> None:
    """Either alone is enough to know cost and tokens; both together would count them twice."""
    by_requests = total(otlp.read_logs(fixture(f"logs_{name}")))
    by_metrics = total(otlp.read_metrics(fixture(f"metrics_{name}")))
    assert by_requests.cost_usd == pytest.approx(by_metrics.cost_usd)
    assert by_requests.cost_usd > 0
    assert (by_requests.tokens_in, by_requests.tokens_out) == (by_metrics.tokens_in, by_metrics.tokens_out)
    assert by_requests.tokens_cached == by_metrics.tokens_cached
    assert by_requests.models[MODEL].tokens == by_metrics.models[MODEL].tokens == by_requests.tokens


def test_usage_of_a_real_headless_session() -> None:
    """What the model said it took, a cache write counted as read afresh."""
    used = total(otlp.read_logs(fixture("logs_headless")))
    assert (used.requests, used.tokens_in, used.tokens_out, used.tokens_cached) == (3, 290, 50, 60)
    assert used.cost_usd == pytest.approx(0.002252)


def test_no_person_is_identified() -> None:
    """Of the person the messages name nothing is left: not the account, not the address, not the organisation."""
    assert b"someone@example.com" in fixture("logs_terminal")
    for reading in (
        otlp.read_logs(fixture("logs_terminal")),
        otlp.read_metrics(fixture("metrics_terminal")),
    ):
        kept = repr(msgspec.to_builtins([reading.decided, reading.used, sorted(reading.sessions)]))
        for secret in ("someone@example.com", "EXAMPLE", "aaaaaaaa-", "bbbbbbbb-", "0" * 63):
            assert secret not in kept


def test_messages_of_older_clients_spell_numbers_as_text() -> None:
    """The same figures as strings."""
    record = log_record("claude_code.api_request", model="m", input_tokens="12", output_tokens="3", cost_usd="0.5")
    assert otlp.read_logs(log_message(record)).used[0].usage == Usage(
        cost_usd=0.5, requests=1, tokens_in=12, tokens_out=3, models={"m": OfModel(0.5, 15)}
    )


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("token.usage", "input", Usage(tokens_in=4, models={"": OfModel(tokens=4)})),
        ("token.usage", "cacheCreation", Usage(tokens_in=4, models={"": OfModel(tokens=4)})),
        ("token.usage", "cacheRead", Usage(tokens_cached=4, models={"": OfModel(tokens=4)})),
        ("token.usage", "output", Usage(tokens_out=4, models={"": OfModel(tokens=4)})),
        ("active_time.total", "cli", Usage(active_s=4)),
        ("lines_of_code.count", "added", Usage(lines_added=4)),
        ("lines_of_code.count", "removed", Usage(lines_removed=4)),
    ],
)
def test_metric_tells_one_figure(name: str, kind: str, expected: Usage) -> None:
    """Each metric and each of its kinds has its own place; 64-bit numbers come as text."""
    reading = otlp.read_metrics(metric_message(f"claude_code.{name}", {"asInt": "4"}, type=kind))
    assert [used.usage for used in reading.used] == [expected]


def test_metric_of_another_kind_is_passed_over() -> None:
    """Other metrics are not counted."""
    reading = otlp.read_metrics(metric_message("claude_code.commit.count", {"asDouble": 1}))
    assert (reading.used, reading.rejected) == ([], 0)


@pytest.mark.parametrize("temporality", [2, "AGGREGATION_TEMPORALITY_CUMULATIVE"])
def test_growing_totals_are_told_apart(temporality: object) -> None:
    """A total says which total it is, so that only its growth is counted."""
    (grows,) = otlp.read_metrics(metric_message("claude_code.cost.usage", {"asDouble": 1}, temporality)).used
    (is_new,) = otlp.read_metrics(metric_message("claude_code.cost.usage", {"asDouble": 1})).used
    assert grows.total_of
    assert not is_new.total_of


@pytest.mark.parametrize(
    "bad",
    [
        {"attributes": 3, "body": {"stringValue": "claude_code.api_request"}},
        {"attributes": [{"key": "event.name", "value": "api_request"}]},
        log_record("tool_decision", decision="perhaps", tool_use_id="t1"),
        log_record("tool_decision", decision="accept"),
        log_record("tool_decision", decision="accept", tool_use_id="t 1\n"),
        log_record("api_request", cost_usd="NaN"),
        log_record("api_request", cost_usd="-1"),
        log_record("api_request", input_tokens="many"),
        {**log_record("api_request"), "timeUnixNano": "soon"},
    ],
)
def test_bad_record_does_not_take_the_others_with_it(bad: object) -> None:
    """What can be read is taken, what cannot is counted."""
    good = log_record("tool_decision", decision="reject", tool_use_id="t1", source="user_reject")
    reading = otlp.read_logs(log_message(good, bad, good))
    assert [it.accepted for it in reading.decided] == [False, False]
    assert reading.rejected == 1


@pytest.mark.parametrize("other", [7, None, "x", {"attributes": 3}, log_record("user_prompt", prompt="x")])
def test_record_of_another_kind_is_passed_over(other: object) -> None:
    """Other records are not read."""
    reading = otlp.read_logs(log_message(other))
    assert (reading.decided, reading.used, reading.rejected) == ([], [], 0)


def test_record_of_no_session_is_passed_over() -> None:
    """Another program's telemetry is none of ours, and no fault."""
    reading = otlp.read_logs(
        log_message({"attributes": [{"key": "event.name", "value": {"stringValue": "api_request"}}]})
    )
    assert (reading.decided, reading.sessions, reading.rejected) == ([], set(), 0)


@pytest.mark.parametrize("read", [otlp.read_logs, otlp.read_metrics])
@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"7", b"\xff\xfe", b'{"resourceLogs":7,"resourceMetrics":7}', b"[" * 9999]
)
def test_message_that_is_none_is_refused(read: Callable[[bytes], Reading], data: bytes) -> None:
    """One error for all of them."""
    with pytest.raises(OtlpError):
        read(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["stringValue", "intValue", "x"]), inner),
)
NAMES = st.sampled_from(["session.id", "event.name", "tool_use_id", "decision", "cost_usd", "input_tokens"])


@given(
    event=st.sampled_from(["tool_decision", "api_request"]),
    attributes=st.lists(st.fixed_dictionaries({"key": NAMES | JSON, "value": JSON})) | JSON,
    at=JSON,
)
def test_any_record_is_read_or_counted(event: str, attributes: object, at: object) -> None:
    """Nothing that JSON can say breaks the reader."""
    record = {"attributes": attributes, "body": {"stringValue": event}, "timeUnixNano": at}
    reading = otlp.read_logs(log_message(record))
    assert len(reading.decided) + len(reading.used) + reading.rejected <= 1


def test_gzip_is_unpacked_up_to_a_size() -> None:
    """A small message must not unfold into a large one."""
    assert unpacked(gzip.compress(b"{}"), "gzip", 100) == b"{}"
    assert unpacked(b"{}", "", 100) == b"{}"
    for data, encoding in (
        (gzip.compress(b" " * 101), "gzip"),
        (gzip.compress(b"{}")[:-4], "gzip"),
        (b"{}", "gzip"),
        (b"", "gzip"),
        (b"{}", "br"),
    ):
        with pytest.raises(OtlpError):
            unpacked(data, encoding, 100)


def test_result_in_a_transcript_tells_who_decided() -> None:
    """As the client writes it; what is no such line is passed over."""
    line = (
        b'{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result"}]},'
        b'"permissionDecision":{"decision":"accept","source":"user_temporary","grantScope":"once"},"sessionId":"s1"}'
    )
    others = b'{"permissionDecision":null}\nnot json "permissionDecision"\n{"type":"mode"}\n'
    (decided,) = otlp.read_results(others + line + b"\n")
    assert (decided.session, decided.tool_use_id, decided.accepted) == ("s1", "toolu_1", True)
    assert decided.at_terminal
    assert otlp.read_results(line.replace(b"user_temporary", b"hook"))[0].at_terminal is False


@pytest.mark.parametrize(
    ("agent", "file"),
    [(None, "/t/s1.jsonl"), ("a1", "/t/s1/subagents/agent-a1.jsonl"), ("../../x", "")],
)
def test_results_of_a_sub_agent_stand_in_a_file_of_its_own(agent: str | None, file: str) -> None:
    """An id that is none leads nowhere."""
    assert otlp.results_file("/t/s1.jsonl", agent) == file
