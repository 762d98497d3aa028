"""Keys of hubs: private files, and signatures that are good for one text and one purpose."""

import os
import stat
from pathlib import Path
from typing import get_args

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_public_key,
)
from hypothesis import given
from hypothesis import strategies as st

from assent.team import keys
from assent.team.keys import BadKeyError, HubKey, KeyFileError, Kind
from assent.webapi import signature
from assent.webapi.endpoint import ProblemError

KEY = HubKey.create()
OTHER = HubKey.create()
KINDS: tuple[Kind, ...] = get_args(Kind)


def test_key_is_made_once_and_private(tmp_path: Path) -> None:
    """The same every time, for its owner alone, and nothing else is left in the folder."""
    path = tmp_path / "keys" / "team.key"
    first = HubKey.load_or_create(path)
    assert HubKey.load_or_create(path).id == first.id
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["team.key"]


def test_no_key_is_made_by_looking(tmp_path: Path) -> None:
    """What only asks leaves no trace."""
    assert HubKey.load(tmp_path / "team.key") is None
    assert list(tmp_path.iterdir()) == []


def test_key_of_a_faster_process_counts(tmp_path: Path) -> None:
    """Two that start at once end with one key."""
    path = tmp_path / "team.key"
    first = HubKey._kept(path)
    assert HubKey._kept(path).id == first.id


@pytest.mark.parametrize("content", [b"", b"no key", b"-----BEGIN PRIVATE KEY-----\n", b"x" * 10_000])
def test_damaged_key_is_an_error_and_is_kept(tmp_path: Path, content: bytes) -> None:
    """It may be restored; a new key would be another hub."""
    path = tmp_path / "team.key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match="damaged") as error:
        HubKey.load_or_create(path)
    assert "assent join" in str(error.value)
    assert path.read_bytes() == content


def test_key_of_another_curve_is_an_error(tmp_path: Path) -> None:
    """Browsers and hubs speak of one kind of key."""
    path = tmp_path / "team.key"
    private = ec.generate_private_key(ec.SECP384R1())
    path.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match="damaged"):
        HubKey.load_or_create(path)


@pytest.mark.parametrize("mode", [0o644, 0o620, 0o604, 0o660])
def test_key_that_others_can_reach_is_refused(tmp_path: Path, mode: int) -> None:
    """A person who has it can answer in its owner's name."""
    path = tmp_path / "team.key"
    HubKey.load_or_create(path)
    path.chmod(mode)
    with pytest.raises(KeyFileError, match="not private"):
        HubKey.load_or_create(path)


def test_folder_in_place_of_the_key_is_an_error(tmp_path: Path) -> None:
    """Nothing is put in its place."""
    path = tmp_path / "team.key"
    path.mkdir()
    with pytest.raises(KeyFileError, match="not a regular file"):
        HubKey.load_or_create(path)


def test_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    """In words, with the path."""
    (tmp_path / "keys").write_text("a file")
    with pytest.raises(KeyFileError, match=r"team\.key"):
        HubKey.load_or_create(tmp_path / "keys" / "team.key")


def test_id_is_that_of_the_public_key() -> None:
    """43 characters, the same for all who know the key."""
    assert keys.key_id(KEY.public) == KEY.id
    assert len(KEY.id) == 43


def test_key_has_one_text_only() -> None:
    """The point compressed, padding, or unused bits: the same key, and none of them has an id."""
    key = load_der_public_key(signature.unpacked(KEY.public) or b"")
    assert isinstance(key, ec.EllipticCurvePublicKey)
    point = key.public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
    compressed = bytes.fromhex("3039301306072a8648ce3d020106082a8648ce3d030107032200") + point
    for text in (KEY.public + "=", KEY.public + "==", keys.packed(compressed), "", "x", "é" * 20, "A" * 400):
        with pytest.raises(BadKeyError):
            keys.key_id(text)
        assert not keys.is_signed(text, "ask", "text", KEY.sign("ask", "text"))


@pytest.mark.parametrize("kind", KINDS)
def test_signature_is_good_for_one_purpose(kind: Kind) -> None:
    """What was signed as an ask says nothing as an answer."""
    signed = KEY.sign(kind, "{}")
    assert [other for other in KINDS if keys.is_signed(KEY.public, other, "{}", signed)] == [kind]


def test_signature_of_another_key_is_refused() -> None:
    """However well it signs."""
    assert not keys.is_signed(KEY.public, "answer", "{}", OTHER.sign("answer", "{}"))


@given(st.text(max_size=60), st.text(max_size=60))
def test_signature_is_good_for_one_text(text: str, other: str) -> None:
    """Any other text is refused."""
    signed = KEY.sign("answer", text)
    assert keys.is_signed(KEY.public, "answer", text, signed)
    assert keys.is_signed(KEY.public, "answer", other, signed) is (text == other)


SIGNED = KEY.sign("answer", "the text")


@given(st.integers(0, len(SIGNED) - 1), st.characters(codec="ascii"))
def test_changed_signature_is_refused(place: int, letter: str) -> None:
    """In any letter."""
    changed = SIGNED[:place] + letter + SIGNED[place + 1 :]
    assert keys.is_signed(KEY.public, "answer", "the text", changed) is (changed == SIGNED)


@given(st.one_of(st.text(max_size=100), st.binary(max_size=80).map(keys.packed)))
def test_anything_else_is_no_signature(signature: str) -> None:
    """Wherever it comes from; it is an answer, no error."""
    assert not keys.is_signed(KEY.public, "answer", "the text", signature)


def test_text_that_is_no_text_is_refused() -> None:
    """Half of a pair of surrogates has no bytes."""
    assert not keys.is_signed(KEY.public, "answer", "\ud800", SIGNED)


def test_signed_request_is_what_the_relay_reads() -> None:
    """The headers of `webapi/signature.py`, whose path holds the query."""
    headers = keys.signed_headers(KEY, "POST", "/team/asks?a=1", b"{}", 1_000, "n" * 32)
    signed = signature.read(headers)
    public = signature.public_key(KEY.public)
    assert public is not None
    assert signed.device == KEY.id
    good = signature.message("POST", "/team/asks?a=1", signed.time, signed.nonce, b"{}")
    assert signature.is_good(public, signed.signature, good)
    assert not signature.is_good(public, signed.signature, good + b"x")


def test_request_without_a_nonce_is_refused() -> None:
    """It could be sent again."""
    with pytest.raises(ProblemError):
        signature.read(keys.signed_headers(KEY, "GET", "/team", b"", 1_000, ""))


def test_signed_request_is_no_signed_text() -> None:
    """Nor the other way round: no method is called as the texts begin."""
    request = signature.message("POST", "/team/asks", 1_000, "n" * 32, b"").decode()
    signed = KEY.sign_request("POST", "/team/asks", b"", 1_000, "n" * 32)
    assert not any(keys.is_signed(KEY.public, kind, request, signed) for kind in KINDS)


SALT = keys.fresh_salt()


def test_binding_depends_on_key_and_salt() -> None:
    """Another key or salt is another nonce."""
    bound = keys.binding(KEY.public, SALT)
    assert len({bound, keys.binding(OTHER.public, SALT), keys.binding(KEY.public, keys.fresh_salt())}) == 3
    assert keys.binding(KEY.public, SALT) == bound


@pytest.mark.parametrize("salt", ["", "short", "x" * 65, "line\nbreak, long enough", "é" * 20])
def test_salt_of_another_form_is_refused(salt: str) -> None:
    """One text of key and salt has one meaning."""
    with pytest.raises(BadKeyError):
        keys.binding(KEY.public, salt)


def test_key_file_is_not_written_where_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No half of a key stays."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(KeyFileError, match="No space left"):
        HubKey.load_or_create(tmp_path / "team.key")
    assert list(tmp_path.iterdir()) == []
