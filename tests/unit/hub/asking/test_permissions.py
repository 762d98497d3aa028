"""Lasting permissions as the store keeps them: their ends by an injected clock, and what a session is asked again."""

from pathlib import Path

import pytest

from assent.hub.asking import permissions
from assent.hub.asking.permissions import MINUTE, Ledger, PermissionStore
from assent.paths import Paths
from assent.protocol.lasting import Given, Shape
from tests.unit.hub.doubles import Recorded
from tests.unit.policy import repository
from tests.waiting import seen

NOW = 1_768_470_000_000
BUILD = Shape("npm run build", words="`npm run build` in shop")


class Clock:
    now = NOW

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository.make(tmp_path / "shop")


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    found = Paths(tmp_path / "config", tmp_path / "state")
    found.state.mkdir()
    return found


def store(paths: Paths, clock: Clock) -> PermissionStore:
    return PermissionStore(paths, Recorded(), lambda *_: "", wall=clock)


def given(kept: PermissionStore, project: Path) -> str:
    return kept.give("shape", str(project), "person:desk", harness="claude-code", shape=BUILD, minutes=10).id


def test_it_ends_by_itself_to_the_millisecond(paths: Paths, clock: Clock, project: Path) -> None:
    """Also while what holds in the project is kept in memory."""
    kept = store(paths, clock)
    given(kept, project)
    clock.now += 10 * MINUTE - 1
    assert [each.shape for each in kept.of(project, "claude-code")] == [BUILD]
    clock.now += 1
    assert kept.of(project, "claude-code") == ()
    assert kept.listed() == []


def test_end_survives_a_restart(paths: Paths, clock: Clock, project: Path) -> None:
    given(store(paths, clock), project)
    clock.now += 9 * MINUTE
    again = store(paths, clock)
    assert [each.until for each in again.listed()] == [NOW + 10 * MINUTE]
    clock.now += MINUTE
    assert again.of(project, "claude-code") == ()
    assert store(paths, clock).of(project, "claude-code") == ()


def test_what_is_over_leaves_the_file_with_the_next_change(paths: Paths, clock: Clock, project: Path) -> None:
    kept = store(paths, clock)
    over = given(kept, project)
    clock.now += 11 * MINUTE
    kept.give("run", str(project), "person:desk")
    assert over not in paths.permissions.read_text()


def test_session_is_asked_again_and_no_other(paths: Paths, clock: Clock, project: Path) -> None:
    kept = store(paths, clock)
    allowed = Given("1", "rule", "The command.", project=str(project), session="one", rule="Bash(touch a)")
    kept.ask_again(allowed, "rule:Bash(touch a)", "person:desk")
    assert [each.kind for each in kept.of(project, "claude-code", "one")] == ["ask"]
    assert kept.of(project, "claude-code", "two") == ()
    assert kept.is_asked_again("one", "rule:Bash(touch a)")
    assert kept.listed() == []


@pytest.mark.anyio
async def test_uses_that_follow_each_other_are_written_together(tmp_path: Path) -> None:
    """A call that is let pass costs no file; what was given is kept at once, and the end of the hub keeps the rest."""
    path = tmp_path / "used.json"
    ledger = Ledger(path)
    ledger.begin("a", 1, "person:desk")
    await ledger._file.flush()
    first = path.read_bytes()
    for at in range(2, 12):
        ledger.count("a", at)
    await ledger._file.flush()
    assert path.read_bytes() == first
    assert ledger.of("a").saved == 10
    await ledger.close()
    assert (Ledger(path).of("a").saved, Ledger(path).of("a").last) == (10, 11)


@pytest.mark.anyio
async def test_uses_are_written_without_an_end_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a short rest."""
    monkeypatch.setattr(permissions, "RESTING", 0.0)
    ledger = Ledger(tmp_path / "used.json")
    ledger.count("a", 1)
    await seen(lambda: Ledger(tmp_path / "used.json").of("a").last == 1, "the first use in the file")
    ledger.count("a", 2)
    await seen(lambda: Ledger(tmp_path / "used.json").of("a").last == 2, "the second use in the file")
    await ledger.close()
