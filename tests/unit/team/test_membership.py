"""What is written down about a team."""

import base64
import json
import stat
from pathlib import Path

import pytest
from msgspec import structs

from assent.protocol.team import LONGEST_PROOF_MS, Identity, Proof, TeamInfo
from assent.team import membership
from assent.team.membership import DamagedError, Membership

INFO = TeamInfo(1, "Example", "https://id.example.org", "assent")
JOINED = Membership(
    urls=("https://relay.example.org",),
    info=INFO,
    hub="h" * 43,
    machine="laptop",
    owner="ada@example.org",
    joined_at=1,
    identity=Identity(INFO.issuer, "ada", "ada@example.org"),
)


def token(**claims: object) -> str:
    body = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    return f"e30.{body}.c2ln"


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    """With a file that only its owner reads."""
    path = tmp_path / "state" / "team.json"
    membership.save(path, JOINED)
    assert membership.load(path) == JOINED
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["team.json"]


def test_without_a_file_there_is_no_team(tmp_path: Path) -> None:
    """Most hubs are in none."""
    assert membership.load(tmp_path / "team.json") is None


def test_forgetting_twice_is_no_error(tmp_path: Path) -> None:
    """Leaving goes on where it was cut off."""
    path = tmp_path / "team.json"
    membership.save(path, JOINED)
    membership.forget(path)
    membership.forget(path)
    assert membership.load(path) is None


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"urls": 3}', b"\xff\xfe", b"[" * 100_000, b'{"version": 2}'], ids=range(7)
)
def test_damaged_file_is_an_error_with_a_way_out(tmp_path: Path, content: bytes) -> None:
    """It is never taken for a hub that is in no team."""
    path = tmp_path / "team.json"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(DamagedError, match="assent leave"):
        membership.load(path)


def test_file_that_others_can_write_is_not_believed(tmp_path: Path) -> None:
    """It says whose word counts about people."""
    path = tmp_path / "team.json"
    membership.save(path, JOINED)
    path.chmod(0o620)
    with pytest.raises(DamagedError, match="others can write"):
        membership.load(path)


def test_folder_in_its_place_is_an_error(tmp_path: Path) -> None:
    """As every file that is none."""
    (tmp_path / "team.json").mkdir()
    with pytest.raises(DamagedError):
        membership.load(tmp_path / "team.json")


def test_newest_token_says_when_a_proof_runs_out() -> None:
    """The first one has the key, the fresh one that the account still is one."""
    first = structs.replace(JOINED, proof=Proof("k", "s", token(iat=1_000)))
    renewed = structs.replace(JOINED, proof=Proof("k", "s", token(iat=1_000), token(iat=5_000)))
    assert first.runs_out_at == 1_000_000 + LONGEST_PROOF_MS
    assert renewed.runs_out_at == 5_000_000 + LONGEST_PROOF_MS
    assert JOINED.runs_out_at is None


@pytest.mark.parametrize(
    "text", ["", "a.b", "a.b.c", "e30.e30.x", token(iat="soon"), token(iat=1e400), token(iat=None)]
)
def test_token_without_a_time_is_as_old_as_can_be(text: str) -> None:
    """It is renewed at once, and trusted by no one."""
    assert membership.issued_at(text) == 0
