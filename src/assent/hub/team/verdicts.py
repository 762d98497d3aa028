"""Results of answers and ends of asks: signed by the hub that holds the ask, and read by those that show them.

What is not signed by that hub says nothing: a relay can hold back how an ask ended, and not tell it otherwise."""

from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from assent.hub.team.people import is_key_of
from assent.protocol.team import AnswerResult, AnswerVerdict, AskEnd, Gone, KeyId
from assent.team.keys import HubKey, is_signed

LARGEST = 16 << 10
Inner = TypeVar("Inner", bound=Struct)


def result(key: HubKey, verdict: AnswerVerdict) -> AnswerResult:
    text = msgspec.json.encode(verdict).decode()
    return AnswerResult(verdict.sender, verdict.ask, verdict.nonce, text, key.sign("result", text), key.public)


def gone(key: HubKey, end: AskEnd) -> Gone:
    text = msgspec.json.encode(end).decode()
    return Gone(end.hub, end.ask, text, key.sign("gone", text), key.public)


def read_result(message: AnswerResult, hub: KeyId) -> AnswerVerdict | None:
    """None where it is not what this hub said of this answer."""
    verdict = _read("result", hub, message, AnswerVerdict)
    about = (hub, message.sender, message.ask, message.nonce)
    is_about = verdict is not None and (verdict.hub, verdict.sender, verdict.ask, verdict.nonce) == about
    return verdict if is_about else None


def read_end(message: Gone) -> AskEnd | None:
    """None where the hub that held the ask did not say it."""
    end = _read("gone", message.hub, message, AskEnd)
    return end if end is not None and (end.hub, end.ask) == (message.hub, message.ask) else None


def _read(
    kind: Literal["result", "gone"], hub: KeyId, message: AnswerResult | Gone, inner: type[Inner]
) -> Inner | None:
    if len(message.text) > LARGEST or not is_key_of(hub, message.key):
        return None
    if not is_signed(message.key, kind, message.text, message.signature):
        return None
    try:
        return msgspec.json.decode(message.text, type=inner)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
