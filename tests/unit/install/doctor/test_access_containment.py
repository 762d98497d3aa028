"""Which level does this machine have?"""

from dataclasses import replace

import pytest

from assent.harnesses.site import Situation
from assent.install.doctor.access import containment as check
from tests.unit.install.doctor.situations import edit, manage


def level(situation: Situation) -> str:
    (finding,) = check(situation)
    return finding.code.removeprefix("level-")


@pytest.fixture
def bare(healthy: Situation) -> Situation:
    (healthy.root / ".dockerenv").unlink()
    return healthy


def test_plain_machine_is_open(bare: Situation) -> None:
    """Nothing stands between an agent's code and the user's files."""
    assert level(bare) == "open"


@pytest.mark.parametrize("mark", [".dockerenv", "run/.containerenv"])
def test_container_marks_mean_contained(bare: Situation, mark: str) -> None:
    """As the common engines leave them."""
    path = bare.root / mark
    path.parent.mkdir(exist_ok=True)
    path.touch()
    assert level(bare) == "contained"


def test_container_variable_means_contained(bare: Situation) -> None:
    """As systemd and podman set it."""
    assert level(replace(bare, environ={**bare.environ, "container": "podman"})) == "contained"


def test_client_sandbox_means_contained(bare: Situation) -> None:
    """Only if it is enabled."""
    edit(bare, lambda s: s.update(sandbox={"enabled": False}))
    assert level(bare) == "open"
    edit(bare, lambda s: s.update(sandbox={"enabled": True}))
    assert level(bare) == "contained"


def test_our_hooks_in_managed_settings_mean_managed(healthy: Situation) -> None:
    """Hooks of others there do not."""
    manage(healthy, {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x"}]}]}})
    assert level(healthy) == "contained"
    ours = {"type": "http", "url": "http://127.0.0.1:8717/hook/claude-code"}
    manage(healthy, {"hooks": {"PreToolUse": [{"hooks": [ours]}]}}, "managed-settings.d/assent.json")
    assert level(healthy) == "managed"
