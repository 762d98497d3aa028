"""The terminal UI: tabs, one keyboard for all of them, and a mirror of the hub that is kept in step."""

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme
from textual.widgets import ContentSwitcher
from textual.worker import WorkerFailed

from assent.actions import BY_NAME, is_harmless
from assent.client import Client
from assent.errors import AssentError
from assent.hub_state import Changes, Fresh, Heard, Lost, News
from assent.protocol.card import ShownAsk
from assent.text.ask_state import is_waiting
from assent.tui import bars, keys, tabs
from assent.tui.asks.answers import Answers
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.look import Look, theme
from assent.tui.drawing.text import Line, fit
from assent.tui.ending import Following, obey_signals
from assent.tui.feed.pulse import Pulse
from assent.tui.inbox.pane import Inbox
from assent.tui.pane import Pane
from assent.tui.shared import Shared
from assent.tui.widgets.prompt import Prompt
from assent.tui.widgets.rows import Drawn

NARROW = 100
SLIM = 60
# A sentence stays as long as it takes to read it; an urgent one until a key is pressed.
SAID_FOR = 4.0
# The hub's settings and alarms are part of its status, not of the stream. A hub that can record nothing tells nothing,
# so it is asked now and then, too.
_CHANGES_STATUS = frozenset({"hub", "config", "rules"})
_STATUS_EVERY = 10.0
# While this screen has focus, the hub is told so now and then.
_LOOKING_EVERY = 20.0
_GO = {
    "go.inbox": "inbox",
    "go.sessions": "sessions",
    "go.feed": "feed",
    "go.log": "log",
    "go.rules": "rules",
    "go.grants": "rules",
}


class Main(Screen[None], inherit_bindings=False):
    """Without bindings of its own: every key is looked up in the table of actions."""

    AUTO_FOCUS = ""


class Watch(App[int], inherit_bindings=False):
    CSS_PATH = "watch.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "assent"
    # Also from a field and from a sheet.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave(130)", priority=True),
        Binding("ctrl+q", "leave(0)", priority=True),
        Binding("ctrl+z", "suspend_process", priority=True),
    ]

    def __init__(
        self,
        client: Client,
        look: Look,
        start_hub: Callable[[], None],
        *,
        screen_name: str = "",
        rings: bool = False,
    ) -> None:
        self._theme = theme(look)
        # With colours left to the terminal, Textual sends none where none are wanted.
        super().__init__(ansi_color=look.is_colourless or None)
        self._start_hub = start_hub
        self._rings = rings
        self._look = look
        self.shared = Shared(client, look, Answers(client, self._answerable, self._answered, self._warn))
        self.shared.screen = screen_name
        self.shared.say, self.shared.warn = self._say, self._warn
        self.shared.prompt, self.shared.go = self._ask_for, self._go
        self.shared.refresh_bars = self._refresh_bars
        self._pulse = Pulse()
        self._keyboard = keys.Keyboard()
        self._following = Following(client, screen_name, self._take)
        self._message: tuple[str, bool] | None = None
        self.crash: Exception | None = None
        self._quieting: Any = None
        self._title = ""
        self._is_status_due = False
        # The first one stands alone until it was drawn.
        self.panes: list[Pane] = [Inbox(self.shared, self._pulse, id="inbox")]
        self._switcher = ContentSwitcher(*self.panes, initial="inbox", id="panes")
        # What came before the others were there: news, and where to go.
        self._early: list[News] | None = []
        self._going: tuple[str, str] | None = None
        self._prompt = Prompt(self.shared)
        self._notice = Drawn(self._notices, look, id="notices")
        self._bars = (
            Drawn(lambda width: [bars.header(self.shared, width)], look, ground="on:raised", id="header"),
            self._notice,
            Drawn(self._tabs, look, id="tabs"),
            Drawn(self._footer, look, ground="on:raised", id="footer"),
        )

    # What it is made of

    def get_theme(self, theme_name: str) -> Theme | None:  # noqa: ARG002 - there is one
        """From the first moment on: to change it later has everything styled once more."""
        return self._theme

    def get_default_screen(self) -> Screen[None]:
        return Main(id="main", classes=" ".join(self._classes_at(self.size.width)))

    def compose(self) -> ComposeResult:
        *top, footer = self._bars
        yield from top
        yield self._switcher
        yield self._prompt
        yield footer

    def on_mount(self) -> None:
        self._sized(self.size.width)
        self.call_after_refresh(self._complete)
        # After resuming, the user has to read first.
        self.app_resume_signal.subscribe(self, lambda _: self.shared.grace.change())
        if not self.is_headless:
            obey_signals(lambda code: self.call_later(self.action_leave, code))
        self.set_interval(1.0, self._tick)
        self.set_interval(_LOOKING_EVERY, self._looked)
        self.set_interval(_STATUS_EVERY, self._wonder)

    def on_unmount(self) -> None:
        self._following.stop()
        if self._title and self._driver is not None:
            self._driver.write("\x1b[23;2t")

    def on_resize(self, event: events.Resize) -> None:
        self._sized(event.size.width)

    def _sized(self, width: int) -> None:
        found = self._classes_at(width)
        for name in ("narrow", "slim"):
            self._main.set_class(name in found, name)

    def _classes_at(self, width: int) -> list[str]:
        wanted = {"ascii": self._look.is_ascii, "narrow": width < NARROW, "slim": width < SLIM}
        return [name for name, is_on in wanted.items() if is_on]

    async def _complete(self) -> None:
        """The first picture is there: now what stands in it, and the other tabs."""
        if not self._following.is_on:
            return  # leaving already
        self._following.start()
        others = tabs.others(self.shared, self._pulse)
        for pane in others:
            pane.display = False
        await self._switcher.mount(*others)
        self.panes += others
        news, self._early = self._early, None
        if news:
            self._take(news)
        if self._going is not None:
            self._go(*self._going)

    # News of the hub

    def _take(self, news: list[News]) -> None:
        """Everything since the last time, put together, so that each screen is drawn once."""
        if self._early is not None:
            self._early += news
            return
        changes = Changes()
        for piece in news:
            if isinstance(piece, Lost):
                self._lost(piece)
                continue
            if isinstance(piece, Heard) and piece.message.get("kind"):
                self._pulse.count(piece.message)
                self._is_status_due |= piece.message["kind"] in _CHANGES_STATUS
                if piece.message["kind"] == "config":
                    self.shared.configured()
            elif isinstance(piece, Fresh):
                self.shared.link, self.shared.lost_at = "live", 0.0
            changes = changes.and_then(self.shared.mirror.take(piece))
        self._ring(changes)
        for pane in self.panes:
            pane.changed(changes)
        self._refresh_bars()
        self._write_title()

    def _lost(self, lost: Lost) -> None:
        self.shared.lost_at = self.shared.lost_at or asyncio.get_running_loop().time()
        self.shared.link = "stale" if lost.error is None else "down"
        self.shared.trouble = str(lost.error) if lost.error else ""

    def _ring(self, changes: Changes) -> None:
        """A bell for Danger, where it is wanted and the screen has no focus."""
        asks = self.shared.mirror.asks
        new = (asks[name] for name, before in changes.asks.items() if before is None and name in asks)
        is_wanted = self._rings and not self.app_focus and not changes.is_fresh
        if is_wanted and any(ask.risk.level == "danger" and is_waiting(ask) for ask in new):
            self.bell()

    async def _refresh_status(self) -> None:
        client, mirror = self.shared.client, self.shared.mirror
        try:
            mirror.hub, mirror.presence = await asyncio.to_thread(lambda: (client.status(), client.presence()))
        except AssentError:
            return  # the stream tells that it is gone
        self._refresh_bars()

    def _wonder(self) -> None:
        self._is_status_due |= self.shared.is_live

    def _tick(self) -> None:
        if not self._following.is_on:
            return  # leaving: what is drawn is being taken down
        self._current.ticked()
        self._refresh_bars()
        if self._is_status_due:
            self._is_status_due = False
            self.run_worker(self._refresh_status(), exclusive=True, group="status")

    def _looked(self) -> None:
        if self.app_focus and self.shared.is_live:
            self.run_worker(self._say_looking(focused=True), group="looking")

    async def _say_looking(self, *, focused: bool) -> None:
        try:
            await asyncio.to_thread(self.shared.client.looking, focused=focused)
        except AssentError:
            pass  # it only means that other screens are asked sooner, or later

    def on_app_focus(self, _: events.AppFocus) -> None:
        self.shared.grace.change()
        self._looked()

    def on_app_blur(self, _: events.AppBlur) -> None:
        if self.shared.is_live:
            self.run_worker(self._say_looking(focused=False), group="looking")

    # Answers

    def _answerable(self, name: str) -> ShownAsk | None:
        ask = self.shared.mirror.asks.get(name)
        return ask if ask is not None and self.shared.is_live and is_waiting(ask) else None

    def _answered(self, ask: str) -> None:
        self._inbox.answered(ask)

    # Where one is

    @property
    def _main(self) -> Screen[Any]:
        """Below whatever is open over it."""
        return self.screen_stack[0]

    @property
    def _inbox(self) -> Inbox:
        inbox = self.panes[0]
        assert isinstance(inbox, Inbox)
        return inbox

    @property
    def _current(self) -> Pane:
        name = self._switcher.current
        return next((pane for pane in self.panes if pane.id == name), self.panes[0])

    def _go(self, name: str, argument: str) -> None:
        pane = next((pane for pane in self.panes if pane.id == name), None)
        if pane is None:
            self._going = (name, argument)
            return
        self.shared.grace.change()
        self._switcher.current = name
        pane.opened(argument)
        self._refresh_bars()

    def _notices(self, width: int) -> list[Line]:
        return [fit(line, width) for line in bars.notices(self.shared.mirror.hub)]

    def _tabs(self, width: int) -> list[Line]:
        counts = {pane.id: pane.count() for pane in self.panes}
        names = [(title, counts.get(name, 0)) for name, title in tabs.TITLES.items()]
        return [bars.tabs(names, self.panes.index(self._current), width)]

    def _footer(self, width: int) -> list[Line]:
        if self._prompt.is_open:
            return [bars.footer([("Enter", "done"), ("Esc", "leave it")], self._message, width, has_help=False)]
        return [bars.footer(self._current.keys(), self._message, width)]

    def _refresh_bars(self) -> None:
        self._notice.styles.height = len(bars.notices(self.shared.mirror.hub))
        for bar in self._bars:
            bar.redraw()

    # Speaking

    def _say(self, text: str) -> None:
        self._message = (text, False)
        if self._quieting is not None:
            self._quieting.stop()
        self._quieting = self.set_timer(SAID_FOR, self._be_still)
        self._refresh_bars()

    def _warn(self, text: str) -> None:
        if self._quieting is not None:
            self._quieting.stop()
        self._message = (text, True)
        self._refresh_bars()

    def _be_still(self) -> None:
        self._message = None
        self._refresh_bars()

    def _ask_for(self, typing: Typing) -> None:
        self._prompt.open(typing)

    def _write_title(self) -> None:
        """How many need you, where a window or a tab has its name."""
        waiting = len(self.shared.mirror.waiting)
        title = f"({waiting}) assent" if waiting else "assent"
        if title != self._title and self._driver is not None and not self.is_headless:
            # The name it had is kept by the terminal until we leave.
            keep = "" if self._title else "\x1b[22;2t"
            self._driver.write(f"{keep}\x1b]2;{title}\x07")
            self._title = title

    # Keys

    def on_key(self, event: events.Key) -> None:
        if self._prompt.is_open or len(self.screen_stack) > 1:
            return
        key = keys.named(event.key, event.character)
        if not key:
            return
        event.stop()
        if self._message is not None and self._message[1]:
            self._be_still()
        if not self._keyboard.prefix and self._current.key(key):
            self._refresh_bars()
            return
        if key.isdigit() and 0 < int(key) <= len(tabs.TITLES):
            self._go(list(tabs.TITLES)[int(key) - 1], "")
        elif key == "Escape":
            self._keyboard.meaning(key)
            self._back(leaves=False)
        elif name := self._keyboard.meaning(key):
            self.act(name, key)

    def act(self, name: str, key: str = "") -> None:
        """Do something by its name. What answers has to wait for the moment after a change; taking it back has not."""
        is_free = is_harmless(name) or (name == "ask.undo" and self.shared.answers.is_one_held)
        if not is_free and not self.shared.grace.counts(key or name):
            return
        act = (self._current.commands() | self._everywhere()).get(name)
        if act is None:
            action = BY_NAME.get(name)
            self._say(f"“{action.words if action else name}” is not possible here.")
            return
        act()
        self._refresh_bars()

    def _everywhere(self) -> dict[str, Callable[[], None]]:
        actions: dict[str, Callable[[], None]] = {
            "page.back": self._back,
            "page.help": self._help,
            "page.palette": self._palette,
            "page.quiet": self._quiet,
            "go.settings": self._settings,
            "ask.undo": self._undo,
            "ask.test": lambda: self._do(self.shared.client.test_ask),
        }
        for name, pane in _GO.items():
            actions[name] = lambda pane=pane: self._go(pane, "")  # type: ignore[misc]
        if self._current is not self._inbox:
            actions["ask.next"] = lambda: self._go("inbox", next((a.id for a in self.shared.mirror.waiting), ""))
        return actions

    def _back(self, *, leaves: bool = True) -> None:
        """Out of the program only by a key that means it: people press Escape twice to be sure."""
        if self._current.back():
            return
        if self._current is not self._inbox:
            self._go("inbox", "")
        elif leaves:
            self.call_later(self.action_leave, 0)
        else:
            self._say("q leaves.")

    def _undo(self) -> None:
        if self.shared.link == "down":
            self._start()
        elif self.shared.answers.undo_latest():
            self._say("Taken back. Nothing was sent.")
        else:
            self._say("There is nothing to undo.")

    def _do(self, act: Callable[[], None]) -> None:
        self.run_worker(self._done(act), group="doing")

    async def _done(self, act: Callable[[], None]) -> None:
        try:
            await asyncio.to_thread(act)
        except AssentError as error:
            self._warn(str(error))

    def _start(self) -> None:
        self._say("Starting the hub…")
        self._do(self._start_hub)

    def _help(self) -> None:
        from assent.tui.palette import Help

        self.push_screen(Help(self.shared, self._current, self.possible()))

    def _palette(self) -> None:
        from assent.tui.palette import Palette

        table = [BY_NAME[name] for name in self.possible()]
        here = [action for action, _ in self._current.palette()]
        read = self._inbox.bound
        self.push_screen(Palette(self.shared, [*here, *table]), lambda typed: self._chosen(typed, read))

    def _quiet(self) -> None:
        from assent.tui.asks.dialogs.picker import QuietSheet

        self.push_screen(QuietSheet(self.shared))

    def _settings(self) -> None:
        from assent.tui.settings import Settings

        self.push_screen(Settings(self.shared))

    def possible(self) -> list[str]:
        """Names of everything that can be done here now."""
        here = self._current.commands() | self._everywhere()
        return [name for name in BY_NAME if name in here]

    def _chosen(self, typed: str | None, read: object) -> None:
        """``ask.allow kptwm``: an ask that was not on the screen is shown first, and answered with a key of its own.
        So is one that took the place of another, or changed, below the palette."""
        self.shared.grace.change()
        if not typed:
            return
        name, _, argument = typed.partition(" ")
        is_read = self._inbox.bound == read
        if not argument and name.startswith("ask.") and self._current is self._inbox and not is_read:
            self._warn("It changed while you typed, so nothing was done. Read it again.")
            return
        if argument and argument in self.shared.mirror.asks:
            is_shown = self._current is self._inbox and self._inbox.reads(argument) and is_read
            self._go("inbox", argument)
            if not is_shown and not is_harmless(name):
                self._say(f"Here it is. Press {BY_NAME[name].key or ':'} once you have read it.")
                return
        here = {action.name: act for action, act in self._current.palette()}
        act = (here | self._current.commands() | self._everywhere()).get(name)
        if act is not None:
            act()

    def _handle_exception(self, error: Exception) -> None:
        """Reported by the caller as a bug of ours, except for errors that are not bugs."""
        if isinstance(error, WorkerFailed) and isinstance(error.error, AssentError):
            self._warn(str(error.error))
            return
        self.crash = error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        # Without a report of Textual's own: it prints variables, and what people type may stand in them.
        self._close_messages_no_wait()

    async def action_leave(self, code: int) -> None:
        held = self.shared.answers.drop_held()
        self._following.stop()
        await self.shared.answers.settled()
        self.exit(code, message="An answer was not sent yet and is not sent now." if held else None)
