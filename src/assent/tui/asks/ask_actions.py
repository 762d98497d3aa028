"""Actions on the ask on the screen, by name: the same for keys and the palette."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from textual.widget import Widget

from assent.actions import BY_NAME
from assent.errors import AssentError
from assent.hub_state import snippets
from assent.protocol.bodies import Choice
from assent.protocol.card import Offer, ShownAsk
from assent.text.invisible import drawn
from assent.text.wording import MAIN, hint
from assent.tui import jumping
from assent.tui.asks.ask_view import Thing, Typing
from assent.tui.asks.yes import CHANGED, UNREAD, Yes
from assent.tui.shared import Shared

_FOOTER = (
    ("allow_here", "A", hint("allow_here")),
    # Among the first three: the others give way on narrow screens.
    ("", "d", ""),
    ("", "=", ""),
    ("allow_session", "s", hint("allow_session")),
    ("allow_project", "R", hint("allow_project")),
    ("allow_for", "m", hint("allow_for")),
    ("deny", "D", "tell…"),
    ("allow_edited", "e", hint("allow_edited")),
    ("deny_here", "N", hint("deny_here")),
    ("deny_and_stop", "x", hint("deny_and_stop")),
    ("hand_back", "t", hint("hand_back")),
)
# What lasts is not held out where it is dangerous; the keys and their help stay.
_LASTING = frozenset({"allow_here", "allow_session", "allow_project", "allow_for"})


class AskPanel(Widget):
    """What the actions need of the widget that shows an ask."""

    shared: Shared
    ask: ShownAsk | None
    thing: Thing | None
    yes: Yes | None
    is_raw: bool

    @property
    def can_answer(self) -> bool:
        raise NotImplementedError

    def press(self, choice: Choice, fields: dict[str, Any] | None = None, *, is_sure: bool = False) -> str | None:
        raise NotImplementedError

    def complain(self, why: str | None) -> None:
        raise NotImplementedError

    def key(self, key: str) -> bool:
        raise NotImplementedError

    def redraw(self, *, from_top: bool = False) -> None:
        raise NotImplementedError

    def to_end(self) -> None:
        raise NotImplementedError


class Doings:
    def __init__(self, detail: AskPanel) -> None:
        self._detail = detail
        # Goes with an allow; the agent reads it when the call is done.
        self.note = ""

    @property
    def _ask(self) -> ShownAsk:
        assert self._detail.ask is not None
        return self._detail.ask

    @property
    def _snippets(self) -> list[str]:
        return snippets(self._detail.shared.mirror.hub, self._ask.subject.project)

    def has(self, choice: Choice) -> bool:
        return self._detail.yes is not None and self._detail.yes.has(choice)

    @property
    def _may_instruct(self) -> bool:
        return self._detail.yes is not None and self._detail.yes.may_instruct

    @property
    def alike(self) -> int:
        """How many can be answered at once, as far as is known here; 0 for this one alone."""
        return seem_alike(self._ask, self._detail.shared.mirror.waiting)

    def along(self, choice: Choice) -> dict[str, Any]:
        return {"message": self.note} if self.note and choice.startswith("allow") else {}

    def commands(self) -> dict[str, Callable[[], None]]:
        no, yes = MAIN[self._ask.kind]
        answers: dict[str, tuple[bool, Callable[[], None]]] = {
            "ask.allow": (self.has(yes), self._approve if yes == "approve" else lambda: self._press(yes)),
            "ask.deny": (self.has(no), lambda: self._press(no)),
            "ask.allow_session": (self.has("allow_session"), lambda: self._run(self._allow_session())),
            "ask.stop_asking": (self.has("allow_here"), lambda: self._open(self._stop_asking)),
            "ask.allow_for": (self.has("allow_for"), lambda: self._open(self._allow_for)),
            "ask.deny_here": (self.has("deny_here"), lambda: self._run(self._deny_here())),
            "ask.always": (self.has("allow_project"), lambda: self._open(self._always)),
            "ask.deny_tell": (self.has("deny") and self._may_instruct, self._deny_and_tell),
            "ask.edit": (self.has("allow_edited"), lambda: self._open(self._edit)),
            "ask.deny_stop": (self.has("deny_and_stop"), lambda: self._press("deny_and_stop")),
            "ask.hand_back": (self.has("hand_back"), lambda: self._press("hand_back")),
            "ask.cancel": (self.has("cancel"), lambda: self._press("cancel")),
            "ask.alike": (self.alike > 0, lambda: self._run(self._answer_alike())),
            "ask.note": (self.has("allow") and self._may_instruct, self._add_note),
        }
        can = self._detail.can_answer
        commands = {name: act for name, (is_offered, act) in answers.items() if is_offered and can}
        commands |= {"ask.raw": self._raw, "ask.copy": self._copy, "ask.end": self._detail.to_end}
        if self._ask.subject.session:
            commands["ask.queue"] = self._queue
        if go := jumping.way(self._detail.shared, self._ask.subject.session, self._run):
            commands["ask.jump"] = go
        return commands | self._views()

    def _views(self) -> dict[str, Callable[[], None]]:
        """What is done inside of the thing itself, by name: as its own keys do it."""
        detail, view = self._detail, self._ask.view
        names: list[str] = []
        if detail.thing is not None and not detail.is_raw:
            names += ("view.diff", "view.previous", "view.next") if view.diffs else ()
            names += ("view.diff",) if self._ask.round else ()
            names += ("view.other",) if view.questions and detail.can_answer else ()
        commands = {name: self._as_key(BY_NAME[name].key) for name in names}
        return commands | ({"view.pick": self._pick} if "view.other" in names else {})

    def _as_key(self, key: str) -> Callable[[], None]:
        def press() -> None:
            self._detail.key(key)

        return press

    def _pick(self) -> None:
        thing = self._detail.thing

        def pick(text: str) -> str | None:
            if self._detail.thing is not thing:
                return CHANGED
            if text.strip() not in [*"123456789"]:
                return "Type the number before the option."
            self._detail.key(text.strip())
            return None

        self._detail.shared.prompt(Typing("number of the option:", pick))

    def keys(self) -> list[tuple[str, str]]:
        if self._detail.ask is None:
            return []
        if not self._detail.can_answer:
            return [("r", "raw"), ("y", "copy")]
        no, yes = MAIN[self._ask.kind]
        keys = [("a", hint(yes))] if self.has(yes) else []
        hidden = _LASTING if self._ask.risk.level == "danger" else frozenset()
        for choice, key, word in _FOOTER:
            if key == "d" and self.has(no):
                keys.append(("d", hint(no, self._ask.kind)))
            elif choice and choice not in hidden and self.has(choice):  # type: ignore[arg-type]
                keys.append((key, word))
            elif key == "=" and (count := self.alike):
                keys.append((key, f"these {count}…"))
        return [*keys, ("r", "raw")]

    def _press(self, choice: Choice, fields: dict[str, Any] | None = None, *, is_sure: bool = False) -> None:
        self._detail.complain(self._detail.press(choice, fields, is_sure=is_sure))

    def _run(self, doing: Coroutine[Any, Any, None]) -> None:
        self._detail.run_worker(doing, exclusive=True, group="doing")

    def _open(self, sheet: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """A sheet says yes in the end, so it opens where a yes is possible."""
        if self._detail.yes is not None and not self._detail.yes.end_seen:
            self._detail.complain(UNREAD)
        else:
            self._run(sheet())

    def _deny_and_tell(self) -> None:
        yes = self._detail.yes

        def tell(text: str) -> str | None:
            if self._detail.yes is not yes:
                return CHANGED
            return self._detail.press("deny", {"message": text.strip()} if text.strip() else {})

        self._detail.shared.prompt(Typing("deny and tell the agent:", tell, picks=self._snippets))

    def _add_note(self) -> None:
        thing = self._detail.thing

        def keep(text: str) -> str | None:
            if self._detail.thing is not thing:
                return CHANGED
            self.note = text.strip()
            self._detail.redraw()
            return None

        self._detail.shared.prompt(Typing("note that goes with your allow:", keep, self.note))

    async def _offers(self) -> list[Offer] | None:
        try:
            return await asyncio.to_thread(self._detail.shared.client.offers, self._ask.id)
        except AssentError as error:
            self._detail.shared.warn(str(error))
            return None

    async def _allow_session(self) -> None:
        yes = self._detail.yes
        offers = await self._offers()
        if offers is None or self._detail.yes is not yes:
            return
        offer = next((offer for offer in offers if "session" in offer.scopes), None)
        if offer is None:
            await self._always()
        else:
            self._press("allow_session", {"grant": offer.grant})

    async def _stop_asking(self) -> None:
        from assent.tui.asks.dialogs.always import StaySheet

        yes, ask = self._detail.yes, self._ask
        self._answered(yes, await self._detail.app.push_screen_wait(StaySheet(self._detail.shared, ask)))

    async def _allow_for(self) -> None:
        from assent.tui.asks.dialogs.always import TimedSheet

        yes, ask = self._detail.yes, self._ask
        self._answered(yes, await self._detail.app.push_screen_wait(TimedSheet(self._detail.shared, ask)))

    async def _deny_here(self) -> None:
        from assent.tui.asks.dialogs.picker import DenySheet

        yes, ask = self._detail.yes, self._ask
        try:
            denials = await asyncio.to_thread(self._detail.shared.client.denials, ask.id)
        except AssentError as error:
            self._detail.shared.warn(str(error))
            return
        if self._detail.yes is not yes:
            return
        if not denials:
            self._detail.shared.warn("There is no rule that could deny this from now on.")
            return
        self._answered(yes, await self._detail.app.push_screen_wait(DenySheet(self._detail.shared, ask, denials)))

    async def _answer_alike(self) -> None:
        from assent.tui.asks.dialogs.alike import AlikeSheet

        shared, yes = self._detail.shared, self._detail.yes
        try:
            asks = await asyncio.to_thread(shared.client.alike, self._ask.id)
        except AssentError as error:
            shared.warn(str(error))
            return
        if self._detail.yes is not yes:
            return
        if not asks:
            shared.say("Nothing else that waits can be answered together with this one.")
            return
        fields = await self._detail.app.push_screen_wait(AlikeSheet(shared, asks))
        if fields is not None:
            shared.answers.give_all(asks, fields["choice"])

    async def _always(self) -> None:
        from assent.tui.asks.dialogs.always import AlwaysSheet

        yes, ask = self._detail.yes, self._ask
        offers = await self._offers()
        if offers is None or self._detail.yes is not yes:
            return
        self._answered(yes, await self._detail.app.push_screen_wait(AlwaysSheet(self._detail.shared, ask, offers)))

    def _approve(self) -> None:
        """A plan is approved with the mode that follows; where it cannot be, no sheet asks for it."""
        assert self._detail.thing is not None
        why = self._detail.thing.read("approve")
        if isinstance(why, str):
            self._detail.complain(why)
        else:
            self._open(self._pick_mode)

    async def _pick_mode(self) -> None:
        from assent.tui.asks.dialogs.picker import ModeSheet

        yes, ask = self._detail.yes, self._ask
        self._answered(yes, await self._detail.app.push_screen_wait(ModeSheet(self._detail.shared, ask)))

    async def _edit(self) -> None:
        from assent.tui.asks.dialogs.edit import EditSheet

        yes, ask = self._detail.yes, self._ask
        fields = await self._detail.app.push_screen_wait(EditSheet(self._detail.shared, ask))
        self._answered(yes, fields)

    def _answered(self, yes: object, fields: dict[str, Any] | None) -> None:
        """What a sheet brought: two presses in two places, so it is sure."""
        if fields is None:
            return
        if self._detail.yes is not yes:
            self._detail.shared.warn("It changed while the sheet was open, so nothing was sent. Read it again.")
            return
        self._press(fields.pop("choice"), fields, is_sure=True)

    def _queue(self) -> None:
        session = self._ask.subject.session

        def add(text: str) -> str | None:
            if not text.strip():
                return "Nothing was written. Esc closes this."
            self._run(self._add_to_queue(session, text.strip()))
            return None

        self._detail.shared.prompt(Typing("queue an instruction:", add, picks=self._snippets))

    async def _add_to_queue(self, session: str, text: str) -> None:
        try:
            await asyncio.to_thread(self._detail.shared.client.queue_add, session, text)
            self._detail.shared.say("Added to the queue: delivered when this session next stops.")
        except AssentError as error:
            self._detail.shared.warn(str(error))

    def _raw(self) -> None:
        self._detail.is_raw = not self._detail.is_raw
        self._detail.redraw(from_top=True)

    def _copy(self) -> None:
        self._detail.app.copy_to_clipboard(_plain_text(self._ask))
        self._detail.shared.say("Copied, if your terminal lets programs do that.")


def seem_alike(ask: ShownAsk, others: Sequence[ShownAsk]) -> int:
    """How many of those that wait look like this one, itself counted; 0 where it is alone. The hub decides."""
    if ask.kind != "permission" or ask.risk.level == "danger":
        return 0
    found = sum(_looks(other) == _looks(ask) for other in others)
    return found if found > 1 else 0


def _looks(ask: ShownAsk) -> tuple[str, ...]:
    return ask.kind, ask.subject.project, ask.view.tool, ask.view.verb, ask.risk.level


def _plain_text(ask: ShownAsk) -> str:
    """The text to copy: the command, the plan, or the input as it came. What cannot be seen in it is
    spelled out: pasted into a shell, it could end the paste and press Enter."""
    view = ask.view
    if view.segments:
        return drawn("".join(segment.text for segment in view.segments))
    return drawn(view.markdown or json.dumps(view.raw, indent=2, ensure_ascii=False), is_command=False)
