"""The log of a real hub, followed across a restart."""

import json
import signal
import threading
from collections.abc import Callable

from assent.client import Client
from tests.component.cli.conftest import Terminal
from tests.component.hub_process import until


def reader(terminal: Terminal) -> tuple[list[int], Callable[[], int]]:
    """Follow the log in the background: the seqs it has printed, and how to end it."""
    process = terminal.start("log", "--follow", "--json", "-n", "1000")
    seen: list[int] = []

    def collect() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            seen.append(json.loads(line)["seq"])  # noqa: PERF401 - the test looks at each as it comes

    thread = threading.Thread(target=collect)
    thread.start()

    def end() -> int:
        process.send_signal(signal.SIGINT)
        thread.join(15)
        process.communicate(timeout=15)
        return process.returncode

    return seen, end


def test_log_shows_one_line_a_record(terminal: Terminal) -> None:
    """What the demo did can be read afterwards, the last line last."""
    terminal.ok("demo", "--speed", "0")
    until(lambda: not Client(terminal.paths).sessions()[0].is_live, "the end of the session")
    lines = terminal.ok("log", "-n", "3").splitlines()
    assert len(lines) == 3
    assert lines[-1].endswith("  SessionEnd prompt_input_exit")
    assert " demo-" in lines[-1]


def test_log_follow_survives_a_restart(terminal: Terminal) -> None:
    """Every record once and in order, before and after the hub was replaced."""
    terminal.ok("up", "--detach")
    seen, end = reader(terminal)
    try:
        terminal.ok("demo", "--speed", "0")
        until(lambda: len(seen) > 37, "the first demo")
        terminal.ok("restart")
        before = len(seen)
        terminal.ok("demo", "--speed", "0")
        until(lambda: len(seen) > before + 37, "the second demo")
        last = json.loads(terminal.ok("log", "-n", "1", "--json"))["seq"]
        until(lambda: seen[-1] >= last, "the end of the log")
    finally:
        code = end()
    assert code == 130
    assert seen == list(range(1, seen[-1] + 1))
