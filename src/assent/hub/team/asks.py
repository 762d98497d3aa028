"""Asks across the hubs of a team: the parts together, for a link to their relay."""

from collections.abc import Callable
from dataclasses import dataclass

from assent.asks.desk import Desk
from assent.asks.open_ask import Earlier
from assent.hub.bus import Clock, now_ms
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.hub.recorder import Live, Recording
from assent.hub.team.answers import Answers
from assent.hub.team.base import Link
from assent.hub.team.judging import Judging
from assent.hub.team.others import Others
from assent.hub.team.people import People, Trusting
from assent.hub.team.sharing import Sharing
from assent.protocol.team import TeamInfo
from assent.redact import Redactor
from assent.views.asks import Ask


@dataclass(frozen=True, slots=True)
class TeamAsks:
    people: People
    sharing: Sharing
    others: Others
    judging: Judging

    def on_ask(self, ask: Ask) -> None:
        self.sharing.on_ask(ask)

    def on_audience(self, ask: str) -> None:
        self.sharing.on_audience(ask)

    def on_settings(self) -> None:
        self.sharing.on_settings()

    async def close(self) -> None:
        await self.judging.close()
        await self.sharing.close()
        await self.others.close()
        await self.people.close()


def team_asks(
    link: Link,
    desk: Desk,
    policy: SettingsInForce,
    live: Live,
    recorder: Recording,
    redactor: Redactor,
    earlier: Callable[[str], Earlier | None],
    trusting: Callable[[TeamInfo], Trusting],
    clock: Clock = now_ms,
) -> TeamAsks:
    people = People(link, trusting, clock)
    sharing = Sharing(people, desk, policy)
    others = Others(people, Answers(people), desk, redactor, earlier)
    return TeamAsks(people, sharing, others, Judging(people, sharing, desk, live, recorder))
