"""How full a session's context is: read from its transcript at results and at the end of a turn."""

import json
from pathlib import Path
from typing import Any

import pytest

from assent.hub.ingress.context import LEAST, _is_news
from assent.protocol.context import Context
from tests.component.hub_process import HubProcess, bash, until

MODEL = "claude-opus-5-5"


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    return tmp_path / "s1.jsonl"


def answered(transcript: Path, tokens: int) -> None:
    line = {"type": "assistant", "message": {"model": MODEL, "usage": {"input_tokens": tokens}}}
    with transcript.open("a") as file:
        file.write(json.dumps(line) + "\n")


def send(hub: HubProcess, transcript: Path, name: str, **fields: Any) -> None:
    hub.send(bash("ls", transcript_path=str(transcript), **fields) | {"hook_event_name": name})


def session(hub: HubProcess) -> dict[str, Any]:
    status, found = hub.api("GET", "/api/sessions/s1")
    return dict(found) if status == 200 else {}


def wait_for(hub: HubProcess, tokens: int) -> None:
    expected = {"tokens": tokens, "window": 1_000_000, "model": MODEL}
    until(lambda: session(hub).get("context") == expected, f"a context of {tokens}")


def test_context_is_known_after_a_result_and_after_the_turn(hub: HubProcess, transcript: Path) -> None:
    """A second result at once is not looked at; the end of the turn always is, and is told to the screens alone."""
    answered(transcript, 5_000)
    send(hub, transcript, "PostToolUse", tool_response={})
    wait_for(hub, 5_000)
    answered(transcript, 9_000)
    send(hub, transcript, "Stop", stop_hook_active=False)
    wait_for(hub, 9_000)
    rows = hub.api("GET", "/api/feed?session=s1")[1]["rows"]
    assert not any("context" in str(row.get("what")) for row in rows)


def test_sub_agents_and_missing_transcripts_tell_nothing(hub: HubProcess, transcript: Path) -> None:
    """A later turn of the main agent is told all the same."""
    send(hub, transcript, "Stop", stop_hook_active=False)
    answered(transcript, 7_000)
    send(hub, transcript, "PostToolUse", tool_response={}, agent_id="a1")
    assert "context" not in session(hub)
    send(hub, transcript, "Stop", stop_hook_active=False)
    wait_for(hub, 7_000)


def test_small_changes_are_recorded_at_the_end_of_a_turn_alone() -> None:
    """Each record is kept for good."""
    before = Context(5_000, 10_000, "m")
    near, far = Context(5_001, 10_000, "m"), Context(5_000 + LEAST, 10_000, "m")
    assert [_is_news(before, found, is_end=False) for found in (near, far)] == [False, True]
    assert [_is_news(before, found, is_end=True) for found in (before, near)] == [False, True]
    assert _is_news(None, near, is_end=False)
    assert _is_news(before, Context(5_000, 20_000, "m"), is_end=False)


def test_ended_session_is_summed_up(hub: HubProcess, transcript: Path) -> None:
    """From the whole transcript, on the session and in the row of its end."""
    answered(transcript, 5_000)
    about = {"session_id": "s1", "transcript_path": str(transcript), "cwd": "/p"}
    hub.send(about | {"hook_event_name": "SessionStart", "source": "startup"})
    hub.send(about | {"hook_event_name": "SessionEnd", "reason": "exit"})
    until(lambda: session(hub).get("summary") == {"tokens_in": 5_000}, "the summary of the session")
    rows = hub.api("GET", "/api/feed?session=s1")[1]["rows"]
    assert [row.get("note") for row in rows if row.get("name") == "session ended"] == ["5 k tokens"]
