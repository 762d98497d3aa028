"""The agent as a child: it ends when the run does."""

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from assent.cli import exec as exec_
from assent.cli.exec import Agent
from tests.component.hub_process import until

DEAF = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN), signal.signal(signal.SIGTERM, signal.SIG_IGN)
open(sys.argv[1], "w").close()
while True:
    signal.pause()
"""


def test_agent_that_does_not_listen_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked, told and then ended; the first signal is in the exit code, and handlers are as before."""
    monkeypatch.setattr(exec_, "PATIENCE", 0.1)
    ready = tmp_path / "ready"

    def interrupt() -> None:
        until(ready.exists, "the agent is deaf")
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    waiting = threading.Thread(target=interrupt)
    waiting.start()
    assert Agent([sys.executable, "-c", DEAF, str(ready)], os.environ).run() == 130
    waiting.join()
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(("script", "code"), [("exit 7", 7), ("kill -9 $$", 137), ("exit 0", 0)])
def test_ending_is_told_as_a_shell_tells_it(script: str, code: int) -> None:
    """Its own code, or 128 and the signal that ended it."""
    assert Agent(["/bin/sh", "-c", script], {}).run() == code
