"""What a run needs of the hub before it may begin."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from assent._version import __version__
from assent.cli import exec as exec_
from assent.client import Client
from assent.errors import HubUnreachableError
from assent.harnesses import claude_code
from assent.harnesses.claude_code.settings import form_of
from assent.harnesses.site import Site, find
from assent.keys import post_token
from assent.paths import Paths
from assent.protocol.modes import Run
from assent.shim import place

STATUS = {"version": __version__, "journal": {"trouble": None, "seq": 7}, "paused_for": 0.0, "port": 8717}


class OnPaper:
    """A hub that says how it is."""

    def __init__(self, **status: Any) -> None:
        self._status = {**STATUS, **status}

    def healthy(self) -> bool:
        return True

    def status(self) -> dict[str, Any]:
        return self._status


def reached(paths: Paths, **status: Any) -> dict[str, Any]:
    return exec_.reached(cast("Client", OnPaper(**status)), paths)


def test_hub_that_cannot_carry_a_run_is_refused(paths: Paths) -> None:
    """Another version, a shim of another version, no record: each time the agent is not started, with exit code 4."""
    with pytest.raises(HubUnreachableError, match="not started"):
        reached(paths)
    place.place(paths, unreachable="deny")
    assert reached(paths)["port"] == 8717
    with pytest.raises(HubUnreachableError, match="another version"):
        reached(paths, version="0.0.1")
    with pytest.raises(HubUnreachableError, match="keeps no record: The disk is gone"):
        reached(paths, journal={"trouble": "The disk is gone.", "seq": 0})


def test_author_is_told_what_they_may_not_expect() -> None:
    """Rules that are not in force, and a pause."""
    assert list(exec_.notes(STATUS)) == []
    status = {**STATUS, "rules_trouble": "rules.toml is broken.", "paused_for": 90.0}
    assert list(exec_.notes(status)) == [
        ("trouble", "rules.toml is broken."),
        ("paused", "rules and stance are silent for another 1 min."),
    ]


def test_entries_are_those_of_an_install(paths: Paths) -> None:
    """Over HTTP where the port stays and there is a token, else by the shim alone; gates always by the shim."""
    site: Site = find()
    assert forms(site, site.port) == {"local"}
    post_token(paths)
    entries = hooks_of_a_run(site, site.port)
    assert {form_of(entries[event]) for event in ("PreToolUse", "PermissionRequest", "Stop")} == {"local"}
    assert form_of(entries["PostToolUse"]) == "http"
    assert forms(site, 1) == {"local"}


def forms(site: Site, port: int) -> set[object]:
    return {form_of(entry) for entry in hooks_of_a_run(site, port).values()}


def hooks_of_a_run(site: Site, port: int) -> dict[str, Any]:
    """The one entry of each event that a run is started with."""
    plan = claude_code.run_plan(
        ["claude"], "/bin/claude", Path("/x"), environ={}, site=site, run=Run(), token=exec_.token(site, port)
    )
    hooks = json.loads(plan.content)["hooks"]
    return {event: groups[0]["hooks"][0] for event, groups in hooks.items()}
