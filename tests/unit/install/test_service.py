"""The hub as a service: what is written, what is run for it, and what is said where there is nothing to run."""

import os
import plistlib
from pathlib import Path

import pytest

from assent.errors import AssentError
from assent.install import service
from assent.install.service import Service

SCRIPT = """#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
case "$*" in *is-active*) exit 3 ;; esac
exit CODE
"""


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    folder = tmp_path / "programs"
    folder.mkdir()
    return folder


def systemctl(programs: Path, code: int = 0) -> None:
    program = programs / "systemctl"
    program.write_text(SCRIPT.replace("CODE", str(code)))
    program.chmod(0o755)


def calls(programs: Path) -> list[str]:
    file = programs / "calls"
    return file.read_text().splitlines() if file.exists() else []


def found(tmp_path: Path, programs: Path, **more: str) -> Service:
    path = f"{programs}:/bin"
    return service.find({"HOME": str(tmp_path / "home"), "PATH": path, **more}, platform="linux")


def test_install_writes_a_unit_and_turns_it_on(tmp_path: Path, programs: Path) -> None:
    """It runs this very Assent, with the folders it uses now."""
    systemctl(programs)
    unit = found(tmp_path, programs, ASSENT_HOME="/a 100% odd $place")
    unit.install(now=True)
    assert unit.file == tmp_path / "home/.config/systemd/user/assent.service"
    text = unit.file.read_text()
    assert '"-m" "assent" "up" "--background"\n' in text
    assert 'Environment="ASSENT_HOME=/a 100%% odd $place"\n' in text
    assert calls(programs) == [
        "--user is-active --quiet assent.service",
        "--user daemon-reload",
        "--user enable assent.service",
        "--user start assent.service",
    ]


def test_install_beside_a_running_hub_starts_no_second_one(tmp_path: Path, programs: Path) -> None:
    """It takes over at the next log-in."""
    systemctl(programs)
    found(tmp_path, programs).install(now=False)
    assert calls(programs) == ["--user daemon-reload", "--user enable assent.service"]


def test_without_systemd_nothing_is_written_or_run(tmp_path: Path, programs: Path) -> None:
    """A person is told what to have started instead."""
    unit = service.find({"HOME": str(tmp_path / "home"), "PATH": str(programs)}, platform="linux")
    with pytest.raises(AssentError, match="Neither systemd nor launchd") as raised:
        unit.install(now=True)
    assert "-m assent up --background" in (raised.value.hint or "")
    assert not (tmp_path / "home").exists()
    assert not unit.is_running


def test_systemd_that_refuses_is_quoted(tmp_path: Path, programs: Path) -> None:
    """As in a container, where there is a systemctl and nothing behind it."""
    systemctl(programs, code=1)
    unit = found(tmp_path, programs)
    with pytest.raises(AssentError, match="could not be turned on: exit code 1") as raised:
        unit.install(now=True)
    assert raised.value.hint == "where you are logged in: systemctl --user daemon-reload"


def test_uninstall_removes_the_unit_and_stops_nothing(tmp_path: Path, programs: Path) -> None:
    """Twice is once."""
    systemctl(programs)
    unit = found(tmp_path, programs)
    unit.install(now=False)
    assert unit.uninstall()
    assert not unit.file.exists()
    assert calls(programs)[-1] == "--user disable assent.service"
    assert not unit.uninstall()


def test_agent_for_launchd_is_a_property_list(tmp_path: Path) -> None:
    """It starts at log-in, and again after a crash only."""
    agent = service.find({"HOME": str(tmp_path), "PATH": "/bin"}, platform="darwin")
    assert agent.file == tmp_path / "Library/LaunchAgents/assent.hub.plist"
    told = plistlib.loads(agent.content)
    assert told["ProgramArguments"][-4:] == ["-m", "assent", "up", "--background"]
    assert (told["RunAtLoad"], told["KeepAlive"]) == (True, {"Crashed": True})


def test_running_service_is_not_started_again(tmp_path: Path, programs: Path) -> None:
    """Its manager is asked first."""
    systemctl(programs)
    program = programs / "systemctl"
    program.write_text(program.read_text().replace("exit 3", "exit 0"))
    unit = found(tmp_path, programs)
    assert unit.is_running
    unit.install(now=True)
    assert calls(programs)[-1] == "--user enable assent.service"


def test_unit_is_readable_and_written_once(tmp_path: Path, programs: Path) -> None:
    """Its manager reads it, and installing again leaves the file as it is."""
    systemctl(programs)
    unit = found(tmp_path, programs)
    assert not unit.is_installed
    before = os.umask(0)
    unit.install(now=False)
    os.umask(before)
    first = unit.file.stat()
    assert (unit.is_installed, first.st_mode & 0o777) == (True, 0o644)
    unit.install(now=False)
    assert (unit.file.stat().st_ino, unit.file.stat().st_mtime_ns) == (first.st_ino, first.st_mtime_ns)


def test_uninstall_works_where_the_manager_is_gone(tmp_path: Path, programs: Path) -> None:
    """The file is removed all the same."""
    systemctl(programs)
    found(tmp_path, programs).install(now=False)
    unit = service.find({"HOME": str(tmp_path / "home"), "PATH": ""}, platform="linux")
    assert unit.program is None
    assert unit.uninstall()
    assert not unit.is_installed


def test_manager_that_cannot_be_started_is_quoted(tmp_path: Path, programs: Path) -> None:
    """With what the system says about it."""
    systemctl(programs)
    unit = found(tmp_path, programs)
    (programs / "systemctl").write_text("#!/nothing/here\n")
    assert not unit.is_running
    with pytest.raises(AssentError, match="No such file"):
        unit.install(now=False)


def test_only_variables_with_a_value_are_kept(tmp_path: Path, programs: Path) -> None:
    """And settings of another folder are found there."""
    unit = found(tmp_path, programs, LANG="", XDG_CONFIG_HOME=str(tmp_path / "c"), OTHER="1")
    text = unit.content.decode()
    assert "LANG" not in text
    assert "OTHER" not in text
    assert unit.file == tmp_path / "c/systemd/user/assent.service"
