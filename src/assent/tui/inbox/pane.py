"""The inbox: what needs you in the order it came, who works, what is over; beside it the ask being read."""

import time
from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from assent import filter as filters
from assent.harnesses import names
from assent.hub_state import Changes
from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest, ShownAsk
from assent.text import wording
from assent.text.ask_state import is_waiting
from assent.tui.asks.detail import Detail
from assent.tui.drawing.listing import Entry, Listing, heading, notes
from assent.tui.drawing.text import Line, counted, fit, wrap
from assent.tui.feed.pulse import Pulse
from assent.tui.filter_line import FilterLine, of_sessions
from assent.tui.inbox import rows as inbox_rows
from assent.tui.inbox.rows import BURST, SESSION
from assent.tui.pane import Pane
from assent.tui.shared import Link, Shared
from assent.tui.widgets.rows import Drawn, Rows
from assent.views.feed import Row

# How long an ask that is over stays where it was.
STAYS = 3_000
MOST_OVER = 30
# Between two looks at who works, while nothing else happens.
CALM = 0.3
# Keys that move on, and need no card.
_STEPS = frozenset({"j", "k", "Down", "Up"})


class Inbox(Pane):
    TITLE = "Inbox"
    HELP = (
        "What waits for you stands at the left, oldest first; the one you are on is shown in full. Nothing moves while "
        "you look, and for a moment after something changed keys do not answer. Look and Change take one key, Care a "
        "key and Enter, Danger its match word."
    )

    def __init__(self, shared: Shared, pulse: Pulse, *, id: str) -> None:  # noqa: A002 - as Textual calls it
        super().__init__(shared, id=id)
        self._pulse = pulse
        self._rows = Rows(Listing(), shared.look, id="inbox-rows")
        self._pulse_bars = Drawn(self._pulse_lines, shared.look, id="inbox-pulse")
        self._detail = Detail(shared)
        self._detail.empty = self._welcome
        shared.was_read = self._read_before
        # What stands in the list of those that need you, in order; what is over leaves it after a while.
        self._shown: list[str] = []
        self._doing: dict[str, Row] = {}
        self._reviewed: set[str] = set()
        self._filter = FilterLine(values=of_sessions(shared.mirror))
        # One that was over already when it was opened.
        self._looked_up = ""
        # On a narrow screen: whether the ask covers the list.
        self.is_reading = False
        self._is_due = False
        self._drawn_at = 0.0
        self._drawn_link: Link = shared.link

    def compose(self) -> ComposeResult:
        with Horizontal(id="inbox-body"):
            with Vertical(id="inbox-left"):
                yield self._rows
                yield self._pulse_bars
            yield self._detail

    # What is shown

    def changed(self, changes: Changes) -> None:
        for row in changes.rows:
            if row.session:
                self._follow(row)
        if self._is_small_talk(changes):
            self._draw_soon()
        else:
            self._draw()

    def _is_small_talk(self, changes: Changes) -> bool:
        """Whether only sessions and rows changed: drawn now and then. Asks and the hub's state are drawn at once."""
        is_talk = bool(changes.rows or changes.sessions) and not changes.asks and not changes.is_fresh
        return is_talk and self.shared.link == self._drawn_link

    def _draw_soon(self) -> None:
        if not self._is_due and self.display:
            self._is_due = True
            self.set_timer(max(0.001, self._drawn_at + CALM - time.monotonic()), self._draw)

    def ticked(self) -> None:
        self._draw()

    def answered(self, ask: str) -> None:
        """Something about an answer from here changed; once it is sent, the next ask is shown."""
        self._draw()
        is_sent = self.shared.answers.phase(ask) == "sent"
        if is_sent and self._rows.selected == ask and (following := self._after(ask)) is not None:
            self._move_to(following)

    def count(self) -> int:
        return len(self.shared.mirror.waiting)

    def opened(self, ask: str) -> None:
        if ask and ask in self.shared.mirror.asks:
            self._select(ask)
            self._look_up()
            self._read(is_on=True)
        self.call_after_refresh(self._draw)

    def reads(self, ask: str) -> bool:
        """Whether this very ask is on the screen, whole."""
        shown = self._detail.ask
        is_shown = shown is not None and shown.id == ask and not self._detail.is_behind
        return is_shown and self._rows.selected == ask and self._detail.size.height > 0

    @property
    def bound(self) -> object:
        """What is on the screen, as an answer is bound to it."""
        ask = self._detail.ask
        return (ask.id, ask.rev, ask.hash) if ask is not None else None

    def _read_before(self, rows: Sequence[Row]) -> None:
        """What sessions were doing when this screen was opened; what was heard since counts more."""
        newer = dict(self._doing)
        for row in reversed(rows):
            if row.session:
                self._follow(row)
        self._doing |= newer
        self._draw_soon()

    def _follow(self, row: Row) -> None:
        doing = inbox_rows.doing_now(self._doing, row)
        if doing is None:
            self._doing.pop(row.session or "", None)
        else:
            self._doing[row.session or ""] = doing

    def _draw(self) -> None:
        self._is_due, self._drawn_at, self._drawn_link = False, time.monotonic(), self.shared.link
        entries = self._entries()
        selected, before = self._rows.selected, self._rows.source
        listing = self._rows.source = Listing(entries)
        if selected is None or listing.place(selected) is None:
            listed = [entry.key for entry in entries if entry.key is not None]
            first = next((key for key in listed if key in self._shown), None)
            self._select(first or next((key for key in listed if key.startswith(BURST)), None))
        if self._is_done_with(self._current()) and (following := self._after(selected or "")) is not None:
            self._select(following)
        self._rows.reload()
        if selected is not None and before.place(selected) != listing.place(selected):
            self._keep_in_view()
        if self._detail.is_behind:
            self.call_after_refresh(self._catch_up)
        else:
            self._detail.show(self._current())
        self._pulse_bars.redraw()
        self.shared.refresh_bars()

    def _entries(self) -> list[Entry]:
        mirror, now = self.shared.mirror, self.shared.mirror.now()
        self._keep_order()
        asks = [ask for ask in mirror.in_order() if self._matches(ask)]
        by_id = {ask.id: ask for ask in asks}
        collapsed = self._collapsed()
        listed = [name for name in self._shown if name in by_id and name not in collapsed]
        entries = [heading(f"Needs you ({len(mirror.waiting)})")]
        if not self._filter.is_empty:
            entries.append(Entry(None, lambda width, _: [fit([(" ", ""), *self._filter.shown()], width)]))
        for session, of in self._bursts().items():
            entries.append(inbox_rows.burst(session, of))
        refused = self.shared.answers.refused
        entries += [
            inbox_rows.waiting(by_id[name], self.shared.state(name), refused.get(name, ""), now) for name in listed
        ]
        if not listed and not collapsed:
            entries += [entry for text in self._nothing() for entry in notes(text, self._rows.cells)]
        # What an ask of theirs says stands above.
        quiet = [session for session in mirror.live_sessions if not session.needs]
        for state in ("waiting", "working", "idle"):
            if alike := [session for session in quiet if session.state == state]:
                entries.append(heading(f"{wording.begun(wording.SESSIONS[state].word)} ({len(alike)})"))
                entries += [inbox_rows.of_session(each, self._doing.get(each.id), now) for each in alike]
        over = [ask for ask in asks if not is_waiting(ask) and ask.id not in self._shown]
        if over:
            over.sort(key=lambda ask: -mirror.turned.get(ask.id, 0))
            entries.append(heading("Done"))
            entries += [inbox_rows.over(ask, self.shared.state(ask.id)) for ask in over[:MOST_OVER]]
        return entries

    def _keep_order(self) -> None:
        """Oldest asks first, whatever a filter hides meanwhile."""
        asks = self.shared.mirror.asks
        self._shown = [name for name in self._shown if name in asks and self._stays(asks[name])]
        here = set(self._shown)
        self._shown += [ask.id for ask in self.shared.mirror.waiting if ask.id not in here]

    def _matches(self, ask: ShownAsk) -> bool:
        return self._filter.is_empty or self._filter.matches(filters.of_ask(ask))

    def _stays(self, ask: ShownAsk) -> bool:
        if is_waiting(ask) or ask.id == self._rows.selected:
            return True
        return self.shared.mirror.now() - self.shared.mirror.turned.get(ask.id, 0) < STAYS

    def _is_done_with(self, ask: ShownAsk | None) -> bool:
        """Whether the next one may take its place: it was answered from here, or is over and was seen to be."""
        if ask is None or is_waiting(ask) or ask.id == self._looked_up or ask.id in self.shared.answers.refused:
            return False
        since = self.shared.mirror.now() - self.shared.mirror.turned.get(ask.id, 0)
        return self.shared.answers.phase(ask.id) == "sent" or since >= STAYS

    def _bursts(self) -> dict[str, list[ShownAsk]]:
        by_session = inbox_rows.bursting(self.shared.mirror.waiting)
        return {session: of for session, of in by_session.items() if session not in self._reviewed}

    def _collapsed(self) -> set[str]:
        return {ask.id for of in self._bursts().values() for ask in of}

    def _current(self) -> ShownAsk | None:
        return self.shared.mirror.asks.get(self._rows.selected or "")

    def _nothing(self) -> list[str]:
        mirror, link = self.shared.mirror, self.shared.link
        if link == "down":
            return ["▲ Hub not running. Prompts stay in the terminal.", self.shared.trouble, "u starts the hub"]
        if link == "starting":
            return ["Asking the hub…"]
        if not self._filter.is_empty:
            return ["Nothing that waits matches the filter. Press / to change it, Esc to drop it."]
        live = len(mirror.live_sessions)
        if live:
            return [f"Nothing needs you. {counted(live, 'session')} live. Press 3 for the feed."]
        if mirror.sessions:
            return ["Nothing needs you. No session is live."]
        return ["No sessions seen yet.", f"Start {names.PROGRAM} anywhere, or type :ask.test for a test ask."]

    def _welcome(self, width: int) -> list[Line]:
        selected = self._rows.selected or ""
        if selected.startswith(BURST):
            of = self._bursts().get(selected.removeprefix(BURST), [])
            text = (
                f"{len(of)} asks of one session came within seconds. Enter shows them one by one; x denies all of them "
                "and stops the turn."
            )
            return [[], *([(" ", ""), *line] for line in wrap([(text, "")], width - 2))]
        lines: list[Line] = [[], [(" Nothing needs you.", "text-2")]]
        if others := self.shared.also_open():
            lines.append([(f" {others[:1].upper()}{others[1:]}. First answer wins.", "text-2")])
        return lines

    def _pulse_lines(self, width: int) -> list[Line]:
        return [[("─ ", "line"), ("Pulse", "text-2 strong"), (" " + "─" * width, "line")], self._pulse.line(width)]

    # What is done

    def _select(self, key: str | None) -> None:
        """The card that is still there goes grey first, so that no moment shows it beside another row."""
        if key != self._rows.selected:
            self._detail.fall_behind()
        self._rows.select(key)

    def _move_to(self, key: str | None) -> None:
        self._select(key)
        self._draw()

    def _catch_up(self) -> None:
        self._detail.show(self._current())
        self.shared.refresh_bars()

    def _keep_in_view(self) -> None:
        if self._rows.selected is not None:
            self._rows.show_row(self._rows.selected)

    def on_resize(self, _: events.Resize) -> None:
        self.call_after_refresh(self._keep_in_view)

    def _read(self, *, is_on: bool) -> None:
        # Where there is room it stands beside the list anyway.
        self.is_reading = is_on and self.screen.has_class("slim")
        self.set_class(self.is_reading, "reading")
        self.call_after_refresh(self._draw)

    def _step(self, by: int) -> None:
        if (key := self._rows.beside(by)) is not None:
            self._select(key)
        self._look_up()
        self._draw()

    def _look_up(self) -> None:
        ask = self._current()
        self._looked_up = ask.id if ask is not None and not is_waiting(ask) else ""

    def on_rows_selected(self, event: Rows.Selected) -> None:
        event.stop()
        self._select(event.key)
        self._look_up()
        self._draw()

    def _after(self, ask: str) -> str | None:
        """The next one that waits, after this one in the order in which they came; else the first."""
        collapsed = self._collapsed()
        waiting = [one.id for one in self.shared.mirror.waiting if one.id not in collapsed and one.id != ask]
        order = [one.id for one in self.shared.mirror.in_order()]
        later = [name for name in waiting if ask not in order or order.index(name) > order.index(ask)]
        return next(iter(later or waiting), None)

    def _open(self) -> None:
        selected = self._rows.selected or ""
        if selected.startswith(BURST):
            self._reviewed.add(selected.removeprefix(BURST))
            self._draw()
        elif selected.startswith(SESSION):
            self.shared.go("sessions", selected.removeprefix(SESSION))
        elif selected:
            self._read(is_on=True)

    def _stop_burst(self) -> None:
        for ask in self._bursts().get((self._rows.selected or "").removeprefix(BURST), []):
            offered = {way.choice for way in ask.choices}
            choice: Choice = "deny_and_stop" if "deny_and_stop" in offered else "deny"
            if choice in offered and self.shared.is_live:
                request = AnswerRequest(rev=ask.rev, hash=ask.hash, choice=choice)
                self.shared.answers.give(ask.id, request, undo=False)
        self._draw()

    def commands(self) -> dict[str, Callable[[], None]]:
        own: dict[str, Callable[[], None]] = {
            "list.next": lambda: self._step(1),
            "list.previous": lambda: self._step(-1),
            "list.filter": lambda: self.shared.prompt(self._filter.typing(self._draw)),
            "ask.open": self._open,
            "ask.next": lambda: self._move_to(self._after(self._rows.selected or "") or self._rows.selected),
            "view.peek": lambda: self._detail.page(1),
        }
        if (self._rows.selected or "").startswith(BURST):
            own["ask.deny_stop"] = self._stop_burst
        return self._detail.commands() | own

    def key(self, key: str) -> bool:
        if self._detail.is_behind and key not in _STEPS:
            # It is meant for the row that is selected. What is not painted yet takes no answer.
            self._detail.show(self._current())
        moves = {"PageDown": lambda: self._detail.page(1), "PageUp": lambda: self._detail.page(-1)}
        moves["Home"] = self._detail.to_top
        if key in moves:
            moves[key]()
            return True
        return self._detail.key(key)

    def keys(self) -> list[tuple[str, str]]:
        if (self._rows.selected or "").startswith(BURST):
            return [("Enter", "review"), ("x", "stop the session"), ("j k", "move")]
        own = [("j k", "move"), ("/", "filter")]
        return [*self._detail.keys(), *own]

    def back(self) -> bool:
        if self._detail.disarm():
            return True
        if not self._filter.is_empty:
            self._filter.take("")
            self._draw()
            return True
        if self.is_reading:
            self._read(is_on=False)
            return True
        return False
