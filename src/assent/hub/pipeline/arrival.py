"""One hook run as it reached the hub, and the records of one that could not be judged."""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assent.hub.bus import now_ms
from assent.protocol.decision import Decision, TraceLine
from assent.protocol.envelope import VERSION
from assent.protocol.record import Draft
from assent.redact import Redactor


def nothing() -> None:
    """For transports that need not know."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """One hook run, whatever the transport."""

    harness: str
    event_name: str
    payload: bytes
    transport: str
    request_id: str = field(default_factory=lambda: secrets.token_hex(8))
    session_id: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    too_large: int | None = None
    # How many seconds the hook waits for an answer, where it says so.
    waits: int | None = None
    # Of the envelope it came in.
    version: int = VERSION
    # Told before a person is asked about it.
    on_hold: Callable[[], None] = nothing
    # When it came, on the clock that never jumps.
    came: int = field(default_factory=time.perf_counter_ns)

    @property
    def took_us(self) -> int:
        """How long the hub has had it."""
        return (time.perf_counter_ns() - self.came) // 1_000


def payload_of(arrival: Arrival) -> dict[str, Any] | None:
    """The payload of a harness that is not known, where it is a JSON object."""
    try:
        payload = msgspec.json.decode(arrival.payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return payload if isinstance(payload, dict) else None


def unjudged(
    arrival: Arrival, redactor: Redactor, decision: Decision, by: str, why: str, payload: dict[str, Any] | None = None
) -> list[Draft]:
    """Event and decision, as far as they can be told."""
    line = TraceLine(by=by, says=decision.word, why=why)
    now = now_ms()
    body = redactor.storable({"event": arrival.event_name, "harness": arrival.harness, "transport": arrival.transport})
    judged = redactor.storable({"decision": msgspec.to_builtins(decision), "trace": msgspec.to_builtins([line])})
    named = (payload or {}).get("session_id")
    session = arrival.session_id or (named if isinstance(named, str) else "") or None
    heard: dict[str, Any] = {
        "known": False,
        "trouble": redactor.text(why),
        "size": arrival.too_large or len(arrival.payload),
    }
    if payload is not None:
        heard["payload"] = redactor.storable(payload)
    return [
        Draft(at=now, kind="event", session=session, request=arrival.request_id, body={**body, **heard}),
        Draft(
            at=now,
            kind="decision",
            session=session,
            request=arrival.request_id,
            decision=decision.word,
            by=by,
            body={**body, **judged},
        ),
    ]
