"""The agent as a child of ours: it has our terminal, it gets the signals we get, and it does not outlive us."""

import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

# Signals people and pipelines end a run with, and what a shell calls that ending.
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# An agent that was told to end may put its things in order; then it is told more firmly.
PATIENCE = 10.0


@dataclass(slots=True)
class Agent:
    argv: Sequence[str]
    env: Mapping[str, str]
    _process: "subprocess.Popen[bytes] | None" = None
    _ended: threading.Event = field(default_factory=threading.Event)
    _told: "signal.Signals | None" = None
    _firmer_at: float = 0.0
    _firmer: list[signal.Signals] = field(default_factory=lambda: [signal.SIGTERM, signal.SIGKILL])

    def run(self) -> int:
        """Its exit code as a shell tells it; 128 and the signal's number where a signal to us ended it."""
        before = {number: signal.signal(number, self._pass_on) for number in PASSED_ON}
        try:
            # Everything is inherited: what it prints is its own, byte for byte. Open files are not.
            self._process = subprocess.Popen(self.argv, env=dict(self.env))
            if self._told is not None:
                self._process.send_signal(self._told)
            # A thread waits for it, so that this one can be woken by signals and by the clock.
            threading.Thread(target=self._wait, daemon=True).start()
            while not self._ended.wait(timeout=self._left()):
                self._insist()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        code = self._process.returncode
        if self._told is not None:
            return 128 + self._told
        return code if code >= 0 else 128 - code

    def _wait(self) -> None:
        assert self._process is not None
        self._process.wait()
        self._ended.set()

    def _pass_on(self, number: int, _: FrameType | None) -> None:
        if self._told is None:
            self._told = signal.Signals(number)
        self._firmer_at = time.monotonic() + PATIENCE
        if self._process is not None:
            self._process.send_signal(number)

    def _left(self) -> float | None:
        # Woken now and then even so: a signal does not end the wait, it only changes for how long.
        return 0.5 if self._told is None else max(0.0, min(0.5, self._firmer_at - time.monotonic()))

    def _insist(self) -> None:
        if self._told is None or time.monotonic() < self._firmer_at:
            return
        assert self._process is not None
        self._process.send_signal(self._firmer.pop(0) if len(self._firmer) > 1 else self._firmer[0])
        self._firmer_at = time.monotonic() + PATIENCE
