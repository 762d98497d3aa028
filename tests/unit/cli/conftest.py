"""Run a verb in this process, with a hub that exists only on paper."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assent import paths as locations
from assent.cli import main
from assent.client import Client
from assent.paths import Paths


@dataclass(frozen=True, slots=True)
class Result:
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.setenv("ASSENT_HOME", str(tmp_path / "assent"))
    return locations.find()


@pytest.fixture
def assent(paths: Paths, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*argv: str) -> Result:
        capsys.readouterr()
        code = main.run(list(argv))
        return Result(code, *capsys.readouterr())

    return run


def status(**changes: Any) -> dict[str, Any]:
    """What a healthy hub says of itself."""
    return {
        "version": "0.1.0",
        "pid": 4711,
        "port": 8717,
        "started_at": 1_000_000,
        "last_event_at": None,
        "events": 0,
        "sessions": 0,
        "stance": "balanced",
        "paused_for": 0.0,
        "bad_input": 0,
        "gaps": 0,
        "journal": {"hub": "ab12", "trouble": None, "lost": 0, "seq": 7},
        "config_trouble": None,
        "rules_trouble": None,
        "port_trouble": None,
    } | changes


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[float], None]]:
    """Set the time of day: seconds since 1970 in UTC."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield lambda now: patch.setattr("time.time", lambda: now)
    time.tzset()


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make the client answer: ``answers(status={...}, pair="code")``; an exception is raised."""

    def set_answers(**replies: Any) -> None:
        for name, reply in replies.items():
            monkeypatch.setattr(Client, name, _replier(reply))

    return set_answers


def _replier(reply: Any) -> Callable[..., Any]:
    def replying(*_: Any, **__: Any) -> Any:
        if isinstance(reply, Exception):
            raise reply
        return reply

    return replying
