"""An ask as one message: what it is, who wants it, the thing itself, why it is judged so, and what can be pressed."""

from collections.abc import Sequence
from dataclasses import dataclass

from assent.protocol.bodies import AskKind
from assent.protocol.card import ShownAsk
from assent.surfaces import thing
from assent.surfaces.base import Audience
from assent.surfaces.glance import glance
from assent.surfaces.slack.blocks import Block, line, mono, preformatted, rich, section, words
from assent.surfaces.text import both_ends, pieces, size
from assent.words import signs, who
from assent.words.state import Told, flags, is_waiting, said, state
from assent.words.times import hour_minute

# Slack takes about 11 000 characters in all, and folds up what is long.
WHOLE = 6_000
PART = 2_900
SHORT = 2_400
AFTERWARDS = 600
ID = "id "
_LINES = {"verb": 200, "title": 160, "why": 500, "safer": 300, "says": 240, "where": 200}
# A plan or a form is never agreed to in a chat, so its beginning has to do.
_SUMMARISED = frozenset({"plan", "form"})
_THERE = "on the page or in assent watch"
_ELSEWHERE: dict[AskKind, str] = {
    "permission": f"Yes is said {_THERE}.",
    "question": f"It is answered {_THERE}.",
    "plan": f"It is approved {_THERE}.",
    "form": f"It is filled in {_THERE}.",
}
_CUT = f"Not all of it fits in here, so yes is said {_THERE}."


@dataclass(frozen=True, slots=True)
class Card:
    # For notifications.
    text: str
    blocks: tuple[Block, ...]
    # Everything stands in it.
    is_whole: bool = True


def card(ask: ShownAsk, audience: Audience, *, now: float, link: str = "") -> Card:
    """``link`` is named where no button can carry it."""
    text = " – ".join(glance(ask, audience)).replace("\n", " · ")
    if audience.gist or audience.privacy == "masked":
        return Card(text, (_masked(ask, audience),), is_whole=False)
    told = thing.text(ask) if not ask.view.questions else _questions(ask)
    parts = pieces(told, PART, WHOLE // PART + 1) if size(told) <= WHOLE else None
    if parts is None or ask.kind in _SUMMARISED:
        parts = [both_ends(told, SHORT)]
    is_whole = "".join(parts) == told and thing.is_whole(ask)
    middle = [rich(preformatted(part)) for part in parts if part.strip("\n")]
    return Card(text, (_top(ask, audience), *middle, _bottom(ask, now, link, is_whole=is_whole)), is_whole)


def over(ask: ShownAsk | None, name: str, why: str, now: float) -> Card:
    """What is left when nothing can be answered any more: what it was, and how it ended."""
    if ask is None:
        text = f"◌ {line(why, 200)}"
        return Card(text, (rich(section(words(f"{text}\n{ID}{line(name, 20) or 'unknown'}"))),))
    told = both_ends(thing.text(ask), AFTERWARDS)
    middle = [rich(preformatted(told))] if told.strip("\n") else []
    text = line(ending(ask, why, now), 300)
    return Card(text, (_top(ask, Audience("open")), *middle, rich(section(words(f"{text}\n{ID}{ask.id}")))))


def ending(ask: ShownAsk, why: str, now: float) -> str:
    """``✓ Allowed on iPhone, 09:41:07 · ran, 1.2 s``"""
    if is_waiting(ask):
        return f"◌ {why}"
    now_is: Told = state(ask, now)
    answered = said(ask.answer) if ask.answer is not None else ""
    told = " · ".join(dict.fromkeys(filter(None, (answered, now_is.text))))
    return f"{now_is.sign} {told}".strip()


def head(ask: ShownAsk) -> list[Block]:
    """``■ DANGER · Delete untracked files``, and who wants it."""
    unusual = line(", ".join(flags(ask)), 160)
    return [
        words(f"{signs.sign(ask)} {line(signs.label(ask), 40).upper()}", "bold"),
        *_after(" · ", mono(ask.view.verb, _LINES["verb"])),
        *_after("\n", mono(who.identity(ask.subject), _LINES["title"])),
        *_after(" · ", [words(unusual)] if unusual else []),
    ]


def _top(ask: ShownAsk, audience: Audience) -> Block:
    again = [words("Still waiting for you.\n")] if audience.is_reminder else []
    return rich(section(*again, *head(ask)))


def _bottom(ask: ShownAsk, now: float, link: str, *, is_whole: bool) -> Block:
    risk, subject, stop = ask.risk, ask.subject, ask.view.stop
    where = [subject.folder if subject.folder != subject.project else "", subject.branch, subject.mode]
    running = ", ".join(stop.background) if stop is not None else ""
    can_say_yes = any(way.choice in ("allow", "answer") for way in ask.choices)
    elsewhere = ("" if is_whole else _CUT) if can_say_yes else _ELSEWHERE.get(ask.kind, "")
    lines: list[Sequence[Block]] = [
        _after("Why: ", mono(risk.reason, _LINES["why"])),
        _after("Safer: ", mono(risk.instead or risk.safer, _LINES["safer"])),
        _after("Agent says: ", mono(ask.says, _LINES["says"])),
        _after("In: ", mono(" · ".join(each for each in where if each and each != "default"), _LINES["where"])),
        _after("Still running: ", mono(running, _LINES["where"])),
        [words(line(state(ask, now).text, 200))] if ask.state == "doubtful" else [],
        [words(elsewhere)] if elsewhere else [],
        _after("Open: ", mono(link, 300)),
        [words(f"{ID}{ask.id}{f' · until {hour_minute(ask.expires_at)}' if ask.expires_at else ''}")],
    ]
    shown = [each for each in lines if each]
    return rich(section(*shown[0], *(part for each in shown[1:] for part in _after("\n", each))))


def _masked(ask: ShownAsk, audience: Audience) -> Block:
    title, text = glance(ask, audience)
    last = "Write asks to see them." if audience.gist else f"{ID}{ask.id}"
    return rich(section(words(line(title, 120), "bold"), words(f"\n{line(text, 300)}\n{last}")))


def _questions(ask: ShownAsk) -> str:
    questions = ask.view.questions
    return "\n\n".join(thing.question(questions, step) for step in range(len(questions)))


def _after(text: str, elements: Sequence[Block]) -> list[Block]:
    return [words(text), *elements] if elements else []
