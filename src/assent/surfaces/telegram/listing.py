"""What the bot answers to commands, in words."""

import re
from collections.abc import Sequence
from typing import Literal

from assent.protocol.card import ShownAsk
from assent.surfaces.glance import drawn
from assent.surfaces.telegram.markup import mono
from assent.surfaces.text import escaped
from assent.views.sessions import Session
from assent.words import signs, who
from assent.words.times import span

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
_STATES = {"working": "●", "idle": "○"}
_SPAN = re.compile(r"(\d{1,4})\s*(m|min|h|hours?|d|days?)")
_UNITS = {"m": 60, "h": 3_600, "d": 86_400}


def is_command(text: str) -> bool:
    name = text.partition(" ")[0].partition("@")[0]
    return name.startswith("/") and (name[1:] in COMMANDS or name == "/start")


def sessions(found: Sequence[Session], now: float) -> str:
    live = [one for one in found if one.is_live]
    if not live:
        return "No session is running."
    lines = [_session(one, now) for one in live[:MOST]]
    if len(live) > MOST:
        lines.append(f"⋯ {len(live) - MOST} more")
    return "\n".join(lines)


def _session(one: Session, now: float) -> str:
    name = mono(" · ".join(filter(None, (who.project_of(one), one.title))), 100)
    told = [one.state, f"{one.calls} calls", f"{span(now - one.last)} ago"]
    return f"{_STATES.get(one.state, '·')} {name} · {' · '.join(told)} · {mono(one.id[:8], 8)}"


def asks(waiting: Sequence[ShownAsk]) -> str:
    if not waiting:
        return "Nothing waits for you."
    more = f" The oldest {MOST} of them:" if len(waiting) > MOST else ""
    return f"{'1 ask waits' if len(waiting) == 1 else f'{len(waiting)} asks wait'} for you.{more}"


def label(ask: ShownAsk) -> str:
    return drawn(f"{ask.id} {signs.sign(ask)} {who.project(ask.subject)} · {ask.view.verb}", 60)


def wish(text: str) -> float | Literal["morning"] | None:
    """Seconds, ``morning``, or None where nobody can tell."""
    text = text.strip().lower()
    if text in ("off", "end", "0"):
        return 0.0
    if text == "morning":
        return "morning"
    found = _SPAN.fullmatch(text)
    seconds = float(found[1]) * _UNITS[found[2][0]] if found else 0.0
    return seconds if 0 < seconds <= 7 * 86_400 else None


def picked(found: Sequence[Session], name: str) -> Session | str:
    """The session that is meant, or why that is not clear."""
    live = [one for one in found if one.is_live]
    wanted = name.casefold()
    exact = [one for one in live if wanted in (one.id, who.project_of(one).casefold(), one.title.casefold())]
    fits = exact or [one for one in live if len(wanted) >= 4 and one.id.startswith(wanted)]
    if len(fits) == 1:
        return fits[0]
    if fits:
        return f"{len(fits)} sessions are called <code>{escaped(drawn(name, 40))}</code>. Use the letters at the end:"
    return f"No session is called <code>{escaped(drawn(name, 40))}</code>:" if name else "Which session, and what?"
