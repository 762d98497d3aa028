"""Messages of JSON-RPC."""

import json

import pytest

from assent.acp import messages


@pytest.mark.parametrize(
    "line", [b"", b"x", b"[]", b"1", b'[{"id":1,"method":"a"}]', b'{"id":true}', b'{"id":{}}', b"\xff"]
)
def test_what_is_no_single_message_is_none(line: bytes) -> None:
    assert messages.read(line) is None


def test_kinds_of_messages_are_told_apart() -> None:
    """A request has both, a notification no id, a response no method."""
    request, notice, response, nothing = (
        messages.read(line)
        for line in (
            b'{"id":0,"method":"a"}',
            b'{"method":"a"}',
            b'{"id":"x","result":{}}',
            b'{"id":null,"method":"a"}',
        )
    )
    assert request is not None
    assert notice is not None
    assert response is not None
    assert nothing is not None
    assert (request.is_request, request.is_response) == (True, False)
    assert (notice.is_request, notice.is_response) == (False, False)
    assert (response.is_request, response.is_response) == (False, True)
    assert not nothing.is_request


def test_answers_carry_the_id_as_it_came() -> None:
    assert json.loads(messages.select("1", "once"))["id"] == "1"
    assert json.loads(messages.refuse(1, "No."))["error"]["message"] == "No."
    assert messages.select(1, None).endswith(b"\n")


def test_options_that_cannot_be_read_are_passed_over() -> None:
    params = {"options": [1, {}, {"optionId": 1, "kind": "allow_once"}, {"optionId": "b", "kind": "allow_once"}]}
    assert messages.option(params, "allow_once") == "b"
    assert messages.option({"options": "x"}, "allow_once") is None
