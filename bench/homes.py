"""Homes with a long history, made once per run and used by every measurement that needs one.

ASSENT_BENCH_HISTORY=FOLDER keeps the longest one there, and the next run need not make it again."""

import os
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from assent.paths import find
from bench import history, machine

KEPT = "ASSENT_BENCH_HISTORY"
# The number of records of the home that is kept.
KEPT_RECORDS = 1_000_000
SEED = 1
# They go with the process.
_folders: list[TemporaryDirectory[str]] = []


@cache
def home(records: int) -> Path:
    """Used with ASSENT_HOME. Whoever measures with it adds some records."""
    kept = os.environ.get(KEPT) if records == KEPT_RECORDS else None
    if kept is None:
        _folders.append(TemporaryDirectory(prefix="assent-bench-"))
        folder = Path(_folders[-1].name, "home")
    else:
        folder = Path(kept)
    if not find({"ASSENT_HOME": str(folder)}).journal.exists():
        machine.say(f"  making a history of {records:,} records")
        until_ms = time.time_ns() // 1_000_000 // history.DAY * history.DAY
        history.write(folder, records=records, seed=SEED, until=until_ms)
    return folder
