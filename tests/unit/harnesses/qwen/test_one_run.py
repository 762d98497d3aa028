"""Hooks for one run of Qwen Code."""

import json
from pathlib import Path

import pytest

from assent.errors import UsageError
from assent.files import RefusedError
from assent.harnesses.qwen import SUBSCRIPTIONS, check_run, places, plan, prints_only, run_plan
from assent.harnesses.site import Site
from assent.paths import find
from assent.protocol.modes import Run


@pytest.fixture
def site(tmp_path: Path) -> Site:
    environ = {"HOME": str(tmp_path)}
    return Site(find(environ), tmp_path, tmp_path / "project", environ=environ, root=tmp_path / "root")


def test_run_gets_a_system_file_of_its_own(site: Site) -> None:
    """It outranks a repository that switches hooks off."""
    file = site.home / "run.json"
    made = run_plan(["qwen", "-p", "go"], "/bin/qwen", file, environ={"A": "b"}, site=site, run=Run("1"), token="")
    assert made.argv == ["/bin/qwen", "-p", "go"]
    assert made.env["A"] == "b"
    assert made.env["QWEN_CODE_SYSTEM_SETTINGS_PATH"] == str(file)
    assert made.env["ASSENT_RUN"].startswith("id=1 ")
    settings = json.loads(made.content)
    assert settings["disableAllHooks"] is False
    assert settings["hooks"].keys() == SUBSCRIPTIONS.keys()
    assert made.twice == ()


def test_entries_of_an_install_would_run_beside_it(site: Site) -> None:
    """And that is said."""
    own = places(site)[0].path
    own.parent.mkdir()
    own.write_bytes(plan(site, "user", None, transport="auto", token="", with_telemetry=False).after)
    made = run_plan(["qwen"], "/bin/qwen", site.home / "f", environ={}, site=site, run=Run("1"), token="")
    assert made.twice == (own,)


@pytest.mark.parametrize("words", [["--bare"], ["--safe-mode"], ["--help"], ["mcp", "list"]])
def test_run_that_could_not_be_gated_is_not_started(site: Site, words: list[str]) -> None:
    with pytest.raises(UsageError):
        check_run(["qwen", *words], {}, site)


@pytest.mark.parametrize("name", ["QWEN_CODE_SIMPLE", "QWEN_CODE_SAFE_MODE"])
def test_variable_that_switches_hooks_off_is_refused(site: Site, name: str) -> None:
    with pytest.raises(UsageError, match=name):
        check_run(["qwen", "-p", "go"], {name: "1"}, site)


def test_settings_of_the_machine_stay_in_force(site: Site) -> None:
    """They stand in the file that this run has in their place."""
    system = places(site)[2].path
    system.parent.mkdir(parents=True)
    group = {"hooks": [{"type": "command", "command": "theirs"}]}
    system.write_text(json.dumps({"tools": {"sandbox": True}, "hooks": {"Stop": [group], "Other": [group]}}))
    made = run_plan(["qwen"], "/bin/qwen", site.home / "f", environ={}, site=site, run=Run("1"), token="")
    settings = json.loads(made.content)
    assert settings["tools"] == {"sandbox": True}
    assert settings["hooks"]["Stop"][0] == group
    assert len(settings["hooks"]["Stop"]) == 2
    assert settings["hooks"]["Other"] == [group]


@pytest.mark.parametrize("content", ["{", "[]", '{"hooks": []}', '{"disableAllHooks": true}'])
def test_machine_that_cannot_be_read_or_forbids_hooks_is_not_gated(site: Site, content: str) -> None:
    """Nothing outranks its settings."""
    check_run(["qwen", "-p", "go"], {}, site)
    system = places(site)[2].path
    system.parent.mkdir(parents=True)
    system.write_text(content)
    with pytest.raises(RefusedError):
        check_run(["qwen", "-p", "go"], {}, site)


def test_run_of_a_prompt_paints_no_screen() -> None:
    assert prints_only(["qwen", "-p", "go"])
    assert not prints_only(["qwen"])


def test_variable_in_a_file_of_the_project_switches_no_hooks_off(site: Site) -> None:
    """The client takes from such a file only what is not set, or empty."""
    made = run_plan(["qwen"], "/bin/qwen", site.home / "f", environ={}, site=site, run=Run("1"), token="")
    assert (made.env["QWEN_CODE_SIMPLE"], made.env["QWEN_CODE_SAFE_MODE"]) == ("0", "0")
    check_run(["qwen"], made.env, site)
