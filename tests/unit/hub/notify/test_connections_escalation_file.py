"""When a surface is told, as the settings say."""

import tomllib
from pathlib import Path

import pytest

from assent import config
from assent.hub.notify import connections
from assent.paths import Paths

OWN = 'version = 1\n[presence]\nladder = ["page@0s"]\n[presence.ladder_for]\ndanger = ["slack@5s", "slack@1m"]\n'


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    found = Paths(tmp_path / "config", tmp_path / "state")
    found.config_dir.mkdir()
    return found


def added(paths: Paths, text: str, surface: str) -> str:
    paths.config.write_text(text)
    return connections.add(paths, config.load(paths.config).presence, tomllib.loads(text), surface)


def test_step_for_one_risk_alone_is_a_step(paths: Paths) -> None:
    """A ladder for Danger alone sends nothing else."""
    assert added(paths, OWN, "slack") == ""
    assert paths.config.read_text() == OWN
    assert connections.after(config.load(paths.config).presence, "slack") == [5.0, 60.0]


def test_step_goes_to_the_end_of_what_stands_there(paths: Paths) -> None:
    """Places on the ladder are how far asks have climbed, so none of them moves."""
    assert "“desktop@0s”" in added(paths, OWN, "desktop")
    assert 'ladder = ["page@0s", "desktop@0s"]' in paths.config.read_text()


def test_usual_ladder_is_written_down_with_the_step(paths: Paths) -> None:
    """It means what it meant before."""
    usual = config.Presence().ladder
    added(paths, "version = 1\n", "slack")
    assert config.load(paths.config).presence.ladder[:-1] == usual
