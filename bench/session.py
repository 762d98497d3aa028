"""A whole run of the real Claude Code, sixty Bash calls long, with and without hooks."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assent.harnesses.claude_code import SUBSCRIPTIONS
from bench import hub as hubs
from bench import machine, peers
from bench.machine import INTERPRETER, Effort
from bench.stats import Spread, short
from bench.table import Check, Report, Table
from tests.e2e.conftest import find_client
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import Body, bash
from tests.e2e.lab.slots import Forgiveness

NAME = "session"
SECONDS = 180.0
NONE = "no hooks"
NATIVE = "no-op hooks: `/bin/true`"
PYTHON = "no-op hooks: `python -I -S -c pass`"
ASSENT = "**Assent**, a rule allows the calls"
# The client's own rule lets the calls run where no hook does, so all variants run the same calls.
PERMISSIONS = {"permissions": {"allow": ["Bash(echo *)"]}}

Handler = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Lap:
    whole: float
    per_call: float


def measure(effort: Effort) -> Report:
    binary, about = find_client()
    if binary is None:
        return Report(NAME, not_measured=f"a run of the real client: {about}")
    rounds, calls = effort.pick(15, 1), effort.pick(60, 12)
    laps: dict[str, list[Lap]] = {name: [] for name in (NONE, NATIVE, PYTHON, ASSENT)}
    with machine.folder() as root, peers.trivial_http(root) as port:
        for number in range(rounds):
            for name in laps:
                with machine.folder() as folder:
                    lap = _run(name, folder, binary, calls, port)
                laps[name].append(lap)
                machine.say(f"  session: round {number + 1} of {rounds}, {lap.whole:.2f} s with {name}")
    whole = {name: Spread.of([lap.whole for lap in found]) for name, found in laps.items()}
    per_call = {name: Spread.of([lap.per_call for lap in found]) for name, found in laps.items()}
    rows = tuple(
        (
            name,
            *(short(value) for value in (whole[name].low, whole[name].p50, whole[name].top)),
            short(per_call[name].p50 * 1e3),
            *(short(whole[name].p50 / whole[other].p50) for other in (NONE, NATIVE, PYTHON)),
            short(whole[name].low / whole[PYTHON].low),
        )
        for name in laps
    )
    columns = ("hooks", "min, s", "p50, s", "max, s", "per call, ms", "÷ none", "÷ native", "÷ Python", "÷ Python, min")
    note = (
        f"Claude Code {about}, `-p`, {calls} Bash calls one after the other, {rounds} runs each, interleaved. Ratios "
        "are of p50s where not named min. All hooks are on the same events and "
        "transports: the settings `assent install` writes, with commands and addresses exchanged."
    )
    python, native = (whole[ASSENT].p50 / whole[other].p50 for other in (PYTHON, NATIVE))
    return Report(
        NAME,
        (Table(f"{calls} tool calls in the real client", columns, rows, note),),
        (
            Check(f"run of {calls} tool calls with Assent ÷ with no-op Python hooks, p50", python, 1.10),
            Check("the same ÷ with native no-op hooks, p50", native, 1.25, is_goal=True),
        ),
    )


def _run(name: str, folder: Path, binary: Path, calls: int, trivial_port: int) -> Lap:
    asked: list[float] = []

    def turn(number: int) -> Callable[[Body], list[dict[str, Any]]]:
        def step(_: Body) -> list[dict[str, Any]]:
            asked.append(time.perf_counter())
            return [bash(f"echo {number}")] if number < calls else [{"type": "text", "text": "Done."}]

        return step

    script = [turn(number) for number in range(calls + 1)]
    lab = Lab(folder / "lab", binary, Forgiveness(folder / "false-starts"), script, settings=PERMISSIONS, alone=True)
    try:
        lab.take_slot()
        with hubs.running(folder, port=_free_port()) as hub:
            # Every variant has the hub beside it, so that it costs all of them the same when it is not asked.
            _install(hub, lab)
            _check_subscriptions(lab.user_settings())
            if name != ASSENT:
                _exchange(lab.user_settings(), name, trivial_port)
            seen = _seen(trivial_port)
            # What other runs left to be written must not be written during this one.
            os.sync()
            start = time.perf_counter()
            run = lab.client.headless("go", seconds=SECONDS)
            whole = time.perf_counter() - start
            assert run.code == 0, run.stderr
            assert len(asked) == calls + 1, f"the model was asked {len(asked)} times"
            told = lab.model.news()[-1]  # reminders of the client may follow
            assert told[0] == f"[result] {calls - 1}", f"the last call did not run: {told}"
            allowed = hub.allowed()
            assert allowed == (calls if name == ASSENT else 0), f"{allowed} calls were allowed"
            observed = _seen(trivial_port) - seen
            assert (observed >= calls) == (name in (NATIVE, PYTHON)), f"{observed} events were observed"
    finally:
        lab.close()
    return Lap(whole, (asked[-1] - asked[0]) / calls)


def _install(hub: hubs.Hub, lab: Lab) -> None:
    environ = {**hub.environ, "HOME": str(lab.home)}
    command = [sys.executable, "-m", "assent", "install", "--yes"]
    done = subprocess.run(command, env=environ, cwd=lab.project, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def _check_subscriptions(settings: Path) -> None:
    hooks = json.loads(settings.read_text())["hooks"]
    assert set(hooks) == set(SUBSCRIPTIONS), "the installer subscribes something else"


def _exchange(settings: Path, name: str, port: int) -> None:
    """The same settings with a no-op in every place; or without hooks."""
    written = json.loads(settings.read_text())
    hooks = written.pop("hooks")
    if name != NONE:
        for groups in hooks.values():
            for group in groups:
                group["hooks"] = [_no_op(handler, name, port) for handler in group["hooks"]]
        written["hooks"] = hooks
    settings.write_text(json.dumps(written, indent=2))


def _no_op(handler: Mapping[str, Any], name: str, port: int) -> Handler:
    if "url" in handler:
        return {**handler, "url": f"http://127.0.0.1:{port}/"}
    argv = ["/bin/true"] if name == NATIVE else [INTERPRETER, "-I", "-S", "-c", "pass"]
    return {**handler, "command": argv[0], "args": argv[1:]}


def _seen(port: int) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as response:
        return int(response.read())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
