"""Which projects' rules a person trusts."""

from pathlib import Path

import pytest

from assent.policy.rules import book


def test_trusts_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Real paths and digests."""
    (tmp_path / "trust.json").write_bytes(book.trust_text({"/a/.assent/rules.toml": "0f"}))
    assert book.read_trust(tmp_path / "trust.json") == {"/a/.assent/rules.toml": "0f"}


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"files": {"/a": 3}}', b"\xff", b"[" * 100_000])
def test_trusts_that_cannot_be_read_trust_nothing(tmp_path: Path, content: bytes | None) -> None:
    """A broken list allows nothing."""
    if content is not None:
        (tmp_path / "trust.json").write_bytes(content)
    assert book.read_trust(tmp_path / "trust.json") == {}
