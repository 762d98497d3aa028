"""Every kind of record reads as a sentence."""

from typing import Any, get_args

import pytest
from msgspec import Struct

from assent.protocol import bodies, usage
from assent.protocol.queue import QueueBody
from assent.protocol.record import GENESIS, Draft, Kind, Record, chained
from assent.protocol.usage import Usage
from assent.text import wording
from assent.views.line import describe
from assent.views.sentences import sentence, span


def record(kind: Kind, body: Struct | dict[str, Any], **fields: Any) -> Record:
    written = bodies.body(body) if isinstance(body, Struct) else body
    return chained(Draft(at=1, kind=kind, body=written, **fields), hub="h", seq=1, prev=GENESIS)


def asked(kind: Kind, body: Struct, **fields: Any) -> Record:
    return record(kind, body, ask="kfmzt", **fields)


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (
            record("hub", usage.body(Usage(cost_usd=0.0123, tokens_in=900, tokens_out=40))),
            "used $0.012, 940 tokens: 900 in, 40 out",
        ),
        (
            asked(
                "ask", bodies.AskBody("permission", "PermissionRequest", "claude-code", tool="Bash", line="git push")
            ),
            "ask kfmzt waits for a person (permission): Bash git push",
        ),
        (
            asked("ask", bodies.AskBody("plan", "PermissionRequest", "claude-code", line="Rewrite it", rev=2)),
            "ask kfmzt waits for a person (plan, revision 2): Rewrite it",
        ),
        (
            asked("answer", bodies.AnswerBody("allow", "telegram", "Pixel 8", waited_ms=12_340), by="person:phone"),
            "ask kfmzt allowed by phone on Telegram (Pixel 8) after 12.3 s",
        ),
        (
            asked(
                "answer",
                bodies.AnswerBody("allow_project", "page", grants=("Bash(npm test)",), message="fine"),
                by="person:desk",
            ),
            "ask kfmzt allowed for the project by you on the page; from now on Bash(npm test): fine",
        ),
        (
            asked("refused", bodies.RefusedBody("allow_session", "it came too late", "page"), by="person:desk"),
            "ask kfmzt not answered by you on the page: allow session was not used, it came too late",
        ),
        (
            asked("told", bodies.ToldBody(delivered=True, event="PermissionRequest", tool="Bash"), decision="allow"),
            "the agent was told: allow (permission asked Bash)",
        ),
        (
            record(
                "told", bodies.ToldBody(False, "PreToolUse", tool="Bash", why="the client was gone"), decision="deny"
            ),
            "not delivered: deny call Bash, the client was gone",
        ),
        (
            asked("outcome", bodies.OutcomeBody("failed", took_ms=3200, why="exit 1")),
            "ask kfmzt ended: failed after 3.2 s: exit 1",
        ),
        (
            asked("outcome", bodies.OutcomeBody("terminal", "reported")),
            "ask kfmzt ended: answered at the terminal (reported, not yet certain)",
        ),
        (asked("push", bodies.PushBody("ntfy", sent=True, attempt=2)), "sent to ntfy about kfmzt (try 2)"),
        (
            record("push", bodies.PushBody("telegram", sent=False, why="you typed 4 s ago", about="finished")),
            "not sent to telegram about the finished turn: you typed 4 s ago",
        ),
        (record("push", bodies.PushBody("push", sent=True)), "sent to push"),
        (
            asked("push", bodies.PushBody("telegram", sent=False, why="quiet hours")),
            "not sent to telegram about kfmzt: quiet hours",
        ),
        (
            record("rules", bodies.RulesBody("rules.toml", added=("deny Bash(git push *)",), removed=("ask Write",))),
            "rules changed in rules.toml: added deny Bash(git push *); removed ask Write",
        ),
        (
            record("rules", bodies.RulesBody("/s/permissions.json", added=("Agents may run tests in /p. (3f9a)",))),
            "allowed for longer: Agents may run tests in /p. (3f9a)",
        ),
        (
            record("rules", bodies.RulesBody("/s/permissions.json", removed=("Agents may run tests in /p. (3f9a)",))),
            "taken back: Agents may run tests in /p. (3f9a)",
        ),
        (
            record("rules", bodies.RulesBody("rules.toml", trouble="line 3: no such key")),
            "rules in rules.toml not read, the ones before stay in force: line 3: no such key",
        ),
        (
            record("config", bodies.ConfigBody("config.toml", {"stance": ('"balanced"', '"strict"'), "x": ("", "1")})),
            'settings changed in config.toml: stance "balanced" → "strict", x unset → 1',
        ),
        (
            record("config", bodies.ConfigBody("config.toml", trouble="line 2: not a size")),
            "config.toml not read, the settings before stay in force: line 2: not a size",
        ),
        (record("rules", bodies.RulesBody("rules.toml")), "rules in rules.toml can be read again, unchanged"),
        (record("config", bodies.ConfigBody("config.toml")), "config.toml can be read again, unchanged"),
        (
            record("checkpoint", bodies.CheckpointBody(5000, "ab", 12, "cd", 4988, why="older than 180 days")),
            "4,988 records up to #5000 removed, 12 of them kept (older than 180 days); the chain goes on from here",
        ),
        (record("hub", {"what": "started version 1"}), "hub: started version 1"),
        (record("hub", {"what": "session_vanished"}), "hub: the session's process is gone without saying so"),
        (record("gap", {"event": "PreToolUse"}), "gap: call while no hub was running"),
        (record("hub", QueueBody("added", "i1", "Run the tests.", "stop", 1)), "queued: Run the tests."),
        (
            record("hub", QueueBody("moved", "i1", "Run the tests.", "stop", 2)),
            "moved to place 2 of the queue: Run the tests.",
        ),
        (
            record("hub", QueueBody("delivered", "i1", "Run the tests.", "stop")),
            "told the agent, which would have stopped: Run the tests.",
        ),
        (
            record("hub", QueueBody("delivered", "i1", "Not yet.", "task")),
            "told the agent that called a task done: Not yet.",
        ),
        (
            record("hub", QueueBody("returned", "i1", "Run the tests.", "stop", 1)),
            "it was not heard, so it waits again: Run the tests.",
        ),
        (record("hub", {"what": "queue", "did": "eaten"}), "hub: a queue changed"),
    ],
    ids=lambda value: value.kind if isinstance(value, Record) else "",
)
def test_record_reads_as_a_sentence(told: Record, line: str) -> None:
    """Who, on which screen, after how long, and how it ended."""
    assert describe(told) == line


@pytest.mark.parametrize("kind", get_args(Kind))
def test_record_with_an_odd_body_still_has_a_line(kind: Kind) -> None:
    """A body of another form does not break a list of records."""
    assert describe(record(kind, {"choice": 7, "file": []}))


@pytest.mark.parametrize("kind", sorted(set(get_args(Kind)) - {"event", "decision"}))
def test_every_kind_has_words(kind: Kind) -> None:
    """No kind is left without a sentence, and no choice or ending without its words."""
    assert sentence(record(kind, {})) == kind or kind == "gap"
    assert set(wording.CHOICES) == set(get_args(bodies.Choice))
    assert set(wording.ENDINGS) == set(get_args(bodies.Ending))


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0 ms"),
        (999, "999 ms"),
        (999.7, "1.0 s"),
        (59_940, "59.9 s"),
        (59_960, "1 min"),
        (200_000, "3 min 20 s"),
        (3_599_800, "1 h"),
        (7_500_000, "2 h 5 min"),
    ],
)
def test_span_is_as_exact_as_people_want(ms: float, text: str) -> None:
    """Milliseconds for machines, minutes for people."""
    assert span(ms) == text
