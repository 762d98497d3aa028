"""What one event costs in code: source files entered, functions entered and calls made, of this package alone.

Judges a PreToolUse that is allowed and one that is left to the client until they are answered, and a PermissionRequest
until the page can show its ask, in a hub that is built in this process, in a home of its own, and prints a table.
``--files`` names the files, too."""

import argparse
import asyncio
import os
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, Self

import msgspec

import assent
from assent import paths
from assent.hub import lifetime
from assent.hub.build import Hub, build
from assent.hub.bus import Bus
from assent.hub.pipeline.arrival import Arrival
from assent.protocol.surfaces import Scope
from assent.views.asks import Ask

ROOT = str(Path(assent.__file__).parent) + os.sep
SETTLES = 0.05
# Where the judge is, so that a second judgement shows.
JUDGE = "policy/judge.py"


@dataclass
class Trace:
    files: set[str] = field(default_factory=set)
    functions: set[tuple[str, str]] = field(default_factory=set)
    calls: int = 0
    judged: int = 0
    walked: int = 0

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(ROOT):
            return
        file = code.co_filename.removeprefix(ROOT)
        self.calls += 1
        self.files.add(file)
        self.functions.add((file, code.co_qualname))
        self.judged += (file, code.co_name) == (JUDGE, "judge")
        self.walked += code.co_qualname == "Walk.line"

    def __enter__(self) -> Self:
        sys.setprofile(self)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        sys.setprofile(None)

    def row(self, name: str) -> str:
        counts = (len(self.files), len(self.functions), self.calls, self.judged, self.walked)
        return f"| {name} | " + " | ".join(map(str, counts)) + " |"


class Page:
    """The only part that brings asks to people here: it looks at one as the page does."""

    def __init__(self, hub: Hub, trace: Trace) -> None:
        self._hub = hub
        self._trace = trace
        self.has_shown = asyncio.Event()

    def on_ask(self, ask: Ask) -> None:
        self._hub.shown_asks.shown(ask, Scope.INSTRUCT)
        self._trace.stop()
        self.has_shown.set()


def arrival(event: str, command: str, project: Path, number: int, **fields: Any) -> Arrival:
    payload = {
        "session_id": "s1",
        "transcript_path": "",
        "cwd": str(project),
        "permission_mode": "default",
        "hook_event_name": event,
        "tool_name": "Bash",
        "tool_input": {"command": command},
        **fields,
    }
    return Arrival(
        harness="claude-code",
        event_name=event,
        payload=msgspec.json.encode(payload),
        transport="shim",
        request_id=f"{number:016x}",
        session_id="s1",
        env={"CLAUDE_PROJECT_DIR": str(project)},
    )


async def judged(hub: Hub, command: str, project: Path, number: int) -> Trace:
    with Trace() as trace:
        await hub.pipeline.answer(arrival("PreToolUse", command, project, number, tool_use_id=f"t{number}"))
    # What needs no record is recorded behind the answer.
    await asyncio.sleep(SETTLES)
    return trace


async def asked(hub: Hub, command: str, project: Path, number: int) -> Trace:
    trace = Trace()
    page = Page(hub, trace)
    bus = hub.recorder.live.bus = Bus()
    bus.register(hub.asking, page)
    with trace:
        answering = asyncio.ensure_future(hub.pipeline.answer(arrival("PermissionRequest", command, project, number)))
        await page.has_shown.wait()
    hub.asking.desk.let_go()
    await answering
    await asyncio.sleep(SETTLES)
    return trace


async def traced(project: Path) -> dict[str, Trace]:
    where = paths.find(os.environ)
    lifetime.prepare(where)
    hub = await build(where, lambda secret: f"{len(secret):08x}", "")
    try:
        # The first of each kind fills what is kept: files that were read, patterns that were compiled.
        await _round(hub, project, 0)
        return await _round(hub, project, 10)
    finally:
        if hub.tcp is not None:
            hub.tcp.close()
        await hub.recorder.journal.close()


async def _round(hub: Hub, project: Path, number: int) -> dict[str, Trace]:
    return {
        "PreToolUse, allowed (`ls -la`)": await judged(hub, "ls -la", project, number + 1),
        "PreToolUse, left to the client (`touch`)": await judged(hub, "touch a.txt", project, number + 2),
        "PermissionRequest until shown (`touch`)": await asked(hub, "touch a.txt", project, number + 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", action="store_true", help="name the files that were entered")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve()
        project = home / "project"
        project.mkdir()
        os.environ.update(HOME=str(home), ASSENT_HOME=str(home / "assent"))
        (home / "assent/config").mkdir(parents=True)
        (home / "assent/config/config.toml").write_text("version = 1\n[hub]\nport = 0\n")
        traces = asyncio.run(traced(project))
    print("| event | files | functions | calls | judged | line walked |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, trace in traces.items():
        print(trace.row(name))
    if wanted.files:
        for name, trace in traces.items():
            print(f"\n{name}")
            print(*sorted(trace.files), sep="\n")


if __name__ == "__main__":
    main()
