"""Contents are withheld, commands are kept, and nothing grows without bound."""

import re
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from assent.redact import LONGEST_TEXT, MOST_ITEMS, storable, structure


def mark(text: bytes) -> str:
    return f"#{len(text)}"


def test_contents_are_kept_as_size_and_fingerprint() -> None:
    """What a tool returned or wrote is not written down."""
    payload = {
        "tool_name": "Write",
        "tool_input": {"file_path": "/p/.env", "content": "SECRET=1"},
        "tool_response": {"stdout": "SECRET=1"},
    }
    stored = storable(payload, mark)
    assert "SECRET" not in str(stored)
    assert stored["tool_input"] == {"file_path": "/p/.env", "content": {"size": 8, "fingerprint": "#8"}}
    assert stored["tool_response"]["size"] == len(msgspec.json.encode(payload["tool_response"]))


def test_commands_and_prompts_are_kept() -> None:
    """People search for what was run and asked."""
    payload = {"prompt": "fix the login", "tool_input": {"command": "pytest -x"}}
    assert storable(payload, mark) == payload


def test_long_text_is_cut_with_a_mark() -> None:
    """A cut is never silent."""
    stored = storable({"prompt": "x" * (LONGEST_TEXT + 5)}, mark)
    assert stored["prompt"].endswith("⟨5 more⟩")


def test_fields_with_telling_names_are_marked() -> None:
    """An MCP tool's password is a secret whatever it looks like; a reference to one is not."""
    payload = {"tool_input": {"password": "opensesame", "apiKey": "k", "token_count": "12", "auth_token": "$TOKEN"}}
    assert storable(payload, mark)["tool_input"] == {
        "password": "⟨password:#10⟩",
        "apiKey": "⟨key:#1⟩",
        "token_count": "12",
        "auth_token": "$TOKEN",
    }


def test_secret_across_the_cut_is_marked_whole() -> None:
    """A cut must not leave the beginning of a secret behind."""
    text = "x" * (LONGEST_TEXT - 15) + " ghp_" + "EXAMPLE0" * 5
    stored = storable({"prompt": text}, mark)["prompt"]
    assert "EXAMPLE" not in stored
    assert stored.endswith(f"⟨token:#44⟩⟨{len(text) - LONGEST_TEXT} more⟩")


def test_nothing_behind_the_cut_moves_before_it() -> None:
    """A long secret leaves room, which is not filled with unscanned text."""
    key = "-----BEGIN PRIVATE KEY-----\n" + "EXAMPLE0" * 400 + "\n-----END PRIVATE KEY-----\n"
    stored = storable({"prompt": key + "z" * 10_000}, mark)["prompt"]
    assert stored.count("z") == LONGEST_TEXT - len(key)


def test_secret_in_a_key_is_marked() -> None:
    """A question's text may be the key of its answer."""
    stored = storable({"answers": {"is ghp_EXAMPLE0EXAMPLE0EXAMPLE0 yours?": "yes"}}, mark)
    assert stored == {"answers": {"is ⟨token:#28⟩ yours?": "yes"}}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


@given(st.dictionaries(st.text(), json_values, max_size=5))
def test_whatever_comes_can_be_stored(payload: dict[str, Any]) -> None:
    """Every payload becomes something the journal can encode."""
    msgspec.json.encode(storable(payload, mark))


@given(
    st.dictionaries(
        st.sampled_from(["session_id", "tool_use_id", "tool_input", "effort", "content", "note", "api_token"]),
        json_values | st.sampled_from(["toolu_0123456789abcdef", "ghp_" + "a1B2" * 9, "token=Zx81Qw77Rt55", "plain"]),
        max_size=5,
    )
)
def test_payload_is_stored_alike_the_first_time_and_again(payload: dict[str, Any]) -> None:
    """Names and texts that were looked through before are taken as they are, and nothing else is."""
    structure._tame.clear()
    structure._ordinary.clear()
    first = storable(payload, mark)
    assert storable(payload, mark) == first
    assert storable({"tool_input": payload}, mark) == storable({"tool_input": payload}, mark)
    assert storable(payload, mark) == first


def test_depth_and_breadth_are_bounded() -> None:
    """A payload made to be huge is stored small."""
    deep: Any = "x"
    for _ in range(500):
        deep = [deep]
    nested: dict[str, Any] = {}
    for _ in range(500):
        nested = {"a": nested}
    for _ in range(2):
        assert len(msgspec.json.encode(storable(nested, mark))) < 200
    stored = storable({"deep": deep, "wide": list(range(10_000))}, mark)
    assert len(stored["wide"]) == MOST_ITEMS + 1
    assert len(msgspec.json.encode(stored["deep"])) < 200


def test_own_expressions_are_looked_for_in_names_and_texts_known_already() -> None:
    """A field that was harmless before an expression was configured is looked at again with it."""
    payload = {"tool_input": {"a long name with ACME-12345678": 1, "note": "see ACME-12345678"}}
    assert storable(storable(payload, mark), mark) == payload
    stored = storable(payload, mark, (re.compile("ACME-[0-9]{8}"),))
    assert stored == {"tool_input": {"a long name with ⟨extra:#13⟩": 1, "note": "see ⟨extra:#13⟩"}}
