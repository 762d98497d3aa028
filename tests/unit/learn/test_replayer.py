"""Judging without a hub."""

from pathlib import Path

import pytest

from assent import paths as locations
from assent.config import ConfigError
from assent.learn.replayer import Trials
from assent.paths import Paths
from assent.policy.call import Scene
from assent.policy.rules import pattern
from assent.policy.rules.rule import Rule
from assent.protocol.decision import TrialQuestion
from assent.protocol.events import PreToolUse


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = locations.find({"ASSENT_HOME": str(tmp_path / "assent")})
    paths.config_dir.mkdir(parents=True)
    return paths


def test_trials_need_no_files(paths: Paths) -> None:
    """The defaults are a policy."""
    assert Trials(paths).hold(TrialQuestion("ls", "/src/shop")).decision == "allow"


def test_trials_obey_the_users_rules_and_stance(paths: Paths) -> None:
    """As the hub would."""
    paths.rules.write_text('[[rule]]\nmatch = "Bash(ls *)"\ndecision = "deny"\nreason = "No looking."\n')
    paths.config.write_text('[project."/src/shop"]\nstance = "strict"\n')
    trials = Trials(paths)
    assert trials.hold(TrialQuestion("ls -l", "/src/shop")).by == "rule:user#1"
    assert trials.hold(TrialQuestion("npm install", "/src/shop")).decision == "ask"
    assert trials.hold(TrialQuestion("npm install", "/src/other")).decision == "no_opinion"


def test_trials_take_the_repository_around_the_folder_for_the_project(paths: Paths, tmp_path: Path) -> None:
    """So a folder below may read the files above it, and nothing beyond."""
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / "src").mkdir()
    trials = Trials(paths)
    assert trials.hold(TrialQuestion("cat ../README.md", str(shop / "src"))).risk == "look"
    assert trials.hold(TrialQuestion("touch ../notes", str(shop / "src"))).risk == "change"


def test_trials_begin_where_the_program_stands(paths: Paths, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is not given whole is meant from here."""
    (home / "shop" / "src").mkdir(parents=True)
    monkeypatch.chdir(home / "shop")
    paths.config.write_text('[project."~/shop/src"]\nstance = "strict"\n')
    trials = Trials(paths)
    assert trials.hold(TrialQuestion("npm install")).by == "stance:balanced"
    assert trials.hold(TrialQuestion("npm install", "src")).by == "stance:strict"


def test_trials_refuse_to_guess_past_a_broken_file(paths: Paths) -> None:
    """There are no older rules to go on with."""
    paths.rules.write_text("[[rule]\n")
    with pytest.raises(ConfigError):
        Trials(paths)


def test_candidate_rule_does_not_spare_an_approval(paths: Paths, tmp_path: Path) -> None:
    """What it would let pass otherwise still waits for those who have to agree."""
    paths.rules.write_text('[[approval]]\nmatch = "make"\nfrom = "group:sre"\n')
    court = Trials(paths).court
    allows = Rule("user", 1, (pattern.parse("Bash(make *)"),), "allow")
    event = PreToolUse(session_id="s", cwd=str(tmp_path), tool_name="Bash", tool_input={"command": "make deploy"})
    assert court.judge(event, Scene(tmp_path), [allows]).by == "approval:user#1"
