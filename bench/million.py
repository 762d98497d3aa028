"""A million records: how fast they are searched, how much room they take, and what they cost the hub.

ASSENT_BENCH_HISTORY=FOLDER keeps the history there, and the next run need not make it again."""

import random
import sqlite3
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import msgspec

from assent.journal import index
from assent.journal.reading import History
from assent.paths import Paths
from bench import history, homes, load, machine
from bench.events import ALLOWED, Session, rules
from bench.load import Shot
from bench.machine import Effort
from bench.stats import Spread, short
from bench.table import Check, Report, Table
from tests.component.hub_process import HubProcess, until

NAME = "history"
RECORDS, RECORDS_QUICK = 1_000_000, 20_000
RATE = 200
MIB = 1 << 20
PATIENCE = 3_600.0
UNUSED = "xylophone"


def measure(effort: Effort) -> Report:
    if not machine.HAS_PROC:
        return Report(NAME, not_measured="searching a million records: that needs Linux's /proc.")
    records = effort.pick(RECORDS, RECORDS_QUICK)
    home = homes.home(records)
    paths = HubProcess(home).paths
    index.remove(index.Index(paths.journal).path)
    rare, session = _seldom(paths)
    hub = HubProcess(home, rules=rules())
    start = _start(hub)
    try:
        return _measured(hub, effort, records, start, _filters(rare, session, long_ago=history.days(records) * 5 // 6))
    finally:
        if hub.process is not None and hub.process.poll() is None:
            hub.stop()


def _measured(hub: HubProcess, effort: Effort, records: int, start: float, filters: dict[str, str]) -> Report:
    memory = {"after the start": _memory(hub)}
    machine.say("  history: answering while the index is made")
    during = _answers(hub, effort)
    built = wait_for_index(hub)
    memory["after the index was made"] = _memory(hub)
    after = _answers(hub, effort)
    machine.say("  history: searching")
    taken = {
        name: _searched(hub, text, effort.pick(20, 3), finds=_finds(text, effort)) for name, text in filters.items()
    }
    memory["after all searches"] = _memory(hub)
    machine.say("  history: checking the chain")
    verify = [hub.python, "-I", "-m", "assent", "log", "verify"]
    verified = _timed(lambda: subprocess.run(verify, env=hub.environ, check=True, stdout=subprocess.DEVNULL))
    hub.stop()
    restart = _start(hub)
    sizes = _sizes(hub.paths)
    total = sum(sizes.values())
    slowest = max((spread.top for spread in taken.values()), default=0.0)
    return Report(
        NAME,
        (
            Table(
                f"Searching {records:,} records over the API, first page of 100",
                ("filter", "", "p50, ms", "max, ms", "searches"),
                tuple(
                    (name, f"`{filters[name]}`", short(s.p50 * 1e3), short(s.top * 1e3), str(s.count))
                    for name, s in taken.items()
                ),
                "Until the whole page is there, decoded. The first search by each filter counts, too.",
            ),
            _peers(hub.paths, filters, effort),
            Table(
                f"The hub with {records:,} records",
                ("what", "measured"),
                (
                    *((f"{name} on disk, MiB", short(size / MIB)) for name, size in sizes.items()),
                    *((f"resident memory {when}, MiB", short(value)) for when, value in memory.items()),
                    ("start without an index, s", short(start)),
                    ("start with the index, s", short(restart)),
                    ("index made in an otherwise idle hub, s", short(built)),
                    ("`assent log verify`, s", short(verified)),
                    ("allow at 200 events/s while the index is made, p50, ms", short(during.p50 * 1e3)),
                    ("the same, p99, ms", short(during.p99 * 1e3)),
                    ("allow at 200 events/s afterwards, p50, ms", short(after.p50 * 1e3)),
                    ("the same, p99, ms", short(after.p99 * 1e3)),
                ),
            ),
        ),
        (
            Check("search, first page, the slowest filter's slowest", slowest * 1e3, 100, "ms"),
            Check("journal and index on disk", total / MIB, 1_024, "MiB"),
            Check("start with them", max(start, restart), 1, "s"),
            Check("resident memory with them, at its highest", max(memory.values()), 120, "MiB"),
        ),
    )


# --- the history


def _seldom(paths: Paths) -> tuple[str, str]:
    """A word of one command long ago, and the session it was said in."""
    with closing(sqlite3.connect(paths.journal)) as connection:
        row = connection.execute(
            "SELECT json_extract(body, '$.payload.tool_input.command'), session FROM records "
            "WHERE seq > (SELECT max(seq) / 10 FROM records) AND body LIKE '%rm -rf build dist .cache/%' LIMIT 1"
        ).fetchone()
    return row[0].rpartition("/")[2], row[1]


def _filters(rare: str, session: str, *, long_ago: int) -> dict[str, str]:
    return {
        "nothing": "",
        "a common word": "pytest",
        "a rare word": rare,
        "an unused word": UNUSED,
        "two words": "ledger voucher",
        "a phrase": '"git push origin"',
        "two letters": "rm",
        "letters beyond ASCII": "prüfe",
        "a tool": "tool:WebFetch",
        "an old session": f"session:{session[:6]}",
        "risk": "risk:danger",
        "denied": "decision:deny",
        "by a person": "by:person",
        "by a rule": "rule:user#4",
        "a small project": "project:infra",
        "this week": "since:7d",
        "long ago": f"until:{long_ago}d",
        "denied, long ago": f"until:{long_ago}d decision:deny",
        "not what most is": "-harness:claude-code",
        "several": "tool:Bash decision:deny -by:person project:webshop",
        "several, and a word": "by:person -decision:allow -terraform basket",
    }


# --- the hub


def _start(hub: HubProcess) -> float:
    started = _timed(hub.start)
    assert hub.api("GET", "/api/status")[1]["journal"]["trouble"] is None
    return started


def _answers(hub: HubProcess, effort: Effort) -> Spread:
    """Allowed calls, each durable before the answer."""
    project = hub.paths.state.parent
    calls = Session(project)
    chance = random.Random(homes.SEED)
    count = effort.pick(3_000, 200)
    shots = [
        Shot((number + chance.random()) / RATE, calls.line(calls.pre(ALLOWED)), b'"allow"') for number in range(count)
    ]
    return Spread.of(load.fire(load.unix(str(hub.paths.hook_socket)), shots))


def wait_for_index(hub: HubProcess) -> float:
    """Seconds per whole history, by how long the rest took."""
    path = index.Index(hub.paths.journal).path

    def through() -> int:
        if not path.exists():
            return 0
        with closing(index.connect(path, "mode=ro")) as connection:
            state = index.state(connection)
        return state.through if state else 0

    newest = int(hub.api("GET", "/api/status")[1]["journal"]["seq"])
    machine.say("  history: waiting for the index")
    before, began = through(), time.monotonic()
    until(lambda: through() > newest - 1_000, "the index", PATIENCE)
    return (time.monotonic() - began) * newest / max(1, newest - before)


def _finds(text: str, effort: Effort) -> tuple[bool, ...]:
    """Whether it finds something; a few days of history have not everything."""
    if text == UNUSED:
        return (False,)
    return (True, False) if effort.is_quick else (True,)


def _searched(hub: HubProcess, text: str, times: int, *, finds: tuple[bool, ...]) -> Spread:
    def search() -> None:
        status, found = hub.api("GET", f"/api/log?limit=100&q={quote(text)}")
        assert status == 200, found
        assert found["unseen_before"] is None, f"{text}: not everything was looked at"
        assert bool(found["records"]) in finds, f"{text}: {len(found['records'])} records"

    return Spread.of([_timed(search) for _ in range(times)])


def _memory(hub: HubProcess) -> float:
    assert hub.process is not None
    return machine.rss_mib(hub.process.pid)


def _sizes(paths: Paths) -> dict[str, int]:
    made = index.Index(paths.journal).path
    return {"journal": paths.journal.stat().st_size, "index": made.stat().st_size}


def _timed(do: Callable[[], object]) -> float:
    start = time.perf_counter()
    do()
    return time.perf_counter() - start


# --- others


def _peers(paths: Paths, filters: dict[str, str], effort: Effort) -> Table:
    words = {name: filters[name] for name in ("a common word", "a rare word", "an unused word")}
    times = effort.pick(3, 1)
    exported = paths.state / "export.jsonl"
    machine.say("  history: peers")
    with exported.open("wb") as file:
        for record in History(paths.journal):
            file.write(msgspec.json.encode(record) + b"\n")
    peers: tuple[tuple[str, Callable[[str, Path], object], Path], ...] = (
        ("`grep -c` over an export of JSON lines", _grep, exported),
        ("bare SQLite, `LIKE` over all bodies", _like, paths.journal),
    )
    rows = tuple(
        (name, by, *_peer(word, times, look, file)) for by, look, file in peers for name, word in words.items()
    )
    exported.unlink()
    return Table("The same words without an index", ("filter", "by", "p50, ms", "max, ms"), rows)


def _peer(word: str, times: int, look: Callable[[str, Path], object], file: Path) -> tuple[str, str]:
    spread = Spread.of([_timed(lambda: look(word, file)) for _ in range(times)])
    return short(spread.p50 * 1e3), short(spread.top * 1e3)


def _grep(word: str, file: Path) -> object:
    # Not to /dev/null: grep notices, and stops at the first line it finds.
    return subprocess.run(["grep", "-c", word, str(file)], check=False, stdout=subprocess.PIPE)


def _like(word: str, file: Path) -> Sequence[object]:
    with closing(sqlite3.connect(file)) as connection:
        query = "SELECT seq FROM records WHERE body LIKE ? ORDER BY seq DESC LIMIT 100"
        return connection.execute(query, (f"%{word}%",)).fetchall()
