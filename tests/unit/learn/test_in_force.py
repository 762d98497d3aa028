"""Which rules hold in a folder."""

import json
from pathlib import Path

import pytest

from assent import paths as locations
from assent.learn import in_force
from assent.learn.replayer import Trials
from assent.paths import Paths
from assent.protocol.decision import TrialQuestion


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = locations.find({"ASSENT_HOME": str(tmp_path / "assent")})
    paths.config_dir.mkdir(parents=True)
    paths.rules.write_text('[[rule]]\nmatch = "Bash(git push *)"\ndecision = "ask"\nreason = "Reviewed."\n')
    return paths


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A project with rules of its own, and settings of the agent's."""
    (tmp_path / "shop" / ".assent").mkdir(parents=True)
    (tmp_path / "shop" / ".claude").mkdir()
    (tmp_path / "shop" / ".assent" / "rules.toml").write_text(
        '[[rule]]\nmatch = "Bash(npm test)"\ndecision = "allow"\n'
        '[[rule]]\nmatch = "Bash(npm publish *)"\ndecision = "deny"\nreason = "Not from here."\n'
    )
    settings = {"permissions": {"allow": ["Bash(ls *)"], "deny": ["Read(./.env)"]}}
    (tmp_path / "shop" / ".claude" / "settings.json").write_text(json.dumps(settings))
    return tmp_path / "shop"


def test_list_tells_whose_rules_hold(paths: Paths, shop: Path) -> None:
    """The user's, the project's, the agent's, in this order."""
    found = in_force.listed(Trials(paths), str(shop))
    assert [(rule.level, rule.number, rule.decision) for rule in found] == [
        ("user", 1, "ask"),
        ("project", 1, "allow"),
        ("project", 2, "deny"),
        ("agent.project", 1, "deny"),
        ("agent.project", 1, "allow"),
    ]
    assert found[0].file == str(paths.rules)


def test_list_tells_which_rules_are_not_heard(paths: Paths, shop: Path) -> None:
    """What a repository allows itself counts only once a person trusts it."""
    found = in_force.listed(Trials(paths), str(shop))
    assert [bool(rule.unheard) for rule in found] == [False, True, False, False, True]


def test_list_passes_over_settings_that_cannot_be_read(paths: Paths, shop: Path) -> None:
    """They say nothing, and they stop nothing."""
    (shop / ".claude" / "settings.json").write_text("{")
    assert len(in_force.listed(Trials(paths), str(shop))) == 3


def test_explanation_joins_rules_and_decision(paths: Paths, shop: Path) -> None:
    """Each rule with what it makes of the call, and the verdict of all."""
    found = in_force.explained(Trials(paths), TrialQuestion("npm publish . && git push", str(shop)))
    assert [match.outcome for _, match in found.rules] == ["speaks", "no", "speaks", "no", "no"]
    assert (found.trial.decision, found.trial.by) == ("deny", "rule:project#2")
