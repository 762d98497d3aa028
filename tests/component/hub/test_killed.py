"""A hub that is killed at any moment, hundreds of times: what it promised holds."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.hub.journals import REMEMBERED_RECORDS
from assent.journal.base import Checked
from assent.journal.sqlite import open_sqlite
from assent.protocol.record import Record
from tests.component.fire.battle import Battle
from tests.component.fire.evidence import Evidence
from tests.component.fire.screens import folded, shown
from tests.component.fire.seeds import SOAK, seed_of
from tests.component.fire.stories import RULES
from tests.component.hub_process import HubProcess
from tests.waiting import HANG

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds the hubs it kills by /proc")
BATTLES, KILLS = (16, 20) if SOAK else (1, 10)


@pytest.fixture(params=range(BATTLES))
def battle(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Battle]:
    battle = Battle(HubProcess(tmp_path, rules=RULES), seed_of(request.param))
    sys.stdout.write(f"\nseed {battle.seed}\n")
    try:
        yield battle
    finally:
        battle.end()


def kept(hub: HubProcess) -> tuple[list[Record], Checked]:
    """All records, and whether their chain holds, read without a hub."""

    async def read() -> tuple[list[Record], Checked]:
        journal = open_sqlite(hub.paths.journal)
        try:
            return await journal.read(limit=10**6), await journal.verify()
        finally:
            await journal.close()

    return asyncio.run(read())


@pytest.mark.timeout(HANG * (2 + KILLS / 2))
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
    assert report.allows > 0

    assert alive == folded(records[: alive["seq"]])
    battle.start()
    again = shown(battle.hub)
    battle.stop()
    assert again == folded(kept(battle.hub)[0][: again["seq"]])
