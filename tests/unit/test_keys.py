"""Key files: private, never planted, and renewed on request."""

import os
import stat
from pathlib import Path

import pytest

from assent import keys
from assent.paths import Paths, find


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return find({"ASSENT_HOME": str(tmp_path)})


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def write(path: Path, text: str, mode: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def test_key_is_made_once_and_private(paths: Paths) -> None:
    """The same every time, for its owner alone."""
    first = keys.cookie_key(paths)
    assert keys.cookie_key(paths) == first
    assert mode(paths.keys / "cookie.key") == 0o600


@pytest.mark.parametrize("bits", [0o644, 0o640, 0o604, 0o755])
def test_key_that_others_could_read_is_made_private_and_kept(paths: Paths, bits: int) -> None:
    """It is still the hub's own; the sentence says how to renew it."""
    path = write(paths.keys / "cookie.key", "k" * 43, bits)
    (sentence,) = keys.mend(paths)
    assert f"{path} could be read by others (mode {bits:o})" in sentence
    assert "assent keys rotate" in sentence
    assert mode(path) & 0o077 == 0
    assert keys.cookie_key(paths) == b"k" * 43
    assert keys.mend(paths) == []


@pytest.mark.parametrize("bits", [0o666, 0o620, 0o602, 0o777])
@pytest.mark.parametrize("name", [kind.name for kind in keys.KINDS])
def test_key_that_others_could_write_is_never_used(paths: Paths, name: str, bits: int) -> None:
    """It may have been planted: it is set aside, and the hub makes another."""
    path = write(paths.keys / name, "p" * 43, bits)
    assert keys.read(path) is None
    (sentence,) = keys.mend(paths)
    assert keys.BY_NAME[name].renewal in sentence
    assert not path.exists()
    aside = paths.backup / f"untrusted-{name}"
    assert (aside.read_text(), mode(aside)) == ("p" * 43, 0o600)
    assert keys.load_or_create(path) != "p" * 43


def test_planted_key_is_replaced_also_without_mending(paths: Paths) -> None:
    """The first loader of a key makes it."""
    path = write(paths.keys / "digest.key", "p" * 43, 0o666)
    assert keys.digest_key(paths) != b"p" * 43
    assert mode(path) == 0o600


@pytest.mark.parametrize("name", ["devices.json", "telegram.token", "stop.digest"])
def test_everything_else_in_the_folder_is_mended_too(paths: Paths, name: str) -> None:
    """A planted list of devices lets strangers in as well as a planted key does."""
    path = write(paths.keys / name, "{}", 0o640)
    assert len(keys.mend(paths)) == 1
    assert mode(path) == 0o600
    path.chmod(0o660)
    (sentence,) = keys.mend(paths)
    assert "has to be set up again" in sentence
    assert not path.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_key_of_another_user_is_never_used(paths: Paths) -> None:
    """Whatever its mode."""
    path = write(paths.keys / "post.token", "p" * 43, 0o600)
    os.chown(path, 12345, -1)
    assert keys.read(path) is None
    assert len(keys.mend(paths)) == 1
    assert keys.post_token(paths) != "p" * 43


def test_pipe_is_no_key(paths: Paths) -> None:
    """Nothing waits for a writer that never comes."""
    paths.keys.mkdir(parents=True)
    os.mkfifo(paths.keys / "cookie.key", 0o600)
    assert keys.read(paths.keys / "cookie.key") is None
    assert len(keys.cookie_key(paths)) >= keys.SHORTEST


def test_folder_that_is_not_there_needs_no_mending(paths: Paths) -> None:
    """Before the first start."""
    assert keys.mend(paths) == []


@pytest.mark.parametrize("name", ["post.token", "cookie.key", "digest.key", "surfaces.key", "push.key"])
def test_rotation_replaces_the_secret(paths: Paths, name: str) -> None:
    """By another one, private, in one step; nothing else is left behind."""
    path = paths.keys / name
    before = keys.load_or_create(path)
    keys.rotate(paths, keys.BY_NAME[name])
    after = keys.read(path)
    assert after not in (None, before)
    assert mode(path) == 0o600
    assert [each.name for each in paths.keys.iterdir()] == [name]


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("ca.key", {"ca.key", "ca.crt", "server.key", "server.crt"}),
        ("server.key", {"server.key", "server.crt"}),
        ("push.key", {"push.json"}),
    ],
)
def test_rotation_takes_away_what_hangs_on_the_secret(paths: Paths, name: str, gone: set[str]) -> None:
    """Certificates are made anew by the hub; subscriptions to notifications are worth nothing without their key."""
    files = {"ca.key", "ca.crt", "server.key", "server.crt", "push.key", "push.json", "devices.json"}
    for each in files:
        write(paths.keys / each, "x" * 43, 0o600)
    keys.rotate(paths, keys.BY_NAME[name])
    assert {each.name for each in paths.keys.iterdir()} == files - gone
