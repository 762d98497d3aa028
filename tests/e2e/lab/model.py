"""A scripted stand-in for the Messages API, on loopback.

A script maps a lane to its turns. Every request that offers tools belongs to a lane: the first lane other than
``main`` whose name occurs in the text of the first user message, else ``main``. A sub-agent is steered by putting
its lane's name into the prompt of the Agent call. Each request takes the next turn of its lane; an exhausted lane
says "Done.". Requests without tools (titles, summaries) are answered by ``aux``, those of auto mode's check by the
classifier.
"""

import json
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.e2e.lab.classifier import Classifier, is_check
from tests.e2e.lab.waiting import HANG, let_pass

Block = dict[str, Any]
Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of the model."""

    blocks: Sequence[Block] = ()
    # Answer only once this is set: the test decides when the model goes on.
    hold: threading.Event | None = None
    line_delay: float = 0.0
    usage: Mapping[str, int] = field(default_factory=lambda: {"input_tokens": 10, "output_tokens": 10})
    stop_reason: str | None = None
    # Anything but 200 is a failure of the API.
    status: int = 200
    error: str = "api_error"


Step = Turn | Sequence[Block] | Callable[[Body], Sequence[Block]]
Script = Mapping[str, Sequence[Step]] | Sequence[Step]


def say(value: str) -> Block:
    return {"type": "text", "text": value}


def call(tool: str, /, **tool_input: Any) -> Block:
    return {"type": "tool_use", "name": tool, "input": tool_input}


def bash(command: str) -> Block:
    return call("Bash", command=command, description="Scripted")


def flatten(content: Any) -> str:
    """All text inside a message's content."""
    if isinstance(content, str):
        return content
    pieces = []
    for block in content or []:
        if block.get("type") == "text":
            pieces.append(block["text"])
        elif block.get("type") == "tool_result":
            pieces.append(flatten(block.get("content")))
    return "\n".join(pieces)


@dataclass(frozen=True, slots=True)
class Request:
    """One request the model got."""

    lane: str
    body: Body

    def news(self) -> list[str]:
        """What the model is told since its last turn, one line per block, errors marked."""
        fresh: list[str] = []
        for message in self.body["messages"]:
            if message["role"] == "assistant":
                fresh.clear()
                continue
            content = message["content"]
            blocks = [say(content)] if isinstance(content, str) else content
            for block in blocks:
                if block["type"] == "tool_result":
                    mark = "error" if block.get("is_error") else "result"
                    fresh.append(f"[{mark}] {flatten(block.get('content'))}")
                elif block["type"] == "text":
                    fresh.append(f"[{message['role']}] {block['text']}")
        return fresh


class Model:
    """Serves a script and remembers what it was asked."""

    def __init__(
        self, script: Script, aux: Callable[[Body], str] = lambda _: "ok", classifier: Classifier | None = None
    ) -> None:
        self.script: Mapping[str, Sequence[Step]] = script if isinstance(script, Mapping) else {"main": script}
        self._aux = aux
        self.classifier = classifier or Classifier("allow")
        self._taken = dict.fromkeys(self.script, 0)
        self._requests: list[Request] = []
        self._changed = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        for turns in self.script.values():
            for turn in turns:
                if isinstance(turn, Turn) and turn.hold:
                    turn.hold.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def requests(self, lane: str = "main") -> list[Request]:
        with self._changed:
            return [request for request in self._requests if request.lane == lane]

    def wait_for(self, count: int, lane: str = "main", seconds: float = HANG) -> Request:
        """The ``count``-th request of a lane, once it is there."""
        with self._changed:
            seen = self._changed.wait_for(lambda: len(self.requests(lane)) >= count, seconds)
        if not seen:
            raise AssertionError(f"model request {count} of lane {lane} did not come within {seconds:g} s")
        return self.requests(lane)[count - 1]

    def news(self, lane: str = "main") -> list[list[str]]:
        """What each request of a lane brought."""
        return [request.news() for request in self.requests(lane)]

    def take(self, body: Body) -> Turn:
        """Remember a request and choose its answer."""
        if is_check(body):
            self._remember(Request("check", body))
            said = self.classifier.local()
            return Turn(status=said, error="api_error") if isinstance(said, int) else Turn([say(said)])
        tools = [tool.get("name") for tool in body.get("tools") or []]
        if not tools or tools == ["web_search"]:
            self._remember(Request("aux", body))
            return Turn([say(self._aux(body))])
        opening = flatten(next((m["content"] for m in body["messages"] if m["role"] == "user"), ""))
        lane = next((name for name in self.script if name != "main" and name in opening), "main")
        with self._changed:
            index = self._taken.get(lane, 0)
            self._taken[lane] = index + 1
            self._remember(Request(lane, body))
        turns = self.script.get(lane, ())
        step: Step = turns[index] if index < len(turns) else [say("Done.")]
        if isinstance(step, Turn):
            return step
        return Turn(step(body) if callable(step) else step)

    def _remember(self, request: Request) -> None:
        with self._changed:
            self._requests.append(request)
            self._changed.notify_all()


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the name is the base class's
            pass

        def do_GET(self) -> None:
            self._json({})

        def do_HEAD(self) -> None:
            self._json({})

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", 0)))
            try:
                if "count_tokens" in self.path:
                    self._json({"input_tokens": 10})
                elif self.path.startswith("/v1/messages"):
                    body = json.loads(raw)
                    self._turn(body, model.take(body))
                else:
                    self._json({})
            except (BrokenPipeError, ConnectionResetError):
                # The client interrupted its turn.
                self.close_connection = True

        def _json(self, value: Body, status: int = 200) -> None:
            encoded = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(encoded)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(encoded)

        def _turn(self, body: Body, turn: Turn) -> None:
            if turn.hold:
                turn.hold.wait()
            if turn.status != 200:
                self._json({"type": "error", "error": {"type": turn.error, "message": "scripted"}}, turn.status)
                return
            message = _message(body, turn)
            if body.get("stream"):
                verdicts = model.classifier.at_server(message["content"]) if body.get("safeguards") else {}
                self._stream(message, turn.line_delay, verdicts)
            else:
                self._json(message)

        def _stream(self, message: Body, line_delay: float, verdicts: Body) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            for kind, fields in _events(message, verdicts):
                self.wfile.write(f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode())
                self.wfile.flush()
                if line_delay and kind == "content_block_delta":
                    let_pass(line_delay)
            self.close_connection = True

    return Handler


def _message(body: Body, turn: Turn) -> Body:
    blocks = [
        {**block, "id": "toolu_" + uuid.uuid4().hex[:24]} if block["type"] == "tool_use" else block
        for block in turn.blocks
    ]
    uses_tools = any(block["type"] == "tool_use" for block in blocks)
    return {
        "id": "msg_" + uuid.uuid4().hex[:24],
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": blocks,
        "stop_reason": turn.stop_reason or ("tool_use" if uses_tools else "end_turn"),
        "stop_sequence": None,
        "usage": dict(turn.usage),
    }


def _events(message: Body, verdicts: Body) -> list[tuple[str, Body]]:
    """The message as the stream spells it."""
    out: list[tuple[str, Body]] = [("message_start", {"message": {**message, "content": [], "stop_reason": None}})]
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            opening, pieces = say(""), block["text"].splitlines(keepends=True) or [""]
            deltas = [{"type": "text_delta", "text": piece} for piece in pieces]
        else:
            opening = {**block, "input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": json.dumps(block["input"])}]
        out.append(("content_block_start", {"index": index, "content_block": opening}))
        out += [("content_block_delta", {"index": index, "delta": delta}) for delta in deltas]
        out.append(("content_block_stop", {"index": index}))
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None, **verdicts}
    out.append(("message_delta", {"delta": ending, "usage": {"output_tokens": message["usage"]["output_tokens"]}}))
    out.append(("message_stop", {}))
    return out
