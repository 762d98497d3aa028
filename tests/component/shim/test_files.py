"""Files replaced in one step."""

from pathlib import Path

import pytest

from assent.shim import files


def test_write_says_whether_there_was_something_to_write(tmp_path: Path) -> None:
    """Content and mode both count."""
    path = tmp_path / "a"
    assert files.write(path, b"1", 0o600)
    assert not files.write(path, b"1", 0o600)
    assert files.write(path, b"1", 0o700)
    assert files.write(path, b"2", 0o700)
    assert (path.read_bytes(), path.stat().st_mode & 0o7777) == (b"2", 0o700)
    assert list(tmp_path.iterdir()) == [path]


def test_write_replaces_a_link_and_not_what_it_leads_to(tmp_path: Path) -> None:
    """Where the interpreter's link stood, the native shim is written, and the interpreter stays."""
    path, other = tmp_path / "a", tmp_path / "other"
    other.write_bytes(b"1")
    other.chmod(0o600)
    path.symlink_to(other)
    assert files.write(path, b"1", 0o600)
    assert files.write(path, b"2", 0o600)
    assert not path.is_symlink()
    assert other.read_bytes() == b"1"


def test_write_that_cannot_replace_leaves_nothing(tmp_path: Path) -> None:
    """Here a folder is in the way."""
    path = tmp_path / "a"
    path.mkdir()
    with pytest.raises(OSError, match="directory"):
        files.write(path, b"1", 0o600)
    assert list(tmp_path.iterdir()) == [path]


def test_link_replaces_what_was_there(tmp_path: Path) -> None:
    """A file, another link, or nothing; a link that is right stays as it is."""
    path = tmp_path / "a"
    for target in (tmp_path / "x", tmp_path / "y"):
        files.link(path, target)
        before = path.lstat().st_ino
        files.link(path, target)
        assert (path.readlink(), path.lstat().st_ino) == (target, before)
    path.unlink()
    path.write_bytes(b"1")
    files.link(path, tmp_path / "x")
    assert path.readlink() == tmp_path / "x"
    assert list(tmp_path.iterdir()) == [path]
