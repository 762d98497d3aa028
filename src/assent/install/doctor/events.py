"""The one proof that it works: an agent's event came through."""

from collections.abc import Iterator

from assent.install.doctor.check import Finding, Situation

SEEN = "event-seen"


def check(situation: Situation) -> Iterator[Finding]:
    at = situation.hub.get("last_event_at") if situation.hub else None
    if not at:
        text = "No event of an agent has come through since the hub started."
        yield Finding(
            "event-none", "warning", text, "start `claude` (sessions opened before the install do not count)."
        )
        return
    age = max(0, round(situation.now - at / 1000))
    yield Finding(SEEN, "ok", f"The last event of an agent came through {_span(age)} ago.")


def _span(seconds: int) -> str:
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
