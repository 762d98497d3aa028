"""What people install is whole: the wheel runs on its own, far from this folder."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.waiting import HANG

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=HANG)
    (built,) = out.glob("*.whl")
    return built


def test_wheel_holds_everything_that_is_no_python(wheel: Path) -> None:
    """Page, SQL, demo and the type marker travel along."""
    names = set(zipfile.ZipFile(wheel).namelist())
    source = ROOT / "src"
    data = {
        path.relative_to(source).as_posix()
        for path in (source / "assent").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert data <= names
    assert not any(name.startswith("tests/") for name in names)


def test_installed_program_starts_a_hub_and_stops_it(wheel: Path, tmp_path: Path) -> None:
    """From an environment of its own, as pipx makes it, the hub comes up, sees the demo and goes."""
    home = tmp_path / "env"
    venv.create(home)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    zipfile.ZipFile(wheel).extractall(site)
    # Only the libraries come from here, so that the test needs no network.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    config = tmp_path / "assent" / "config"
    config.mkdir(parents=True)
    (config / "config.toml").write_text("version = 1\n[hub]\nport = 0\n")
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "ASSENT_HOME": str(tmp_path / "assent")}

    def assent(*arguments: str) -> str:
        command = [str(home / "bin" / "python"), "-I", "-m", "assent", *arguments]
        done = subprocess.run(command, env=environ, cwd="/", capture_output=True, text=True, timeout=HANG)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    where = subprocess.run(
        [str(home / "bin" / "python"), "-I", "-c", "import assent; print(assent.__file__)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert where.stdout.startswith(str(home))
    assert "running" in assent("up", "--detach")
    try:
        assert "floor" in assent("demo", "--speed", "0") + assent("log", "-n", "200")
    finally:
        assent("down")
