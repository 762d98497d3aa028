"""An ask as messages: what it is, who wants it, the thing itself, why it is judged so, and what can be pressed."""

from collections.abc import Sequence
from dataclasses import dataclass

from assent.protocol.card import ShownAsk
from assent.surfaces import thing
from assent.surfaces.base import Audience
from assent.surfaces.glance import glance
from assent.surfaces.telegram.markup import LONGEST_MESSAGE, block, line, mono
from assent.surfaces.text import both_ends, escaped, pieces, size
from assent.words import signs, who
from assent.words.state import Told, flags, is_waiting, said, state
from assent.words.times import hour_minute

# What is longer than this many messages goes along as a file, and then nothing can be agreed to.
MOST_PARTS = 3
PART = 3_600
LONGEST_AFTERWARDS = 600
ID = "id "
_LINES = {"verb": 200, "title": 160, "why": 500, "safer": 300, "says": 240, "where": 200}
# A plan or a form is never agreed to in a chat, so its beginning has to do.
_SUMMARISED = frozenset({"plan", "form"})


@dataclass(frozen=True, slots=True)
class Card:
    """Messages that go before, the one with the buttons, and a file where all of it is too long."""

    text: str
    before: tuple[str, ...] = ()
    file: str = ""
    # Everything stands in the messages.
    is_whole: bool = True


def card(
    ask: ShownAsk,
    audience: Audience,
    *,
    now: float,
    notes: Sequence[str] = (),
    if_cut: str = "",
    step: int = 0,
    has_parts: bool | None = None,
) -> Card:
    """``has_parts`` says for a message that is changed whether the whole text stands above it already; ``if_cut`` is
    said where not all of it stands in the chat."""
    if audience.gist or audience.privacy == "masked":
        return Card(_masked(ask, audience), is_whole=False)
    told = thing.text(ask, step)
    is_known_whole = thing.is_whole(ask)
    top, bottom = _top(ask, audience), _bottom(ask, now, notes if is_known_whole else (*notes, if_cut))
    room = LONGEST_MESSAGE - size(top) - size(bottom) - size(if_cut) - 20
    if len(told) <= room and size(escaped(told)) <= room:
        return Card(_joined(top, block(told) if told else "", bottom), is_whole=is_known_whole)
    parts = None if ask.kind in _SUMMARISED else pieces(told, PART, MOST_PARTS)
    if parts is not None and has_parts is not False:
        above = f"All of it, {len(told):,} characters, stands above this message."
        middle = f"{block(both_ends(told, min(room - 80, 400)))}\n{above}"
        before = () if has_parts else tuple(_part(ask, at, parts) for at in range(len(parts)))
        return Card(_joined(top, middle, bottom), before, is_whole=is_known_whole)
    short, bottom = block(both_ends(told, min(room, 2_400))), _bottom(ask, now, (*notes, if_cut))
    return Card(_joined(top, short, bottom), file="" if has_parts is not None else told, is_whole=False)


def over(ask: ShownAsk | None, name: str, why: str, now: float) -> str:
    """What is left when nothing can be answered any more: what it was, and how it ended."""
    if ask is None:
        return _joined(f"◌ {line(why, 200)}", f"{ID}{line(name, 20)}" if name else "")
    told = thing.text(ask)
    middle = block(both_ends(told, LONGEST_AFTERWARDS)) if told else ""
    return _joined(_top(ask, Audience("open")), middle, f"{line(ending(ask, why, now), 300)}\n{ID}{ask.id}")


def sure(ask: ShownAsk, answers: Sequence[str]) -> str:
    """The question before a yes that takes two steps."""
    told = [f"{at + 1}: {mono(answer, 200)}" for at, answer in enumerate(answers)]
    return _joined("Send this answer?" if answers else "Allow this?", head(ask), identity(ask), *told, f"{ID}{ask.id}")


def ending(ask: ShownAsk, why: str, now: float) -> str:
    """``✓ Allowed on iPhone, 09:41:07 · ran, 1.2 s``"""
    if is_waiting(ask):
        return f"◌ {why}"
    now_is: Told = state(ask, now)
    answered = said(ask.answer) if ask.answer is not None else ""
    words = " · ".join(dict.fromkeys(filter(None, (answered, now_is.text))))
    return f"{now_is.sign} {words}".strip()


def head(ask: ShownAsk) -> str:
    """``■ DANGER · Delete untracked files``"""
    return f"<b>{signs.sign(ask)} {line(signs.label(ask), 40).upper()}</b> · {mono(ask.view.verb, _LINES['verb'])}"


def identity(ask: ShownAsk) -> str:
    unusual = flags(ask)
    told = mono(who.identity(ask.subject), _LINES["title"])
    return f"{told} · {line(', '.join(unusual), 160)}" if unusual else told


def _top(ask: ShownAsk, audience: Audience) -> str:
    again = "Still waiting for you.\n" if audience.is_reminder else ""
    return f"{again}{head(ask)}\n{identity(ask)}"


def _bottom(ask: ShownAsk, now: float, notes: Sequence[str]) -> str:
    risk = ask.risk
    lines = [
        f"Why: {mono(risk.reason, _LINES['why'])}" if risk.reason else "",
        f"Safer: {mono(risk.instead or risk.safer, _LINES['safer'])}" if risk.instead or risk.safer else "",
        f"Agent says: {mono(ask.says, _LINES['says'])}" if ask.says else "",
        _where(ask),
        _background(ask),
        line(state(ask, now).text, 200) if ask.state == "doubtful" else "",
        *notes,
        f"{ID}{ask.id}{f' · until {hour_minute(ask.expires_at)}' if ask.expires_at else ''}",
    ]
    return "\n".join(filter(None, lines))


def _where(ask: ShownAsk) -> str:
    subject = ask.subject
    told = [subject.folder if subject.folder != subject.project else "", subject.branch, subject.mode]
    words = " · ".join(each for each in told if each and each != "default")
    return f"In: {mono(words, _LINES['where'])}" if words else ""


def _background(ask: ShownAsk) -> str:
    stop = ask.view.stop
    if stop is None or not stop.background:
        return ""
    return f"Still running: {mono(', '.join(stop.background), _LINES['where'])}"


def _masked(ask: ShownAsk, audience: Audience) -> str:
    title, text = glance(ask, audience)
    last = "/asks lists them." if audience.gist else f"{ID}{ask.id}"
    return _joined(f"<b>{line(title, 120)}</b>", line(text, 300), last)


def _part(ask: ShownAsk, at: int, parts: Sequence[str]) -> str:
    return f"{ID}{ask.id} · {at + 1} of {len(parts)}\n{block(parts[at])}"


def _joined(*parts: str) -> str:
    return "\n".join(filter(None, parts))
