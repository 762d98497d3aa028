"""The ask being read: its heading, the whole card, how it stands, and what a key does to it."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical

from assent.protocol.bodies import Choice
from assent.protocol.card import ShownAsk
from assent.text.ask_state import is_waiting, queued
from assent.tui.asks import ask_views, card
from assent.tui.asks.ask_actions import AskPanel, Doings
from assent.tui.asks.ask_view import Thing, Typing
from assent.tui.asks.yes import CHANGED, Arm, Give, No, Step, WantMatch, Yes
from assent.tui.drawing.text import Line, counted, ends, fit, greyed
from assent.tui.shared import Shared
from assent.tui.widgets.rows import Drawn
from assent.tui.widgets.text import Text

_CONFIRM: dict[str, str] = {
    "allow": "allow it",
    "allow_session": "allow it for this session",
    "answer": "send it",
    "approve": "approve it",
    "submit": "send it",
}


class Detail(AskPanel):
    """Bound to what is drawn: another revision of the ask is drawn anew, and answered anew."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(id="detail")
        self.shared = shared
        self.ask: ShownAsk | None = None
        self.thing: Thing | None = None
        self.yes: Yes | None = None
        self.doings = Doings(self)
        self.is_raw = False
        # Another one is selected already: what is still drawn is grey, and nothing answers it.
        self.is_behind = False
        # What is said instead of a card where there is none.
        self.empty: Callable[[int], list[Line]] = lambda _: []
        self._drawn_state: tuple[object, ...] = ()
        self._drawn_queue = ""
        self._head = Drawn(self._heading, shared.look, ground="on:surface", id="heading")
        # The end was seen when it was painted, not when a key asked for it: keys may come many at once.
        self._text = Text(self._lines, shared.look, lambda: self.call_after_refresh(self._look_for_end))
        self._is_arming = False
        self._foot = Drawn(self._status, shared.look, ground="on:surface", id="status")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self._head
            yield self._text
            yield self._foot

    # What is shown

    def fall_behind(self) -> None:
        """The selection moves on: until the next one is drawn, this one must not pass for it."""
        if self.ask is not None and not self.is_behind:
            self.is_behind = True
            self.shared.grace.begin()
            self._text.fade()
            self._head.refresh()
            self.refresh_state()

    def show(self, ask: ShownAsk | None) -> None:
        """Drawn anew only if what is shown changed; what was chosen in it stays as long as it is the same ask."""
        shown = None if ask is None else (ask.id, ask.rev, ask.hash, ask.choices, ask.state, ask.undelivered)
        was_behind, self.is_behind = self.is_behind, False
        if shown == self._drawn_state and self.ask is not None and not was_behind:
            self.ask = ask
            if self._queued != self._drawn_queue:
                self.redraw()
            self.refresh_state()
            return
        if ask is None and self.ask is None:
            # Nothing could be answered before, and nothing can be now: keys of other screens need not wait.
            self.redraw()
            return
        is_same = ask is not None and self.ask is not None and _bound(ask) == _bound(self.ask)
        self._drawn_state = shown or ()
        self.ask = ask
        if ask is None:
            self.thing = self.yes = None
        elif not is_same:
            self.thing, self.yes, self.is_raw = ask_views.thing_of(ask, self.shared), Yes(ask), False
            self.doings.note = ""
        else:
            self.yes = Yes(ask, end_seen=self.yes is not None and self.yes.end_seen)
        self.shared.grace.begin()
        self.redraw(from_top=not is_same)
        self.call_after_refresh(self._painted)

    def redraw(self, *, from_top: bool = False) -> None:
        self._text.reload()
        if from_top:
            self._text.scroll_home(animate=False, immediate=True)
        self._head.refresh()
        self.refresh_state()

    def refresh_state(self) -> None:
        self._foot.refresh()

    def _painted(self) -> None:
        self.shared.grace.painted()
        self._look_for_end()
        self.set_timer(0.45, self.refresh_state)

    def _look_for_end(self) -> None:
        """A yes is possible only once the end was on the screen."""
        is_laid_out = self._text.size.height > 0 and len(self._text.source) > 0
        is_whole = not self.is_raw and not getattr(self.thing, "is_partial", False)
        if self.yes is not None and is_whole and is_laid_out and self._text.is_at_end:
            self.yes.end_seen = True
        self.refresh_state()

    def on_resize(self, _: events.Resize) -> None:
        self.call_after_refresh(self._look_for_end)

    def _lines(self, width: int) -> list[Line]:
        drawn = self._drawn(width)
        return [greyed(line) for line in drawn] if self.is_behind else drawn

    def _drawn(self, width: int) -> list[Line]:
        if self.ask is None or self.thing is None:
            return self.empty(width)
        if self.is_raw:
            return card.raw(self.ask, width)
        self._drawn_queue = self._queued
        drawn = card.lines(self.ask, self.thing, width, self.shared.state(self.ask.id), self._drawn_queue)
        if self.doings.note:
            drawn = [*drawn, [("Your note  ", "text-2 strong"), *fit([(self.doings.note, "")], width - 11)]]
        return drawn

    @property
    def _queued(self) -> str:
        """What waits for the session; a turn that ended shows the whole queue itself."""
        if self.ask is None or self.ask.kind == "stop":
            return ""
        return queued(self.shared.mirror.queues.get(self.ask.subject.session, ()))

    def _heading(self, width: int) -> list[Line]:
        if self.ask is None:
            return []
        line: Line = [(" ", ""), *card.heading(self.ask, width - 1)]
        return [greyed(line) if self.is_behind else line]

    def _status(self, width: int) -> list[Line]:
        ask, yes = self.ask, self.yes
        if ask is None or yes is None:
            return []
        if self.is_behind:
            return [[("─" * width, "line")], [(" …", "text-3")]]
        below = self._text.lines_below
        more: Line = [(f"⋯ {counted(below, 'more line')} ", "care strong")] if below else []
        return [
            [("─" * width, "line")],
            ends([(" ", ""), *self._told(ask, yes)], [*more, (f"{ask.id} ", "text-3")], width),
        ]

    def _told(self, ask: ShownAsk, yes: Yes) -> Line:
        if refusal := self.shared.answers.refused.get(ask.id):
            return [("▲ ", "care strong"), (refusal, "care strong")]
        if not self.shared.is_live:
            lost = (
                "Hub not running, u starts it."
                if self.shared.link == "down"
                else f"Stream lost {self.shared.lost_for():.0f} s ago."
            )
            return [("▲ ", "care strong"), (f"{lost} Keys for answers are off.", "care strong")]
        if yes.armed:
            return [(f"Yes, {_CONFIRM.get(yes.armed[0], 'do it')}: press Enter", "focus strong")]
        state = self.shared.state(ask.id)
        line: Line = [(f"{state.sign} {state.text}".strip(), "text-2")]
        if self.shared.answers.phase(ask.id) == "held":
            line.append(("  u takes it back", "focus strong"))
        elif is_waiting(ask) and self.shared.grace.is_on:
            line.append(("  just changed, one moment", "text-3"))
        return line

    # What is done

    @property
    def can_answer(self) -> bool:
        """Whether a key may answer now: the hub is there, the ask waits, and nothing was answered from here."""
        ask = self.ask
        if ask is None or self.is_behind or not self.shared.is_live or not is_waiting(ask):
            return False
        return not self.shared.answers.has_answered(*_bound(ask))

    def press(self, choice: Choice, fields: dict[str, Any] | None = None, *, is_sure: bool = False) -> str | None:
        """Why nothing was answered; None if it was, or waits for one more step."""
        if self.ask is None or self.yes is None or self.thing is None:
            return None
        if not self.can_answer:
            return "The hub is not reached: nothing was sent." if not self.shared.is_live else None
        filled = self.thing.read(choice)
        if isinstance(filled, str):
            self._redraw_thing()
            return filled
        try:
            given = filled | self.doings.along(choice) | (fields or {})
            return self._take(self.yes.press(choice, given, now=time.monotonic(), is_sure=is_sure), given)
        except msgspec.ValidationError as error:
            return f"That is no answer: {error}."

    def confirm(self) -> bool:
        """Enter, after a key of its own armed an answer."""
        if self.yes is None or self.yes.armed is None:
            return False
        fields = self.yes.armed[1]
        if self.can_answer and (step := self.yes.confirm(time.monotonic())) is not None:
            self.complain(self._take(step, fields))
        self.refresh_state()
        return True

    def disarm(self) -> bool:
        was = self.yes is not None and self.yes.disarm()
        self.refresh_state()
        return was

    def complain(self, why: str | None) -> None:
        if why:
            self.shared.warn(why)

    def _take(self, step: Step, fields: dict[str, Any]) -> str | None:
        ask, yes = self.ask, self.yes
        assert ask is not None
        match step:
            case Give(request, undo):
                self.shared.answers.give(ask.id, request, undo=undo)
            case Arm():
                self._is_arming = True
                self.call_after_refresh(self._armed)
                self.set_timer(10.1, self.refresh_state)
            case WantMatch(choice):

                def matched(word: str) -> str | None:
                    if self.yes is not yes:
                        return CHANGED
                    return self.press(choice, {**fields, "match": word.strip()})

                self.shared.prompt(Typing("allow? type the match word, Enter:", matched))
            case No(why):
                return why
        self.refresh_state()
        return None

    def _armed(self) -> None:
        self._is_arming = False

    def key(self, key: str) -> bool:
        """Keys of the thing itself. Only those that lead to an answer have to wait for the moment after a change."""
        if key == "Enter" and self.yes is not None and self.yes.armed:
            # An Enter before its new meaning was shown does not count.
            return self._is_arming or (self.shared.grace.counts(key) and self.confirm())
        # Digits pick only where something can still be picked.
        if self.thing is None or self.is_raw or (key.isdigit() and not self.can_answer):
            return False
        # A page is opened once the address was shown, not for a key that was meant for what stood there before.
        if key == "o" and _is_address(self.ask) and not self.shared.grace.counts(key):
            return True
        did = self.thing.key(key)
        if isinstance(did, Typing):
            if self.can_answer:
                self.shared.prompt(self._redrawn_after(did))
        elif isinstance(did, str):
            if self.shared.grace.counts(key):
                self.complain(self.press(did))
        elif not did:
            return False
        self._redraw_thing()
        return True

    def _redrawn_after(self, typing: Typing) -> Typing:
        """What is typed goes to the thing that asked for it, and is seen on it."""
        thing = self.thing

        def take(text: str) -> str | None:
            if self.thing is not thing:
                return CHANGED
            why = typing.take(text)
            self._redraw_thing()
            return why

        return replace(typing, take=take)

    def _redraw_thing(self) -> None:
        """What was gone to in it stays in view."""
        self.redraw()
        if self.ask is None or self.thing is None or self.is_raw:
            return
        line, top = card.in_view(self.ask, self.thing, self._text.text_width), self._text.scroll_offset.y
        if line is not None and not top <= line < top + self._text.size.height:
            self.to_line(max(0, line - self._text.size.height // 3))

    def keys(self) -> list[tuple[str, str]]:
        return [*(self.thing.keys() if self.thing and self.can_answer else ()), *self.doings.keys()]

    def commands(self) -> dict[str, Callable[[], None]]:
        if self.ask is None:
            return {}
        return self.doings.commands()

    def page(self, by: int) -> None:
        self._text.page(by)

    def to_end(self) -> None:
        self._text.scroll_end(animate=False, immediate=True)

    def to_top(self) -> None:
        self._text.scroll_home(animate=False, immediate=True)

    def to_line(self, y: int) -> None:
        self._text.scroll_to(y=y, animate=False, immediate=True)


def _is_address(ask: ShownAsk | None) -> bool:
    return ask is not None and ask.view.form is not None and ask.view.form.mode == "url"


def _bound(ask: ShownAsk) -> tuple[str, int, str]:
    return ask.id, ask.rev, ask.hash
