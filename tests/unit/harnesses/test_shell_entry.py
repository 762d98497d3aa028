"""Hook entries as shell lines."""

import json
import re
import subprocess
from datetime import timedelta
from pathlib import Path

from assent.harnesses import shell_entry
from assent.harnesses.base import Subscription
from assent.paths import find

GATE = Subscription("before", "shim", 630, may_hold=True, becomes="PreToolUse")
SEEN = Subscription("after", "shim", 10, becomes="PostToolUse")


def run(line: str, payload: str = "", **env: str) -> str:
    return subprocess.run(
        ["/bin/sh", "-c", line], input=payload, capture_output=True, text=True, check=True, env=env
    ).stdout


def test_line_replaces_itself_by_the_shim(tmp_path: Path) -> None:
    """With the harness, the event and its times as arguments; a folder with a blank in its name, too."""
    paths = find({"ASSENT_HOME": str(tmp_path / "a b")})
    paths.shim.mkdir(parents=True)
    (paths.shim / "hook.py").touch()
    python = paths.shim / "python"
    python.write_text('#!/bin/sh\necho "$@"\n')
    python.chmod(0o755)
    told = run(shell_entry.line(paths, "toy", GATE, b"{}")).split()
    assert told[-4:] == ["toy", "before", "610", "2"]


def test_line_answers_by_itself_where_the_shim_is_gone(tmp_path: Path) -> None:
    """What is printed is what was given, quotes and all; without anything it is silent."""
    paths = find({"ASSENT_HOME": str(tmp_path)})
    answer = {"reason": 'It\'s gone \\ "quoted" $HOME `x` %s'}
    assert json.loads(run(shell_entry.line(paths, "toy", GATE, json.dumps(answer).encode()))) == answer
    assert run(shell_entry.line(paths, "toy", SEEN)) == ""


def test_line_without_a_last_word_answers_where_silence_would_run_the_call(tmp_path: Path) -> None:
    """By the mode in the payload, on whatever line it stands, and in a run of `assent exec`. No program is needed."""
    paths = find({"ASSENT_HOME": str(tmp_path)})
    line = shell_entry.line(paths, "toy", GATE, in_bypass=(b'"wild"', b"no"), in_a_run=b"never")
    assert run(line, '{"mode":\n"wild"}') == "no"
    assert run(line, '{"mode": "tame"}') == ""
    assert run(line, '{"mode": "tame"}', ASSENT_RUN="") == "never"
    assert shell_entry.is_ours(line, "toy")


def test_no_line_names_a_variable_that_may_be_unset(tmp_path: Path) -> None:
    """One client does not run such a line, and lets the call pass."""
    paths = find({"ASSENT_HOME": str(tmp_path)})
    line = shell_entry.line(paths, "toy", GATE, in_bypass=(b'"wild"', b"no"), in_a_run=b"never")
    assert not re.search(r"\$\w|\$\{\w+\}", line)


def test_own_lines_are_known_by_their_harness(tmp_path: Path) -> None:
    for folder in ("plain", "a b", "it's"):
        line = shell_entry.line(find({"ASSENT_HOME": str(tmp_path / folder)}), "toy", GATE, b"{}")
        assert shell_entry.is_ours(line, "toy")
        assert not shell_entry.is_ours(line, "other")
    assert not shell_entry.is_ours("echo toy before", "toy")
    assert not shell_entry.is_ours(None, "toy")


def test_timeout_fits_the_wait_as_far_as_the_client_goes() -> None:
    """Only where a person is waited for."""
    assert shell_entry.fitting(GATE, timedelta(hours=1)).timeout == 3630
    assert shell_entry.fitting(GATE, timedelta(minutes=1)).timeout == 630
    assert shell_entry.fitting(SEEN, timedelta(hours=1)).timeout == 10
    assert shell_entry.fitting(GATE, timedelta(hours=9), longest=timedelta(hours=2)).timeout == 7200
