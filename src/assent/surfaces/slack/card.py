"""An ask as one message: what it is, who wants it, the thing itself, why it is judged so, and what can be pressed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assent.protocol.bodies import AskKind
from assent.protocol.card import ShownAsk, Subject
from assent.surfaces import ask_text
from assent.surfaces.ask_text import ask_summary, both_ends, notice_summary, pieces
from assent.surfaces.base import Audience, Notice
from assent.text import who, wording
from assent.text.ask_state import Told, context, flags, is_waiting, said, state
from assent.text.safe import CUT, chat_line, chat_text, escaped, size
from assent.text.times import hour_minute

Block = dict[str, Any]


def unescaped(text: str) -> str:
    """What people wrote comes with the same three escapes."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def words(text: str, style: str = "") -> Block:
    element: Block = {"type": "text", "text": text}
    if style:
        element["style"] = {style: True}
    return element


def mono(text: str, longest: int) -> list[Block]:
    return [words(shown, "code")] if (shown := chat_line(text, longest)) else []


def section(*elements: Block) -> Block:
    return {"type": "rich_text_section", "elements": list(elements)}


def preformatted(text: str) -> Block:
    return {"type": "rich_text_preformatted", "elements": [words(text)]}


def rich(*parts: Block) -> Block:
    return {"type": "rich_text", "elements": list(parts)}


def plain(text: str, longest: int) -> Block:
    """Escaped first, and cut between whole characters, so that no escape is torn."""
    pieces: list[str] = []
    room = longest - len(CUT)
    for c in chat_line(text, longest):
        piece = escaped(c)
        if len(piece) > room:
            pieces.append(CUT)
            break
        room -= len(piece)
        pieces.append(piece)
    return {"type": "plain_text", "text": "".join(pieces) or CUT, "emoji": False}


# Slack takes about 11 000 characters in all, and folds up what is long.
WHOLE = 6_000
PART = 2_900
SHORT = 2_400
AFTERWARDS = 600
ID = "id "
_LINES = {"verb": 200, "title": 160, "why": 500, "safer": 300, "step": 160, "says": 400, "where": 200}
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
    text = " – ".join(ask_summary(ask, audience)).replace("\n", " · ")
    if audience.gist or audience.privacy == "masked":
        return Card(text, (_masked(ask, audience),), is_whole=False)
    body = ask_text.text(ask) if not ask.view.questions else _questions(ask)
    parts = pieces(body, PART, WHOLE // PART + 1) if size(body) <= WHOLE else None
    if parts is None or ask.kind in _SUMMARISED:
        parts = [both_ends(body, SHORT)]
    is_whole = "".join(parts) == body and ask_text.is_whole(ask)
    middle = [rich(preformatted(part)) for part in parts if part.strip("\n")]
    again = [words("Still waiting for you.\n")] if audience.is_reminder else []
    top = rich(section(*again, *head(ask), *_why(ask)))
    return Card(text, (top, *middle, _bottom(ask, now, link, is_whole=is_whole)), is_whole)


def over(ask: ShownAsk | None, name: str, why: str, now: float) -> Card:
    """What is left when nothing can be answered any more: what it was, and how it ended."""
    if ask is None:
        text = f"◌ {chat_line(why, 200)}"
        return Card(text, (rich(section(words(f"{text}\n{ID}{chat_line(name, 20) or 'unknown'}"))),))
    body = both_ends(ask_text.text(ask), AFTERWARDS)
    middle = [rich(preformatted(body))] if body.strip("\n") else []
    text = chat_line(ending(ask, why, now), 300)
    return Card(text, (rich(section(*head(ask))), *middle, rich(section(words(f"{text}\n{ID}{ask.id}")))))


def ending(ask: ShownAsk, why: str, now: float) -> str:
    """``✓ Allowed on iPhone, 09:41:07 · ran, 1.2 s``"""
    if is_waiting(ask):
        return f"◌ {why}"
    now_is: Told = state(ask, now)
    answered = said(ask.answer) if ask.answer is not None else ""
    text = " · ".join(dict.fromkeys(filter(None, (answered, now_is.text))))
    return f"{now_is.sign} {text}".strip()


def head(ask: ShownAsk) -> list[Block]:
    """``■ DANGER · Delete untracked files``, and who wants it."""
    unusual = chat_line(", ".join(flags(ask)), 160)
    return [
        words(f"{wording.sign(ask)} {chat_line(wording.label(ask), 40).upper()}", "bold"),
        *_after(" · ", mono(ask.view.verb, _LINES["verb"])),
        *_after("\n", mono(who.identity(ask.subject), _LINES["title"])),
        *_after(" · ", [words(unusual)] if unusual else []),
    ]


def _why(ask: ShownAsk) -> list[Block]:
    """What has to be known before the thing itself is read."""
    risk, (tally, *steps) = ask.risk, ask_text.steps(ask) or [""]
    return [
        *_after("\nWhy: ", mono(risk.reason, _LINES["why"])),
        *_after("\nSafer: ", mono(risk.instead or risk.safer, _LINES["safer"])),
        *([words(f"\n{tally}")] if tally else []),
        *(part for step in steps for part in _after("\n", mono(step, _LINES["step"]))),
    ]


def _bottom(ask: ShownAsk, now: float, link: str, *, is_whole: bool) -> Block:
    subject, stop = ask.subject, ask.view.stop
    where = [subject.folder if subject.folder != subject.project else "", subject.branch, subject.mode]
    running = ", ".join(stop.background) if stop is not None else ""
    can_say_yes = any(way.choice in ("allow", "answer") for way in ask.choices)
    elsewhere = ("" if is_whole else _CUT) if can_say_yes else _ELSEWHERE.get(ask.kind, "")
    lines: list[Sequence[Block]] = [
        *(_after(f"{label}: " if label else "", mono(text, _LINES["says"])) for label, text in context(ask)),
        _after("In: ", mono(" · ".join(each for each in where if each and each != "default"), _LINES["where"])),
        _after("Still running: ", mono(running, _LINES["where"])),
        [words(chat_line(state(ask, now).text, 200))] if ask.state == "doubtful" else [],
        [words(elsewhere)] if elsewhere else [],
        _after("Open: ", mono(link, 300)),
        [words(f"{ID}{ask.id}{f' · until {hour_minute(ask.expires_at)}' if ask.expires_at else ''}")],
    ]
    shown = [each for each in lines if each]
    return rich(section(*shown[0], *(part for each in shown[1:] for part in _after("\n", each))))


def _masked(ask: ShownAsk, audience: Audience) -> Block:
    title, text = ask_summary(ask, audience)
    last = "Write asks to see them." if audience.gist else f"{ID}{ask.id}"
    return rich(section(words(chat_line(title, 120), "bold"), words(f"\n{chat_line(text, 300)}\n{last}")))


def _questions(ask: ShownAsk) -> str:
    questions = ask.view.questions
    return "\n\n".join(ask_text.question(questions, step) for step in range(len(questions)))


def _after(text: str, elements: Sequence[Block]) -> list[Block]:
    return [*([words(text)] if text else []), *elements] if elements else []


_HEADS = {"finished": "◇ TURN ENDED", "failed": "✕ STOPPED WITH AN ERROR"}


def notice_card(notice: Notice, *, is_masked: bool) -> Card:
    title, text = notice_summary(notice, Audience("masked" if is_masked else "open"))
    if is_masked:
        return Card(title, (rich(section(words(chat_line(title, 120), "bold"))),))
    name = who.identity(Subject("", session=notice.session, project=notice.project, title=notice.title))
    body = chat_text(notice.text.strip())
    head = section(words(f"{_HEADS[notice.what]}\n", "bold"), *mono(name.removesuffix(" · main agent") or "agent", 160))
    middle = [preformatted(both_ends(body, SHORT))] if body else []
    return Card(" – ".join(filter(None, (title, chat_line(text, 240)))), (rich(head, *middle),))
