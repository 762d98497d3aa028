"""What Slack's refusals mean, and to whom the hub talks."""

import json

import pytest

from assent.surfaces.base import FailedError, GoneError, RateLimitedError, SurfaceError
from assent.surfaces.chat import MissingError, NobodyError
from assent.surfaces.service import Answer
from assent.surfaces.slack.api import TokenError, TriggerError, is_slacks, result


def answered(error: str, status: int = 200, retry_after: float | None = None) -> Answer:
    return Answer(status, json.dumps({"ok": False, "error": error}).encode(), retry_after)


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        ("invalid_auth", TokenError),
        ("token_revoked", TokenError),
        ("missing_scope", TokenError),
        ("channel_not_found", NobodyError),
        ("user_disabled", NobodyError),
        ("message_not_found", MissingError),
        ("expired_trigger_id", TriggerError),
        ("internal_error", FailedError),
        ("invalid_blocks", GoneError),
        ("something_new", GoneError),
    ],
)
def test_a_refusal_says_whether_trying_again_helps(error: str, meaning: type[SurfaceError]) -> None:
    """Each of Slack's words is one of ours."""
    with pytest.raises(meaning):
        result(answered(error))


@pytest.mark.parametrize("answer", [answered("ratelimited", 429, 7.0), answered("ratelimited", 200, 7.0)])
def test_a_limit_says_how_long(answer: Answer) -> None:
    """As the header has it."""
    with pytest.raises(RateLimitedError) as limited:
        result(answer)
    assert limited.value.retry_after == 7.0


@pytest.mark.parametrize(
    "answer", [Answer(503, b"oops"), Answer(200, b"<html>"), Answer(200, b"[]"), answered("x\x1b[2K" * 40)]
)
def test_what_cannot_be_read_is_a_failure_without_its_words(answer: Answer) -> None:
    """Nothing of a strange answer goes on record."""
    with pytest.raises(SurfaceError) as failed:
        result(answer)
    assert "\x1b" not in failed.value.message
    assert "html" not in failed.value.message


@pytest.mark.parametrize(
    ("url", "is_so"),
    [
        ("wss://wss-primary.slack.com/link/?ticket=1", True),
        ("wss://slack.com/link", True),
        ("ws://wss-primary.slack.com/link", False),
        ("https://wss-primary.slack.com/link", False),
        ("wss://slack.com.evil.example/link", False),
        ("wss://evilslack.com/link", False),
        ("wss://me@wss-primary.slack.com/link", False),
        ("wss://127.0.0.1/link", False),
        ("wss://[::1", False),
        ("", False),
    ],
)
def test_connections_go_to_slack_alone(url: str, is_so: bool) -> None:
    """Whatever an answer says."""
    assert is_slacks(url) is is_so


def test_only_a_test_has_its_service_elsewhere() -> None:
    """And then it is there and nowhere else."""
    assert is_slacks("ws://127.0.0.1:99/link", "http://127.0.0.1:98")
    assert not is_slacks("wss://wss-primary.slack.com/link", "http://127.0.0.1:98")
    assert not is_slacks("ws://192.0.2.1/link", "http://127.0.0.1:98")
