"""Judges lines in the tree of its interpreter: each for the first time, and at once again. Started by bench/corpus.py.

Standard library and assent only; what an earlier tree does not have is looked for."""

import gc
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from assent.hub.pipeline.policy_in_force import PolicyInForce
from assent.paths import find
from assent.policy import call, judge
from assent.policy import own as owning
from assent.policy.call import Scene
from assent.policy.shell import parser
from assent.protocol.events import PreToolUse


class Bench:
    """A project with rules, and one that lines are judged in."""

    def __init__(self, root: Path, rules: str) -> None:
        self.project = root / "project"
        (self.project / ".git").mkdir(parents=True)
        paths = find({"ASSENT_HOME": str(root / "assent")})
        paths.config_dir.mkdir(parents=True)
        paths.rules.write_text(rules)
        self._voices = PolicyInForce(paths).voices
        self._scene = Scene(project=self.project, attended=True, own=owning.of(paths))
        memo = getattr(call, "Memo", None)
        self._known: dict[str, Any] = {} if memo is None else {"memo": memo()}

    def lap(self, commands: list[str]) -> list[tuple[int, int, str]]:
        """Nanoseconds of processor time for the first and the second time, and what was decided."""
        # Files of rules and settings are looked at again after a while; that is no line's own cost.
        judge.judge(self._event("pwd"), self._scene, self._voices)
        return [self._both(command) for command in commands]

    def _both(self, command: str) -> tuple[int, int, str]:
        parser.read.cache_clear()
        first, word = self._one(command)
        again, known = self._one(command)
        assert word == known, f"judged again it was {known}, not {word}: {command!r}"
        return first, again, word

    def _one(self, command: str) -> tuple[int, str]:
        event = self._event(command)
        start = time.thread_time_ns()
        verdict = judge.judge(event, self._scene, self._voices, **self._known)
        taken = time.thread_time_ns() - start
        assert not any(line.by.startswith("judge:") for line in verdict.trace), f"a voice failed: {command!r}"
        return taken, verdict.decision.word

    def _event(self, command: str) -> PreToolUse:
        return PreToolUse(session_id="s", cwd=str(self.project), tool_name="Bash", tool_input={"command": command})


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    root, commands = Path(asked["root"]), asked["commands"]
    # Everything is loaded and has run, but in another place: nothing is known of a line where it is measured.
    some = commands[:: max(1, len(commands) // 200)]
    warm, bench = (Bench(root / name, asked["rules"]) for name in ("warm", "measured"))
    warm.lap(some)
    # Expressions that none of these needed are compiled once in a hub's life; that is no line's own cost either.
    for each in gc.get_objects():
        if type(each).__name__ == "_Later":
            _ = each.groups
    print(json.dumps("ready"), flush=True)
    for _ in sys.stdin:
        print(json.dumps(_in_a_child(warm, some, bench, commands)), flush=True)


def _in_a_child(warm: Bench, some: list[str], bench: Bench, commands: list[str]) -> Any:
    """What it remembers goes with it, so the next lap is a first time again."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        failed = 1
        try:
            os.close(read)
            # A child copies each page of memory that it is the first to touch, and a collection touches all.
            gc.disable()
            warm.lap(some)
            with open(write, "w") as file:
                json.dump(bench.lap(commands), file)
            failed = 0
        finally:
            os._exit(failed)
    os.close(write)
    with open(read) as file:
        text = file.read()
    assert os.waitpid(child, 0)[1] == 0, "a lap failed"
    return json.loads(text)


if __name__ == "__main__":
    main()
