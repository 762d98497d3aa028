"""A hub with a long history: it makes itself an index, and leaves nothing of it behind when it is purged."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

from assent.install import undo
from assent.journal import index
from bench import history
from tests.component.hub_process import HubProcess, until

RECORDS = 3_000
UNTIL = 1_790_000_000_000


def test_hub_makes_an_index_of_a_long_history(tmp_path: Path) -> None:
    """Without being asked; searches find the same before and after, and stopping leaves one private file of it."""
    history.write(tmp_path, records=RECORDS, seed=1, until=UNTIL)
    hub = HubProcess(tmp_path)
    path = index.Index(hub.paths.journal).path

    def through() -> int:
        if not path.exists():
            return 0
        with closing(index.connect(path, "mode=ro")) as connection:
            try:
                state = index.state(connection)
            except sqlite3.OperationalError:  # the file is there before its tables are
                return 0
        return state.through if state else 0

    def denied() -> list[int]:
        status, reply = hub.api("GET", "/api/log?limit=1000&q=decision:deny%20tool:Bash")
        assert (status, reply["unseen_before"]) == (200, None)
        return [record["seq"] for record in reply["records"]]

    hub.start()
    before = denied()
    until(lambda: through() >= RECORDS, "the index")
    assert denied() == before != []
    hub.stop()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(file.name for file in hub.paths.state.glob("journal.db*")) == ["journal.db", "journal.db.index"]
    assert path in undo.purgeable(hub.paths)
