"""Asks in the direct messages of an app: shown, changed where they stand, and closed when they are over."""

import asyncio
import logging
import re
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import websockets  # noqa: F401

from assent.protocol.card import ShownAsk
from assent.surfaces import binding, signing
from assent.surfaces import chat as chats
from assent.surfaces.base import TURN, Audience, BadSettingsError, Notice, Ref, SurfaceError
from assent.surfaces.chat import Recipients
from assent.surfaces.registry import Checked, Tools
from assent.surfaces.slack import card as cards
from assent.surfaces.slack import envelopes, messages, windows
from assent.surfaces.slack.answering import Answering
from assent.surfaces.slack.api import Message, TokenError, Web
from assent.surfaces.slack.envelopes import Filled, Press, Stranger, Words
from assent.surfaces.slack.messages import NAME, Messages, Place
from assent.surfaces.slack.socket import Socket
from assent.text.safe import chat_line

log = logging.getLogger("assent.surfaces")
CLOSING = 3.0
# Slack repeats what it thinks was lost; nothing may be done twice.
REMEMBERED = 1_000
WELCOME = "You are connected. What your agents ask comes here. Write help to read what you can do."


@dataclass(slots=True)
class Conversation:
    """Presses, windows and words of people, each handled in the order in which it came from them."""

    messages: Messages
    _seen: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def take(self, envelope: Mapping[str, Any]) -> dict[str, Any] | None:
        """Begin with it; what goes back at once, where a window lacks something."""
        try:
            action = envelopes.read(envelope, self.messages.users)
        except ValueError as error:
            log.warning("slack: something cannot be read: %s", error)
            return None
        if action is None:
            return None
        if isinstance(action, Filled) and (errors := self._lacking(action)):
            return {"response_action": "errors", "errors": errors}
        name = action.window if isinstance(action, Filled) else action.id if isinstance(action, Words) else ""
        if name and name in self._seen:
            return None
        if name:
            self._seen.append(name)
        task = asyncio.create_task(self._handle(action))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return None

    async def close(self, patience: float) -> None:
        """What was begun is finished, if that does not take long."""
        mine = asyncio.current_task()
        tasks = [task for task in self._tasks if task is not mine]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=patience)
            for task in late:
                task.cancel()

    def _lacking(self, filled: Filled) -> dict[str, str]:
        of = windows.origin(filled.metadata)
        pressed = signing.read(of.value) if of is not None else None
        if pressed is None or pressed.act != messages.ANSWER:
            return {}
        ask = self.messages.tools.inbox.ask(pressed.ask)
        return windows.lacking(ask, filled.given) if ask is not None else {}

    async def _handle(self, action: Press | Filled | Words | Stranger) -> None:
        try:
            if isinstance(action, Stranger):
                await self._stranger(action)
                return
            async with self._locks.setdefault(action.sender.id, asyncio.Lock()):
                answering = Answering(self.messages)
                if isinstance(action, Press):
                    await answering.pressed(action)
                elif isinstance(action, Filled):
                    await answering.filled(action)
                else:
                    await answering.said(action)
        except SurfaceError as error:
            log.info("slack: not told in the chat: %s", error.message)
        except Exception:
            log.exception("slack: an event could not be handled")

    async def _stranger(self, stranger: Stranger) -> None:
        messages = self.messages
        code = stranger.text if stranger.channel else None
        if reply := await messages.meet(stranger.who, stranger.who, stranger.what, code, WELCOME):
            await messages.tell(stranger.channel, reply)


@dataclass(slots=True)
class Slack(Messages):
    conversation: Conversation = field(init=False)
    socket: Socket = field(init=False)
    _channels: dict[str, str] = field(default_factory=dict)
    _recipients: Recipients[str, Place] = field(default_factory=Recipients)

    def __post_init__(self) -> None:
        Messages.__post_init__(self)
        self.conversation = Conversation(self)
        self.socket = Socket(self.web, self.conversation.take)

    @property
    def trouble(self) -> str:
        if not self.users:
            return "nobody is connected to the app yet: `assent connect slack`"
        return self.socket.trouble

    async def probe(self) -> str:
        me = who(await self.web.me())
        return f"{me} The hub listens." if self.socket.is_open else f"{me} The hub does not hear it yet."

    async def show(self, ask: ShownAsk, audience: Audience) -> Ref:
        ask = self.mine(ask)
        key = chats.key(ask, audience)
        reached, trouble = await self._told(key, lambda channel: self.send_card(channel, ask, audience))
        return chats.sent(chats.ref(NAME, key, _more(reached), audience), trouble)

    async def notify(self, notice: Notice, audience: Audience) -> Ref:  # noqa: ARG002  how much is seen is set for the app
        async def send(channel: str) -> Place:
            rows = self.buttons.next_of(channel, notice.session)
            card = cards.notice_card(notice, is_masked=self.is_masked)
            return channel, await self.web.post(channel, Message(card.text, (*card.blocks, *rows)))

        reached, trouble = await self._told(f"{notice.key} {notice.at}", send)
        return chats.sent(Ref(NAME, notice.key, _more(reached)) if reached else None, trouble)

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None:
        ask = self.mine(ask)
        await chats.each([self.update_card(place, ask, audience) for place in _places(ref)])

    async def withdraw(self, ref: Ref, why: str) -> None:
        if ref.key.startswith(TURN):
            # It says what was, and its button still reaches the session.
            return
        name = chats.ask_of(ref)
        ask = self.tools.inbox.ask(name) if name else None
        places = _places(ref)
        for channel, _ in places:
            self.shown.pop((name, channel), None)
        await self.edit_over(name, ask, why, places)
        if ask is not None:
            self.follow_up.follow(ask, places)

    async def listen(self) -> None:
        await self.socket.run()

    async def close(self) -> None:
        await self.conversation.close(CLOSING)
        self.follow_up.close()
        await self.web.close()

    async def _told(
        self, key: str, send: Callable[[str], Awaitable[Place]]
    ) -> tuple[dict[str, Place], BaseException | None]:
        async def to(user: str) -> Place:
            if user not in self._channels:
                self._channels[user] = await self.web.chat(user)
            return await send(self._channels[user])

        return await self._recipients.send(key, self.users, to)


def who(me: dict[str, object]) -> str:
    """``This is @assent in Acme.`` What a workspace is called is its owner's to choose."""
    name, team = (str(me.get(each, "")) for each in ("user", "team"))
    return f"This is @{chat_line(name, 40)} in {chat_line(team, 60)}."


def _more(reached: dict[str, Place]) -> tuple[str, ...]:
    return tuple(f"{channel}:{at}" for channel, at in reached.values())


def _places(ref: Ref) -> list[Place]:
    return [(channel, at) for channel, _, at in (each.partition(":") for each in ref.more)]


MANIFEST = """\
display_information:
  name: Assent
  description: Answer what your coding agents ask
features:
  app_home:
    home_tab_enabled: false
    messages_tab_enabled: true
    messages_tab_read_only_enabled: false
  bot_user:
    display_name: assent
    always_online: false
oauth_config:
  scopes:
    bot:
      - chat:write
      - im:history
      - im:write
settings:
  event_subscriptions:
    bot_events:
      - message.im
  interactivity:
    is_enabled: true
  org_deploy_enabled: false
  socket_mode_enabled: true
  token_rotation_enabled: false
"""

GUIDE = f"""\
Make an app of your own at https://api.slack.com/apps, for Assent alone: Create New App, From a manifest,
pick your workspace, and paste this as YAML:

{MANIFEST}
Then, on the pages of the app:
  1. Basic Information, App-Level Tokens, Generate: with the scope connections:write. It begins with xapp-.
  2. Install App, Install to Workspace: the Bot User OAuth Token. It begins with xoxb-."""


# Nothing else may become part of a header.
_APP = re.compile(r"xapp-\d+-(A[A-Z0-9]{5,20})-\d{5,20}-[A-Za-z0-9]{20,128}")
_BOT = re.compile(r"xoxb-[A-Za-z0-9-]{20,200}")
_USER = re.compile(r"[UW][A-Z0-9]{2,20}")
SETTINGS = ("on", "users", "scope", "privacy")
_TELLING_SCOPE = "instruct"


class SlackKind:
    name = NAME
    title = "Slack"
    secrets: Mapping[str, str] = {
        "app_token": "The app-level token (xapp-…)",
        "bot_token": "The bot user's OAuth token (xoxb-…)",
    }
    # Said before the secrets are asked for.
    guide = GUIDE

    async def check(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Checked:
        """Asks Slack about both tokens, and hands out a code by which one person is connected."""
        users = _users(settings)
        app_id, web = _web(secrets, tools)
        try:
            me = await web.me()
            await web.socket()
        finally:
            await web.close()
        code = binding.begun(app_id).code
        name = str(me.get("user", ""))
        called = f"@{name}" if re.fullmatch(r"[\w.-]{1,80}", name) else "the app"
        todo = f"Send {code} to {called} on Slack, as a direct message. Whoever sends it can answer your agents."
        return Checked(who(me), {"users": list(users)}, todo)

    def made(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Slack:
        app_id, web = _web(secrets, tools)
        if odd := [name for name in settings if name not in SETTINGS]:
            raise BadSettingsError(f"[surface.slack] has no setting “{odd[0]}”; it has {', '.join(SETTINGS)}.")
        privacy = settings.get("privacy", "open")
        if privacy not in ("open", "masked"):
            raise BadSettingsError('privacy in [surface.slack] is "open" or "masked".')
        return Slack(
            web,
            app_id,
            _users(settings),
            tools,
            is_masked=privacy == "masked",
            can_tell=settings.get("scope", _TELLING_SCOPE) == _TELLING_SCOPE,
        )


def _web(secrets: Mapping[str, str], tools: Tools) -> tuple[str, Web]:
    app, bot = secrets.get("app_token", "").strip(), secrets.get("bot_token", "").strip()
    match = _APP.fullmatch(app)
    if match is None:
        raise TokenError("This is no app-level token of Slack. It begins with xapp- and stands in Basic Information.")
    if not _BOT.fullmatch(bot):
        raise TokenError("This is no token of a bot on Slack. It begins with xoxb- and stands in Install App.")
    return match[1], Web.of(bot, app, tools.address)


def _users(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """As Slack numbers people. A name could be given up and taken by another person."""
    users = settings.get("users", [])
    if not isinstance(users, list) or not all(isinstance(each, str) and _USER.fullmatch(each) for each in users):
        raise BadSettingsError('users in [surface.slack] is a list of member IDs, such as ["U012ABCDEF"].')
    return tuple(dict.fromkeys(users))


KIND = SlackKind()
