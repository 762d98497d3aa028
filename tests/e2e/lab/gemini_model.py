"""A scripted model that speaks the Gemini API on loopback."""

import itertools
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.e2e.lab.chat_model import LAST, Body, Turn
from tests.e2e.lab.waiting import until


@dataclass
class GeminiModel:
    """Says its turns in order, one for each request that offers tools; what comes after the last is a closing text."""

    turns: Sequence[Turn]
    requests: list[Body] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._said = 0
        self._lock = threading.Lock()
        self._ids = itertools.count(1)
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                """Nothing is printed."""

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
                is_stream = ":stream" in self.path
                said = json.dumps(model.answer(body)).encode()
                data = b"data: " + said + b"\n\n" if is_stream else said
                self.send_response(200)
                self.send_header("content-type", "text/event-stream" if is_stream else "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def answer(self, body: Body) -> Body:
        with self._lock:
            turn: Turn = "ok"
            if body.get("tools"):
                self.requests.append(body)
                turn = self.turns[self._said] if self._said < len(self.turns) else LAST
                self._said += 1
        parts = [{"text": turn}] if isinstance(turn, str) else [self._call(*call) for call in turn]
        candidate = {"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}

    def _call(self, tool: str, arguments: Body) -> Body:
        return {"functionCall": {"id": f"call-{next(self._ids)}", "name": tool, "args": arguments}}

    def results(self) -> list[str]:
        """What the model was told of its calls so far, in order."""
        contents = self.requests[-1]["contents"] if self.requests else []
        parts = (part for content in contents for part in content["parts"])
        return [json.dumps(part["functionResponse"]["response"]) for part in parts if "functionResponse" in part]

    def prompts(self) -> list[str]:
        """The texts that stand for the user's in the last request."""
        contents = self.requests[-1]["contents"] if self.requests else []
        parts = (part for content in contents if content["role"] == "user" for part in content["parts"])
        return [part["text"] for part in parts if "text" in part]

    def wait_for_result(self, number: int) -> str:
        return until(lambda: self.results()[number - 1 : number], f"result {number} in a request")[0]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
