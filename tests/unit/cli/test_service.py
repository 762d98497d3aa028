"""`assent service` as a person sees it."""

from pathlib import Path

import pytest

from tests.unit.cli.conftest import Run

SYSTEMCTL = '#!/bin/sh\ncase "$*" in *is-active*) exit 3 ;; esac\n'


@pytest.fixture
def systemctl(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One that obeys; the unit it would obey by."""
    program = tmp_path / "programs" / "systemctl"
    program.parent.mkdir()
    program.write_text(SYSTEMCTL)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/bin")
    monkeypatch.setattr("sys.platform", "linux")
    return home / ".config/systemd/user/assent.service"


def test_service_comes_and_goes(assent: Run, systemctl: Path) -> None:
    """Installed, asked about, taken out."""
    assert assent("service", "status").code == 1
    result = assent("service", "install")
    assert result.code == 0
    assert f"Written: {systemctl}\n" in result.out
    assert "loginctl enable-linger" in result.out
    assert assent("service", "status").out == f"Installed in {systemctl}, and does not run now.\n"
    assert assent("service", "uninstall").out == f"{systemctl}: removed.\n"
    assert assent("service", "uninstall").out == "There is no service. Nothing was changed.\n"


def test_uninstall_takes_the_service_along(assent: Run, systemctl: Path) -> None:
    """Nothing is started at the next log-in."""
    assent("service", "install")
    result = assent("uninstall", "--yes")
    assert f"{systemctl}: removed.\n" in result.out
    assert not systemctl.exists()


def test_service_without_systemd_says_what_to_do(assent: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no crash, and nothing is written."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("PATH", str(home))
    result = assent("service", "install")
    assert result.code == 1
    assert "hint: have your system run this when you log in: " in result.err
