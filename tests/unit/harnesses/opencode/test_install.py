"""The plugin file of opencode, the programs it loads, and the settings that count beside it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from assent.config import Config
from assent.harnesses.base import SettingsError
from assent.harnesses.opencode import (
    CHECKS,
    FACTS,
    SUBSCRIPTIONS,
    disarmed,
    places,
    plan,
    powers,
    reads,
    remove,
    watched,
)
from assent.harnesses.site import Finding, Site, Situation
from assent.paths import find

THEIRS = b"export const Other = async () => ({})\n"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    environ = {"HOME": str(tmp_path)}
    (tmp_path / "project").mkdir()
    return Site(find(environ), tmp_path, tmp_path / "project", environ=environ)


def planned(site: Site, before: bytes | None = None) -> bytes:
    return plan(site, "user", before, transport="auto", token="", with_telemetry=True).after


def found(site: Site) -> list[Finding]:
    config = Config()
    situation = Situation(site.paths, site.home, site.project, site.environ, config, None)
    return [finding for check in CHECKS["hooks"] for finding in check(situation)]


def installed(site: Site) -> Path:
    file = places(site)[0].path
    file.parent.mkdir(parents=True)
    file.write_bytes(planned(site))
    return file


def test_plugin_loads_the_program_beside_the_shim(site: Site) -> None:
    """So that an upgrade of Assent never edits it."""
    assert json.dumps(str(site.paths.shim / "opencode.js")) in planned(site).decode()
    assert planned(site, planned(site)) == planned(site)


def test_plugin_refuses_calls_where_that_program_is_gone(site: Site) -> None:
    """Unless silence is wanted then."""
    assert "Assent could not be reached" in planned(site).decode()
    silent = replace(site, unreachable="no_opinion")
    assert "Assent could not be reached" not in planned(silent).decode()


def test_programs_know_the_shim_and_every_event(site: Site) -> None:
    """With deadlines, and with what counts where the shim cannot be started."""
    written = {each.name: each.content(site.paths, "deny") for each in FACTS.programs}
    assert written.keys() == {"opencode.js", "opencode-rules.js", "opencode-shim.js"}
    line = next(line for line in written["opencode-shim.js"].splitlines() if line.startswith(b"const ASSENT = "))
    known = json.loads(line.removeprefix(b"const ASSENT = ").removesuffix(b";"))
    assert known["command"][-1] == str(site.paths.hook_socket)
    assert known["times"].keys() == SUBSCRIPTIONS.keys()
    assert known["last"]["tool.execute.before"]["unreachable"]["decision"] == "deny"


def test_file_of_another_program_is_left_alone(site: Site) -> None:
    """Though it has our name."""
    with pytest.raises(SettingsError):
        planned(site, THEIRS)
    assert remove(THEIRS, None).after == THEIRS
    assert remove(planned(site), None).is_empty


def test_folder_of_its_own_is_found(tmp_path: Path) -> None:
    """By the variable that moves the client's folder."""
    environ = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "moved")}
    site = Site(find(environ), tmp_path, tmp_path, environ=environ)
    assert places(site)[0].path == tmp_path / "moved/opencode/plugins/assent.js"


def test_plugin_that_was_replaced_is_seen(site: Site) -> None:
    assert disarmed(planned(site).decode(), installed=True, managed=False) is None
    assert disarmed(THEIRS.decode(), installed=True, managed=False) == "holds no plugin of Assent's any more"
    assert disarmed(None, installed=True, managed=False) is not None
    assert disarmed(None, installed=False, managed=False) is None


def test_files_that_count_are_watched(tmp_path: Path) -> None:
    """Those of the home and of a project."""
    files = watched(str(tmp_path))
    assert str(tmp_path / "opencode.json") in files
    assert all(map(reads, files))
    assert not reads(str(tmp_path / "package.json"))


def test_what_a_file_lets_others_do_is_a_power(site: Site) -> None:
    """Plugins, servers, and rules by which nothing is asked; comments are no obstacle."""
    text = """{
      // "plugin": ["no"],
      "plugin": ["other"], "mcp": {"files": {"url": "http://x//y"}},
      "permission": {"bash": {"*": "ask", "git *": "allow"}, "edit": "deny",},
    }"""
    assert powers(text, site.paths, lambda *_: False) == {
        "plugin:other": "the plugin other",
        "mcp:files": "the server files",
        "permission:bash": "a rule by which opencode does not ask about bash",
    }
    assert powers(planned(site).decode(), site.paths, lambda *_: False) == {}
    assert powers("{", site.paths, lambda *_: False) is None


def test_missing_plugin_is_told(site: Site) -> None:
    (finding,) = found(site)
    assert (finding.level, finding.remedy) == ("warning", "assent install --harness opencode")


def test_plugin_without_its_program_is_a_problem(site: Site) -> None:
    """The client refuses every call then."""
    installed(site)
    (finding,) = found(site)
    assert finding.level == "problem"
    assert "refuses every call" in finding.text
    site.paths.shim.mkdir(parents=True)
    (site.paths.shim / "opencode.js").touch()
    assert [each.level for each in found(site)] == ["ok"]


def test_plugin_of_another_version_is_a_problem(site: Site) -> None:
    file = installed(site)
    file.write_bytes(file.read_bytes() + b"// more\n")
    assert [each.level for each in found(site)] == ["problem"]


@pytest.mark.parametrize("permission", ["allow", {"*": "allow"}])
def test_project_that_has_nothing_asked_is_told(site: Site, permission: object) -> None:
    """Before an install, and by doctor."""
    (site.project / "opencode.json").write_text(json.dumps({"permission": permission}))
    notes = plan(site, "user", None, transport="auto", token="", with_telemetry=True).notes
    assert any("opencode.json of this project allows everything" in note for note in notes)
    installed(site)
    assert "allows everything" in found(site)[-1].text
