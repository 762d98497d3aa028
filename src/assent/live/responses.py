"""A scripted model that speaks the Responses API."""

import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any

from assent.live.model import Body, ScriptedModel, sse

# Arguments that are a text under this name go to a tool that takes free text.
RAW = "raw"
_USAGE = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}


class ResponsesModel(ScriptedModel):
    def listed(self, path: str) -> Body:  # noqa: ARG002 - it has one list
        return {"object": "list", "data": [{"id": "scripted", "object": "model"}]}

    def answer(self, path: str, body: Body) -> tuple[str, Iterable[bytes]]:  # noqa: ARG002 - one way for all
        turn = self.next_turn(body)
        items = [self._text(turn)] if isinstance(turn, str) else [self._call(*call) for call in turn]
        done: Body = {"id": self._named("resp"), "object": "response", "status": "completed", "output": items}
        done |= {"created_at": 1, "model": body.get("model"), "usage": _USAGE}
        if not body.get("stream"):
            return "application/json", [json.dumps(done).encode()]
        return "text/event-stream", _streamed(done)

    def _named(self, kind: str) -> str:
        return f"{kind}_{next(self.ids)}"

    def _text(self, text: str) -> Body:
        content = [{"type": "output_text", "text": text, "annotations": []}]
        return {"type": "message", "role": "assistant", "id": self._named("msg"), "content": content}

    def _call(self, tool: str, arguments: Body) -> Body:
        call: Body = {"call_id": self._named("call"), "name": tool, "status": "completed"}
        if RAW in arguments:
            return {**call, "type": "custom_tool_call", "id": self._named("ctc"), "input": arguments[RAW]}
        return {**call, "type": "function_call", "id": self._named("fc"), "arguments": json.dumps(arguments)}

    def told(self, body: Body) -> Iterable[str]:
        outputs = (item["output"] for item in body["input"] if str(item.get("type")).endswith("_call_output"))
        return [output if isinstance(output, str) else json.dumps(output) for output in outputs]


def _streamed(done: Body) -> Iterator[bytes]:
    numbers = itertools.count()

    def event(kind: str, **fields: Any) -> bytes:
        return sse({"type": kind, "sequence_number": next(numbers), **fields}, kind)

    yield event("response.created", response={**done, "status": "in_progress", "output": [], "usage": None})
    for at, item in enumerate(done["output"]):
        yield event("response.output_item.added", output_index=at, item={**item, "status": "in_progress"})
        yield event("response.output_item.done", output_index=at, item=item)
    yield event("response.completed", response=done)
