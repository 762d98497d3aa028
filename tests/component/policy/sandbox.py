"""Runs a line in bash where nothing it can reach matters, and tells which marks it touched.

The only programs on its path are harmless ones and our own stand-in, which writes down what it was given. Lines come
from ``hiding`` alone: they name nothing but the stand-in and a path that does not exist."""

import os
import select
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from tests.component.policy.hiding import PROGRAM

# What the ways of hiding need, as far as this machine has it.
_TOOLS = """
awk base64 basename bash busybox cat chmod chrt cp dash date dirname echo env false find flock git head ionice ln ls
make mkdir mv nice nohup od perl printf rev script sed setsid sh sleep sort split stdbuf tail tar taskset tee test
timeout touch tr true wc xargs xxd
"""
# Time, size of files, and nothing left behind by a crash.
_LIMITED = 'ulimit -t 5 -f 2048 -c 0; exec bash --norc --noprofile -c "$1"'
_PATIENCE = 10.0
_LINGERING = 1.0


class Sandbox:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._bin = root / "bin"
        self._log = root / "log"
        self._bin.mkdir()
        for tool in _TOOLS.split():
            if found := shutil.which(tool):
                (self._bin / tool).symlink_to(found)
        stand_in = self._bin / PROGRAM
        stand_in.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$*\" >> {self._log}\n")
        stand_in.chmod(0o755)

    def ran(self, line: str) -> str:
        """What the stand-in was given, by all that the line started."""
        self._log.write_text("")
        reading, writing = os.pipe()
        with tempfile.TemporaryDirectory(dir=self._root) as here:
            process = subprocess.Popen(
                [str(self._bin / "bash"), "--norc", "--noprofile", "-c", _LIMITED, "sandbox", line],
                cwd=here,
                env={"PATH": str(self._bin), "HOME": here, "TMPDIR": here, "TERM": "dumb"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(writing,),
                start_new_session=True,
            )
            os.close(writing)
            try:
                process.wait(_PATIENCE)
                # Open as long as anything lives that the line started.
                _ended(reading)
            except subprocess.TimeoutExpired:
                pass
            finally:
                os.close(reading)
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
        return self._log.read_text()


def _ended(reading: int) -> None:
    """Waits until the other end is closed; for a limited time."""
    select.select([reading], [], [], _LINGERING)
