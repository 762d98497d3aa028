"""What a hub shows, and what a pure fold of the same records gives."""

from typing import Any

import msgspec

from assent.protocol.record import Record
from assent.views import feed as feed_view
from assent.views import sessions as session_view
from tests.component.hub_process import HubProcess, until


def shown(hub: HubProcess) -> dict[str, Any]:
    """What the hub's screens are given, once it has taken in all that is on record."""

    def settled() -> dict[str, Any] | None:
        feed = hub.api("GET", "/api/feed?limit=1000")[1]
        sessions = hub.api("GET", "/api/sessions")[1]
        # Asked for last: while it equals the feed's, no record came between the two answers above.
        head = hub.api("GET", "/api/log/heads")[1]["heads"][0]
        return {**feed, **sessions} if feed["seq"] == head["seq"] else None

    return until(settled, "the newest record on the feed")


def folded(records: list[Record]) -> dict[str, Any]:
    sessions = sorted(session_view.rebuilt(records).values(), key=lambda session: session.last, reverse=True)
    rows = feed_view.rebuilt(records).newest(1000)
    whole = {"seq": records[-1].seq, "rows": rows, "sessions": sessions}
    output: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(whole))
    return output
