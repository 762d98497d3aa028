"""Asks as notifications on the desktop: Deny and Open, and never more."""

import asyncio
import logging
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest, ShownAsk
from assent.surfaces import button_payload
from assent.surfaces.ask_text import ask_summary, notice_summary
from assent.surfaces.base import (
    HARMLESS,
    Audience,
    BadSettingsError,
    GoneError,
    Notice,
    Privacy,
    Ref,
    Sender,
    SurfaceError,
    Traits,
    offered,
)
from assent.surfaces.desktop import program
from assent.surfaces.desktop.program import Buttons, Mac, Notifier
from assent.surfaces.registry import Checked, Tools
from assent.text import wording

log = logging.getLogger("assent.surfaces")

NAME = "desktop"
# A desktop that is not there may come with a login.
PAUSE = 30.0
MOST_USED = 500
_BURST = "burst-"
_OPEN = "open:"
_DEFAULT = "default"
_NO: tuple[Choice, ...] = ("deny", "decline", "let_stop")
_STOP: tuple[Choice, ...] = ("deny_and_stop",)
_SENDER = Sender("desktop", "desktop")


@dataclass(slots=True)
class Desktop:
    tools: Tools = field(repr=False)
    privacy: Privacy = "masked"
    pause: float = PAUSE
    name: str = NAME
    notifier: Notifier = field(init=False)
    traits: Traits = field(init=False)
    # Where each ask stands, so that a click on its notification opens it.
    _places: dict[str, str] = field(default_factory=dict)
    _used: dict[str, None] = field(default_factory=dict)

    def use(self, notifier: Notifier) -> None:
        self.notifier = notifier
        self.traits = Traits(shows_all=False, may_answer=notifier.can_press, is_private=False)

    @property
    def trouble(self) -> str:
        return self.notifier.trouble

    async def show(self, ask: ShownAsk, audience: Audience) -> Ref:
        key = f"{_BURST}{ask.subject.session[:40]}" if audience.gist else ask.id
        return await self._show(key, ask, audience, "" if self.notifier.can_press else key)

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None:
        await self._show(ref.key, ask, audience, _place(ref))

    async def withdraw(self, ref: Ref, why: str) -> None:  # noqa: ARG002  it goes without a word
        self._places.pop(_place(ref), None)
        try:
            await self.notifier.remove(_place(ref))
        except GoneError:
            # With the desktop went what it showed.
            return

    async def notify(self, notice: Notice, audience: Audience) -> Ref:
        title, text = notice_summary(notice, replace(audience, privacy=self.privacy))
        place = "" if self.notifier.can_press else notice.key
        place = await self.notifier.show(title, text, (), is_loud=False, link="", place=place)
        return Ref(NAME, notice.key, (place,))

    async def probe(self) -> str:
        await self.notifier.probe()
        return "Notifications can be shown here."

    async def listen(self) -> None:
        while True:
            try:
                await self.notifier.pressed()
            except SurfaceError as error:
                log.debug("desktop: %s", error.message)
            await asyncio.sleep(self.pause)

    async def close(self) -> None:
        pass

    async def pressed(self, place: str, action: str) -> None:
        """A button was pressed, perhaps of another program."""
        if action.startswith(_OPEN) or (action == _DEFAULT and place in self._places):
            await self._open(action.removeprefix(_OPEN) if action != _DEFAULT else self._places[place])
            return
        press = button_payload.read(self.tools.key, action)
        if press is None or press.nonce in self._used or press.choice not in HARMLESS:
            return
        self._used[press.nonce] = None
        if len(self._used) > MOST_USED:
            del self._used[next(iter(self._used))]
        answer = AnswerRequest(rev=press.rev, hash=press.hash, choice=press.choice)
        outcome = await self.tools.inbox.answer(_SENDER, press.ask, answer)
        if not outcome.is_taken:
            await self._tell(outcome.words, press.ask)

    async def _show(self, key: str, ask: ShownAsk, audience: Audience, place: str) -> Ref:
        title, text = ask_summary(ask, replace(audience, privacy=self.privacy))
        link = self.tools.link(ask.id)
        buttons = self._buttons(ask, audience, link)
        is_loud = ask.risk.level == "danger"
        place = await self.notifier.show(title, text, buttons, is_loud=is_loud, link=link, place=place)
        self._places[place] = ask.id
        if len(self._places) > MOST_USED:
            del self._places[next(iter(self._places))]
        return Ref(NAME, key, (place,))

    def _buttons(self, ask: ShownAsk, audience: Audience, link: str) -> Buttons:
        ways = {way.choice for way in offered(ask, self.traits, audience)}
        now = int(time.time() * 1_000)
        no = [
            (button_payload.signed(self.tools.key, ask, choice, now), wording.offer(choice))
            for choice in (_STOP if audience.gist else _NO)
            if choice in ways
        ]
        return (*no[:1], *(((f"{_OPEN}{ask.id}", "Open"),) if link else ()))

    async def _open(self, name: str) -> None:
        # Other programs name their buttons as they like.
        url = self.tools.link(name) if self.tools.inbox.ask(name) is not None else ""
        if not url:
            return
        try:
            await self.notifier.open(url)
        except SurfaceError as error:
            log.info("desktop: an ask could not be opened: %s", error.message)

    async def _tell(self, words: str, name: str) -> None:
        """Say that a press did not count."""
        try:
            await self.notifier.show("Not taken", f"{words}\nid {name}", (), is_loud=False, link="", place="")
        except SurfaceError as error:
            log.info("desktop: the notice that a press did not count failed: %s", error.message)


def _place(ref: Ref) -> str:
    return ref.more[0] if ref.more else ""


class DesktopKind:
    name = NAME
    title = "desktop notifications"
    secrets: Mapping[str, str] = {}

    async def check(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Checked:
        """Shows nothing: a test ask tells whether it can be seen."""
        surface = self.made(settings, secrets, tools)
        words = await surface.probe()
        if surface.notifier.can_press:
            return Checked(f"{words} They offer Deny and Open.")
        return Checked(f"{words} Nothing can be answered on them: macOS brings no press back.")

    def made(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Desktop:  # noqa: ARG002
        privacy = settings.get("privacy", "masked")
        if privacy not in ("open", "masked"):
            raise BadSettingsError('privacy in [surface.desktop] is "open" or "masked".')
        surface = Desktop(tools, privacy)
        if sys.platform == "darwin":
            surface.use(Mac(program.found("terminal-notifier"), program.found("osascript")))
        else:
            # Its library is not installed on macOS.
            from assent.surfaces.desktop.bus import Bus

            surface.use(Bus(surface.pressed))
        return surface


KIND = DesktopKind()
