"""Records as log records of OpenTelemetry: nothing that matters to an auditor is left out, nothing secret comes in."""

import gzip
from typing import Any

import msgspec
import pytest

from assent.hub.export import otlp
from assent.hub.export.collector import NotSentError, Taken, _read, address
from assent.hub.export.otlp import LONGEST, Subject, log_record, subject, value
from assent.protocol import bodies
from assent.protocol.bodies import ApprovedBody
from assent.protocol.record import Draft, Record, chained
from tests.services import collector

NOW_NS = 1_700_000_001_000_000_000
AT = 1_700_000_000_123
EVENT = {
    "event": "PreToolUse",
    "harness": "claude-code",
    "project": "/src/shop",
    "payload": {"tool_name": "Bash", "tool_input": {"command": "git push --force"}, "cwd": "/src/shop"},
}
DECISION = {
    "event": "PreToolUse",
    "harness": "claude-code",
    "project": "/src/shop",
    "tool": "Bash",
    "decision": {"decision": "deny", "reason": "force pushes are not for agents"},
    "trace": [{"by": "rule:user#4", "says": "deny", "why": "force pushes are not for agents", "evidence": "--force"}],
    "took_us": 250,
}


def record(kind: str, body: dict[str, Any], seq: int = 7, **fields: Any) -> Record:
    draft = Draft(at=AT, kind=kind, session="s1", call="c1", request="r1", body=body, **fields)  # type: ignore[arg-type]
    return chained(draft, hub="ab12cd34", seq=seq, prev="0" * 64)


def sent(of: Record, about: Subject | None = None) -> collector.LogRecord:
    """As a collector reads it."""
    message = otlp.request([(of, about or subject(record("event", EVENT)))], host="devbox", now_ns=NOW_NS)
    (only,) = collector.read(message)
    return only


def test_denied_call_names_command_rule_and_machine() -> None:
    """Who decided what, when, by which rule, where."""
    told = sent(record("decision", DECISION, decision="deny", risk="danger", by="rule:user#4"))
    assert (told.event_name, told.time_ns, told.severity) == ("assent.decision", AT * 1_000_000, 13)
    assert told.resource | {"service.version": ""} == {
        "service.name": "assent",
        "service.version": "",
        "service.instance.id": "ab12cd34",
        "host.name": "devbox",
    }
    assert (
        told.attributes.items()
        >= {
            "event.name": "assent.decision",
            "assent.seq": 7,
            "assent.decision": "deny",
            "assent.risk": "danger",
            "assent.by": "rule:user#4",
            "assent.rule": "user#4",
            "assent.what": "git push --force",
            "assent.tool": "Bash",
            "assent.project": "/src/shop",
            "assent.harness": "claude-code",
            "assent.why": "force pushes are not for agents",
            "assent.took_us": 250,
        }.items()
    )
    assert told.attributes["assent.trace"] == ["rule:user#4 deny: force pushes are not for agents (--force)"]


def test_names_of_the_elastic_common_schema_stand_beside() -> None:
    """Where that schema has a word for it."""
    told = sent(record("decision", DECISION, decision="deny", by="rule:user#4")).attributes
    assert (
        told.items()
        >= {
            "event.kind": "event",
            "event.module": "assent",
            "event.dataset": "assent.decision",
            "event.action": "deny",
            "event.reason": "force pushes are not for agents",
            "event.duration": 250_000,
            "event.sequence": 7,
            "rule.name": "user#4",
            "process.command_line": "git push --force",
        }.items()
    )
    assert told["event.type"] == ["denied"]
    assert told["event.id"] == told["log.record.uid"]


def test_answer_names_person_screen_and_how_long_it_waited() -> None:
    """What the answer is about comes from the event of the same request."""
    body = {"choice": "allow", "surface": "telegram", "device": "ada", "waited_ms": 4_200, "message": "go on"}
    told = sent(record("answer", body, ask="bkqzt", by="person:phone"))
    assert told.event_name == "assent.answer"
    assert (
        told.attributes.items()
        >= {
            "assent.choice": "allow",
            "assent.surface": "telegram",
            "assent.device": "ada",
            "assent.waited_ms": 4_200,
            "assent.message": "go on",
            "assent.ask": "bkqzt",
            "assent.by": "person:phone",
            "assent.what": "git push --force",
            "user.name": "phone",
            "event.action": "allow",
        }.items()
    )
    assert told.attributes["event.type"] == ["allowed"]


def test_yes_of_several_is_an_answer() -> None:
    """With the person, and how many more have to agree."""
    identity = {"issuer": "https://id.example.net", "subject": "7", "mail": "ada@example.net"}
    body = bodies.body(ApprovedBody("page", approval="production", identity=identity, missing=1))
    told = sent(record("approved", body, ask="bkqzt", by="person:desk"))
    assert told.event_name == "assent.answer"
    assert (
        told.attributes.items()
        >= {"assent.choice": "allow", "assent.approval": "production", "assent.missing": 1}.items()
    )
    assert told.attributes["assent.approved_by"] == ["ada@example.net"]
    assert told.attributes["event.type"] == ["allowed"]


@pytest.mark.parametrize(("choice", "said"), [("deny", "denied"), ("hand_back", "info"), ("future", "info")])
def test_answers_are_sorted_by_what_they_do(choice: str, said: str) -> None:
    """What is not known is neither a yes nor a no."""
    told = sent(record("answer", {"choice": choice, "surface": "page"}, by="person:desk"))
    assert told.attributes["event.type"] == [said]


def test_record_id_is_a_head_that_the_chain_can_be_checked_against() -> None:
    """The same record always has the same, so that a receiver can drop the second."""
    one = record("decision", DECISION, decision="deny")
    assert sent(one).uid == f"ab12cd34:7:{one.hash}"


@pytest.mark.parametrize(
    ("tool", "given", "name", "is_what"),
    [
        ("Bash", {"command": "ls"}, "process.command_line", "ls"),
        ("Write", {"file_path": "/src/a.py", "content": "x"}, "file.path", "/src/a.py"),
        ("Read", {"file_path": "/src/a.py"}, "file.path", "/src/a.py"),
        ("WebFetch", {"url": "https://example.org/", "prompt": "x"}, "url.full", "https://example.org/"),
    ],
)
def test_what_a_call_is_about_has_the_name_of_its_kind(
    tool: str, given: dict[str, Any], name: str, is_what: str
) -> None:
    """Command, file or address, whatever the agent's program calls its tool."""
    about = subject(record("event", {**EVENT, "payload": {"tool_name": tool, "tool_input": given}}))
    assert sent(record("decision", DECISION, decision="allow"), about).attributes[name] == is_what


def test_long_text_is_cut() -> None:
    """An agent can write megabytes."""
    about = Subject(command="x" * 10 * LONGEST)
    assert (
        len(sent(record("decision", DECISION, decision="allow"), about).attributes["process.command_line"]) == LONGEST
    )


def test_practice_is_told_apart() -> None:
    """A demo is sent like anything else, so that a session named like one hides nothing."""
    real = record("decision", DECISION, decision="deny")
    practice = chained(Draft(at=AT, kind="decision", session="demo-1", body=DECISION), hub="h", seq=1, prev="0" * 64)
    assert "assent.practice" not in sent(real).attributes
    assert sent(practice).attributes["assent.practice"] is True


@pytest.mark.parametrize("body", [{}, {"decision": 3, "trace": "x", "took_us": "y"}, {"trace": [1, {}]}])
def test_record_of_another_form_is_sent_all_the_same(body: dict[str, Any]) -> None:
    """Written by another version, or tampered with."""
    told = sent(record("decision", body, decision="deny", by="floor"), Subject())
    assert (told.event_name, told.seq, told.attributes["assent.by"]) == ("assent.decision", 7, "floor")
    assert sent(record("answer", body), Subject()).event_name == "assent.answer"
    assert subject(record("event", body)).what == ""


@pytest.mark.parametrize(
    ("of", "is_said"),
    [
        (True, {"boolValue": True}),
        (2**40, {"intValue": str(2**40)}),
        (0.5, {"doubleValue": 0.5}),
        (["a", 1], {"arrayValue": {"values": [{"stringValue": "a"}, {"intValue": "1"}]}}),
    ],
)
def test_values_are_written_as_the_protocol_has_them_in_json(of: object, is_said: dict[str, Any]) -> None:
    """Numbers of 64 bits are text."""
    assert value(of) == is_said


def test_log_record_has_its_event_name_in_the_field_and_as_attribute() -> None:
    """The field is younger than many collectors."""
    told = log_record(record("decision", DECISION, decision="deny"), Subject(), NOW_NS)
    assert told["eventName"] == "assent.decision"
    assert {"key": "event.name", "value": {"stringValue": "assent.decision"}} in told["attributes"]


@pytest.mark.parametrize(
    ("base", "full"),
    [
        ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/logs"),
        ("https://otel.example.net/otlp/", "https://otel.example.net/otlp/v1/logs"),
        ("https://otel.example.net/v1/logs", "https://otel.example.net/v1/logs"),
    ],
)
def test_address_of_logs_follows_from_that_of_the_collector(base: str, full: str) -> None:
    """As other programs that speak the protocol read it."""
    assert address(base) == full


def test_part_of_a_request_may_be_thrown_away_for_good() -> None:
    """The collector took the request, and says how many records it did not like."""
    said = msgspec.json.encode({"partialSuccess": {"rejectedLogRecords": "3", "errorMessage": "too old"}})
    assert _read(200, {}, said) == Taken(3, "too old")
    assert _read(200, {}, b"") == Taken()
    assert _read(202, {}, b"not json") == Taken()


@pytest.mark.parametrize(
    ("status", "about_content", "waits"),
    [
        (429, False, 30.0),
        (503, False, 30.0),
        (400, True, None),
        (413, True, None),
        (401, False, None),
        (302, False, None),
    ],
)
def test_refusals_are_told_apart(status: int, about_content: bool, waits: float | None) -> None:
    """By waiting, by sending less, or by a person."""
    with pytest.raises(NotSentError) as refused:
        _read(status, {"retry-after": "30"}, b'{"message": "no\\u0007"}')
    assert (refused.value.about_content, refused.value.retry_after) == (about_content, waits)
    assert "\x07" not in refused.value.why


def test_message_packs_well() -> None:
    """Names are said again and again."""
    one = record("decision", DECISION, decision="deny")
    message = otlp.request([(one, Subject())] * 100, host="devbox", now_ns=NOW_NS)
    assert len(gzip.compress(message)) * 10 < len(message)
