"""Messages of a team: written and read again, and refused where they have another form."""

import msgspec
import pytest

from assent.protocol.card import Card, Peril, Subject, View
from assent.protocol.team import STREAM, Identity, JoinRequest, SharedAnswer, SharedAsk, TeamAsk

HUB = "h" * 43
CARD = Card("permission", View("Run git push"), Subject("claude-code"), Peril("care"))
SHARED = SharedAsk(HUB, "a1", 1, "f" * 64, 1, 1, 600_001, "laptop", "claude-code", "PermissionRequest", "s1", CARD)


def test_ask_comes_back_as_it_was_shared() -> None:
    """Its text is what is signed, so nothing of it may be lost on the way."""
    ask = TeamAsk(HUB, "a1", 1, 1, 600_001, ("owner",), msgspec.json.encode(SHARED).decode(), "signature")
    again = msgspec.json.decode(msgspec.json.encode(ask), type=TeamAsk)
    assert again == ask
    assert msgspec.json.decode(again.text, type=SharedAsk) == SHARED


@pytest.mark.parametrize("name", ["", "h" * 42, "h" * 44, "=" * 43, "h" * 42 + " "])
def test_hub_is_named_by_a_hash_alone(name: str) -> None:
    """Names are keys of files and tables: nothing else gets there."""
    content = msgspec.to_builtins(SHARED) | {"hub": name}
    with pytest.raises(msgspec.ValidationError, match="hub"):
        msgspec.convert(content, SharedAsk)


@pytest.mark.parametrize("nonce", ["", "n" * 15, "n" * 65])
def test_nonce_of_an_answer_is_long_enough_to_be_used_once(nonce: str) -> None:
    """And short enough to be remembered."""
    content = {"hub": HUB, "ask": "a1", "rev": 1, "shown": "f" * 64, "choice": "deny", "at": 1}
    content |= {"nonce": nonce, "screen": "page", "surface": "page"}
    with pytest.raises(msgspec.ValidationError, match="nonce"):
        msgspec.convert(content, SharedAnswer)


def test_request_to_join_takes_no_unknown_field() -> None:
    """A newer hub is told that it is newer, instead of being let in without what it asked for."""
    with pytest.raises(msgspec.ValidationError, match="wish"):
        msgspec.json.decode(b'{"key": "k", "machine": "m", "version": "1", "wish": 1}', type=JoinRequest)


@pytest.mark.parametrize(
    ("person", "label"),
    [
        (Identity("https://id.example", "7", "ada@example.org", "Ada"), "ada@example.org"),
        (Identity("https://id.example", "7", name="Ada"), "Ada"),
        (Identity("https://id.example", "7", name="bob@example.org"), "7"),
        (Identity("https://id.example", "7"), "7"),
    ],
)
def test_person_is_called_by_what_people_know(person: Identity, label: str) -> None:
    """The address that was verified, else a name that is no address, else the provider's own number."""
    assert person.label == label


def test_same_subject_of_another_issuer_is_another_person() -> None:
    """Numbers are unique within one provider only."""
    assert Identity("https://a.example", "7").id != Identity("https://b.example", "7").id


@pytest.mark.parametrize("kind", STREAM.values(), ids=list(STREAM))
def test_every_message_of_the_stream_is_a_frozen_struct(kind: type[msgspec.Struct]) -> None:
    """What was read is what is used."""
    assert kind.__struct_config__.frozen
