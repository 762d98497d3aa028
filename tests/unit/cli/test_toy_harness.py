"""A harness that no line of the program knows is installed, checked and uninstalled."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from assent import paths as locations
from assent.harnesses import registry
from assent.install import manifest
from assent.protocol import terminal
from tests import toy_harness
from tests.toy_harness import NAME, SUBSCRIPTIONS
from tests.unit.cli.conftest import Run

THEIRS = b'{"beads":{"idle":["/usr/bin/rest"],"sung":["/usr/bin/sing"]}}'


@pytest.fixture(autouse=True)
def beads(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The client's settings file, with entries of somebody else in it."""
    monkeypatch.setitem(registry.HARNESSES, NAME, toy_harness)
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    file = home / ".abacus/beads.json"
    file.parent.mkdir()
    file.write_bytes(THEIRS)
    return file


def findings(assent: Run, *argv: str) -> dict[str, str]:
    """What doctor says, by code."""
    told: dict[str, Any] = json.loads(assent("doctor", "--json", *argv).out)
    return {finding["code"]: finding["level"] for finding in told["findings"]}


def test_install_adds_an_entry_for_each_event(assent: Run, beads: Path) -> None:
    """Beside those of others, in the client's own form."""
    done = assent("install", "--harness", NAME, "--yes")
    assert done.code == 0
    lines = json.loads(beads.read_bytes())["beads"]
    assert lines["idle"][0] == "/usr/bin/rest"
    assert all(f" {NAME} {event} " in lines[event][-1] for event in SUBSCRIPTIONS)
    assert f"Start {toy_harness.PROGRAM};" in done.out


def test_uninstall_gives_the_file_back(assent: Run, beads: Path) -> None:
    """Byte for byte, without being told whose it is."""
    assent("install", "--harness", NAME, "--yes")
    assert [install.harness for install in manifest.load(locations.find()).installs] == [NAME]
    assert assent("uninstall", "--yes").code == 0
    assert beads.read_bytes() == THEIRS


def test_changes_made_since_stay(assent: Run, beads: Path) -> None:
    """Only our entries go."""
    assent("install", "--harness", NAME, "--yes")
    settings = json.loads(beads.read_bytes())
    settings["beads"]["sung"].append("/usr/bin/hum")
    beads.write_text(json.dumps(settings))
    assert assent("uninstall", "--harness", NAME, "--yes").code == 0
    assert json.loads(beads.read_bytes())["beads"] == {
        "idle": ["/usr/bin/rest"],
        "sung": ["/usr/bin/sing", "/usr/bin/hum"],
    }


def test_scope_that_the_client_has_not_is_refused(assent: Run, beads: Path) -> None:
    """It says which ones it has."""
    done = assent("install", "--harness", NAME, "--scope", "project", "--yes")
    assert done.code == 2
    assert "Abacus has no settings of the project scope" in done.err
    assert beads.read_bytes() == THEIRS


def test_unknown_harness_is_refused(assent: Run) -> None:
    """The registry says what there is."""
    done = assent("install", "--harness", "sundial", "--yes")
    assert done.code == 2
    assert NAME in done.err


def test_doctor_looks_at_what_is_installed(assent: Run, beads: Path) -> None:
    """Missing, whole, incomplete, broken: each is told apart."""
    assert findings(assent, "--harness", NAME)["hooks-missing"] == "problem"
    assent("install", "--harness", NAME, "--yes")
    assert findings(assent)["hooks"] == "ok"
    settings = json.loads(beads.read_bytes())
    del settings["beads"]["may_i"]
    beads.write_text(json.dumps(settings))
    assert findings(assent)["hooks-incomplete"] == "problem"
    beads.write_text("[")
    assert findings(assent)["settings-broken"] == "problem"


def test_placed_shim_knows_it(assent: Run) -> None:
    """Its variables, and what is printed in place of the hub's answer."""
    assent("install", "--harness", NAME, "--yes")
    lines = (locations.find().shim / "forward.py").read_text().splitlines()
    (table,) = (line.partition(" = ")[2] for line in lines if line.startswith("HARNESSES"))
    session, variables, bypass, _ = ast.literal_eval(table)[NAME]
    common = tuple(name.encode() for name in (*terminal.VARIABLES, *registry.markers()))
    assert (session, variables, bypass) == (
        b"ABACUS_CHAT",
        (b"ABACUS_FOLDER", b"ABACUS_SEATED", *common),
        toy_harness.BYPASS,
    )
