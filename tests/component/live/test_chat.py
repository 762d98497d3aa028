"""Chat completions from a script."""

import json
from collections.abc import Iterator

import pytest

from assent.live.chat import ChatModel
from tests.component.live.asking import streamed, whole

PATH = "/v1/chat/completions"
ASKED = {"model": "m", "tools": [{"type": "function", "function": {}}], "messages": [{"role": "user", "content": "go"}]}


@pytest.fixture
def model() -> Iterator[ChatModel]:
    made = ChatModel([[("bash", {"command": "ls"})], "Bye."])
    yield made
    made.close()


def test_call_and_text_come_whole(model: ChatModel) -> None:
    """Where no stream is asked for."""
    first, second = whole(model, PATH, ASKED), whole(model, PATH, ASKED)
    (called,) = first["choices"][0]["message"]["tool_calls"]
    assert (called["function"]["name"], json.loads(called["function"]["arguments"])) == ("bash", {"command": "ls"})
    assert first["choices"][0]["finish_reason"] == "tool_calls"
    assert (second["choices"][0]["message"]["content"], second["choices"][0]["finish_reason"]) == ("Bye.", "stop")


def test_call_comes_as_a_stream(model: ChatModel) -> None:
    """Its name with its arguments, then the reason why it ends."""
    deltas = [chunk["choices"][0] for chunk in streamed(model, PATH, ASKED | {"stream": True})]
    assert deltas[1]["delta"]["tool_calls"][0]["function"]["name"] == "bash"
    assert [each["finish_reason"] for each in deltas] == [None, None, "tool_calls"]


def test_results_are_what_the_last_request_tells(model: ChatModel) -> None:
    """In order, as texts."""
    told = [{"role": "tool", "content": "a"}, {"role": "tool", "content": [{"text": "b"}]}]
    whole(model, PATH, ASKED | {"messages": told})
    assert model.results() == ["a", '[{"text": "b"}]']
