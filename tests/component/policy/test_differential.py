"""What bash runs, the walk has seen: lines that hide a command are run where nothing matters, and looked at."""

import os
import random
import subprocess
from pathlib import Path

import pytest

from assent.policy.effects import Effect
from assent.policy.shell.parser import UnreadableError, read
from assent.policy.shell.walk import Walk
from assent.protocol.decision import Risk
from tests.component.policy import hiding
from tests.component.policy.sandbox import Sandbox
from tests.unit.policy.setting import SETTING
from tests.waiting import HANG

IS_SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
SEED = random.randrange(1 << 30) if IS_SOAK else 1
COMBINED = 6_000 if IS_SOAK else 150
CHANGED = 12_000 if IS_SOAK else 400
# Files and other languages are followed so far and no further; what runs them is never called harmless.
_BEYOND = ("dynamic", "run", "project")


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


def effects(line: str) -> list[Effect]:
    return [effect for act in Walk(SETTING).line(line) for each in act.all() for effect in each.effects]


def is_seen(line: str) -> bool:
    found = effects(line)
    return any(e.risk == Risk.DANGER or (e.risk == Risk.CARE and e.kind in _BEYOND) for e in found)


def has_run(sandbox: Sandbox, line: str, number: int) -> bool:
    return f"-r {hiding.mark(number)}\n" in sandbox.ran(line)


@pytest.mark.timeout(HANG * 5)
def test_every_single_way_to_hide_a_command_is_seen(sandbox: Sandbox) -> None:
    """Each spelling, each wrapper and each place, alone; nearly all of them do run."""
    lines = hiding.each()
    ran = [line for number, line in enumerate(lines) if has_run(sandbox, line, number)]
    assert [line for line in ran if not is_seen(line)] == []
    assert len(ran) > 0.8 * len(lines) > 300


@pytest.mark.timeout(HANG * 30)
def test_every_mixture_of_ways_is_seen(sandbox: Sandbox) -> None:
    """Spellings behind wrappers in places in places."""
    lines = [hiding.line(number, random.Random(f"{SEED}.{number}")) for number in range(COMBINED)]
    ran = [line for number, line in enumerate(lines) if has_run(sandbox, line, number)]
    assert [line for line in ran if not is_seen(line)] == []
    assert len(ran) > 0.7 * len(lines)


@pytest.mark.timeout(HANG * 30)
def test_a_damaged_line_that_still_runs_is_seen(sandbox: Sandbox) -> None:
    """Marks taken away, doubled or changed: whatever bash makes of it, the walk makes no less."""
    ran = 0
    missed = []
    for number in range(CHANGED):
        rng = random.Random(f"{SEED}:{number}")
        line = hiding.damaged(hiding.line(number, rng, depth=1), rng)
        # What is damaged could name a real file of the machine; those that write by a whole path stay as they are.
        if "/dev/" not in line and has_run(sandbox, line, number):
            ran += 1
            missed += [] if is_seen(line) else [line]
    assert missed == []
    assert ran > CHANGED / 20


@pytest.mark.timeout(HANG * 30)
def test_what_bash_can_read_is_read() -> None:
    """No way of hiding is out of reach because the reader gives up on it."""
    lines = [*hiding.each(), *(hiding.line(number, random.Random(f"{SEED}/{number}")) for number in range(COMBINED))]
    assert [line for line in lines if not is_read(line) and is_script(line)] == []


def is_read(line: str) -> bool:
    try:
        read(line)
    except UnreadableError:
        return False
    return True


def is_script(line: str) -> bool:
    """Whether bash takes it for one; nothing is run."""
    return subprocess.run(["bash", "-n", "-c", line], capture_output=True).returncode == 0
