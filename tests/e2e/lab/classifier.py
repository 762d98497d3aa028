"""A scripted stand-in for the check that the client makes in auto mode, beside the scripted model.

The client has two ways. *Local*: it sends requests of its own, without tools, whose answer is a severity; a first one
that ends well up to 25, and a second one that blocks from 36 on. *At the server*: the model's own request asks for
verdicts, and its answer carries one for each call. A script is one word for all checks, or a word for each in turn, of
which the last stays."""

import json
import threading
from collections.abc import Sequence
from typing import Any

# What makes the client check locally, also where its gateway is on loopback.
LOCAL = {"CLAUDE_CODE_AUTO_MODE_SERVER": "0"}
CATEGORY = "Data Exfiltration"
EXPLANATION = "It sends a file of the project to a host nobody named."
# The text of the answer, or the status of a failing one.
_LOCAL: dict[str, str | int] = {
    "allow": "<severity>10</severity>",
    "block": f"<severity>90</severity><category>{CATEGORY}</category>",
    "unclear": "I would rather not say.",
    "overloaded": 529,
    "unavailable": 503,
}
_SERVER: dict[str, dict[str, Any]] = {
    "allow": {"type": "evaluated", "outcome": "not_flagged"},
    "block": {"type": "evaluated", "outcome": "flagged", "explanation": EXPLANATION},
    "overloaded": {"type": "unavailable", "reason": "timeout"},
    "unavailable": {"type": "unavailable", "reason": "error"},
}


def is_check(body: dict[str, Any]) -> bool:
    """Whether this is the client's own question about a call."""
    return not body.get("tools") and "<severity>" in json.dumps([body.get("system"), body.get("messages")])


class Classifier:
    """Remembers how often it was asked."""

    def __init__(self, script: str | Sequence[str]) -> None:
        self._script = [script] if isinstance(script, str) else list(script)
        self._lock = threading.Lock()
        self._asked = 0

    @property
    def asked(self) -> int:
        """How many requests or verdicts the client wanted."""
        return self._asked

    def _next(self) -> str:
        with self._lock:
            word = self._script[min(self._asked, len(self._script) - 1)]
            self._asked += 1
        return word

    def local(self) -> str | int:
        return _LOCAL[self._next()]

    def at_server(self, blocks: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """What the end of the model's answer carries."""
        verdicts = {block["id"]: _SERVER[self._next()] for block in blocks if block["type"] == "tool_use"}
        status = {"type": "available", "tool_uses": verdicts}
        return {"safeguard_results": [{"type": "dangerous_tool_use", "status": status}]}
