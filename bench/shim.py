"""One hook run as the client pays for it: start the process, ask the hub, print, end."""

import os
import time
from pathlib import Path

import msgspec

from assent.harnesses import claude_code, shell_entry
from assent.harnesses.site import shim_command
from assent.shim import native
from bench import guards, machine
from bench import hub as hubs
from bench.events import ALLOWED, Session
from bench.machine import INTERPRETER, Effort
from bench.stats import Spread, short
from bench.table import Check, Report, Table

NAME = "shim"
ALLOWS = b'"permissionDecision":"allow"'
FLOOR = "`python -I -S -c pass`"
NATIVE_SHIM = "**Assent's native shim**, allowed by a rule, durable"
ENTRY = "the same, started by `sh` with the line of its entry"
SHIM = "Assent's Python shim, same hub"
OBVIOUS = "the obvious hook (json, socket, default flags), same hub"
NATIVE = "`/bin/true`"


class Runner:
    """posix_spawn and nothing else, so that our own share in each run is small and the same."""

    def __init__(self, folder: Path, environ: dict[str, str], payload: bytes) -> None:
        self._input = folder / "payload.json"
        self._output = folder / "output.json"
        self._input.write_bytes(payload)
        self._environ = environ

    def run(self, argv: list[str], expects: bytes) -> float:
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, str(self._input), os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(self._output), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        ]
        start = time.perf_counter()
        pid = os.posix_spawn(argv[0], argv, self._environ, file_actions=actions)
        _, status = os.waitpid(pid, 0)
        taken = time.perf_counter() - start
        printed = self._output.read_bytes().replace(b'": "', b'":"')
        if status or expects not in printed:
            raise AssertionError(f"{argv} ended with {status} and printed {printed!r}")
        return taken


def measure(effort: Effort) -> Report:
    rounds = effort.pick(300, 15)
    with machine.folder() as root, hubs.running(root) as hub:
        session = Session(hub.project)
        payload = msgspec.json.encode(session.pre(ALLOWED))
        environ = {**machine.environ(root), "CLAUDE_CODE_SESSION_ID": session.id, "CLAUDE_PROJECT_DIR": str(root)}
        runner = Runner(root, environ, payload)
        obvious = str(Path(__file__).with_name("obvious_hook.py"))
        words = shim_command(hub.paths, claude_code.NAME, "PreToolUse", 600, 2)
        note = native.note(hub.paths.shim)
        not_native = "" if note is not None and note.is_native else note.why if note else "none was placed"
        ours: dict[str, tuple[list[str], bytes]] = {
            NATIVE_SHIM: (words, ALLOWS),
            ENTRY: (["/bin/sh", "-c", shell_entry.started(hub.paths, words)], ALLOWS),
            SHIM: ([str(hub.paths.shim / "interpreter"), *words[1:]], ALLOWS),
        }
        if not_native:
            machine.say(f"  shim: without the native one: {not_native}")
            ours = {SHIM: (words, ALLOWS)}
        variants: dict[str, tuple[list[str], bytes]] = {
            FLOOR: ([INTERPRETER, "-I", "-S", "-c", "pass"], b""),
            **ours,
            OBVIOUS: ([INTERPRETER, obvious, hub.socket, claude_code.NAME], ALLOWS),
            NATIVE: (["/bin/true"], b""),
        }
        guarded, missing = guards.hooks(NAME)
        # Each says what it likes: that it stops what it must was seen before.
        variants |= {name: (list(argv), b"") for name, argv in guarded.items()}
        taken: dict[str, list[float]] = {name: [] for name in variants}
        for number in range(-3, rounds):
            for name, (argv, expects) in variants.items():
                seconds = runner.run(argv, expects)
                if number >= 0:
                    taken[name].append(seconds)
            if number % 100 == 99:
                machine.say(f"  shim: round {number + 1} of {rounds}")
    spreads = {name: Spread.of(times) for name, times in taken.items()}
    floor = spreads[FLOOR]
    rows = tuple(
        (name, *spread.cells(1e3), short(spread.p50 / floor.p50), short(spread.low / floor.low))
        for name, spread in spreads.items()
    )
    columns = ("whole process, ms", "min", "p50", "p99", "runs", "÷ floor, p50", "÷ floor, min")
    checks = [
        Check("Python shim with its round trip ÷ `python -I -S -c pass`, p50", spreads[SHIM].p50 / floor.p50, 1.25)
    ]
    if ENTRY in spreads:
        what = "native shim and the line of its entry ÷ `python -I -S -c pass`, p50"
        checks.insert(0, Check(what, spreads[ENTRY].p50 / floor.p50, 0.30))
    return Report(
        NAME,
        (Table("One hook run", columns, rows, missing),),
        tuple(checks),
        not_measured=f"the native shim: {not_native}." if not_native else "",
    )
