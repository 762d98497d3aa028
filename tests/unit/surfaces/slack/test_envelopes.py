"""Who did what, and whether they may."""

from typing import Any

import pytest

from assent.surfaces.slack.envelopes import Filled, Given, Press, Stranger, Words, read

ADA = "U0ADA"


def pressed(**more: Any) -> dict[str, Any]:
    payload = {
        "type": "block_actions",
        "user": {"id": ADA, "name": "ada"},
        "channel": {"id": "D0ADA"},
        "container": {"type": "message", "message_ts": "1.1"},
        "actions": [{"type": "button", "value": "v"}],
        "trigger_id": "t",
    }
    return {"type": "interactive", "payload": {**payload, **more}}


def written(**more: Any) -> dict[str, Any]:
    event = {"type": "message", "channel_type": "im", "channel": "D0ADA", "user": ADA, "text": "a &lt; b", "ts": "1.1"}
    return {"type": "events_api", "payload": {"event_id": "Ev1", "event": {**event, **more}}}


def test_a_press_in_direct_messages_counts() -> None:
    """With all that is needed to answer it."""
    found = read(pressed(), {ADA})
    assert isinstance(found, Press)
    assert (found.sender.id, found.sender.name, found.channel, found.message) == (ADA, "ada", "D0ADA", "1.1")
    assert (found.value, found.trigger) == ("v", "t")


@pytest.mark.parametrize(
    "more",
    [{"user": {"id": "U0EVE"}}, {"channel": {"id": "C0ALL"}}, {"container": {"type": "view"}}, {"channel": None}],
)
def test_a_press_by_others_or_elsewhere_does_not(more: dict[str, Any]) -> None:
    """It is a stranger's."""
    assert isinstance(read(pressed(**more), {ADA}), Stranger)


def test_words_come_as_they_were_written() -> None:
    """Without Slack's escapes."""
    found = read(written(), {ADA})
    assert isinstance(found, Words)
    assert (found.text, found.id) == ("a < b", "Ev1")


@pytest.mark.parametrize("more", [{"subtype": "message_changed"}, {"bot_id": "B1"}, {"type": "reaction_added"}])
def test_own_messages_and_changes_are_nothing(more: dict[str, Any]) -> None:
    """The app's own messages come back, and so does every change of one."""
    assert read(written(**more), {ADA}) is None


def test_a_channel_is_no_place_for_answers() -> None:
    """Even for a connected user."""
    assert isinstance(read(written(channel_type="channel", channel="C0ALL"), {ADA}), Stranger)


def test_a_window_is_read_by_its_inputs() -> None:
    """What is picked, what is written, and nothing where the shape is another."""
    values = {
        "pick0": {"pick": {"type": "radio_buttons", "selected_option": {"value": "1"}}},
        "pick1": {"pick": {"type": "checkboxes", "selected_options": [{"value": "0"}, {"value": "2"}]}},
        "own0": {"words": {"type": "plain_text_input", "value": "mine"}},
        "own1": {"words": {"type": "plain_text_input", "value": None}},
        "odd": {"x": 7},
    }
    view = {"id": "V1", "private_metadata": "m", "state": {"values": values}}
    payload = {"type": "view_submission", "user": {"id": ADA}, "view": view}
    found = read({"type": "interactive", "payload": payload}, {ADA})
    assert isinstance(found, Filled)
    assert found.given == {
        "pick0": Given(("1",)),
        "pick1": Given(("0", "2")),
        "own0": Given(text="mine"),
        "own1": Given(),
    }
    assert isinstance(read({"type": "interactive", "payload": payload}, ()), Stranger)


@pytest.mark.parametrize("payload", [None, 7, {}, {"event": 7}, {"type": "block_actions", "user": 7}])
def test_what_cannot_be_read_says_so(payload: object) -> None:
    """And is never taken for something else."""
    for kind in ("interactive", "events_api"):
        with pytest.raises(ValueError, match=r"\w"):
            read({"type": kind, "payload": payload}, {ADA})
