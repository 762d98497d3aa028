"""Which clients are taken to be on this machine."""

from pathlib import Path

from assent.harnesses import site as sites
from assent.harnesses.site import Site
from assent.install import clients


def site(tmp_path: Path, *programs: str) -> Site:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in programs:
        (folder / name).touch(mode=0o755)
    home = tmp_path / "home"
    home.mkdir()
    return sites.find({"HOME": str(home), "PATH": str(folder), "ASSENT_HOME": str(tmp_path / "own")}, tmp_path)


def names(here: Site) -> list[str]:
    return [harness.NAME for harness in clients.here(here)]


def test_programs_on_path_are_here(tmp_path: Path) -> None:
    """In the order in which Assent knows them."""
    assert names(site(tmp_path, "copilot", "claude", "ls")) == ["claude-code", "copilot"]


def test_default_client_is_here_by_its_folder(tmp_path: Path) -> None:
    """Other clients only by their program: a folder stays behind when one is removed."""
    found = site(tmp_path, "copilot")
    (found.home / ".claude").mkdir()
    assert names(found) == ["claude-code", "copilot"]
    (found.home / ".copilot").mkdir()
    Path(found.environ["PATH"], "copilot").unlink()
    assert names(found) == ["claude-code"]


def test_default_client_is_taken_where_none_is_found(tmp_path: Path) -> None:
    """There is always one to install for."""
    assert names(site(tmp_path)) == ["claude-code"]


def test_program_that_does_not_say_its_version_is_told_without_one(tmp_path: Path) -> None:
    """An empty file does not."""
    assert list(clients.told(site(tmp_path, "claude"))) == [f"Claude Code at {tmp_path / 'bin' / 'claude'}"]
