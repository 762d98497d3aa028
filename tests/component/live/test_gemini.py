"""Answers of the Gemini API from a script."""

from collections.abc import Iterator

import pytest

from assent.live.gemini import GeminiModel
from tests.component.live.asking import streamed, whole

PATH = "/v1beta/models/m:generateContent"
ASKED = {"tools": [{"functionDeclarations": []}], "contents": [{"role": "user", "parts": [{"text": "go"}]}]}


@pytest.fixture
def model() -> Iterator[GeminiModel]:
    made = GeminiModel([[("run_shell_command", {"command": "ls"})], "Bye."])
    yield made
    made.close()


def test_call_and_text_come_whole(model: GeminiModel) -> None:
    """Where no stream is asked for."""
    first, second = (whole(model, PATH, ASKED)["candidates"][0]["content"]["parts"] for _ in range(2))
    assert first[0]["functionCall"]["name"] == "run_shell_command"
    assert second == [{"text": "Bye."}]


def test_call_comes_as_a_stream(model: GeminiModel) -> None:
    """In one piece."""
    (said,) = streamed(model, "/v1beta/models/m:streamGenerateContent?alt=sse", ASKED)
    assert said["candidates"][0]["content"]["parts"][0]["functionCall"]["args"] == {"command": "ls"}


def test_results_are_what_the_last_request_tells(model: GeminiModel) -> None:
    """As JSON."""
    part = {"functionResponse": {"name": "x", "response": {"output": "a"}}}
    whole(model, PATH, ASKED | {"contents": [{"role": "user", "parts": [part]}]})
    assert model.results() == ['{"output": "a"}']
