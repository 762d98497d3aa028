"""Answers of the Responses API from a script."""

import json
from collections.abc import Iterator

import pytest

from assent.live.responses import RAW, ResponsesModel
from tests.component.live.asking import streamed, whole

PATH = "/v1/responses"
ASKED = {"model": "m", "tools": [{"type": "function"}], "input": [{"role": "user"}]}


@pytest.fixture
def model() -> Iterator[ResponsesModel]:
    made = ResponsesModel([[("shell", {"command": "ls"})], [("apply_patch", {RAW: "*** Begin Patch"})], "Bye."])
    yield made
    made.close()


def test_calls_and_text_come_whole(model: ResponsesModel) -> None:
    """A tool that takes free text gets it as it is."""
    (called,), (patched,), (said,) = (whole(model, PATH, ASKED)["output"] for _ in range(3))
    assert (called["name"], json.loads(called["arguments"])) == ("shell", {"command": "ls"})
    assert (patched["type"], patched["input"]) == ("custom_tool_call", "*** Begin Patch")
    assert said["content"][0]["text"] == "Bye."


def test_call_comes_as_a_stream(model: ResponsesModel) -> None:
    """Numbered, and completed at the end."""
    events = streamed(model, PATH, ASKED | {"stream": True})
    assert [event["sequence_number"] for event in events] == [0, 1, 2, 3]
    assert [event["type"].rpartition(".")[2] for event in events] == ["created", "added", "done", "completed"]


def test_results_are_what_the_last_request_tells(model: ResponsesModel) -> None:
    """Of both kinds of tools."""
    told = [{"type": "function_call_output", "output": "a"}, {"type": "custom_tool_call_output", "output": ["b"]}]
    whole(model, PATH, ASKED | {"input": told})
    assert model.results() == ["a", '["b"]']
