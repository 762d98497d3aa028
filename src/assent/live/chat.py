"""A scripted model that speaks chat completions, as most clients can be told to."""

import json
from collections.abc import Iterable, Iterator

from assent.live.model import Body, ScriptedModel, Turn, sse


class ChatModel(ScriptedModel):
    def listed(self, path: str) -> Body:  # noqa: ARG002 - it has one list
        return {"object": "list", "data": [{"id": "scripted", "object": "model"}]}

    def answer(self, path: str, body: Body) -> tuple[str, Iterable[bytes]]:  # noqa: ARG002 - one way for all
        if body.get("stream"):
            return "text/event-stream", self._streamed(body)
        return "application/json", [json.dumps(self._whole(body)).encode()]

    def next_turn(self, body: Body) -> Turn:
        """Tools of another shape are offered in requests of the client's own, such as for a title."""
        return super().next_turn({**body, "tools": [tool for tool in body.get("tools") or () if "function" in tool]})

    def _parts(self, body: Body) -> tuple[str, list[Body], str]:
        turn = self.next_turn(body)
        text, made = (turn, []) if isinstance(turn, str) else ("", [self._call(*call) for call in turn])
        return text, made, "tool_calls" if made else "stop"

    def _about(self, body: Body, kind: str) -> Body:
        return {"id": f"chat-{next(self.ids)}", "object": kind, "created": 1, "model": body.get("model")}

    def _whole(self, body: Body) -> Body:
        text, made, finish = self._parts(body)
        message = {"role": "assistant", "content": text or None, **({"tool_calls": made} if made else {})}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return {**self._about(body, "chat.completion"), "choices": [choice], "usage": _USAGE}

    def _streamed(self, body: Body) -> Iterator[bytes]:
        text, made, finish = self._parts(body)
        about = self._about(body, "chat.completion.chunk")
        deltas: list[tuple[Body, str | None]] = [({"role": "assistant", "content": text}, None)]
        deltas += [({"tool_calls": [{"index": at, **call}]}, None) for at, call in enumerate(made)]
        for delta, ended in [*deltas, ({}, finish)]:
            choice = {"index": 0, "delta": delta, "finish_reason": ended}
            yield sse({**about, "choices": [choice], "usage": _USAGE if ended else None})
        yield sse("[DONE]")

    def _call(self, tool: str, arguments: Body) -> Body:
        function = {"name": tool, "arguments": json.dumps(arguments)}
        return {"id": f"call-{next(self.ids)}", "type": "function", "function": function}

    def told(self, body: Body) -> Iterable[str]:
        texts = (message["content"] for message in body["messages"] if message["role"] == "tool")
        return [text if isinstance(text, str) else json.dumps(text) for text in texts]


_USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
