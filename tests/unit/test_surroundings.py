"""What a process has to have in common with another one that judges for it."""

import os
from collections.abc import Iterator, MutableMapping
from pathlib import Path

import pytest

from assent import paths as locations
from assent import surroundings
from assent.harnesses import registry
from assent.learn.replayer import Trials
from assent.policy import own
from assent.protocol.decision import TrialQuestion

LINES = (
    "ls ~ && cat .env",
    "echo x > ~/tools/ls",
    "git push --force; rm -rf ~/.config /",
    "python3 -c 'import os; print(os.environ[\"HOME\"])'",
    "kill -9 1",
    "./run.sh && npm test",
)
# Where Assent's own files are: the folders that these lead to are compared.
PLACES = {"ASSENT_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"}


class Listening(MutableMapping[str, str]):
    """An environment that notes what it is asked for."""

    def __init__(self, environ: MutableMapping[str, str]) -> None:
        self._environ = environ
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return self._environ[name]

    def __setitem__(self, name: str, value: str) -> None:
        self._environ[name] = value

    def __delitem__(self, name: str) -> None:
        del self._environ[name]

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("all of the environment is looked at")

    def __len__(self) -> int:
        return len(self._environ)


def test_a_verdict_asks_for_no_other_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more variable that moves verdicts has to be compared, or sent along as PATH is."""
    (tmp_path / "run.sh").write_text("#!/bin/sh\nmake\n")
    # Not among temporary files, which are judged otherwise. It need not be there.
    monkeypatch.setenv("HOME", "/home/somebody-else")
    environ = Listening(os.environ)
    monkeypatch.setattr(os, "environ", environ)
    monkeypatch.setattr(own, "_code", own._code.__wrapped__)
    trials = Trials(locations.find(), str(tmp_path))
    for harness in registry.HARNESSES:
        for line in LINES:
            trials.hold(TrialQuestion(line, harness=harness))
    assert {"HOME", "PATH"} <= environ.asked
    assert environ.asked - PLACES - {"PATH"} <= {*surroundings.FOLDERS, *surroundings.CLOCK}


def test_folder_that_is_named_from_here_is_another_one_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same word in two folders names two."""
    monkeypatch.setenv("ASSENT_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", "user")
    before = surroundings.found(locations.find())
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    after = surroundings.found(locations.find())
    assert {name for name in before if before[name] != after[name]} == {"HOME"}
