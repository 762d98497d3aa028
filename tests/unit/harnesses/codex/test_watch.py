"""Files that switch Codex's hooks off, or let others decide; and what doctor says of them."""

import json
from pathlib import Path

import pytest

from assent.config import Config
from assent.harnesses.codex import CHECKS, disarmed, managed_hooks, places, plan, powers, reads, watched
from assent.harnesses.codex.install import entries
from assent.harnesses.codex.one_run import _toml
from assent.harnesses.site import Site, Situation
from assent.paths import find
from tests.unit.harnesses.codex.test_install import give_trust

OFF = "[features]\nhooks = false\n"


@pytest.fixture
def situation(tmp_path: Path) -> Situation:
    environ = {"HOME": str(tmp_path / "home")}
    (tmp_path / "project/.codex").mkdir(parents=True)
    (tmp_path / "etc/codex").mkdir(parents=True)
    return Situation(find(environ), tmp_path / "home", tmp_path / "project", environ, Config(), None, root=tmp_path)


def install(site: Site) -> bytes:
    content = plan(site, "user", None, transport="auto", token="", with_telemetry=False).after
    path = places(site)[0].path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return content


def requirements(site: Site, text: str) -> None:
    (site.root / "etc/codex/requirements.toml").write_text(text)


def found(situation: Situation) -> dict[str, tuple[str, str]]:
    return {each.code: (each.level, each.text) for check in CHECKS["hooks"] for each in check(situation)}


@pytest.mark.parametrize(
    ("text", "installed", "managed", "armed"),
    [
        (OFF, False, False, False),
        ("[features]\ncodex_hooks = false\n", False, False, False),
        ("[features]\nhooks = true\n", False, False, True),
        ("no toml", False, False, True),
        (None, False, False, True),
        ("{}", True, False, False),
        ("{", True, False, False),
        (None, True, False, False),
        (OFF, False, True, False),
        ("allow_managed_hooks_only = true\n", False, True, False),
        ("allow_managed_hooks_only = true\n", False, False, True),
    ],
)
def test_file_that_keeps_hooks_from_running_is_seen(
    text: str | None, installed: bool, managed: bool, armed: bool
) -> None:
    assert (disarmed(text, installed=installed, managed=managed) is None) is armed


def test_own_entries_keep_it_armed(situation: Situation) -> None:
    assert disarmed(install(situation.site).decode(), installed=True, managed=False) is None


def test_files_that_switch_off_are_watched(tmp_path: Path) -> None:
    """Those of the home and of a project."""
    files = watched(str(tmp_path))
    assert str(tmp_path / ".codex/config.toml") in files
    assert all(map(reads, files))
    assert not reads(str(tmp_path / "config.toml"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"hooks": {"Stop": [{"hooks": [{"command": "other"}]}]}}', ["a hook that runs on Stop"]),
        ('[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = "other"\n', ["a hook that runs on Stop"]),
        ('notify = ["other"]\n', ["a program that runs after every turn (notify)"]),
        ('approval_policy = "never"\n', ["that the client never asks (approval_policy)"]),
        ('model = "x"\n', []),
        (None, []),
    ],
)
def test_what_others_decide_by_it_is_a_power(situation: Situation, text: str | None, words: list[str]) -> None:
    told = powers(text, situation.paths, lambda *_: False)
    assert told is not None
    assert list(told.values()) == words


def test_own_hooks_are_no_power(situation: Situation) -> None:
    assert powers(install(situation.site).decode(), situation.paths, lambda *_: False) == {}
    assert powers("[", situation.paths, lambda *_: False) is None


def test_doctor_names_hooks_that_are_not_there_or_not_trusted(situation: Situation) -> None:
    """An untrusted hook does not run, and the client says nothing about it in `codex exec`."""
    assert found(situation)["codex-hooks"][0] == "warning"
    content = install(situation.site)
    assert found(situation)["codex-trust"] == (
        "problem",
        "You have not trusted these hooks of Assent's in Codex yet: "
        + ", ".join(sorted(json.loads(content)["hooks"]))
        + ". It does not run them, and `codex exec` says nothing about it.",
    )
    give_trust(situation.site, content)
    assert found(situation)["codex-hooks"][0] == "ok"
    assert "codex-trust" not in found(situation)
    give_trust(situation.site, content, enabled=False)
    assert "switched off" in found(situation)["codex-trust"][1]


def test_doctor_names_a_repository_that_switches_hooks_off(situation: Situation) -> None:
    """Only the administrator's word holds against it."""
    install(situation.site)
    assert "codex-policy" not in found(situation)
    (situation.project / ".codex/config.toml").write_text(OFF)
    assert "no hook of yours runs here" in found(situation)["codex-disabled"][1]
    requirements(situation.site, "[features]\nhooks = true\n")
    assert "codex-disabled" not in found(situation)
    assert found(situation)["codex-policy"][0] == "ok"


def test_doctor_names_an_administrator_who_lets_no_hooks_run(situation: Situation) -> None:
    install(situation.site)
    requirements(situation.site, "allow_managed_hooks_only = true\n")
    assert "allow_managed_hooks_only" in found(situation)["codex-disabled"][1]


def test_doctor_names_a_key_that_voids_the_file(situation: Situation) -> None:
    content = json.loads(install(situation.site))
    places(situation.site)[0].path.write_text(json.dumps({**content, "owner": 1}))
    assert found(situation)["codex-hooks"][0] == "problem"


def test_managed_hooks_are_ours_and_cannot_be_switched_off(situation: Situation) -> None:
    """Both have to stand in the administrator's file."""
    gate = f"[hooks]\nPreToolUse = {_toml([{'hooks': [entries(situation.site)['PreToolUse']]}])}\n"
    requirements(situation.site, gate)
    assert managed_hooks(situation.site) is None
    requirements(situation.site, f"{gate}[features]\nhooks = true\n")
    assert managed_hooks(situation.site) is not None
