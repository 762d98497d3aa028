"""A hub that is killed at any moment, hundreds of times: what it promised holds."""

import asyncio
import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assent.hub.daemon import REMEMBERED_RECORDS
from assent.journal.base import Checked
from assent.journal.sqlite import open_sqlite
from assent.protocol.record import Record
from assent.views import feed as feed_view
from assent.views import sessions as session_view
from tests.component.fire.battle import Battle
from tests.component.fire.evidence import Evidence
from tests.component.fire.stories import RULES
from tests.component.hub_process import HubProcess, until

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
BATTLES, KILLS = (16, 20) if SOAK else (5, 10)


def seed_of(number: int) -> str:
    """The same every time on a build machine, new ones in a soak; KILL_SEED brings one back."""
    return f"{os.environ.get('KILL_SEED') or (secrets.token_hex(4) if SOAK else 'ci')} {number}"


@pytest.fixture(params=range(BATTLES))
def battle(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Battle]:
    hub = HubProcess(tmp_path, rules=RULES)
    battle = Battle(hub, seed_of(request.param))
    sys.stdout.write(f"\nseed {battle.seed}\n")
    try:
        yield battle
    finally:
        battle.end()


async def _kept(hub: HubProcess) -> tuple[list[Record], Checked]:
    """All records, and whether their chain holds, read without a hub."""
    journal = open_sqlite(hub.paths.journal)
    try:
        return await journal.read(limit=10**6), await journal.verify()
    finally:
        await journal.close()


def kept(hub: HubProcess) -> tuple[list[Record], Checked]:
    return asyncio.run(_kept(hub))


def shown(hub: HubProcess) -> dict[str, Any]:
    """What the hub's screens are given, once it has taken in all that is on record."""

    def settled() -> dict[str, Any] | None:
        feed = hub.api("GET", "/api/feed?limit=1000")[1]
        head = hub.api("GET", "/api/log/heads")[1]["heads"][0]
        return {**feed, **hub.api("GET", "/api/sessions")[1]} if feed["seq"] == head["seq"] else None

    return until(settled, "the newest record on the feed")


def folded(records: list[Record]) -> dict[str, Any]:
    """What a pure fold of the records gives."""
    sessions = sorted(session_view.rebuilt(records).values(), key=lambda session: session.last, reverse=True)
    rows = feed_view.rebuilt(records).newest(1000)
    whole = {"seq": records[-1].seq, "rows": rows, "sessions": sessions}
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(whole))
    return told


@pytest.mark.timeout(KILLS * 15)
def test_killed_hub_keeps_every_allow_and_decides_nothing_twice(battle: Battle) -> None:
    """Every allow a client got is on record, the chain holds, nothing is decided twice, and the screens agree."""
    battle.rage(KILLS)
    alive = shown(battle.hub)
    battle.stop()
    records, checked = kept(battle.hub)
    assert checked.broken is None
    assert checked.head.seq == len(records) < REMEMBERED_RECORDS
    report = Evidence(records).against(battle.told())
    sys.stdout.write(f"kills {battle.kills}: {len(records)} records, {report}\n")
    assert report.wrong == []
    assert report.allows > KILLS

    assert alive == folded(records[: alive["seq"]])
    battle.start()
    again = shown(battle.hub)
    battle.stop()
    assert again == folded(kept(battle.hub)[0][: again["seq"]])
