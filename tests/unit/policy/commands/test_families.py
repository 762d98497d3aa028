"""A family's file can be removed: its commands are then unknown, which is Care."""

import importlib
import pkgutil

import pytest

from assent.policy import commands
from assent.policy.shell import builtins
from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk

FAMILIES = [
    module.name
    for module in pkgutil.iter_modules(commands.__path__)
    if module.name != "spec" and not module.name.startswith("_")
]


@pytest.mark.parametrize("family", FAMILIES)
def test_family_taken_away_makes_its_commands_care(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its file a command is unknown, and unknown is never Look."""
    gone = importlib.import_module(f"assent.policy.commands.{family}").COMMANDS
    rest = {name: spec for name, spec in commands.known().items() if name not in gone}
    monkeypatch.setattr(commands, "known", lambda: rest)
    passed = [name for name in gone if name not in builtins.HANDLERS and risk(f"{name} x") < Risk.CARE]
    assert not passed


@pytest.mark.parametrize("family", FAMILIES)
def test_family_says_why(family: str) -> None:
    """Every command carries its safety argument, as a sentence."""
    table = importlib.import_module(f"assent.policy.commands.{family}").COMMANDS
    assert table
    assert [name for name, spec in table.items() if not spec.why.endswith((".", "!", "?"))] == []


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("python3.12", "python"),
        ("grm", "rm"),
        ("mkfs.btrfs", "mkfs"),
        ("newfs_hfs", "newfs"),
        ("docker-credential-pass", "docker-credential"),
        ("curl.exe", "curl"),
    ],
)
def test_command_is_known_by_its_other_names(name: str, known_as: str) -> None:
    """Versions, file systems and other worlds have names of their own for it."""
    assert commands.find(name) is commands.known()[known_as]


@pytest.mark.parametrize("name", ["rmx", "gremove", "mkfs-", ".exe", "ghost"])
def test_command_is_not_known_by_names_that_only_look_alike(name: str) -> None:
    """What looks alike may be anything."""
    assert commands.find(name) is None


def test_large_letters_make_danger_no_smaller() -> None:
    """Some file systems do not tell them apart; others do, so nothing becomes harmless by them either."""
    assert risk("RM -rf /") == Risk.DANGER
    assert risk("LS") == Risk.CARE
