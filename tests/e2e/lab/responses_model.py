"""A scripted model that speaks OpenAI's Responses on loopback, for Codex."""

import itertools
import json
from collections.abc import Iterator
from typing import Any

from tests.e2e.lab.chat_model import LAST, Body, ChatModel, Turn


class ResponsesModel(ChatModel):
    """Arguments that are a text under ``raw`` go to a tool that takes free text."""

    def answer(self, body: Body) -> Iterator[bytes]:
        with self._lock:
            turn: Turn = "ok"
            if body.get("tools"):
                self.requests.append(body)
                turn = self.turns[self._said] if self._said < len(self.turns) else LAST
                self._said += 1
        items = [self._text(turn)] if isinstance(turn, str) else [self._call(*call) for call in turn]
        usage: Body = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
        done: Body = {"id": self._named("resp"), "object": "response", "status": "completed", "output": items}
        done |= {"created_at": 1, "model": body.get("model"), "usage": usage}
        if not body.get("stream"):
            yield json.dumps(done).encode()
            return
        numbers = itertools.count()

        def event(kind: str, **fields: Any) -> bytes:
            told = {"type": kind, "sequence_number": next(numbers), **fields}
            return f"event: {kind}\ndata: {json.dumps(told)}\n\n".encode()

        yield event("response.created", response={**done, "status": "in_progress", "output": [], "usage": None})
        for at, item in enumerate(items):
            yield event("response.output_item.added", output_index=at, item={**item, "status": "in_progress"})
            yield event("response.output_item.done", output_index=at, item=item)
        yield event("response.completed", response=done)

    def _named(self, kind: str) -> str:
        return f"{kind}_{next(self._ids)}"

    def _text(self, text: str) -> Body:
        content = [{"type": "output_text", "text": text, "annotations": []}]
        return {"type": "message", "role": "assistant", "id": self._named("msg"), "content": content}

    def _call(self, tool: str, arguments: Body) -> Body:
        call: Body = {"call_id": self._named("call"), "name": tool, "status": "completed"}
        if "raw" in arguments:
            return {**call, "type": "custom_tool_call", "id": self._named("ctc"), "input": arguments["raw"]}
        return {**call, "type": "function_call", "id": self._named("fc"), "arguments": json.dumps(arguments)}

    def results(self) -> list[str]:
        told = self.requests[-1]["input"] if self.requests else []
        outputs = (item["output"] for item in told if item.get("type", "").endswith("_call_output"))
        return [output if isinstance(output, str) else json.dumps(output) for output in outputs]
