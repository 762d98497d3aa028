"""The manifest of installs, and backups of what stood there before."""

import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.files import RefusedError
from assent.install import manifest
from assent.install.manifest import Install, Manifest
from assent.paths import Paths


@pytest.fixture
def paths(tmp_path: Path) -> Iterator[Paths]:
    before = os.umask(0)
    yield Paths(tmp_path / "config", tmp_path / "state")
    os.umask(before)


def install(file: str, after: str = "b") -> Install:
    return Install(file=file, scope="user", before=None, after=after, backup=None, created=1)


def put(paths: Paths, *installs: Install) -> None:
    paths.state.mkdir(parents=True, exist_ok=True)
    for each in installs:
        manifest.put(paths, each)


def test_install_is_found_by_its_file(paths: Paths) -> None:
    """And others are not taken for it."""
    put(paths, install("/a"), install("/b"))
    assert manifest.load(paths).get(Path("/b")) == install("/b")
    assert manifest.load(paths).get(Path("/c")) is None


def test_install_of_the_same_file_replaces_the_first(paths: Paths) -> None:
    """One entry for each file."""
    put(paths, install("/a"), install("/b"), install("/a", "c"))
    assert manifest.load(paths).installs == (install("/b"), install("/a", "c"))


def test_dropped_install_leaves_the_others(paths: Paths) -> None:
    """With the last one, the file goes too."""
    put(paths, install("/a"), install("/b"))
    manifest.drop(paths, Path("/a"))
    assert manifest.load(paths).installs == (install("/b"),)
    manifest.drop(paths, Path("/b"))
    assert not manifest.location(paths).exists()
    manifest.drop(paths, Path("/b"))


def test_manifest_is_private_and_can_be_read_by_people(paths: Paths) -> None:
    """Indented by two, with an end of line."""
    put(paths, install("/a"))
    assert stat.S_IMODE(manifest.location(paths).stat().st_mode) == 0o600
    text = manifest.location(paths).read_text()
    assert text.startswith('{\n  "installs"')
    assert text.endswith("}\n")


@pytest.mark.parametrize("content", [None, b"", b"{", b'{"installs":[{}]}', b"\xff"])
def test_unreadable_manifest_is_none(paths: Paths, content: bytes | None) -> None:
    """Entries are recognised without it."""
    paths.state.mkdir(parents=True)
    if content is not None:
        manifest.location(paths).write_bytes(content)
    assert manifest.load(paths) == Manifest()


@pytest.fixture
def one_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "strftime", lambda *_: "20260101T000000")


@pytest.mark.usefixtures("one_second")
def test_backups_of_one_second_have_names_of_their_own(paths: Paths) -> None:
    """None writes over another; all are for this user alone."""
    kept = [manifest.back_up(paths, "settings.json", data) for data in (b"1", b"2", b"3")]
    names = ["20260101T000000-settings.json", "20260101T000000.1-settings.json", "20260101T000000.2-settings.json"]
    assert [path.name for path in kept] == names
    assert [path.read_bytes() for path in kept] == [b"1", b"2", b"3"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (paths.state, paths.backup)} == {0o700}


@pytest.mark.usefixtures("one_second")
def test_thousand_backups_of_one_second_are_the_most(paths: Paths) -> None:
    """Something is wrong then, and nothing was changed."""
    paths.backup.mkdir(parents=True)
    for number in range(999):
        (paths.backup / f"20260101T000000{f'.{number}' if number else ''}-a").touch()
    assert manifest.back_up(paths, "a", b"").name == "20260101T000000.999-a"
    with pytest.raises(RefusedError, match="Nothing was changed"):
        manifest.back_up(paths, "a", b"")
