"""Asks as notifications of ntfy: replaced where they stand, and answered by what comes back on a second topic."""

import asyncio
import ipaddress
import logging
import re
import time
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from msgspec.structs import replace

from assent.protocol.card import AnswerRequest, ShownAsk, Way
from assent.surfaces import button_payload
from assent.surfaces.ask_text import notice_summary
from assent.surfaces.base import (
    HARMLESS,
    TURN,
    Audience,
    BadSettingsError,
    FailedError,
    GoneError,
    Notice,
    RateLimitedError,
    Ref,
    Sender,
    SurfaceError,
    Traits,
    offered,
)
from assent.surfaces.button_payload import ButtonPayload
from assent.surfaces.ntfy import card as cards
from assent.surfaces.ntfy.card import Actions, Card
from assent.surfaces.ntfy.server import Event, Server, authorization, is_token
from assent.surfaces.registry import Checked, Tools
from assent.surfaces.signing import mac
from assent.text.ask_state import is_waiting

log = logging.getLogger("assent.surfaces")

NAME = "ntfy"
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
# What was pressed while no hub ran. Servers keep messages for so long.
SINCE = "12h"
# Written by the check only.
CHECK = "assent: is this server there?"
OPEN_SERVER = "Assent asks: may anybody write here? Yes, and nobody should."
MOST_USED = 2_000
# Access rules change.
BELIEVED_FOR = 600.0
_BURST = "burst-"
_DERIVED = 22
_QUIET, _USUAL, _LOUD = 1, 3, 4
_SENDER = Sender("ntfy", "ntfy")


@dataclass(slots=True)
class Ntfy:
    server: Server
    topic: str = field(repr=False)
    tools: Tools = field(repr=False)
    # A server of one's own that requires a login. It is verified before it is believed.
    is_own: bool = False
    is_masked: bool = True
    first_pause: float = FIRST_PAUSE
    name: str = NAME
    trouble: str = ""
    traits: Traits = field(init=False)
    _is_closed_to_others: bool | None = None
    _asked: float = 0.0
    _used: dict[str, None] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        shows_all = self.is_own and not self.is_masked
        self.traits = Traits(shows_all=shows_all, may_answer=True, is_private=shows_all)

    @property
    def state_words(self) -> str:
        if self.is_own and self._is_closed_to_others is False:
            return "The server lets in people without a login, so messages are masked."
        return "Connected to your own server." if self.is_own else "Connected; messages are masked."

    @property
    def reply_topic(self) -> str:
        return reply_topic(self.tools.key, self.topic)

    async def show(self, ask: ShownAsk, audience: Audience) -> Ref:
        await self._publish(ask, audience)
        return Ref(NAME, _key(ask, audience))

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None:  # noqa: ARG002  the key is the ask's
        await self._publish(ask, audience)

    async def notify(self, notice: Notice, audience: Audience) -> Ref:
        is_open = await self._is_guarded() and not self.is_masked
        title, text = notice_summary(notice, replace(audience, privacy="open" if is_open else "masked"))
        await self.server.publish(self._message(Card(title, text), notice.key, _USUAL))
        return Ref(NAME, notice.key)

    async def withdraw(self, ref: Ref, why: str) -> None:
        if ref.key.startswith(TURN):
            await self.server.remove(self.topic, self._sequence(ref.key))
            return
        name = "" if ref.key.startswith(_BURST) else ref.key
        is_open = await self._is_guarded() and not self.is_masked
        made = cards.over(self.tools.inbox.ask(name) if name and is_open else None, name, why, _now())
        await self.server.publish(self._message(made, ref.key, _QUIET))

    async def probe(self) -> str:
        if not await self.server.can_read(self.reply_topic):
            raise GoneError("The ntfy server does not let this login in any more.")
        if self.is_own and await self.server.lets_strangers_read(self.topic):
            raise FailedError("The ntfy server lets anybody read, so messages are masked although own = true.")
        return "Its server answers."

    async def listen(self) -> None:
        since, pause = SINCE, self.first_pause
        while True:
            try:
                opened = 0
                async for event in self.server.news(self.reply_topic, since):
                    pause = self.first_pause
                    since = str(event.time) if event.time > 0 else since
                    opened = event.time if event.event == "open" else opened
                    if event.event == "message" and event.message != CHECK:
                        self._soon(self._pressed(event, is_old=event.time < opened))
            except RateLimitedError as error:
                pause = max(error.retry_after, self.first_pause)
            except GoneError as error:
                self.trouble = error.message[:1].lower() + error.message[1:].removesuffix(".")
                raise
            except FailedError as error:
                log.info("ntfy: %s Trying again in %.0f s.", error.message, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.server.close()

    async def _publish(self, ask: ShownAsk, audience: Audience) -> None:
        ask = self._mine(ask)
        is_open = await self._is_guarded() and not self.is_masked
        made = cards.card(ask, replace(audience, privacy="open" if is_open else "masked"), _now())
        ways = self._offered(ask, audience, is_whole=is_open and made.is_whole)
        actions = self._actions()
        now = int(_now())
        buttons = actions.of_many(ask, ways, now) if audience.gist else actions.of(ask, ways, now)
        is_loud = ask.risk.level in ("care", "danger") or audience.is_reminder
        message = self._message(made, _key(ask, audience), _LOUD if is_loud else _USUAL)
        url = self.tools.link(ask.id)
        await self.server.publish(message | {"actions": buttons} | ({"click": url} if url else {}))

    def _offered(self, ask: ShownAsk, audience: Audience, *, is_whole: bool) -> tuple[Way, ...]:
        return offered(ask, replace(self.traits, shows_all=is_whole, is_private=is_whole), audience)

    def _actions(self) -> Actions:
        # Only an own server is handed the login it gave out, and only in messages that others cannot read.
        login = self.server.authorization if self._is_closed_to_others else ""
        return Actions(self.tools.key, f"{self.server.base}/{self.reply_topic}", self.tools.link, login)

    def _message(self, made: Card, key: str, priority: int) -> dict[str, Any]:
        return {
            "topic": self.topic,
            "title": made.title,
            "message": made.text,
            "priority": priority,
            # The same sequence replaces the message before; a server too old for that shows one more.
            "sequence_id": self._sequence(key),
        }

    def _sequence(self, key: str) -> str:
        return mac(self.tools.key, "sequence", key)[:_DERIVED]

    def _mine(self, ask: ShownAsk) -> ShownAsk:
        """With what may be answered here, where the hub still knows it so."""
        now = self.tools.inbox.ask(ask.id)
        return now if now is not None and (now.rev, now.hash) == (ask.rev, ask.hash) else ask

    async def _is_guarded(self) -> bool:
        """Whether the server is what its owner says: asked now and then, before anything is told there."""
        if not self.is_own:
            return False
        if self._is_closed_to_others is None or time.monotonic() - self._asked > BELIEVED_FOR:
            self._is_closed_to_others = not await is_open_to_strangers(self.server, self.topic)
            self._asked = time.monotonic()
            if not self._is_closed_to_others:
                log.warning("ntfy: the server lets in people without a login, so nothing is told or allowed there.")
        return self._is_closed_to_others

    async def _pressed(self, event: Event, *, is_old: bool) -> None:
        press = button_payload.read(self.tools.key, event.message)
        if press is None:
            if not is_old:
                self.tools.inbox.stranger("ntfy", "a press that was not made here")
            return
        ask = self.tools.inbox.ask(press.ask)
        if press.nonce in self._used or (is_old and (ask is None or not is_waiting(ask))):
            return
        self._use(press)
        if ask is None or press.until < _now():
            await self._note(press, "Too late: this button counts no more.")
        elif press.choice in HARMLESS or await self._may_agree(press):
            answer = AnswerRequest(rev=press.rev, hash=press.hash, choice=press.choice, answers=_answers(press, ask))
            outcome = await self.tools.inbox.answer(_SENDER, press.ask, answer)
            if not outcome.is_taken:
                await self._note(press, outcome.words)

    async def _may_agree(self, press: ButtonPayload) -> bool:
        try:
            is_guarded = await self._is_guarded()
        except SurfaceError:
            await self._note(press, "It was not known whether anybody else can press here. Open it, or try again.")
            return False
        if self.is_masked or not is_guarded:
            self.tools.inbox.stranger("ntfy", "an answer that cannot be given on this server")
            return False
        return True

    def _use(self, press: ButtonPayload) -> None:
        self._used[press.nonce] = None
        if len(self._used) > MOST_USED:
            del self._used[next(iter(self._used))]

    async def _note(self, press: ButtonPayload, words: str) -> None:
        """Say that a press did not count."""
        key = f"note-{press.nonce}"
        try:
            await self.server.publish(self._message(Card("Not taken", f"{words}\nid {press.ask}"), key, _USUAL))
        except SurfaceError as error:
            log.info("ntfy: the notice that a press did not count failed: %s", error.message)

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Beside the subscription: a service that hangs blocks nothing else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("ntfy: a press was lost (%s)", type(error).__name__)


async def is_open_to_strangers(server: Server, topic: str) -> bool:
    """Readers of the topic could press the buttons in it."""
    if await server.lets_strangers_read(topic):
        return True
    return await server.lets_strangers_write({"topic": topic, "message": OPEN_SERVER, "priority": _QUIET})


def reply_topic(key: bytes, topic: str) -> str:
    """As secret as the topic, and covered by the same ``agents*`` in a server's access rules."""
    return f"{topic[:40]}-{mac(key, 'reply', topic)[:_DERIVED]}"


def _answers(press: ButtonPayload, ask: ShownAsk) -> dict[str, str]:
    if press.choice != "answer" or len(ask.view.questions) != 1:
        return {}
    one = ask.view.questions[0]
    at = int(press.argument)
    return {one.question: one.options[at].label} if at < len(one.options) else {}


def _key(ask: ShownAsk, audience: Audience) -> str:
    return f"{_BURST}{ask.subject.session}" if audience.gist else ask.id


def _now() -> float:
    return time.time() * 1_000


SERVER = "https://ntfy.sh"
# Public servers: never one's own, whatever the settings say.
PUBLIC = frozenset(
    {
        "ntfy.sh",
        "ntfy.adminforge.de",
        "ntfy.envs.net",
        "ntfy.fossman.de",
        "ntfy.hostux.net",
        "ntfy.jae.fi",
        "ntfy.mzte.de",
        "ntfy.tedomum.net",
    }
)
# Where nothing but its name protects a topic.
SHORTEST = 16
_TOPIC = re.compile(r"[-_A-Za-z0-9]{1,64}")
_NO_ADDRESS = 'server in [surface.ntfy] is an address, such as "https://ntfy.example.org".'
_OLD = "The server is older than 2.16: a message is not replaced, a short one follows it."


class NtfyKind:
    name = NAME
    title = "ntfy"
    secrets: Mapping[str, str] = {
        "topic": "The topic your phone is subscribed to (on a public server, 16 random letters and digits or more)",
        "login": "An access token (tk_…), or name:password; “none” for a server that wants none",
    }

    async def check(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Checked:
        """Publishes where only the hub listens, and tries what strangers could do."""
        surface = self.made(settings, secrets, tools)
        server, topic, replies = surface.server, surface.topic, surface.reply_topic
        try:
            if surface.is_own and await is_open_to_strangers(server, topic):
                raise FailedError(
                    "own = true is for a server that wants a login, and this one lets anybody read the topic or write "
                    "to it. Set auth-default-access: deny-all there, or leave own out."
                )
            published = await server.publish(
                {"topic": replies, "message": CHECK, "priority": 1, "sequence_id": "check"}
            )
            if not await server.can_read(replies):
                raise FailedError("The ntfy server lets this login write, but not read, and so no press comes back.")
            if not surface.is_own and not await server.lets_strangers_write({"topic": replies, "message": CHECK}):
                raise FailedError(
                    "This server wants a login, which no message on it may carry unless it is your own, and so no "
                    "press comes back. If it is, connect it with own = true and an access token."
                )
        finally:
            await surface.close()
        words = ["This server is your own." if surface.is_own else "This server is not your own: messages are masked."]
        if published.get("sequence_id") != "check":
            words.append(_OLD)
        todo = "" if surface.is_own else "Subscribe to the topic in the ntfy app. Whoever knows it can deny."
        return Checked(" ".join(words), {}, todo)

    def made(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Ntfy:
        server, host = _server(settings)
        topic, login = secrets.get("topic", "").strip(), secrets.get("login", "").strip()
        is_own = settings.get("own", False)
        privacy = settings.get("privacy", "open" if is_own else "masked")
        if not isinstance(is_own, bool):
            raise BadSettingsError("own in [surface.ntfy] is true or false.")
        if privacy not in ("open", "masked"):
            raise BadSettingsError('privacy in [surface.ntfy] is "open" or "masked".')
        if not _TOPIC.fullmatch(topic):
            raise SurfaceError("A topic is made of up to 64 letters, digits, - and _.")
        try:
            header = authorization(login)
        except ValueError:
            raise SurfaceError("This is no login: an access token begins with tk_, else it is name:password.") from None
        if is_own:
            _own(host, login)
        elif privacy == "open":
            raise BadSettingsError('privacy = "open" in [surface.ntfy] needs a server of your own (own = true).')
        elif len(topic) < SHORTEST:
            raise SurfaceError(f"Whoever guesses the topic reads it, so it needs {SHORTEST} characters or more.")
        base = tools.address or server
        return Ntfy(Server(base, header), topic, tools, is_own=is_own, is_masked=privacy == "masked")


def _own(host: str, login: str) -> None:
    if any(host == name or host.endswith(f".{name}") for name in PUBLIC):
        raise BadSettingsError(f"own = true in [surface.ntfy]: {host} is a public server.")
    if not is_token(login):
        # Messages carry it, so that a press can come back.
        raise BadSettingsError("own = true in [surface.ntfy] needs an access token (tk_…), not a password.")


def _server(settings: Mapping[str, Any]) -> tuple[str, str]:
    """Its address without a slash at the end, and its name."""
    text = settings.get("server", SERVER)
    try:
        parts = urlsplit(text if isinstance(text, str) else "")
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise BadSettingsError(_NO_ADDRESS) from None
    is_bare = bool(host) and not (parts.username or parts.password or parts.query or parts.fragment)
    if not is_bare or not text.isprintable() or " " in text:
        raise BadSettingsError(_NO_ADDRESS)
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_this_machine(host)):
        raise BadSettingsError("server in [surface.ntfy] is spoken to over https, unless it is on this machine.")
    return text.rstrip("/"), host


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


KIND = NtfyKind()
