"""Answers of the Messages API from a script."""

import json
from collections.abc import Iterator

import pytest

from assent.live.messages import MessagesModel
from tests.component.live.asking import streamed, whole

PATH = "/v1/messages"
ASKED = {"model": "m", "tools": [{"name": "Bash"}], "messages": [{"role": "user", "content": "go"}]}


@pytest.fixture
def model() -> Iterator[MessagesModel]:
    made = MessagesModel([[("Bash", {"command": "ls"})], "Bye."])
    yield made
    made.close()


def test_call_and_text_come_whole(model: MessagesModel) -> None:
    """Where no stream is asked for."""
    first, second = whole(model, PATH, ASKED), whole(model, PATH, ASKED)
    assert [(block["name"], block["input"]) for block in first["content"]] == [("Bash", {"command": "ls"})]
    assert (first["stop_reason"], second["stop_reason"]) == ("tool_use", "end_turn")
    assert second["content"] == [{"type": "text", "text": "Bye."}]


def test_call_comes_as_a_stream(model: MessagesModel) -> None:
    """Its input as one piece of JSON."""
    events = streamed(model, PATH, ASKED | {"stream": True})
    assert [event["type"] for event in events] == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert json.loads(events[2]["delta"]["partial_json"]) == {"command": "ls"}


def test_tokens_are_counted_without_a_turn(model: MessagesModel) -> None:
    """The client asks before its first request."""
    assert whole(model, f"{PATH}/count_tokens", ASKED) == {"input_tokens": 10}
    assert model.requests == []


def test_results_are_what_the_last_request_tells(model: MessagesModel) -> None:
    """In order, as texts."""
    content = [{"type": "tool_result", "content": "a"}, {"type": "tool_result", "content": [{"text": "b"}]}]
    whole(model, PATH, ASKED | {"messages": [{"role": "user", "content": content}]})
    assert model.results() == ["a", "b"]
