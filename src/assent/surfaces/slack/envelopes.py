"""Parser of Slack's envelopes: presses, windows and messages, by connected users or strangers."""

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from assent.surfaces.base import Sender
from assent.surfaces.slack.card import unescaped
from assent.text.safe import notification_line

LONGEST_NAME = 40


class _User(Struct):
    id: str
    name: str = ""


class _Channel(Struct):
    id: str = ""


class _Container(Struct):
    type: str = ""
    message_ts: str = ""


class _Action(Struct):
    type: str = ""
    value: str = ""


class _View(Struct):
    id: str
    private_metadata: str = ""
    state: dict[str, Any] = {}


class _Interaction(Struct):
    type: str
    user: _User
    trigger_id: str = ""
    channel: _Channel | None = None
    container: _Container | None = None
    actions: list[_Action] = []
    view: _View | None = None


class _Event(Struct):
    type: str
    channel_type: str = ""
    channel: str = ""
    user: str = ""
    text: str = ""
    ts: str = ""
    # An edit, a deletion, a new member.
    subtype: str = ""
    bot_id: str = ""


class _Callback(Struct):
    event: Mapping[str, Any]
    event_id: str = ""


class Press(Struct, frozen=True):
    """A button was pressed by a connected user."""

    sender: Sender
    channel: str
    message: str
    value: str
    # By which a window can be opened, for three seconds.
    trigger: str


class Given(Struct, frozen=True):
    """One input of a window."""

    picked: tuple[str, ...] = ()
    text: str = ""


class Filled(Struct, frozen=True):
    """A window was sent by a connected user."""

    sender: Sender
    window: str
    # What the hub wrote into it when it was opened.
    metadata: str
    given: dict[str, Given]


class Words(Struct, frozen=True):
    """Something was written by a connected user."""

    sender: Sender
    channel: str
    message: str
    text: str
    # Slack's name for it, by which it is known when it is told again.
    id: str = ""


class Stranger(Struct, frozen=True):
    """A user who is not connected, or a message that is not accepted."""

    who: str
    what: str
    # Where they may show a code: only in direct messages.
    channel: str = ""
    text: str = ""


Found = Press | Filled | Words | Stranger | None


def read(envelope: Mapping[str, Any], users: Collection[str]) -> Found:
    """None where it is no message or press. Raises ValueError where it cannot be read."""
    payload = envelope.get("payload")
    try:
        match envelope.get("type"):
            case "interactive":
                return _interaction(msgspec.convert(payload, _Interaction), users)
            case "events_api":
                return _event(msgspec.convert(payload, _Callback), users)
            case _:
                return None
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


def _interaction(event: _Interaction, users: Collection[str]) -> Found:
    who, sender = event.user, Sender(notification_line(event.user.name, LONGEST_NAME) or event.user.id, event.user.id)
    if event.type == "view_submission" and event.view is not None:
        if who.id not in users:
            return Stranger(who.id, "sent a window")
        return Filled(sender, event.view.id, event.view.private_metadata, _given(event.view.state))
    if event.type != "block_actions":
        return None
    if who.id not in users:
        return Stranger(who.id, "pressed a button")
    channel, container = event.channel, event.container
    if channel is None or container is None or container.type != "message" or not channel.id.startswith("D"):
        return Stranger(who.id, "pressed a button outside of the direct messages")
    value = next((action.value for action in event.actions if action.type == "button" and action.value), "")
    # A button that opens an address tells of it, too.
    return Press(sender, channel.id, container.message_ts, value, event.trigger_id) if value else None


def _event(callback: _Callback, users: Collection[str]) -> Found:
    # Everything the app itself writes comes back as an event, and so does every change of it.
    if callback.event.get("type") != "message" or "subtype" in callback.event or "bot_id" in callback.event:
        return None
    event = msgspec.convert(callback.event, _Event)
    if not event.user:
        return None
    if event.channel_type != "im" or not event.channel.startswith("D"):
        return Stranger(event.user, "wrote in a channel, where nothing is taken")
    text = unescaped(event.text)
    if event.user not in users:
        return Stranger(event.user, "wrote a message", event.channel, text)
    return Words(Sender(event.user, event.user), event.channel, event.ts, text, callback.event_id)


def _given(state: Mapping[str, Any]) -> dict[str, Given]:
    """By block. What has another shape than we asked for counts as nothing."""
    values = state.get("values")
    inputs: dict[str, Given] = {}
    for block, actions in values.items() if isinstance(values, dict) else ():
        for value in actions.values() if isinstance(actions, dict) else ():
            if isinstance(value, dict):
                inputs[str(block)] = _one(value)
    return inputs


def _one(element: Mapping[str, Any]) -> Given:
    options = element.get("selected_options")
    chosen = options if isinstance(options, list) else [element.get("selected_option")]
    picked = tuple(str(each["value"]) for each in chosen if isinstance(each, dict) and "value" in each)
    text = element.get("value")
    return Given(picked, text if isinstance(text, str) else "")
