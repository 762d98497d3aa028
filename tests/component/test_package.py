"""What people install is whole: the wheel runs on its own, far from this folder."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from assent.shim import native
from tests.waiting import HANG

ROOT = Path(__file__).parents[2]
DASHES = str.maketrans("-.", "__")


def build(out: Path, kind: str, **environ: str) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=HANG, env=os.environ | environ)
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("dist"), "wheel")


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


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler (cc) here")
def test_wheel_built_with_a_compiler_has_the_native_shim(wheel: Path, tmp_path: Path) -> None:
    """For this kind of machine and any Python, and made from the source in it."""
    assert wheel.name.rpartition("-py3-none-")[2] == f"{sysconfig.get_platform().translate(DASHES)}.whl"
    program = tmp_path / "gate"
    program.write_bytes(zipfile.ZipFile(wheel).read("assent/shim/gate"))
    program.chmod(0o700)
    assert native.refusal(program) == ""


@pytest.mark.parametrize("environ", [{"ASSENT_GATE_TARGET": "none"}, {"PATH": "/nowhere"}], ids=["unwanted", "no cc"])
def test_wheel_without_a_compiler_is_pure(tmp_path: Path, environ: dict[str, str]) -> None:
    """It installs anywhere, with the Python shim, and nothing failed."""
    wheel = build(tmp_path, "wheel", **environ)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert "assent/shim/gate" not in zipfile.ZipFile(wheel).namelist()


def test_source_distribution_can_build_the_native_shim(tmp_path: Path) -> None:
    """It has source and build hook, and no program of the machine it was made on."""
    with tarfile.open(build(tmp_path, "sdist")) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    assert {"hatch_build.py", "pyproject.toml", "src/assent/shim/gate.c"} <= names
    assert "src/assent/shim/gate" not in names


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
