"""Known forms are found, references are kept, and no text takes long or breaks anything."""

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.redact import scan
from assent.redact.scan import redacted


def sign(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("git clone https://ghp_EXAMPLE0EXAMPLE0EXAMPLE0@github.com/a/b", "token"),
        ("psql postgres://shop:EXAMPLEpw9@db/shop", "connection-string"),
        ("curl https://bob:EXAMPLEpw9@example.com", "password"),
        ("curl -H 'Authorization: Basic RVhBTVBMRTA='", "authorization"),
        ("curl -b 'sid=EXAMPLE0123' https://example.com", "cookie"),
        ("-----BEGIN PRIVATE KEY-----\nEXAMPLE\n-----END PRIVATE KEY-----", "private-key"),
        ("api_key=EXAMPLE0123", "key"),
        ("CLIENT_SECRET=EXAMPLE0123", "secret"),
    ],
)
def test_mark_names_the_kind(text: str, kind: str) -> None:
    """A reader learns what stood there."""
    result = redacted(text, sign)
    assert f"⟨{kind}:" in result
    assert "EXAMPLE" not in result


def test_equal_secrets_have_equal_marks() -> None:
    """The same secret is recognised in another place, another one is told apart."""
    one, two, other = (
        redacted(text, sign).partition("⟨")[2]
        for text in ("--password EXAMPLEpw1", "DB_PASSWORD=EXAMPLEpw1", "--password EXAMPLEpw2")
    )
    assert one == two != other


def test_only_the_secret_goes() -> None:
    """What was run stays readable."""
    text = "mysql -u root -pEXAMPLEpw1 shop -e 'select 1'"
    assert re.sub("⟨.*?⟩", "…", redacted(text, sign)) == "mysql -u root -p… shop -e 'select 1'"


def test_extra_expressions_are_marked_as_extra() -> None:
    """What only this user knows to be secret is told by expression; one that matches nothing at all does no harm."""
    extra = [re.compile("ACME-[0-9]{4}"), re.compile("x*")]
    assert redacted("use ACME-1234 now", sign, extra).startswith("use ⟨extra:")


NAMES = ["password", "token", "cookie", "authorization", "Bearer ", "mysql ", "curl -u ", "-p", "ghp_", "eyJ", "a="]
SIGNS = [
    "=",
    ": ",
    "'",
    '"',
    "\\",
    "://",
    "@",
    "⟨",
    "⟩",
    " is ",
    "$",
    "\n",
    " ",
    "-----BEGIN PRIVATE KEY-----",
    "EXAMPLE012345678",
]
words = st.sampled_from([*NAMES, *SIGNS])


@given(st.lists(words | st.text(max_size=12), max_size=40).map("".join))
def test_any_text_is_redacted_without_an_error(text: str) -> None:
    """Whatever comes, a text comes back, and the same one for the same text."""
    assert redacted(text, sign) == redacted(text, sign)


@given(
    st.lists(words, max_size=12).map("".join), st.sampled_from(["ghp_EXAMPLE0EXAMPLE0EXAMPLE0", "AKIAEXAMPLEEXAMPLE00"])
)
def test_token_is_found_whatever_stands_around_it(around: str, secret: str) -> None:
    """Quotes, names and half-open strings do not hide a known form."""
    assert secret not in redacted(f"{around} {secret} {around}", sign)


HOSTILE = [
    "pass",
    "password=",
    'password="',
    "password ",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN ",
    "://a:",
    "://",
    "mysql ",
    "curl -u ",
    "curl -b a=",
    "eyJ",
    "eyJaaaaaaaaa.",
    "cookie: a=",
    "cookie a=bbbb; ",
    "authorization: ",
    "authorization: bearer ",
    "sk-",
    "machine a login ",
    "echo ",
    "-passin pass:",
    "a_",
    "$a_token",
    "?sig=",
    "123456789:AA",
    "config set a ",
    "credentials: a / ",
    "use a1b2c3d4e5f6 as ",
    "a:b@",
    "MAAAAAAAAAAAAAAAAAAAAAA.",
    "1/1234567890/",
    "secret <<< ",
    "hooks.slack.com/services/",
    "echo a | ",
    "key: ",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_repetition_ends(piece: str) -> None:
    """No form goes back over a long text again and again: the time limit of a test would tell."""
    text = (piece * (65_536 // len(piece) + 1))[:65_536]
    for hostile in (text, f"{text} sk- key auth mysql curl sudo - ://", "a" * 65_536 + piece):
        assert isinstance(redacted(hostile, sign), str)


def test_only_texts_without_a_secret_are_remembered() -> None:
    """What is known again is harmless; a secret is found the second time as the first, and kept nowhere."""
    harmless, secret = "a quite harmless sentence", "export API_TOKEN=" + "Zx81Qw77" * 4
    first = [scan.redacted(text, lambda _: "abcdef12") for text in (harmless, secret)]
    assert [scan.redacted(text, lambda _: "abcdef12") for text in (harmless, secret)] == first
    assert first[0] == harmless
    assert "Zx81Qw77" not in first[1]
    assert harmless in scan.harmless
    assert not any("Zx81Qw77" in text for text in scan.harmless)
