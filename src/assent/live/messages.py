"""A scripted model that speaks the Messages API."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from assent.live.model import Body, ScriptedModel, sse

_USAGE = {"input_tokens": 10, "output_tokens": 5}


class MessagesModel(ScriptedModel):
    def listed(self, path: str) -> Body:  # noqa: ARG002 - nothing is listed
        return {}

    def answer(self, path: str, body: Body) -> tuple[str, Iterable[bytes]]:
        if "count_tokens" in path:
            return "application/json", [json.dumps({"input_tokens": 10}).encode()]
        if "messages" not in path:
            return "application/json", [b"{}"]
        message = self._message(body)
        if not body.get("stream"):
            return "application/json", [json.dumps(message).encode()]
        return "text/event-stream", _streamed(message)

    def _message(self, body: Body) -> Body:
        turn = self.next_turn(body)
        blocks: list[Body] = [{"type": "text", "text": turn}] if isinstance(turn, str) else []
        blocks += [] if isinstance(turn, str) else [self._use(*call) for call in turn]
        return {
            "id": f"msg_{next(self.ids):024}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model"),
            "content": blocks,
            "stop_reason": "end_turn" if isinstance(turn, str) else "tool_use",
            "stop_sequence": None,
            "usage": _USAGE,
        }

    def _use(self, tool: str, arguments: Body) -> Body:
        return {"type": "tool_use", "id": f"toolu_{next(self.ids):024}", "name": tool, "input": arguments}

    def told(self, body: Body) -> Iterable[str]:
        for message in body["messages"]:
            for block in message["content"] if isinstance(message["content"], list) else ():
                if block.get("type") == "tool_result":
                    yield _text(block.get("content"))


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content or () if isinstance(block, dict))


def _streamed(message: Body) -> Iterator[bytes]:
    def event(kind: str, **fields: Any) -> bytes:
        return sse({"type": kind, **fields}, kind)

    yield event("message_start", message={**message, "content": [], "stop_reason": None})
    for index, block in enumerate(message["content"]):
        is_text = block["type"] == "text"
        opening = {"type": "text", "text": ""} if is_text else {**block, "input": {}}
        yield event("content_block_start", index=index, content_block=opening)
        told = {"type": "text_delta", "text": block.get("text")}
        called = {"type": "input_json_delta", "partial_json": json.dumps(block.get("input"))}
        yield event("content_block_delta", index=index, delta=told if is_text else called)
        yield event("content_block_stop", index=index)
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield event("message_delta", delta=ending, usage={"output_tokens": _USAGE["output_tokens"]})
    yield event("message_stop")
