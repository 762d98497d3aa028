"""A sheet over the screen: it keeps keys to itself, and Esc leaves it without an answer."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.geometry import Size
from textual.screen import ModalScreen

from assent.protocol.card import ShownAsk
from assent.text.ask_state import is_waiting
from assent.tui import keys
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.text import Line, counted, fit, hints, hung
from assent.tui.keys import Grace
from assent.tui.shared import Shared
from assent.tui.widgets.prompt import Prompt
from assent.tui.widgets.rows import Drawn, Rows
from assent.tui.widgets.text import Lines


@dataclass(frozen=True, slots=True)
class Done:
    """What was decided: the sheet closes with it. ``at_once``: what stands below does not have to be read."""

    fields: dict[str, Any]
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why it cannot be decided like this: the sheet stays."""

    why: str


Did = bool | Typing | Done | Wrong


class Paper(Protocol):
    # What happens here is a yes: a key that came too early does not count.
    is_yes: ClassVar[bool]

    @property
    def title(self) -> str: ...

    @property
    def cursor(self) -> int | None:
        """The line to be kept in view, of those drawn last."""

    def lines(self, width: int) -> list[Line]: ...

    def key(self, key: str) -> Did: ...

    def keys(self) -> list[tuple[str, str]]: ...


WIDE = 96
_GONE = "It was answered elsewhere, or it changed. Nothing is sent: Esc closes this."
_STEPS = {"Down": 1, "j": 1, "Up": -1, "k": -1}
_PAGES = {"Space": 1, "PageDown": 1, "PageUp": -1}


class Sheet(ModalScreen[dict[str, Any] | None], inherit_bindings=False):
    """Closes with what was decided, or with None. Bound to the ask it was opened for, where there is one."""

    AUTO_FOCUS = ""

    def __init__(self, shared: Shared, paper: Paper, ask: ShownAsk | None = None) -> None:
        super().__init__()
        self._outer = shared
        self.grace = Grace(shared.grace.clock)
        # Here things are said on the sheet itself.
        self.shared = replace(shared, grace=self.grace, warn=self.complain, refresh_bars=self.redraw)
        self.paper = paper
        self._ask = ask
        self._fault = ""
        # What is drawn, and whether its end was in view.
        self._lines: list[Line] = []
        self._end_seen = False
        # Keys may come many at once: what one of them brought into view was not read before the next.
        self._is_painted = False
        look = shared.look
        self._body = Rows(Lines(), look, ground="on:surface", id="sheet-body")
        self._head = Drawn(self._draw_head, look, ground="on:raised", id="sheet-head")
        self._foot = Drawn(self._draw_foot, look, ground="on:raised", id="sheet-foot")
        self.prompt = Prompt(self.shared)
        self.box = Vertical(id="sheet")

    def compose(self) -> ComposeResult:
        self._head.styles.height = 1
        look = self.shared.look
        self.box.styles.border = ("ascii" if look.is_ascii else "solid", look.colour("edge"))
        self.prompt.styles.dock = "none"
        self.prompt.styles.margin = 0
        with self.box:
            yield self._head
            yield from self.middle()
            yield self.prompt
            yield self._foot

    def middle(self) -> ComposeResult:
        yield self._body

    def on_mount(self) -> None:
        self.grace.begin()
        self._sized(self.app.size)
        self.call_after_refresh(self._painted)

    def on_resize(self, event: events.Resize) -> None:
        self._sized(event.size)

    def _painted(self) -> None:
        self.redraw()
        self.grace.painted()

    def _sized(self, size: Size) -> None:
        self.box.styles.width = min(WIDE, size.width)
        self.box.styles.height = self.most_height
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """What was drawn last is thrown away; where one was is kept in view."""
        lines = self.paper.lines(max(20, self.box.size.width - 2))
        self.box.styles.height = self.height_for(len(lines))
        if lines != self._lines:
            self._lines, self._end_seen = lines, False
        self._body.source = Lines(lines)
        self._body.reload()
        cursor, height = self.paper.cursor, self._body.size.height
        top = self._body.scroll_offset.y
        if cursor is not None and not top <= cursor < top + height:
            self._body.scroll_to(y=max(0, cursor - height // 2), animate=False, immediate=True)
        self._head.refresh()
        self._refresh_foot()

    def height_for(self, lines: int) -> int:
        """As high as it must be; the rest is scrolled."""
        bars = 1 + len(self._draw_foot(max(20, self.box.size.width))) + self.prompt.is_open
        return max(8, min(lines + bars + 2, self.most_height))

    @property
    def most_height(self) -> int:
        return max(8, self.app.size.height * 4 // 5)

    def _look_for_end(self) -> None:
        self._end_seen |= self._is_painted and self._body.size.height > 0 and not self._body.lines_below

    def _was_painted(self) -> None:
        self._is_painted = True
        self._look_for_end()

    def _refresh_foot(self) -> None:
        self._is_painted = False
        self.call_after_refresh(self._was_painted)
        self._foot.styles.height = len(self._draw_foot(max(20, self.box.size.width)))
        self._foot.refresh()

    def complain(self, why: str) -> None:
        self._fault = why
        self._refresh_foot()

    def _draw_head(self, width: int) -> list[Line]:
        return [fit([(" ", ""), (self.paper.title, "strong")], width)]

    def _draw_foot(self, width: int) -> list[Line]:
        return [*self._told(width), *hints(self.live_keys(), width)]

    def _told(self, width: int) -> list[Line]:
        if self._fault:
            return hung([(self._fault, "care strong")], width, [(" ▲ ", "care strong")])
        below = self._body.lines_below if self._body.display else 0
        return [[(f" ⋯ {counted(below, 'more line')}", "text-2")] if below else []]

    def live_keys(self) -> list[tuple[str, str]]:
        own = [("Enter", "done")] if self.prompt.is_open else self.paper.keys()
        return [*own, ("Esc", self.leaving())]

    def leaving(self) -> str:
        """What Esc does."""
        return "leave it"

    def on_key(self, event: events.Key) -> None:
        """Nothing passes to what lies below. What a text field does with a key it does after this, so it must pass."""
        if not self.is_typing:
            event.stop()
            self.heard(event)

    @property
    def is_typing(self) -> bool:
        return self.prompt.is_open

    def heard(self, event: events.Key) -> None:
        key = keys.named(event.key, event.character)
        if key:
            self._fault = ""
            self.pressed(key)

    def pressed(self, key: str) -> None:
        did = self.paper.key(key)
        if did is not False:
            self.take(did, key)
        elif key in ("Escape", "q"):
            self.close()
        elif key in _STEPS:
            self._body.scroll_to(y=self._body.scroll_offset.y + _STEPS[key], animate=False, immediate=True)
        elif key in _PAGES:
            self._body.page(_PAGES[key])
        self._refresh_foot()

    def take(self, did: Did, key: str) -> None:
        self._look_for_end()
        match did:
            case Typing():
                self.prompt.open(did)
            case Wrong(why):
                self.redraw()
                self.complain(why)
            case Done(fields, at_once):
                if self.paper.is_yes and not self.grace.counts(key):
                    self.complain("That came too soon: read it, then press it again.")
                elif self.paper.is_yes and not at_once and not self._end_seen:
                    self.complain("Read to its end first: press Space for the next page.")
                elif self._is_gone:
                    self.complain(_GONE)
                else:
                    self.decided(fields)
            case _:
                self.redraw()

    def decided(self, fields: dict[str, Any]) -> None:
        self.close(dict(fields))

    def close(self, fields: dict[str, Any] | None = None) -> None:
        """Keys typed on were meant for the sheet."""
        self._outer.grace.change()
        self.dismiss(fields)

    @property
    def _is_gone(self) -> bool:
        if self._ask is None:
            return False
        now = self.shared.mirror.asks.get(self._ask.id)
        is_same = now is not None and (now.rev, now.hash) == (self._ask.rev, self._ask.hash)
        return not (is_same and now is not None and is_waiting(now))
