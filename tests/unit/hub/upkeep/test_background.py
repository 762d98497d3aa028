"""Chores of the hub: gaps that shims left become records, and sessions whose process is gone end."""

from pathlib import Path
from typing import Any, cast

import pytest

from assent.hub.recorder import Live, Recorder
from assent.hub.upkeep.background import Background
from assent.journal.memory import MemoryJournal
from assent.paths import Paths
from assent.protocol.record import Draft

pytestmark = pytest.mark.anyio
GAP = '{"at":5,"event":"Stop","session":"%s","size":7,"request_id":"%s"}\n'


@pytest.fixture
def chores(tmp_path: Path) -> Background:
    paths = Paths(tmp_path, tmp_path)
    paths.spool.mkdir()
    return Background(paths, Recorder(MemoryJournal(), Live()), cast("Any", None), cast("Any", None))


async def gaps(chores: Background) -> list[tuple[str | None, str | None, dict[str, Any]]]:
    records = await chores.recorder.journal.read()
    return [(record.session, record.request, record.body) for record in records if record.kind == "gap"]


def leave(chores: Background, name: str, *texts: str) -> Path:
    path = chores.paths.spool / name
    path.write_text("".join(texts))
    return path


async def test_gaps_become_records_and_the_file_goes(chores: Background) -> None:
    """What a shim did not know stays empty."""
    leave(chores, "gaps.ndjson", GAP % ("s1", "r1"), GAP % ("", ""))
    await chores.collect_gaps()
    body = {"event": "Stop", "size": 7}
    assert await gaps(chores) == [("s1", "r1", body), (None, None, body)]
    assert not any(chores.paths.spool.iterdir())
    await chores.collect_gaps()
    assert len(await gaps(chores)) == 2


async def test_gaps_that_an_ended_hub_recorded_are_not_recorded_again(chores: Background) -> None:
    """It was killed before it could remove the file; those it had not recorded are."""
    await chores.recorder.record([Draft(at=5, kind="gap", request="r1"), Draft(at=5, kind="event", request="r2")])
    leave(chores, "gaps.taken", GAP % ("s1", "r1"), GAP % ("s1", "r2"))
    await chores.collect_gaps()
    assert [request for _, request, _ in await gaps(chores)] == ["r1", "r2"]


@pytest.mark.parametrize(("is_recorded", "count"), [(True, 200), (False, 201)])
async def test_counted_gaps_are_recorded_together_with_the_others(
    chores: Background, is_recorded: bool, count: int
) -> None:
    """Where the single ones are on record, so are those that were counted."""
    if is_recorded:
        await chores.recorder.record([Draft(at=5, kind="gap", request=f"r{n}") for n in range(200)])
    leave(chores, "gaps.taken", *(GAP % ("s1", f"r{n}") for n in range(203)))
    await chores.collect_gaps()
    found = await gaps(chores)
    assert len(found) == count
    assert [body["count"] for _, _, body in found if "count" in body] == ([] if is_recorded else [3])


async def test_session_whose_process_is_gone_ends(chores: Background, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where another process has got its id; one that lives, or has none, goes on."""
    births: dict[int, int | None] = {1: 10, 2: 20, 3: None}
    alive = {1, 2}
    monkeypatch.setattr("assent.hub.processes.birth", births.get)
    monkeypatch.setattr("assent.hub.processes.is_alive", alive.__contains__)

    class Session:
        def __init__(self, name: str, pid: int | None, is_live: bool = True) -> None:
            self.id, self.pid, self.is_live = name, pid, is_live

    sessions = [Session("a", 1), Session("b", 2), Session("c", 3), Session("d", None), Session("e", 3, is_live=False)]
    chores.recorder.live.sessions = cast("Any", {session.id: session for session in sessions})
    told: list[str | None] = []

    async def record(drafts: list[Draft]) -> None:
        told.extend(draft.session for draft in drafts)

    monkeypatch.setattr(Recorder, "record", lambda _, drafts: record(drafts))
    await chores.notice_vanished()
    assert told == ["c"]
    births[2] = 21
    sessions[2].is_live = False
    await chores.notice_vanished()
    assert told == ["c", "b"]
