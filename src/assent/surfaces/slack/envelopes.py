"""What people did, read from Slack's envelopes, and whether they are those who may."""

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from assent.surfaces.glance import drawn
from assent.surfaces.inbox import Sender
from assent.surfaces.slack.blocks import unescaped

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
    # An edit, a deletion, somebody who joined.
    subtype: str = ""
    bot_id: str = ""


class _Callback(Struct):
    event: Mapping[str, Any]
    event_id: str = ""


class Press(Struct, frozen=True):
    """A button was pressed by somebody who may."""

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
    """A window was sent by somebody who may."""

    sender: Sender
    window: str
    # What the hub wrote into it when it was opened.
    metadata: str
    given: dict[str, Given]


class Words(Struct, frozen=True):
    """Something was written by somebody who may."""

    sender: Sender
    channel: str
    message: str
    text: str
    # Slack's name for it, by which it is known when it is told again.
    id: str = ""


class Stranger(Struct, frozen=True):
    """Somebody who may not, or not in this way."""

    who: str
    what: str
    # Where they may show a code: only in direct messages.
    channel: str = ""
    text: str = ""


Found = Press | Filled | Words | Stranger | None


def read(envelope: Mapping[str, Any], users: Collection[str]) -> Found:
    """None where it is nothing anybody said. Raises ValueError where it cannot be read."""
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


def _interaction(found: _Interaction, users: Collection[str]) -> Found:
    who, sender = found.user, Sender(drawn(found.user.name, LONGEST_NAME) or found.user.id, found.user.id)
    if found.type == "view_submission" and found.view is not None:
        if who.id not in users:
            return Stranger(who.id, "sent a window")
        return Filled(sender, found.view.id, found.view.private_metadata, _given(found.view.state))
    if found.type != "block_actions":
        return None
    if who.id not in users:
        return Stranger(who.id, "pressed a button")
    channel, container = found.channel, found.container
    if channel is None or container is None or container.type != "message" or not channel.id.startswith("D"):
        return Stranger(who.id, "pressed a button outside of the direct messages")
    value = next((action.value for action in found.actions if action.type == "button" and action.value), "")
    # A button that opens an address tells of it, too.
    return Press(sender, channel.id, container.message_ts, value, found.trigger_id) if value else None


def _event(found: _Callback, users: Collection[str]) -> Found:
    # Everything the app itself writes comes back as an event, and so does every change of it.
    if found.event.get("type") != "message" or "subtype" in found.event or "bot_id" in found.event:
        return None
    event = msgspec.convert(found.event, _Event)
    if not event.user:
        return None
    if event.channel_type != "im" or not event.channel.startswith("D"):
        return Stranger(event.user, "wrote in a channel, where nothing is taken")
    text = unescaped(event.text)
    if event.user not in users:
        return Stranger(event.user, "wrote a message", event.channel, text)
    return Words(Sender(event.user, event.user), event.channel, event.ts, text, found.event_id)


def _given(state: Mapping[str, Any]) -> dict[str, Given]:
    """By block. What has another shape than we asked for counts as nothing."""
    values = state.get("values")
    found: dict[str, Given] = {}
    for block, actions in values.items() if isinstance(values, dict) else ():
        for said in actions.values() if isinstance(actions, dict) else ():
            if isinstance(said, dict):
                found[str(block)] = _one(said)
    return found


def _one(said: Mapping[str, Any]) -> Given:
    options = said.get("selected_options")
    chosen = options if isinstance(options, list) else [said.get("selected_option")]
    picked = tuple(str(each["value"]) for each in chosen if isinstance(each, dict) and "value" in each)
    text = said.get("value")
    return Given(picked, text if isinstance(text, str) else "")
