"""A long made-up history in a real journal: months of sessions in several projects, with all that can be recorded.

    python -m bench.history --records 1000000 --seed 1 FOLDER

makes a home in FOLDER (use it with ASSENT_HOME=FOLDER). The same seed and last day make the same history."""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from assent import paths as locations
from assent.journal.schema import open_for_writing
from assent.journal.sqlite import open_sqlite
from assent.paths import Paths
from assent.policy.judges.floor import Floor
from assent.policy.judges.rules import Rules
from assent.policy.judges.stance import Stance
from assent.policy.rules import file
from assent.policy.rules.rule import Rule
from assent.protocol import bodies
from assent.protocol.bodies import ConfigBody, RulesBody
from assent.protocol.record import Draft
from bench import events, machine
from bench.history_records import Group, Hub
from bench.history_session import Session
from bench.history_words import HOME, Words

DAY = 86_400_000
MOST_DAYS = 180
RECORDS_A_DAY = 500
BATCH = 5_000
# Where the people of this history keep their settings, whatever folder it is made in.
THEIRS = locations.find({"HOME": HOME})


def write(home: Path, *, records: int, seed: int, until: int) -> Paths:
    """``until`` is the end of the last day, in Unix milliseconds. Refuses to write over a journal."""
    paths = locations.find({"ASSENT_HOME": str(home)})
    if paths.journal.exists():
        raise FileExistsError(f"{paths.journal} exists already: choose another folder, or remove it.")
    for folder in (home, paths.state, paths.config_dir):
        folder.mkdir(parents=True, mode=0o700, exist_ok=True)
    paths.rules.write_text(events.rules())
    rng = random.Random(seed)
    connection = open_for_writing(paths.journal, busy_timeout=1)
    connection.execute("UPDATE meta SET value = ? WHERE name = 'hub'", (f"{rng.getrandbits(32):08x}",))
    connection.close()
    rules = file.load_user(paths.rules).rules
    asyncio.run(_append(paths, drafts(rng, rules, records=records, until=until)))
    return paths


async def _append(paths: Paths, history: Iterator[Draft]) -> None:
    journal = open_sqlite(paths.journal)
    batch: list[Draft] = []
    for draft in history:
        batch.append(draft)
        if len(batch) >= BATCH:
            await journal.append(batch)
            batch = []
    await journal.append(batch)
    await journal.close()


def days(records: int) -> int:
    return max(1, min(MOST_DAYS, records // RECORDS_A_DAY))


def drafts(rng: random.Random, rules: Sequence[Rule], *, records: int, until: int) -> Iterator[Draft]:
    """Exactly so many, in the order of their times."""
    length = days(records)
    words, hub = Words(rng), Hub(rng)
    left = records
    for day in range(length):
        begin = until - (length - day) * DAY
        groups = _housekeeping(hub, rng, begin, day)
        groups += _rules(hub, rules[: len(rules) * (length + day) // (2 * length)], begin)
        # Only the later versions ask people on their screens.
        if day == length // 3:
            hub.has_asks = True
            changed = ConfigBody(file=str(THEIRS.config), changed={"asks.wait": ('"5m"', '"10m"')})
            groups.append(_group(Draft(at=begin, kind="config", by="person:desk", body=bodies.body(changed))))
        missing = left - records * (length - day - 1) // length - sum(len(group) for _, group in groups)
        while missing > 0:
            session = list(Session(rng, words, hub, begin + _start(rng)).groups())
            groups += session
            missing -= sum(len(group) for _, group in session)
        # Two sessions at once are recorded as they happen, not one after the other.
        groups.sort(key=lambda group: group[0])
        today = [draft for _, group in groups for draft in group][:left]
        left -= len(today)
        yield from today


def _start(rng: random.Random) -> int:
    """Most work is done in the morning and the afternoon, some at night."""
    hour = rng.choice((rng.gauss(10.5, 1.2), rng.gauss(15, 1.6), rng.uniform(0, 23)))
    return int(max(0.0, min(23.5, hour)) * 3_600_000)


def _housekeeping(hub: Hub, rng: random.Random, begin: int, day: int) -> list[Group]:
    """A new life of the hub now and then, and what was missed between two."""
    if day % 5:
        return []
    hub.start()
    body = {"event": "PostToolUse", "size": 900}
    missed = (f"{rng.getrandbits(64):016x}" for _ in range(rng.randrange(1, 4)))
    return [
        _group(Draft(at=begin, kind="hub", by="hub", body={"what": "stopped"})),
        _group(Draft(at=begin + 9, kind="hub", by="hub", body={"what": "started version 0.1.0"})),
        _group(*(Draft(at=begin + 9, kind="gap", request=request, body=body) for request in missed)),
    ]


def _rules(hub: Hub, rules: Sequence[Rule], begin: int) -> list[Group]:
    """People add rules as they learn what they are asked about."""
    if len(rules) == hub.rules:
        return []
    added = tuple(f"{rule.says} {', '.join(pattern.text for pattern in rule.patterns)}" for rule in rules[hub.rules :])
    hub.rules = len(rules)
    hub.voices = (Floor(THEIRS), Rules(rules), Stance(lambda _: "balanced"))
    body = bodies.body(RulesBody(file=str(THEIRS.rules), added=added))
    return [_group(Draft(at=begin + 10, kind="rules", by="person:desk", body=body))]


def _group(*drafts: Draft) -> Group:
    return drafts[0].at, list(drafts)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.history", description=__doc__)
    parser.add_argument("home", type=Path, metavar="FOLDER", help="used with ASSENT_HOME=FOLDER")
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--until", type=int, metavar="MS", help="end of the last day; without it, today's midnight")
    arguments = parser.parse_args()
    until = arguments.until or time.time_ns() // 1_000_000 // DAY * DAY
    start = time.monotonic()
    try:
        paths = write(arguments.home, records=arguments.records, seed=arguments.seed, until=until)
    except FileExistsError as error:
        machine.say(str(error))
        return 1
    size = paths.journal.stat().st_size / (1 << 20)
    machine.say(f"{arguments.records:,} records, {size:,.0f} MiB, {time.monotonic() - start:.0f} s: {paths.journal}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
