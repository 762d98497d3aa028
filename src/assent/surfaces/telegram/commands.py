"""Commands: what waits, who works, what is to be done next, and quiet."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assent.protocol.card import ShownAsk
from assent.protocol.session import Session
from assent.surfaces import prose
from assent.surfaces.prose import Run
from assent.surfaces.telegram.card import html, mono
from assent.surfaces.telegram.messages import Messages
from assent.surfaces.telegram.updates import Words
from assent.text import who, wording
from assent.text.ask_state import machine, time_of
from assent.text.safe import escaped, escaped_line, notification_line
from assent.text.times import span

MOST = 10
COMMANDS = {
    "asks": "What waits for you",
    "sessions": "Who is working",
    "queue": "Tell a session what to do next",
    "quiet": "No messages for a while",
    "help": "What you can do here",
}
HELP = """Each ask comes as a message with buttons. It is changed when somebody answers it, here or elsewhere.

Reply to a message to deny it and tell the agent why, to answer a question in your own words, to send notes on a plan, \
or to keep a finished turn going.

<code>yes kptwm</code> and <code>no kptwm use stash</code> do the same as the buttons.

/asks – what waits for you
/sessions – who is working
/queue – tell a session what to do when it stops: <code>/queue webshop run the tests</code>
/quiet – no messages for a while: <code>/quiet 1h</code>, <code>/quiet morning</code>, <code>/quiet off</code>"""
_SPAN = re.compile(r"(\d{1,4})\s*(m|min|h|hours?|d|days?)")
_UNITS = {"m": 60, "h": 3_600, "d": 86_400}


def is_command(text: str) -> bool:
    name = text.partition(" ")[0].partition("@")[0]
    return name.startswith("/") and (name[1:] in COMMANDS or name == "/start")


def sessions(every: Sequence[Session], now: float) -> str:
    live = [one for one in every if one.is_live]
    if not live:
        return "No session is running."
    lines = [_session(one, now) for one in live[:MOST]]
    if len(live) > MOST:
        lines.append(f"⋯ {len(live) - MOST} more")
    return "\n".join(lines)


def _session(one: Session, now: float) -> str:
    name = html(prose.sentence(" · ".join(filter(None, (who.project_of(one), one.title))), 100, "bold"))
    facts = [wording.SESSIONS[one.state].word, f"{one.calls} calls", f"{span(now - one.last)} ago"]
    return f"{wording.SESSIONS[one.state].sign} {name} · {' · '.join(facts)} · {mono(one.id[:8], 8)}"


def asks(waiting: Sequence[ShownAsk], now: float) -> str:
    if not waiting:
        return "Nothing waits for you."
    more = f" The oldest {MOST} of them:" if len(waiting) > MOST else ""
    said = f"{'1 ask waits' if len(waiting) == 1 else f'{len(waiting)} asks wait'} for you.{more}"
    return "\n\n".join((said, *(_ask(ask, now) for ask in waiting[:MOST])))


def _ask(ask: ShownAsk, now: float) -> str:
    """What it is, the thing itself, who wants it and how long it waits."""
    what = html((Run(f"{wording.sign(ask)} "), *prose.sentence(ask.view.verb, 80, "bold")))
    whose = html(
        prose.sentence(" · ".join(filter(None, (who.project(ask.subject), machine(ask), time_of(ask, now)))), 120)
    )
    return "\n".join(filter(None, (what, mono(ask.view.line, 120), whose)))


def label(ask: ShownAsk) -> str:
    return notification_line(f"{ask.id} {wording.sign(ask)} {who.project(ask.subject)} · {ask.view.verb}", 60)


def quiet_time(text: str) -> float | Literal["morning"] | None:
    """Seconds, ``morning``, or None where it is neither."""
    text = text.strip().lower()
    if text in ("off", "end", "0"):
        return 0.0
    if text == "morning":
        return "morning"
    match = _SPAN.fullmatch(text)
    seconds = float(match[1]) * _UNITS[match[2][0]] if match else 0.0
    return seconds if 0 < seconds <= 7 * 86_400 else None


def picked(every: Sequence[Session], name: str) -> Session | str:
    """The session that is meant, or why that is not clear."""
    live = [one for one in every if one.is_live]
    wanted = name.casefold()
    exact = [one for one in live if wanted in (one.id, who.project_of(one).casefold(), one.title.casefold())]
    fits = exact or [one for one in live if len(wanted) >= 4 and one.id.startswith(wanted)]
    if len(fits) == 1:
        return fits[0]
    called = f"called <code>{escaped(notification_line(name, 40))}</code>"
    if fits:
        return f"{len(fits)} sessions are {called}. Use the letters at the end:"
    return f"No session is {called}:" if name else "Which session, and what?"


_NOTHING = "Reply to a message to answer it. /help says more."


@dataclass(frozen=True, slots=True)
class Commands:
    messages: Messages

    async def said(self, words: Words) -> None:
        command, _, rest = words.text.partition(" ")
        name = command.partition("@")[0]
        match name:
            case "/asks":
                await self._asks(words)
            case "/sessions":
                await self._tell(words, sessions(self.messages.tools.inbox.sessions(), time.time() * 1_000))
            case "/queue":
                await self._queue(words, rest.strip())
            case "/quiet":
                await self._quiet(words, rest.strip())
            case _:
                await self._tell(words, HELP if name in ("/help", "/start") else _NOTHING)

    async def _asks(self, words: Words) -> None:
        waiting = self.messages.tools.inbox.asks()
        rows = self.messages.buttons.listed(words.chat, waiting[:MOST], label)
        await self.messages.bot.send(words.chat, asks(waiting, time.time() * 1_000), rows)

    async def _queue(self, words: Words, rest: str) -> None:
        inbox = self.messages.tools.inbox
        name, _, text = rest.partition(" ")
        session = picked(inbox.sessions(), name)
        if isinstance(session, str) or not text.strip():
            why = session if isinstance(session, str) else "What should it do?"
            listed = sessions(inbox.sessions(), time.time() * 1_000)
            await self._tell(words, f"{why}\n{listed}\n\n<code>/queue webshop run the tests</code>")
            return
        outcome = await inbox.queue(words.sender, session.id, text.strip())
        await self._tell(words, escaped(outcome.words))

    async def _quiet(self, words: Words, rest: str) -> None:
        if not rest:
            await self.messages.bot.send(words.chat, "Quiet for how long?", self.messages.buttons.quiet(words.chat))
            return
        wish = quiet_time(rest)
        if wish is None:
            await self._tell(
                words,
                f"{escaped_line(rest, 40)} is no time: <code>30m</code>, <code>2h</code>, "
                "<code>morning</code> or <code>off</code>.",
            )
            return
        outcome = await self.messages.tools.inbox.quiet(words.sender, wish)
        await self._tell(words, escaped(outcome.words))

    async def _tell(self, words: Words, text: str) -> None:
        await self.messages.bot.send(words.chat, text, quiet=True)
