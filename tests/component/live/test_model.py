"""A scripted model, whatever it speaks."""

import urllib.request
from collections.abc import Iterator

import pytest

from assent.live.chat import ChatModel
from assent.live.gemini import GeminiModel
from assent.live.messages import MessagesModel
from assent.live.model import LAST, ScriptedModel
from assent.live.responses import ResponsesModel

KINDS: tuple[type[ScriptedModel], ...] = (ChatModel, GeminiModel, MessagesModel, ResponsesModel)


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest) -> Iterator[ScriptedModel]:
    made: ScriptedModel = request.param(["one", [("bash", {"command": "ls"})]])
    yield made
    made.close()


def test_turns_come_in_order_and_then_a_closing_text(model: ScriptedModel) -> None:
    """One for each request that offers tools."""
    asked = {"tools": [{"name": "bash", "function": {}}]}
    said = [model.next_turn(asked) for _ in range(3)]
    assert said == ["one", [("bash", {"command": "ls"})], LAST]
    assert model.requests == [asked] * 3


def test_request_without_tools_takes_no_turn(model: ScriptedModel) -> None:
    """It is about a title, or the like."""
    assert model.next_turn({}) == "ok"
    assert model.requests == []
    assert model.results() == []


def test_model_listens_on_loopback_and_answers_get_and_head(model: ScriptedModel) -> None:
    """Clients look whether it is there before they begin."""
    assert model.url.startswith("http://127.0.0.1:")
    for method in ("GET", "HEAD"):
        with urllib.request.urlopen(urllib.request.Request(f"{model.url}/v1/models", method=method)) as reply:
            assert reply.status == 200
