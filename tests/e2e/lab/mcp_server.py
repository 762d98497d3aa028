"""A small stdio MCP server: echo, fail, ask (form elicitation), sign_in (url elicitation), and one prompt, greet."""

import json
import sys
from typing import Any

Json = dict[str, Any]
NOTHING: Json = {"type": "object", "properties": {}}
TEXT: Json = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
TOOLS = [
    {"name": "echo", "description": "Return the text.", "inputSchema": TEXT},
    {"name": "fail", "description": "Return an error result.", "inputSchema": NOTHING},
    {"name": "ask", "description": "Elicit a form from the user.", "inputSchema": NOTHING},
    {"name": "sign_in", "description": "Send the user to a page.", "inputSchema": NOTHING},
]
FORM: Json = {
    "mode": "form",
    "message": "Which account?",
    "requestedSchema": {
        "type": "object",
        "properties": {"account": {"type": "string", "title": "Account"}},
        "required": ["account"],
    },
}

SIGN_IN: Json = {
    "mode": "url",
    "message": "Please sign in",
    "elicitationId": "el-1",
    "url": "https://auth.example.com/login?next=1",
}
ELICITING = {"ask": FORM, "sign_in": SIGN_IN}


def send(message: Json) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)  # noqa: T201  the protocol's own channel


def receive() -> Json:
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    message: Json = json.loads(line)
    return message


def elicit(params: Json) -> Json:
    send({"id": "elicit", "method": "elicitation/create", "params": params})
    while True:
        message = receive()
        if message.get("id") == "elicit" and "method" not in message:
            return message.get("result") or {"error": message.get("error")}
        handle(message)


def run_tool(name: str, arguments: Json) -> Json:
    if name == "fail":
        return {"content": [{"type": "text", "text": "it broke"}], "isError": True}
    text = json.dumps(elicit(ELICITING[name])) if name in ELICITING else arguments.get("text", "")
    return {"content": [{"type": "text", "text": f"{name}: {text}"}]}


def result(method: str, params: Json) -> Json | None:
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}, "prompts": {}},
            "serverInfo": {"name": "lab", "version": "1"},
        }
    if method == "tools/call":
        return run_tool(params["name"], params.get("arguments") or {})
    answers: dict[str, Json] = {
        "ping": {},
        "tools/list": {"tools": TOOLS},
        "prompts/list": {"prompts": [{"name": "greet", "description": "Say hello", "arguments": []}]},
        "prompts/get": {"messages": [{"role": "user", "content": {"type": "text", "text": "Say hello"}}]},
    }
    return answers.get(method)


def handle(message: Json) -> None:
    if "id" not in message or "method" not in message:
        return
    answer = result(message["method"], message.get("params") or {})
    if answer is None:
        send({"id": message["id"], "error": {"code": -32601, "message": "no such method"}})
    else:
        send({"id": message["id"], "result": answer})


if __name__ == "__main__":
    while True:
        handle(receive())
