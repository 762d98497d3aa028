"""An ask as a notification: plain text that fits, with what an agent wrote behind a bar of its own."""

from dataclasses import dataclass

from assent.protocol.card import ShownAsk
from assent.surfaces import thing
from assent.surfaces.base import Audience
from assent.surfaces.glance import drawn, glance
from assent.words import signs, who
from assent.words.state import flags, is_waiting, said, state
from assent.words.times import hour_minute

# A server takes 4 096 bytes of text, and twice as much with everything around it.
ROOM = 3_000
TITLE = 120
_BAR = "│ "
_CUT = "⋯"
_LINE = 240


@dataclass(frozen=True, slots=True)
class Card:
    title: str
    text: str
    # Everything of the ask stands in it.
    is_whole: bool = False


def card(ask: ShownAsk, audience: Audience) -> Card:
    if audience.gist or audience.privacy == "masked":
        title, text = glance(ask, audience)
        return Card(title, text if audience.gist else f"{text}\nid {ask.id}")
    top, bottom = _top(ask, audience), _bottom(ask)
    told = "\n".join(f"{_BAR}{line}" for line in thing.text(ask).splitlines())
    room = ROOM - _size(top) - _size(bottom)
    is_whole = thing.is_whole(ask) and _size(told) <= room and len(ask.view.questions) <= 1
    if not is_whole:
        bottom = f"This is not all of it: open it to read the rest.\n{bottom}"
        told = _both_ends(told, room - 100)
    return Card(_head(ask), "\n".join(filter(None, (top, told, bottom))), is_whole)


def over(ask: ShownAsk | None, name: str, why: str, now: float) -> Card:
    """What is left when nothing can be answered any more. ``ask`` is None where only its end may be told."""
    last = f"id {drawn(name, 20)}" if name else "Nothing waits for you here."
    if ask is None or is_waiting(ask):
        return Card(f"◌ {drawn(why, TITLE)}", last)
    now_is = state(ask, now)
    answered = said(ask.answer) if ask.answer is not None else ""
    words = " · ".join(dict.fromkeys(filter(None, (answered, now_is.text))))
    return Card(
        drawn(f"{now_is.sign} {words}", TITLE), f"{_head(ask)}\n{drawn(who.identity(ask.subject), 160)}\n{last}"
    )


def _head(ask: ShownAsk) -> str:
    """``■ Danger · Delete untracked files``"""
    return drawn(f"{signs.sign(ask)} {signs.label(ask)} · {ask.view.verb}", TITLE)


def _top(ask: ShownAsk, audience: Audience) -> str:
    unusual = ", ".join(flags(ask))
    lines = [
        "Still waiting for you." if audience.is_reminder else "",
        drawn(who.identity(ask.subject), 160),
        drawn(unusual, _LINE),
    ]
    return "\n".join(filter(None, lines))


def _bottom(ask: ShownAsk) -> str:
    risk, subject = ask.risk, ask.subject
    where = " · ".join(each for each in (subject.folder, subject.branch) if each and each != subject.project)
    lines = [
        f"Why: {drawn(risk.reason, _LINE)}" if risk.reason else "",
        f"Safer: {drawn(risk.instead or risk.safer, _LINE)}" if risk.instead or risk.safer else "",
        f"Agent says: “{drawn(ask.says, _LINE)}”" if ask.says else "",
        f"In: {drawn(where, 160)}" if where else "",
        f"id {ask.id}{f' · until {hour_minute(ask.expires_at)}' if ask.expires_at else ''}",
    ]
    return "\n".join(filter(None, lines))


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _both_ends(text: str, room: int) -> str:
    """Beginning and end, and how much is missing between them."""
    if _size(text) <= room:
        return text
    half = (room - 60) // 2
    head, tail = _first(text, half), _first(text[::-1], half)[::-1]
    missing = len(text) - len(head) - len(tail)
    return f"{head}\n{_CUT} {missing} characters {_CUT}\n{_BAR}{tail}"


def _first(text: str, room: int) -> str:
    return text[:room].encode("utf-8", "replace")[:room].decode("utf-8", "ignore")
