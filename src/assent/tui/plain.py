"""``assent watch --plain``: everything the screens show, one sentence each as it happens, for ears and for pipes.

Words only: no colour, no signs, nothing that moves. Nothing is answered here."""

import select
import sys
import time
from collections.abc import Iterator
from threading import Event

from assent.client import Client
from assent.errors import AssentError
from assent.hub_state import Changes, Fresh, Heard, Lost, Mirror, News, follow
from assent.protocol.card import ShownAsk
from assent.protocol.session import Session
from assent.text import wording
from assent.text.ask_state import is_waiting, state
from assent.text.safe import plain_line
from assent.text.times import clock, duration, hour_minute
from assent.text.who import project, project_of, which_agent
from assent.tui.feed.row import parse_filter
from assent.views.feed import Row

# A row is told once it is over; of these also how it began. What the hub does is over at once, but for queued words.
_BEGINNINGS = {"turn": "running", "agent": "running", "hub": ""}
_MOST_TOLD = 5_000
LONGEST = 1_000
# Of these it is told how they went.
_OVER = frozenset({"done", "failed", "denied", "unfinished"})


def run(client: Client, text: str = "", *, is_ascii: bool = False) -> int:
    """Until Ctrl-C, or until the output is closed."""
    plain = Plain(text)
    if sys.stdout is None:
        raise AssentError("Nothing can be told: the output is closed.")
    # A person at a terminal sees what waits; a program that reads along does not.
    for news in follow(client, Event(), is_seen=sys.stdout.isatty()):
        if not _is_heard(sys.stdout.fileno()):
            break
        for sentence in plain.take(news):
            line = f"{clock(plain.mirror.now())} {plain_line(sentence, LONGEST)}"
            print(wording.plain(line) if is_ascii else line, flush=True)  # noqa: T201 - this is what it is for
    return 0


def _is_heard(stream: int) -> bool:
    """Whether the output is still open. Asked with every beat of the hub, once a second."""
    asked = select.poll()
    asked.register(stream, 0)
    return not any(events & (select.POLLERR | select.POLLHUP) for _, events in asked.poll(0))


class Plain:
    def __init__(self, text: str = "") -> None:
        self.mirror = Mirror()
        self._wanted = parse_filter(text, self._session, time.time())
        self._is_lost = False
        # What was said last about an ask, and rows that were told, so that nothing is said twice.
        self._said: dict[str, str] = {}
        self._told: dict[str, None] = {}

    def take(self, news: News) -> Iterator[str]:
        if isinstance(news, Lost):
            yield from self._lost(news)
            return
        is_first = not self.mirror.seq
        changes = self.mirror.take(news)
        if isinstance(news, Fresh):
            yield from self._fresh(news, is_first=is_first)
        yield from self._asks(changes, is_first=is_first)
        if isinstance(news, Heard):
            yield from self._rows(changes)

    def _session(self, name: str) -> Session | None:
        return self.mirror.sessions.get(name)

    def _lost(self, news: Lost) -> Iterator[str]:
        if news.error is not None and not self._is_lost:
            self._is_lost = True
            yield f"{news.error.message} Agents ask in their own terminals meanwhile. Waiting for it."

    def _fresh(self, news: Fresh, *, is_first: bool) -> Iterator[str]:
        if not is_first and not self._is_lost:
            return
        live, waiting = len(self.mirror.live_sessions), len(self.mirror.waiting)
        here = "The hub is up." if is_first else "The hub is back."
        missed = " Some of what happened in between is not told here." if news.is_far and not is_first else ""
        counts = f"{_counted(live, 'session')} live, {_counted(waiting, 'ask')} waiting."
        yield f"{here}{missed} {counts[0].upper()}{counts[1:]}"
        self._is_lost = False

    def _asks(self, changes: Changes, *, is_first: bool) -> Iterator[str]:
        for name in sorted(changes.asks, key=self._opened):
            ask = self.mirror.asks.get(name)
            if ask is None or (self._wanted is not None and not self._wanted(_as_row(ask))):
                continue
            sentence = self._of_ask(ask)
            if sentence and self._said.get(name) != sentence:
                is_news = is_waiting(ask) or not is_first
                is_known = name in self._said or sentence.startswith(wording.label(ask))
                self._said[name] = sentence
                _trim(self._said)
                if is_news:
                    yield sentence if is_known else sentence.replace(":", f", {ask.view.verb}:", 1)

    def _opened(self, name: str) -> int:
        ask = self.mirror.asks.get(name)
        return ask.opened_at if ask else 0

    def _of_ask(self, ask: ShownAsk) -> str:
        now = state(ask, self.mirror.now())
        if now.name == "open":
            return waiting(ask)
        # On its way to the agent: what was answered is said already, or in a moment.
        return "" if now.name in ("sending", "told") else f"Ask {ask.id}: {_sentence(now.text)}"

    def _rows(self, changes: Changes) -> Iterator[str]:
        for row in changes.rows:
            is_begun = row.kind in _BEGINNINGS and row.state == _BEGINNINGS[row.kind]
            if row.state in ("running", "prompted") and not is_begun:
                continue
            # For a call or a form that was asked about, the ask is printed instead.
            key = f"{row.id} {is_begun}"
            is_asked = row.ask and row.kind in ("call", "ask")
            if key in self._told or is_asked or (self._wanted is not None and not self._wanted(row)):
                continue
            self._told[key] = None
            _trim(self._told)
            session = self._session(row.session or "")
            yield happened(row, project_of(session) if session else (row.session or "hub")[:8])


def waiting(ask: ShownAsk) -> str:
    """``Danger, ask kptwm: Delete untracked files, webshop, main agent. Waiting until 9:58.``"""
    who = ", ".join((project(ask.subject), which_agent(ask.subject).replace("↳ ", "agent ")))
    until = f" until {hour_minute(ask.expires_at)}" if ask.expires_at else ""
    odd = "".join(f" {wording.begun(wording.FLAGS[flag])}." for flag in ask.flags if flag in wording.FLAGS)
    change = f" Changed, revision {ask.rev}." if ask.rev > 1 else ""
    return f"{wording.label(ask)}, ask {ask.id}: {ask.view.verb}, {who}.{odd}{change} Waiting{until}."


def happened(row: Row, of: str) -> str:
    """``webshop: Edit auth.py, done in 40 ms, allowed by rule 7.``"""
    agent = f", agent {row.agent_type or row.agent[:8]}" if row.agent else ""
    risk = f"{wording.risk_word(row.risk)}, " if row.risk in ("care", "danger") else ""
    began = " started" if row.state == "running" and row.kind == "agent" else ""
    parts = [f"{risk}{' '.join(filter(None, (row.title, row.what)))}{began}"]
    if row.state in _OVER and not (row.told and row.state == "denied"):
        word = wording.FEED[row.state].word
        parts.append(f"{word} in {duration(row.took_ms)}" if row.took_ms is not None else word)
    if row.told:
        parts.append(row.told)
    if row.note:
        parts.append(row.note)
    text = f"{of}{agent}: {', '.join(parts)}"
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _sentence(text: str) -> str:
    text = text.replace(" · ", ", ")
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def _as_row(ask: ShownAsk) -> Row:
    """What a filter looks at."""
    view, subject = ask.view, ask.subject
    words = (view.verb, *(segment.text for segment in view.segments), ask.risk.reason, ask.says)
    answer = ask.answer
    return Row(
        id=ask.call or ask.id,
        rev=0,
        seq=0,
        at=ask.opened_at,
        kind="call",
        session=subject.session,
        agent=subject.agent or None,
        agent_type=subject.agent_type,
        name=view.tool,
        what="\n".join(words),
        risk=ask.risk.level,
        ask=ask.id,
        note=wording.said(answer.choice) if answer else "",
    )


def _counted(number: int, word: str) -> str:
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


def _trim(entries: dict[str, str] | dict[str, None]) -> None:
    if len(entries) > _MOST_TOLD:
        entries.pop(next(iter(entries)))
