"""An agent of the protocol for tests: it asks its client for what a prompt says, and tells what it was answered.

A prompt is JSON: a list of messages. One with a method and an ``ask`` is sent as a request and waited for."""

import json
import os
import signal
import sys
from typing import Any

TOLD: list[Any] = []


def say(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def receive() -> dict[str, Any]:
    line = sys.stdin.readline()
    if not line:
        sys.exit(int(os.environ.get("TOY_CODE", "0")))
    message: dict[str, Any] = json.loads(line)
    return message


def asked(number: int, wanted: dict[str, Any]) -> Any:
    """What the client answers to a request."""
    say(id=number, method=wanted["ask"], params={"sessionId": "toy", **wanted.get("params", {})})
    while True:
        message = receive()
        if message.get("id") == number and "method" not in message:
            return message.get("result") or message.get("error")
        TOLD.append(message)


def main() -> None:
    if os.environ.get("TOY_STUBBORN"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.stderr.write("toy: ready\n")
    sys.stderr.flush()
    number = 100
    while True:
        message = receive()
        match message.get("method"):
            case "initialize":
                say(id=message["id"], result={"protocolVersion": 1, "agentInfo": {"name": "toy", "version": "1"}})
            case "session/new":
                mode = {"currentModeId": os.environ.get("TOY_MODE", "default")}
                say(id=message["id"], result={"sessionId": "toy", "modes": mode})
            case "session/prompt":
                answers = []
                for wanted in json.loads(message["params"]["prompt"][0]["text"]):
                    number += 1
                    if "ask" in wanted:
                        answers.append(asked(number, wanted))
                    else:
                        say(**wanted)
                say(id=message["id"], result={"stopReason": "end_turn", "_meta": {"answers": answers}})
            case "quit":
                sys.exit(message["params"]["code"])


main()
