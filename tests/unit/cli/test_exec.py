"""`assent exec` before an agent is started."""

import json
import os
from pathlib import Path

import pytest

from assent.cli import exec as exec_
from assent.cli.exec import keep
from assent.cli.exec.events import Follower, Outlet, Sink
from assent.client import Client
from assent.paths import Paths
from assent.views.run import RunView
from tests.unit.cli.conftest import Run


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("--", "{}/no/claude"), 127),
        (("--", "{}/claude"), 126),
        (("--", "npx", "claude"), 2),
        (("--events", "{}/no/file", "--", "{}/good/claude"), 2),
        (("--events", "1", "--", "{}/good/claude"), 2),
        (("--events", "977", "--", "{}/good/claude"), 2),
        (("--events", "x", "--json", "--", "claude"), 2),
        (("--wait", "1m", "--", "claude"), 2),
        (("--on-ask", "wait", "--wait", "1h", "--", "claude"), 2),
        (("--on-ask", "allow", "--", "claude"), 2),
        (("--bogus", "--", "claude"), 2),
        ((), 2),
    ],
)
def test_agent_is_not_started_where_something_is_wrong(
    assent: Run, tmp_path: Path, argv: tuple[str, ...], code: int
) -> None:
    """127 and 126 as in a shell, 2 for the command line; nothing was printed where the agent prints."""
    for folder, mode in (("", 0o644), ("good", 0o755)):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "claude").write_text("#!/bin/sh\necho started\n")
        (tmp_path / folder / "claude").chmod(mode)
    result = assent("exec", *(word.format(tmp_path) for word in argv))
    assert (result.code, result.out) == (code, "")
    assert result.err


def test_line_is_ascii_and_whole(tmp_path: Path) -> None:
    """Whatever an agent wrote, a line of events steers no terminal and ends where it ends."""
    file = tmp_path / "events"
    line = {"kind": "event", "what": "a\u202e\x9b31m\n\u2028b"}
    Sink.open(str(file)).write(line)
    data = file.read_bytes()
    assert data.isascii()
    assert data.count(b"\n") == 1
    assert json.loads(data) == line


def test_events_that_cannot_be_written_end_no_run(capsys: pytest.CaptureFixture[str]) -> None:
    """It is said once, and the run goes on."""
    sink = Sink.open("/dev/full")
    sink.write({})
    sink.write({})
    assert capsys.readouterr().err.count("cannot be written to /dev/full any more: No space left on device.") == 1


@pytest.mark.parametrize(("fail_on", "code"), [("none", 0), ("denied", 121), ("asked", 122)])
def test_what_could_not_be_read_counts_as_what_was_not_wanted(tmp_path: Path, fail_on: str, code: int) -> None:
    """The hub was gone at the end, or told of something that cannot be understood: all may not have been well."""
    view = RunView("0f")
    view.sessions["s1"] = True
    follower = Follower(Client(Paths(config_dir=tmp_path, state=tmp_path)), view, lambda _: None, 1)
    follower._take({"seq": 2, "kind": 5})
    assert (follower.missed, follower.seen) == (1, 2)
    follower.finish()
    assert follower.missed == 2
    outlet = Outlet(None, in_words=False)
    assert exec_.told(view, 0, fail_on, outlet, follower.missed) == code
    assert exec_.told(view, 3, fail_on, outlet, follower.missed) == 3
    assert exec_.told(view, 0, fail_on, outlet, 0) == 0


def test_file_of_a_run_is_the_users_alone(tmp_path: Path) -> None:
    """It may hold a token. What a killed run left a day ago goes with the next one."""
    left = tmp_path / "run/exec-old.json"
    left.parent.mkdir()
    left.touch()
    os.utime(left, (0, 0))
    file = tmp_path / "run/exec-0f3a.json"
    keep(file, b"{}")
    assert file.stat().st_mode & 0o777 == 0o600
    assert not left.exists()
