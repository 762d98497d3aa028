"""Rules: what was allowed for longer and what is in force in a folder, one more, one less, and what they would make of
a command."""

import asyncio
import os
import time
from collections.abc import Callable, Coroutine
from typing import Any

from textual import events
from textual.app import ComposeResult

from assent.actions import Action
from assent.errors import AssentError
from assent.hub_state import Changes
from assent.protocol.decision import Trial, TrialQuestion
from assent.protocol.lasting import Given
from assent.text.safe import plain_line
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.listing import Entry, Listing, heading, note
from assent.tui.drawing.text import Line, ends, sentence, wrap
from assent.tui.pane import Pane
from assent.tui.rules import lasting, rows
from assent.tui.rules import rows as rule_rows
from assent.tui.rules.actions import RuleHands
from assent.tui.rules.rows import Rule
from assent.tui.sessions.facts import short
from assent.tui.shared import Shared
from assent.tui.widgets.rows import Drawn, Steady

MOST_FOLDERS = 20
# As many are counted, so far back and so high.
MOST_COUNTED = 20
MOST_HITS = 200
SPAN = "7d"
LONGEST = 300


class Rules(Pane):
    TITLE = "Rules"
    HELP = (
        "What you allowed for longer than once, with how many asks each saved you; d and Enter take one back. Then the "
        "rules that hold, by the file they stand in: yours, the project's, and the agent's own. Tab goes from folder "
        "to folder. t tries a command: nothing is run and nothing recorded. + adds a rule of yours, d and Enter "
        "remove the one you are on, u takes the last change back. Enter shows what a rule decided."
    )
    DEFAULT_CSS = """
    Rules { layout: vertical; }
    #rules-head { height: 1; }
    #rules-rows { height: 1fr; }
    """

    def __init__(self, shared: Shared, *, id: str) -> None:  # noqa: A002 - as Textual calls it
        super().__init__(shared, id=id)
        self._head_line = Drawn(self._head, shared.look, id="rules-head")
        self._rows = Steady(Listing(), shared.look, id="rules-rows")
        # "" for everywhere.
        self._folder = ""
        self._wanted = ""
        self._rules: list[Rule] = []
        self._given: list[Given] = []
        self._given_trouble = ""
        self._troubles: list[str] = ["Asking the hub…"]
        self._file = ""
        self._hits: dict[str, str] = {}
        self._trial: Trial | None = None
        self._hands = RuleHands(shared, self._worker, drafted=self._drafted, written=self._load)
        self._was_opened = False

    def compose(self) -> ComposeResult:
        yield self._head_line
        yield self._rows

    # What is shown

    def opened(self, text: str) -> None:
        """``what``: a rule that would save asks, to be added."""
        if not self._was_opened:
            self._was_opened = True
            self._load()
        else:
            # How many asks they saved has changed since.
            self.run_worker(self._read_given(self._folder), exclusive=True, group="given")
        self._draw()
        if text:
            self._hands.add(text, "allow")

    def changed(self, changes: Changes) -> None:
        if self._was_opened and (
            changes.is_fresh or any(row.kind == "hub" and not row.session for row in changes.rows)
        ):
            self._load()

    def on_resize(self, _: events.Resize) -> None:
        self.call_after_refresh(self._draw)

    @property
    def _home(self) -> str:
        return str(self.shared.mirror.hub.get("home") or "")

    def _folders(self) -> list[str]:
        """Of sessions, the newest first."""
        newest = sorted(self.shared.mirror.sessions.values(), key=lambda session: -session.last)
        folders = dict.fromkeys(session.project or session.cwd for session in newest)
        return ["", *[folder for folder in folders if folder][:MOST_FOLDERS]]

    def _load(self) -> None:
        self.run_worker(self._read(self._folder), exclusive=True, group="rules")

    async def _read(self, folder: str) -> None:
        client = self.shared.client
        try:
            reply = await asyncio.to_thread(client.rules, folder)
        except AssentError as error:
            self._rules, self._given, self._troubles, self._given_trouble = [], [], [sentence(error)], ""
            self._draw()
            return
        self._rules, self._troubles, self._file = reply["rules"], reply["troubles"], reply.get("file", "")
        await self._read_given(folder)
        for rule in [rule for rule in self._rules if not rule["level"].startswith("agent.")][:MOST_COUNTED]:
            wanted = f"by:{rule_rows.name(rule)} since:{SPAN}"
            try:
                records, unseen = await asyncio.to_thread(client.search, wanted, limit=MOST_HITS, before=None)
            except AssentError:
                return  # it is only a count
            more = "+" if len(records) >= MOST_HITS or unseen else ""
            self._hits[rule_rows.key(rule)] = f"{len(records)}{more} in 7 days"
            self._draw()

    async def _read_given(self, folder: str) -> None:
        def read() -> list[Given]:
            every = self.shared.client.grants()
            real = os.path.realpath(folder) if folder else ""
            return [given for given in every if not folder or given.project in ("", folder, real)]

        try:
            self._given = await asyncio.to_thread(read)
        except AssentError as error:
            self._given, self._given_trouble = [], sentence(error)
        else:
            self._given_trouble = ""
        self._draw()

    def _draw(self) -> None:
        self._rows.put(Listing(self._entries(self._rows.cells)))
        self._head_line.refresh()

    def _entries(self, width: int) -> list[Entry]:
        made = self._draft_entries(width) or self._trial_entries(width)
        for trouble in filter(None, (*self._troubles, self._given_trouble)):
            made += _lines(
                [line for text in trouble.split("\n") for line in wrap([(plain_line(text, LONGEST), "care")], width)]
            )
        doomed = self._hands.doomed_key
        given = [each for each in self._given if lasting.matches(each, self._wanted)]
        made += lasting.listed(given, width, now=time.time() * 1000, home=self._home, doomed=doomed)
        shown = [rule for rule in self._rules if rule_rows.matches(rule, self._wanted)]
        made += rule_rows.grouped(shown, width, home=self._home, hits=self._hits, doomed=doomed)
        if not shown and not self._troubles:
            none = "No rule contains that. Press / to change it." if self._rules else _NO_RULES
            made += _lines(_indented([(none, "text-2")], 1, width))
        return made

    def _trial_entries(self, width: int) -> list[Entry]:
        if self._trial is None:
            return []
        title = "Tried; nothing was run or recorded. Esc closes it"
        return [heading(title), *_lines(rows.lines(self._trial, width)), note("")]

    def _draft_entries(self, width: int) -> list[Entry]:
        if self._hands.draft is None:
            return []
        text = (
            "In all your projects, without anybody being asked. Refusals of other rules and the floor still hold. "
            f"Written to {short(self._file, self._home)}; u takes it back."
        )
        lines = [
            *_indented([(plain_line(self._hands.draft.match, LONGEST), "strong")], 3, width),
            *_indented([(text, "text-2")], 1, width),
            [(" W writes it, Esc leaves it.", "focus strong")],
        ]
        return [heading("Allow this from now on?"), *_lines(lines), note("")]

    def _head(self, width: int) -> list[Line]:
        where = f"in {short(self._folder, self._home)}" if self._folder else "everywhere"
        first: Line = [(" In force ", "text-2"), (where, "strong"), ("   Tab: another folder", "text-3")]
        if self._wanted:
            first += [("   / ", "focus strong"), (plain_line(self._wanted, 80), "focus")]
        return [ends(first, [(f"u: {self._hands.undo[0]} ", "focus")] if self._hands.undo else [], width)]

    # What is done

    def _worker(self, work: Coroutine[Any, Any, None]) -> None:
        self.run_worker(work, exclusive=True, group="doing")

    def _step(self, by: int) -> None:
        self._hands.doomed = None
        self._rows.step(by)
        self._draw()

    @property
    def _selected(self) -> Rule | Given | None:
        if given := next((each for each in self._given if lasting.key(each) == self._rows.selected), None):
            return given
        return next((rule for rule in self._rules if rule_rows.key(rule) == self._rows.selected), None)

    def _open(self) -> None:
        """What it decided."""
        rule = self._selected
        if isinstance(rule, Given) and (wanted := lasting.deciding(rule)):
            self.shared.go("log", wanted)
        elif isinstance(rule, Given):
            self.shared.say("What it decided is not on record under a name of its own; the rules below say more.")
        elif rule is not None and not rule["level"].startswith("agent."):
            self.shared.go("log", f"by:{rule_rows.name(rule)}")
        elif rule is not None:
            self.shared.say("The agent's client obeys this one itself; what it decided is not on record here.")

    def _filter(self) -> None:
        def take(text: str) -> str | None:
            self._wanted = text.strip()
            self._draw()
            return None

        self.shared.prompt(Typing("rules that contain:", take, self._wanted))

    def _next_folder(self, by: int) -> None:
        folders = self._folders()
        at = folders.index(self._folder) if self._folder in folders else 0
        self._folder = folders[(at + by) % len(folders)]
        self._rows.selected = self._hands.doomed = None
        self._load()
        self._draw()

    def _try(self) -> None:
        def take(text: str) -> str | None:
            if not text.strip():
                return "There is no command to try. Esc closes this."
            self._worker(self._judge(text))
            return None

        self.shared.prompt(Typing("try a command:", take))

    async def _judge(self, command: str) -> None:
        try:
            question = TrialQuestion(command, self._folder or "/")
            self._trial = await asyncio.to_thread(self.shared.client.try_, question)
        except AssentError as error:
            self.shared.warn(sentence(error))
            return
        self._rows.selected = None
        self._draw()
        self._rows.to_top()

    def _doom(self) -> None:
        self._hands.doom(self._selected, self._home)
        self._draw()

    def _drafted(self) -> None:
        self._rows.selected = None
        self._draw()
        self._rows.to_top()

    def commands(self) -> dict[str, Callable[[], None]]:
        return {
            "list.next": lambda: self._step(1),
            "list.previous": lambda: self._step(-1),
            "list.filter": self._filter,
            "ask.open": self._open,
            "view.peek": lambda: self._rows.page(1),
            "ask.end": self._rows.to_end,
        }

    def palette(self) -> list[tuple[Action, Callable[[], None]]]:
        return [
            (Action("rules.try", "t", "try a command; nothing is run"), self._try),
            (Action("rules.add", "+", "add a rule of yours"), self._hands.add),
            (Action("rules.remove", "d", "remove the rule one is on"), self._doom),
            (Action("rules.take_back", "d", "take back what was allowed for longer"), self._doom),
        ]

    def key(self, key: str) -> bool:
        if key == "Enter" and self._hands.doomed is not None:
            self._hands.remove(self._folder)
            return True
        acts: dict[str, Callable[[], None]] = {"W": self._hands.agree} if self._hands.draft else {}
        acts |= {
            "t": self._try,
            "+": self._hands.add,
            "d": self._doom,
            "Tab": lambda: self._next_folder(1),
            "BackTab": lambda: self._next_folder(-1),
            "PageDown": lambda: self._rows.page(1),
            "PageUp": lambda: self._rows.page(-1),
            "Home": self._rows.to_top,
        }
        if self._hands.can_undo:
            acts["u"] = self._hands.take_back
        if key not in acts:
            return False
        acts[key]()
        return True

    def keys(self) -> list[tuple[str, str]]:
        if self._hands.doomed is not None:
            action = "take it back" if isinstance(self._hands.doomed, Given) else "remove it"
            return [("Enter", action), ("Esc", "keep it")]
        if self._hands.draft is not None:
            return [("W", "write the rule"), ("Esc", "leave it")]
        remove = "take back" if isinstance(self._selected, Given) else "remove"
        keys = [("j k", "move"), ("/", "filter"), ("t", "try"), ("+", "add"), ("d", remove), ("Tab", "folder")]
        return [*keys, ("u", "undo")] if self._hands.can_undo else keys

    def back(self) -> bool:
        if self._hands.doomed is not None:
            self._hands.doomed = None
        elif self._hands.draft is not None:
            self._hands.draft = None
        elif self._trial is not None:
            self._trial = None
        elif self._wanted:
            self._wanted = ""
        else:
            return False
        self._draw()
        return True

    def on_rows_selected(self, event: Steady.Selected) -> None:
        """A click chooses; it opens nothing."""
        event.stop()
        self._hands.doomed = None
        self._rows.select(event.key, into_view=False)
        self._draw()


_NO_RULES = "No rules here: the stance decides, and people do. + adds one."


def _indented(line: Line, by: int, width: int) -> list[Line]:
    return [[(" " * by, ""), *part] for part in wrap(line, width - by - 1)]


def _lines(lines: list[Line]) -> list[Entry]:
    return [Entry(None, lambda _width, _, line=line: [line]) for line in lines]  # type: ignore[misc]
