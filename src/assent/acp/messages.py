"""Messages of JSON-RPC, as far as the proxy reads and writes them: one object for each line."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

# By an id's type and value: 1 and "1" are two ids.
Key = tuple[str, str]

ALLOW_ONCE, REJECT_ONCE = "allow_once", "reject_once"
REFUSED = -32_000
_decoder = msgspec.json.Decoder()


@dataclass(frozen=True, slots=True)
class Message:
    method: str
    params: Mapping[str, Any]
    # None for a notification.
    id: int | str | float | None = None
    # Of a response: what was asked for, and what went wrong.
    result: Any = None
    error: Any = None

    @property
    def key(self) -> Key:
        return type(self.id).__name__, str(self.id)

    @property
    def is_request(self) -> bool:
        return bool(self.method) and self.id is not None

    @property
    def is_response(self) -> bool:
        return not self.method and self.id is not None

    @property
    def session(self) -> str:
        named = self.params.get("sessionId")
        return named if isinstance(named, str) else ""


def read(line: bytes) -> Message | None:
    """None for what is no single message: it is passed on, and nothing is concluded from it."""
    try:
        sent = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if not isinstance(sent, dict):
        return None
    method, params, name = sent.get("method", ""), sent.get("params"), sent.get("id")
    if not isinstance(method, str) or isinstance(name, bool) or not isinstance(name, int | str | float | None):
        return None
    return Message(
        method=method,
        params=params if isinstance(params, dict) else {},
        id=name,
        result=sent.get("result"),
        error=sent.get("error"),
    )


def _line(**fields: Any) -> bytes:
    return msgspec.json.encode({"jsonrpc": "2.0", **fields}) + b"\n"


def option(params: Mapping[str, Any], kind: str) -> str | None:
    """The id of the first option of that kind."""
    return next((name for name, each in kinds(params) if each == kind), None)


def kinds(params: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """The options of a permission request: their ids and what they mean."""
    options = params.get("options")
    for each in options if isinstance(options, list) else ():
        if isinstance(each, dict) and isinstance(each.get("optionId"), str) and isinstance(each.get("kind"), str):
            yield each["optionId"], each["kind"]


def selected(message: Message) -> str | None:
    """The option that an answer selects; None where it is no selection."""
    outcome = message.result.get("outcome") if isinstance(message.result, dict) else None
    chosen = outcome.get("optionId") if isinstance(outcome, dict) and outcome.get("outcome") == "selected" else None
    return chosen if isinstance(chosen, str) else None


def select(name: object, chosen: str | None) -> bytes:
    """The answer to a permission request; without an option it is cancelled."""
    outcome = {"outcome": "cancelled"} if chosen is None else {"outcome": "selected", "optionId": chosen}
    return _line(id=name, result={"outcome": outcome})


def refuse(name: object, reason: str) -> bytes:
    return _line(id=name, error={"code": REFUSED, "message": reason})


def say(session: str, text: str) -> bytes:
    """A text for the editor's conversation."""
    content = {"type": "text", "text": text}
    update = {"sessionUpdate": "agent_message_chunk", "content": content}
    return _line(method="session/update", params={"sessionId": session, "update": update})


def withdraw(name: object) -> bytes:
    """A request needs no answer any more. Those who do not know this message ignore it, by its dollar sign."""
    return _line(method="$/cancel_request", params={"requestId": name})


def ask(name: str, session: str, call: Mapping[str, Any]) -> bytes:
    """A permission request of our own."""
    options = [
        {"optionId": ALLOW_ONCE, "name": "Allow", "kind": ALLOW_ONCE},
        {"optionId": REJECT_ONCE, "name": "Reject", "kind": REJECT_ONCE},
    ]
    params = {"sessionId": session, "toolCall": call, "options": options}
    return _line(id=name, method="session/request_permission", params=params)
