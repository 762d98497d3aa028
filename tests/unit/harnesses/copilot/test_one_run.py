"""Hooks for one run of Copilot."""

import json
from pathlib import Path

import pytest

from assent.errors import UsageError
from assent.harnesses.base import RunPlan
from assent.harnesses.copilot import SUBSCRIPTIONS, check_run, places, plan, prints_only, run_plan
from assent.harnesses.site import Site
from assent.paths import find
from assent.protocol import modes as runs
from assent.protocol.modes import Run

RUN = Run(id="r1", on_ask="deny", wait=60, stance="")
WORDS = ["copilot", "-p", "go"]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    environ = {"HOME": str(tmp_path)}
    return Site(find(environ), tmp_path, tmp_path / "project", environ=environ)


def planned(site: Site) -> RunPlan:
    return run_plan(WORDS, "/bin/copilot", Path("/run/run-1.json"), environ={}, site=site, run=RUN, token="")


def test_run_gets_a_plugin_with_every_hook(site: Site) -> None:
    """In a folder that the command line names, and the run's id in the environment of the hooks."""
    made = planned(site)
    assert made.argv == ["/bin/copilot", "--plugin-dir", "/run/run-1.d", "-p", "go"]
    assert json.loads(made.files["hooks.json"])["hooks"].keys() == SUBSCRIPTIONS.keys()
    assert json.loads(made.files["plugin.json"])["hooks"] == "hooks.json"
    assert runs.VARIABLE in made.env


def test_installed_hooks_do_not_run_twice(site: Site) -> None:
    """The plugin is left out."""
    own = places(site)[0].path
    own.parent.mkdir(parents=True)
    own.write_bytes(plan(site, "user", None, transport="auto", token="", with_telemetry=False).after)
    assert planned(site).argv == ["/bin/copilot", "-p", "go"]


@pytest.mark.parametrize("words", [["codex", "exec"], ["copilot", "plugin", "list"], ["copilot", "--help"]])
def test_what_is_no_run_of_an_agent_is_refused(site: Site, words: list[str]) -> None:
    """Before anything is started."""
    with pytest.raises(UsageError, match="The agent was not started"):
        check_run(words, {}, site)


def test_repository_that_switches_hooks_off_is_refused(site: Site) -> None:
    """The plugin's hooks would not run either."""
    switch = site.project / ".claude" / "settings.json"
    switch.parent.mkdir(parents=True)
    switch.write_text('{"disableAllHooks": true}')
    with pytest.raises(UsageError, match="switches all hooks off"):
        check_run(WORDS, {}, site)


@pytest.mark.parametrize(("words", "prints"), [(WORDS, True), (["copilot", "--prompt=go"], True), (["copilot"], False)])
def test_run_with_a_prompt_paints_no_screen(words: list[str], prints: bool) -> None:
    """Then events may be told on the same terminal."""
    assert prints_only(words) == prints
