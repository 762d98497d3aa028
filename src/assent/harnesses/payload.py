"""Reading a payload: from bytes to an object, and from an object in the names of the events to an event."""

from collections.abc import Mapping
from typing import Any

import msgspec

from assent.harnesses.base import UnreadableError
from assent.protocol.events import EVENTS, Event, UnknownEvent, with_raw

# No tool call is nested more deeply, and it would exhaust the stack of what handles it later.
MAX_DEPTH = 100
MAX_NAME = 100

_json = msgspec.json.Decoder()


def read_object(payload: bytes) -> dict[str, Any]:
    """The JSON object these bytes are. Raises UnreadableError."""
    try:
        raw = _json.decode(payload)
    except RecursionError:
        raise UnreadableError("it is nested too deeply") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        # The cause would quote the payload, and this sentence is shown and logged.
        raise UnreadableError("it is not JSON") from None
    if not isinstance(raw, dict):
        raise UnreadableError("it is not a JSON object")
    # Brackets inside strings count too: this only spares short payloads the walk.
    if payload.count(b"{") + payload.count(b"[") > MAX_DEPTH and _is_deep(raw):
        raise UnreadableError("it is nested too deeply")
    return raw


def renamed(sent: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The same in the names of the events. Raises UnreadableError where one thing is said twice, and differently: one
    of them would be judged, and the other done."""
    raw: dict[str, Any] = {}
    for field, value in sent.items():
        name = names.get(field, field)
        if name in raw and raw[name] != value:
            raise UnreadableError("it says one thing in two ways")
        raw[name] = value
    return raw


def event_name(raw: dict[str, Any], field: str, expected: str) -> str:
    """The name in that field; ``expected`` is what the sender claims, empty trusts the payload."""
    name = raw.get(field)
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= MAX_NAME:
        raise UnreadableError("it does not name its event")
    if expected and name != expected:
        raise UnreadableError(f"it says it is {_known(name)}, but was sent for {_known(expected)}")
    return name


def event(name: str, raw: dict[str, Any]) -> Event:
    """The event of that name, ``raw`` in the names of its fields. Raises UnreadableError."""
    kind = EVENTS.get(name, UnknownEvent)
    try:
        made = msgspec.convert(raw, kind)
    except msgspec.ValidationError:
        made = _without_misfits(raw, kind)
    return with_raw(made, raw)


def _is_deep(raw: dict[str, Any]) -> bool:
    level: list[Any] = [raw]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True


def _known(name: str) -> str:
    return name if name in EVENTS else "an event this version does not know"


def _without_misfits(raw: dict[str, Any], kind: type[Event]) -> Event:
    """The event without optional fields that changed their type; they stay in ``raw``."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    kept = {"hook_event_name": raw["hook_event_name"]}
    for name in raw.keys() & fields.keys():
        try:
            kept[name] = msgspec.convert(raw[name], fields[name].type)
        except msgspec.ValidationError:
            if fields[name].required:
                raise UnreadableError(f"its {name} is not of the right type") from None
    missing = sorted(name for name, field in fields.items() if field.required and name not in kept)
    if missing:
        raise UnreadableError(f"it has no {missing[0]}")
    return msgspec.convert(kept, kind)
