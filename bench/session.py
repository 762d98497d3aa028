"""A whole run of the real Claude Code, sixty Bash calls long, with and without hooks."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import guards, machine, peers
from bench import hub as hubs
from bench.machine import INTERPRETER, Effort
from bench.stats import Spread, paired, short
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
BATCH = "**Assent**, `PostToolBatch` subscribed, too"
GATE = "no-op gate alone: `/bin/true`"
# The client's own rule lets the calls run where no hook does, so all variants run the same calls.
PERMISSIONS = {"permissions": {"allow": ["Bash(echo *)"]}}

Handler = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Variant:
    """What the calls of a run are hooked by."""

    name: str
    # Instead of Assent's programs; its observers then post to a server that does nothing.
    no_op: tuple[str, ...] = ()
    # On PreToolUse and nothing else.
    gate: tuple[str, ...] = ()
    # Settings of the hub, and what they subscribe to.
    config: str = ""
    more: frozenset[str] = frozenset()
    # Whose hub and hooks they are.
    python: str = sys.executable

    @property
    def is_ours(self) -> bool:
        return not self.no_op and not self.gate and self.name != NONE


@dataclass(frozen=True, slots=True)
class Lap:
    whole: float
    per_call: float


def _variants(effort: Effort) -> tuple[tuple[Variant, ...], str]:
    guarded, missing = guards.hooks(NAME)
    ours = [
        Variant(NONE),
        Variant(NATIVE, no_op=("/bin/true",)),
        Variant(PYTHON, no_op=(INTERPRETER, "-I", "-S", "-c", "pass")),
        Variant(ASSENT),
        Variant(BATCH, config="tool_batches = true", more=frozenset({"PostToolBatch"})),
    ]
    if effort.against is not None:
        ours.append(Variant(f"Assent, {effort.against.name}", python=effort.against.python))
    peers = [Variant(name, gate=hook) for name, hook in guarded.items()]
    return (*ours, Variant(GATE, gate=("/bin/true",)), *peers), missing


def measure(effort: Effort) -> Report:
    binary, about = find_client()
    if binary is None:
        return Report(NAME, not_measured=f"a run of the real client: {about}")
    rounds, calls = effort.pick(15, 1), effort.pick(60, 8)
    variants, missing = _variants(effort)
    laps: dict[str, list[Lap]] = {variant.name: [] for variant in variants}
    with machine.folder() as root, peers.trivial_http(root) as port:
        for number in range(rounds):
            # Each round begins with another one, so that none always runs after the same.
            first = number % len(variants)
            for variant in (*variants[first:], *variants[:first]):
                with machine.folder() as folder:
                    client = Client(folder, binary, calls, port, is_alone=not effort.is_quick)
                    lap = client.run(variant)
                laps[variant.name].append(lap)
                machine.say(f"  session: round {number + 1} of {rounds}, {lap.whole:.2f} s with {variant.name}")
    whole = {name: [lap.whole for lap in found] for name, found in laps.items()}
    spreads = {name: Spread.of(times) for name, times in whole.items()}
    against = (NONE, NATIVE, PYTHON)
    rows = tuple(
        (
            name,
            *(short(value) for value in (spread.low, spread.p50, spread.top)),
            short(Spread.of([lap.per_call for lap in laps[name]]).p50 * 1e3),
            *(short(paired(whole[name], whole[other])) for other in against),
            *(short(spread.low / spreads[other].low) for other in against[1:]),
        )
        for name, spread in spreads.items()
    )
    columns = (
        "hooks",
        "min, s",
        "p50, s",
        "max, s",
        "per call, ms",
        "÷ none",
        "÷ native",
        "÷ Python",
        "÷ native, min",
        "÷ Python, min",
    )
    note = (
        f"Claude Code {about}, `-p`, {calls} Bash calls one after the other, {rounds} runs each, in turn. A ratio is "
        "the p50 of the ratios of the rounds, or that of the two minima. All no-op hooks but the gate alone are on "
        "the same events and transports as Assent's: the settings `assent install` writes, with commands and addresses "
        f"exchanged. Public guards have what they have: a hook on `PreToolUse`, and no record. {missing}"
    ).strip()
    native, python = (paired(whole[ASSENT], whole[other]) for other in (NATIVE, PYTHON))
    what = f"run of {calls} tool calls with Assent"
    return Report(
        NAME,
        (Table(f"{calls} tool calls in the real client", columns, rows, note),),
        (
            Check(f"{what} ÷ with native no-op hooks", native, 1.08),
            Check(f"{what} ÷ with native no-op hooks", native, 1.0, is_goal=True),
            Check(f"{what} ÷ with no-op Python hooks", python, 1.0, is_goal=True),
        ),
    )


@dataclass(frozen=True, slots=True)
class Client:
    """One run of the client in a folder of its own."""

    folder: Path
    binary: Path
    calls: int
    trivial_port: int
    # Waits until no other test on this machine runs a client.
    is_alone: bool

    def run(self, variant: Variant) -> Lap:
        asked: list[float] = []

        def turn(number: int) -> Callable[[Body], list[dict[str, Any]]]:
            def step(_: Body) -> list[dict[str, Any]]:
                asked.append(time.perf_counter())
                return [bash(f"echo {number}")] if number < self.calls else [{"type": "text", "text": "Done."}]

            return step

        script = [turn(number) for number in range(self.calls + 1)]
        forgiveness = Forgiveness(self.folder / "false-starts")
        lab = Lab(self.folder / "lab", self.binary, forgiveness, script, settings=PERMISSIONS, alone=self.is_alone)
        try:
            lab.take_slot()
            with hubs.running(self.folder, port=_free_port(), python=variant.python, config=variant.config) as hub:
                # Every variant has the hub beside it, so that it costs all of them the same when it is not asked.
                _install(hub, lab, variant.python)
                _exchange(lab.user_settings(), variant, self.trivial_port)
                return self._lap(lab, hub, variant, asked)
        finally:
            lab.close()

    def _lap(self, lab: Lab, hub: hubs.Hub, variant: Variant, asked: list[float]) -> Lap:
        seen = _seen(self.trivial_port)
        # What other runs left to be written must not be written during this one.
        os.sync()
        start = time.perf_counter()
        run = lab.client.headless("go", seconds=SECONDS)
        whole = time.perf_counter() - start
        assert run.code == 0, run.stderr
        assert len(asked) == self.calls + 1, f"the model was asked {len(asked)} times"
        told = lab.model.news()[-1]  # reminders of the client may follow
        assert told[0] == f"[result] {self.calls - 1}", f"the last call did not run: {told}"
        allowed = hub.allowed()
        assert allowed == (self.calls if variant.is_ours else 0), f"{allowed} calls were allowed"
        observed = _seen(self.trivial_port) - seen
        assert (observed >= self.calls) == bool(variant.no_op), f"{observed} events were observed"
        return Lap(whole, (asked[-1] - asked[0]) / self.calls)


def _install(hub: hubs.Hub, lab: Lab, python: str) -> None:
    environ = {**hub.environ, "HOME": str(lab.home)}
    command = [python, "-m", "assent", "install", "--yes"]
    done = subprocess.run(command, env=environ, cwd=lab.project, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def _exchange(settings: Path, variant: Variant, port: int) -> None:
    """What the installer wrote becomes what this variant has."""
    written = json.loads(settings.read_text())
    hooks = written.pop("hooks")
    missing = {"PreToolUse", "PostToolUse", *variant.more} - set(hooks)
    assert not missing, f"the installer does not subscribe to {', '.join(missing)}"
    if variant.name == NONE:
        hooks = {}
    elif variant.gate:
        # A guard brings no telemetry either.
        written.pop("env", None)
        gate = {"type": "command", "command": variant.gate[0], "args": list(variant.gate[1:])}
        hooks = {"PreToolUse": [{"hooks": [gate]}]}
    elif variant.no_op:
        for groups in hooks.values():
            for group in groups:
                group["hooks"] = [_no_op(handler, variant.no_op, port) for handler in group["hooks"]]
    settings.write_text(json.dumps({**written, "hooks": hooks}, indent=2))


def _no_op(handler: Mapping[str, Any], argv: Sequence[str], port: int) -> Handler:
    if "url" in handler:
        return {**handler, "url": f"http://127.0.0.1:{port}/"}
    return {**handler, "command": argv[0], "args": list(argv[1:])}


def _seen(port: int) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as response:
        return int(response.read())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
