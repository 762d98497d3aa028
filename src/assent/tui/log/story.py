"""The story of one thing on record, over the list it was chosen from."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from textual.app import ComposeResult
from textual.widget import Widget

from assent.errors import AssentError
from assent.protocol.bodies import AnswerBody, Ending, OutcomeBody
from assent.protocol.card import Card, Result, Said, ShownAsk
from assent.text import approval_words, times
from assent.text.ask_state import state
from assent.text.safe import plain_line
from assent.tui.asks import ask_views, card
from assent.tui.drawing.listing import heading
from assent.tui.drawing.text import Line, fit, safe_text, sentence, wrap
from assent.tui.shared import Shared
from assent.tui.widgets.rows import Drawn
from assent.tui.widgets.text import Lines, Text

Stored = Mapping[str, Any]
LONGEST = 300
_ENDINGS: dict[str, Ending] = {"terminal": "terminal", "timeout": "expired"}
_REPORTS: dict[str, Ending] = {"PostToolUse": "ran", "PostToolUseFailure": "failed"}
MOST_RAW = 20_000


def frozen(records: Sequence[Stored]) -> ShownAsk | None:
    """The ask as it was shown last; None where it was not asked about, or what was shown is not on record."""
    asked = next((record for record in reversed(records) if record["kind"] == "ask"), None)
    body = asked["body"] if asked else {}
    if asked is None or not body.get("card"):
        return None
    try:
        card = msgspec.convert(body["card"], Card)
    except msgspec.ValidationError:
        return None
    return ShownAsk(
        id=str(asked.get("ask") or ""),
        rev=int(body.get("rev") or 1),
        hash=str(body.get("shown") or ""),
        kind=card.kind,
        state="closed",
        opened_at=asked["at"],
        view=card.view,
        subject=card.subject,
        risk=card.risk,
        says=card.says,
        words=card.words,
        asked=card.asked,
        flags=card.flags,
        approval=card.approval,
        needs=approval_words.sentence(card.approval) if card.approval else "",
        answer=_answer(records),
        result=_result(records),
    )


def _answer(records: Sequence[Stored]) -> Said | None:
    """The one that won is the only one on record as an answer."""
    answered = next((record for record in reversed(records) if record["kind"] == "answer"), None)
    if answered is None:
        return None
    try:
        body = msgspec.convert(answered["body"], AnswerBody)
    except msgspec.ValidationError:
        return None
    by = str(answered.get("by") or "")
    return Said(answered["at"], by, body.choice, body.surface, body.device, body.message, body.grants)


def _result(records: Sequence[Stored]) -> Result:
    ended = next((record for record in reversed(records) if record["kind"] == "outcome"), None)
    try:
        body = msgspec.convert(ended["body"], OutcomeBody) if ended else None
    except msgspec.ValidationError:
        body = None
    if body is None or ended is None:
        return Result(_reported(records) or _ENDINGS.get(_decided(records), "unknown"), at=records[-1]["at"])
    return Result(body.ending, body.certainty, ended["at"])


def _reported(records: Sequence[Stored]) -> Ending | None:
    """What the agent itself told of the call."""
    events = (record["body"].get("event") for record in reversed(records) if record["kind"] == "event")
    return next((_REPORTS[event] for event in events if event in _REPORTS), None)


def _decided(records: Sequence[Stored]) -> str:
    """Who decided in the end: where no end is on record, that tells it."""
    return next((str(record.get("by") or "") for record in reversed(records) if record["kind"] == "decision"), "")


def title(records: Sequence[Stored]) -> str:
    asked = next((record["ask"] for record in records if record.get("ask")), None)
    when = times.clock(records[0]["at"])
    return f"Ask {plain_line(str(asked), 20)}, {when}" if asked else f"Record {records[0]['seq']}, {when}"


def digest(ask: ShownAsk, width: int) -> list[Line]:
    return wrap(
        [(f"What was shown, revision {ask.rev}, SHA-256 {plain_line(ask.hash, 64) or 'not recorded'}", "text-3")], width
    )


def given(records: Sequence[Stored], width: int) -> list[Line]:
    """The input of a call that was not asked about."""
    payloads = (record["body"].get("payload") for record in records if record["kind"] == "event")
    payload = next((each for each in payloads if isinstance(each, dict) and "tool_input" in each), None)
    if payload is None:
        return []
    made = [[(plain_line(str(payload.get("tool_name") or "?"), 60), "strong")]]
    return [*made, *raw(payload["tool_input"], width)]


def on_record(records: Sequence[Stored], width: int) -> list[Line]:
    """Each record in a line of its own: when, what, its number and its hash."""
    made: list[Line] = []
    for record in records:
        place: Line = [(f"  #{record['seq']} {str(record['hash'])[:8]}", "text-3")]
        text: Line = [
            (f"{times.clock(record['at'])}  ", "text-3"),
            (plain_line(str(record.get("line") or ""), LONGEST), ""),
        ]
        made += wrap([*text, *place], width, " " * 10)
    return made


def raw(value: object, width: int) -> list[Line]:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    cut = f"\n… {len(text) - MOST_RAW:,} more characters: assent log show has them" if len(text) > MOST_RAW else ""
    lines = (safe_text(text[:MOST_RAW]) + cut).split("\n")
    return [line for text in lines for line in wrap([(text, "text-2")], width, "  ")]


class Story(Widget):
    """Drawn as it was, and dead: nothing of it can be answered."""

    DEFAULT_CSS = """
    Story { layout: vertical; display: none; }
    Story > Drawn { height: 1; }
    """

    def __init__(self, shared: Shared) -> None:
        super().__init__()
        self.shared = shared
        self._records: Sequence[Stored] = ()
        self._is_raw = False
        self._said = ""
        self._title_line = Drawn(self._title, shared.look, ground="on:surface")
        self._text = Text(self._lines, shared.look, lambda: None)

    def compose(self) -> ComposeResult:
        yield self._title_line
        yield self._text

    @property
    def is_open(self) -> bool:
        return bool(self.display)

    def open(self, name: str) -> None:
        """By the number of a record, or the id of a call."""
        self._records, self._said, self._is_raw = (), "Reading the record…", False
        self.display = True
        self._draw()
        self.run_worker(self._load(name), exclusive=True, group="story")

    def close(self) -> None:
        self.display = False
        self.workers.cancel_group(self, "story")

    async def _load(self, name: str) -> None:
        try:
            self._records = await asyncio.to_thread(self.shared.client.story, name)
            self._said = ""
        except AssentError as error:
            self._said = sentence(error)
        self._draw()

    def _draw(self) -> None:
        self._text.source = Lines()
        self.call_after_refresh(self._text.reload)
        self._title_line.refresh()
        self.shared.refresh_bars()

    def _title(self, width: int) -> list[Line]:
        heading = title(self._records) if self._records else "On record"
        return [
            fit(
                [("‹ ", "focus strong"), (heading, "strong"), ("  as it was; nothing here can be answered", "text-3")],
                width,
            )
        ]

    def _lines(self, width: int) -> list[Line]:
        if not self._records:
            return [[], [(f" {self._said}", "text-2")]]
        if self._is_raw:
            return raw(self._records, width)
        ask = frozen(self._records)
        if ask is None:
            shown = given(self._records, width)
        else:
            ask_state = state(ask, self.shared.mirror.now())
            shown = [card.heading(ask, width), *card.lines(ask, ask_views.thing_of(ask, self.shared), width, ask_state)]
            shown += [[], *digest(ask, width)]
        head = heading("On record").draw(width, False)
        return [*shown, [], *(fit(line, width, "─") for line in head), *on_record(self._records, width)]

    # Keys

    def commands(self) -> dict[str, Callable[[], None]]:
        text = self._text
        return {
            "list.next": lambda: text.scroll_relative(y=1, animate=False, immediate=True),
            "list.previous": lambda: text.scroll_relative(y=-1, animate=False, immediate=True),
            "view.peek": lambda: text.page(1),
            "ask.end": lambda: text.scroll_end(animate=False, immediate=True),
            "ask.raw": self._raw,
        }

    def key(self, key: str) -> bool:
        text = self._text
        if key in ("PageDown", "PageUp"):
            text.page(1 if key == "PageDown" else -1)
        elif key == "Home":
            text.scroll_home(animate=False, immediate=True)
        else:
            return False
        return True

    def keys(self) -> list[tuple[str, str]]:
        return [("q", "back"), ("j k", "scroll"), ("Space", "next page"), ("r", "raw")]

    def _raw(self) -> None:
        self._is_raw = not self._is_raw
        self._draw()
        self._text.scroll_home(animate=False, immediate=True)
