"""What waits, in as few words as a status line has room for. Asked often, so it costs little."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from assent.hub.live import Live
from assent.hub.log_api import Endpoint
from assent.hub.problem import json_response
from assent.hub.reach import Reach
from assent.protocol.queue import Item
from assent.protocol.scope import Scope
from assent.protocol.status_line import StatusLine
from assent.views.asks import Ask


@dataclass(frozen=True, slots=True)
class LineApi:
    live: Callable[[], Live]
    queues: Callable[[], Mapping[str, Sequence[Item]]]
    reach: Reach

    def routes(self) -> list[tuple[str, str, Scope, Endpoint]]:
        return [("GET", "/api/line", Scope.WATCH, self.line)]

    async def line(self, request: Request) -> Response:
        """What waits in the session of that id, or in all without one: how much, which screens were told, what is
        queued."""
        session, live = request.query_params.get("session", ""), self.live()
        waiting = live.asks.waiting
        own = [ask for ask in waiting if session in ("", ask.session)]
        told = min((push.at for ask in own for push in ask.pushes if push.sent), default=None)
        queued = [len(items) for name, items in self.queues().items() if session in ("", name)]
        return json_response(
            StatusLine(
                now=time.time_ns() // 1_000_000,
                asks=dict(Counter(map(_kind, own))),
                elsewhere=len(waiting) - len(own),
                told=told,
                due=self.reach.outreach.next_push(session) if told is None else None,
                queued=sum(queued),
                away=self.reach.attention().away,
                paused_s=live.paused_for,
            )
        )


def _kind(ask: Ask) -> str:
    return ask.risk or "care" if ask.what == "permission" else ask.what
