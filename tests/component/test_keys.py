"""Secrets are made once, kept private and never half-written."""

import stat
from pathlib import Path

from assent import keys


def test_secret_is_the_same_at_every_call_and_private(tmp_path: Path) -> None:
    """A second look finds the first secret, in a file of ours alone."""
    path = tmp_path / "keys" / "post.token"
    secret = keys.load_or_create(path)
    assert keys.load_or_create(path) == secret
    assert len(secret) >= keys.SHORTEST
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_cut_off_secret_is_replaced(tmp_path: Path) -> None:
    """What a crash left half-written is no secret."""
    path = tmp_path / "post.token"
    path.write_text("short")
    assert keys.read(path) is None
    assert len(keys.load_or_create(path)) >= keys.SHORTEST


def test_secret_of_the_faster_process_counts(tmp_path: Path) -> None:
    """Two processes that start together agree on one secret."""
    path = tmp_path / "post.token"
    first = keys.keep(path, keys.fresh())
    assert keys.keep(path, keys.fresh()) == first


def test_fingerprint_needs_the_key() -> None:
    """Equal texts have equal fingerprints under one key, and others under another."""
    assert keys.fingerprint(b"a", b"text") == keys.fingerprint(b"a", b"text")
    assert keys.fingerprint(b"a", b"text") != keys.fingerprint(b"b", b"text")
