"""A scripted model that speaks the Gemini API."""

import json
from collections.abc import Iterable

from assent.live.model import Body, ScriptedModel, sse

_USAGE = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}


class GeminiModel(ScriptedModel):
    def listed(self, path: str) -> Body:  # noqa: ARG002 - nothing is listed
        return {"models": []}

    def answer(self, path: str, body: Body) -> tuple[str, Iterable[bytes]]:
        turn = self.next_turn(body)
        parts = [{"text": turn}] if isinstance(turn, str) else [self._call(*call) for call in turn]
        candidate = {"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
        said = {"candidates": [candidate], "usageMetadata": _USAGE, "modelVersion": "scripted"}
        if ":stream" in path:
            return "text/event-stream", [sse(said)]
        return "application/json", [json.dumps(said).encode()]

    def _call(self, tool: str, arguments: Body) -> Body:
        return {"functionCall": {"id": f"call-{next(self.ids)}", "name": tool, "args": arguments}}

    def told(self, body: Body) -> Iterable[str]:
        parts = (part for content in body["contents"] for part in content["parts"])
        return [json.dumps(part["functionResponse"]["response"]) for part in parts if "functionResponse" in part]
