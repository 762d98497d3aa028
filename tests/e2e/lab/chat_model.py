"""A scripted model that speaks OpenAI's chat completions on loopback, for clients other than Claude Code."""

import itertools
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.e2e.lab.waiting import until

Body = dict[str, Any]
# A turn is a text, or the calls it makes: the tool's name and its arguments.
Call = tuple[str, Body]
Turn = str | Sequence[Call]
LAST = "All done."


@dataclass
class ChatModel:
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

            def do_GET(self) -> None:
                self._say("application/json", json.dumps({"object": "list", "data": [{"id": "scripted"}]}).encode())

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
                kind = "text/event-stream" if body.get("stream") else "application/json"
                self._say(kind, b"".join(model.answer(body)))

            def _say(self, kind: str, data: bytes) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def answer(self, body: Body) -> Iterator[bytes]:
        with self._lock:
            turn: Turn = "ok"
            if body.get("tools"):
                self.requests.append(body)
                turn = self.turns[self._said] if self._said < len(self.turns) else LAST
                self._said += 1
        text, made = (turn, []) if isinstance(turn, str) else ("", [self._call(*call) for call in turn])
        finish = "tool_calls" if made else "stop"
        about = {"id": f"chat-{next(self._ids)}", "created": 1, "model": body.get("model")}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        if not body.get("stream"):
            message = {"role": "assistant", "content": text or None, **({"tool_calls": made} if made else {})}
            choice = {"index": 0, "message": message, "finish_reason": finish}
            yield json.dumps({**about, "object": "chat.completion", "choices": [choice], "usage": usage}).encode()
            return
        deltas: list[tuple[Body, str | None]] = [({"role": "assistant", "content": text}, None)]
        deltas += [({"tool_calls": [{"index": at, **call}]}, None) for at, call in enumerate(made)]
        for delta, ended in [*deltas, ({}, finish)]:
            choice = {"index": 0, "delta": delta, "finish_reason": ended}
            chunk = {**about, "object": "chat.completion.chunk", "choices": [choice], "usage": usage if ended else None}
            yield b"data: " + json.dumps(chunk).encode() + b"\n\n"
        yield b"data: [DONE]\n\n"

    def _call(self, tool: str, arguments: Body) -> Body:
        function = {"name": tool, "arguments": json.dumps(arguments)}
        return {"id": f"call-{next(self._ids)}", "type": "function", "function": function}

    def results(self) -> list[str]:
        """What the model was told of its calls so far, in order."""
        told = self.requests[-1]["messages"] if self.requests else []
        texts = (message["content"] for message in told if message["role"] == "tool")
        return [text if isinstance(text, str) else json.dumps(text) for text in texts]

    def wait_for_result(self, number: int) -> str:
        return until(lambda: self.results()[number - 1 : number], f"result {number} in a request")[0]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
