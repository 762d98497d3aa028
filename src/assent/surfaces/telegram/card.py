"""An ask as messages: what it is, who wants it, the thing itself, why it is judged so, and what can be pressed."""

from collections.abc import Sequence
from dataclasses import dataclass

from assent.protocol.card import ShownAsk, Subject
from assent.surfaces import ask_text
from assent.surfaces.ask_text import ask_summary, both_ends, notice_summary, pieces
from assent.surfaces.base import Audience, Notice
from assent.text import who, wording
from assent.text.ask_state import Told, context, flags, is_waiting, said, state
from assent.text.safe import chat_text, escaped, escaped_line, size
from assent.text.times import hour_minute

# It takes 4,096 characters, and counts less than we do.
LONGEST_MESSAGE = 4_000


def mono(text: str, longest: int) -> str:
    return f"<code>{shown}</code>" if (shown := escaped_line(text, longest)) else ""


def block(text: str) -> str:
    return f"<pre>{escaped(text)}</pre>"


# What is longer than this many messages goes along as a file, and then nothing can be agreed to.
MOST_PARTS = 3
PART = 3_600
LONGEST_AFTERWARDS = 600
ID = "id "
_LINES = {"verb": 200, "title": 160, "why": 500, "safer": 300, "step": 160, "says": 400, "where": 200}
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
    text = ask_text.text(ask, step)
    is_known_whole = ask_text.is_whole(ask)
    top, bottom = (
        _joined(_top(ask, audience), _why(ask)),
        _bottom(ask, now, notes if is_known_whole else (*notes, if_cut)),
    )
    room = LONGEST_MESSAGE - size(top) - size(bottom) - size(if_cut) - 20
    if len(text) <= room and size(escaped(text)) <= room:
        return Card(_joined(top, block(text) if text else "", bottom), is_whole=is_known_whole)
    parts = None if ask.kind in _SUMMARISED else pieces(text, PART, MOST_PARTS)
    if parts is not None and has_parts is not False:
        above = f"All of it, {len(text):,} characters, stands above this message."
        middle = f"{block(both_ends(text, min(room - 80, 400)))}\n{above}"
        before = () if has_parts else tuple(_part(ask, at, parts) for at in range(len(parts)))
        return Card(_joined(top, middle, bottom), before, is_whole=is_known_whole)
    short, bottom = block(both_ends(text, min(room, 2_400))), _bottom(ask, now, (*notes, if_cut))
    return Card(_joined(top, short, bottom), file="" if has_parts is not None else text, is_whole=False)


def over(ask: ShownAsk | None, name: str, why: str, now: float) -> str:
    """What is left when nothing can be answered any more: what it was, and how it ended."""
    if ask is None:
        return _joined(f"◌ {escaped_line(why, 200)}", f"{ID}{escaped_line(name, 20)}" if name else "")
    text = ask_text.text(ask)
    middle = block(both_ends(text, LONGEST_AFTERWARDS)) if text else ""
    return _joined(_top(ask, Audience("open")), middle, f"{escaped_line(ending(ask, why, now), 300)}\n{ID}{ask.id}")


def sure(ask: ShownAsk, answers: Sequence[str]) -> str:
    """The question before a yes that takes two steps."""
    lines = [f"{at + 1}: {mono(answer, 200)}" for at, answer in enumerate(answers)]
    return _joined("Send this answer?" if answers else "Allow this?", head(ask), identity(ask), *lines, f"{ID}{ask.id}")


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
    level = escaped_line(wording.label(ask), 40).upper()
    return f"<b>{wording.sign(ask)} {level}</b> · {mono(ask.view.verb, _LINES['verb'])}"


def identity(ask: ShownAsk) -> str:
    unusual = flags(ask)
    text = mono(who.identity(ask.subject), _LINES["title"])
    return f"{text} · {escaped_line(', '.join(unusual), 160)}" if unusual else text


def _top(ask: ShownAsk, audience: Audience) -> str:
    again = "Still waiting for you.\n" if audience.is_reminder else ""
    return f"{again}{head(ask)}\n{identity(ask)}"


def _why(ask: ShownAsk) -> str:
    """What has to be known before the thing itself is read."""
    risk, (tally, *steps) = ask.risk, ask_text.steps(ask) or [""]
    return _joined(
        f"Why: {mono(risk.reason, _LINES['why'])}" if risk.reason else "",
        f"Safer: {mono(risk.instead or risk.safer, _LINES['safer'])}" if risk.instead or risk.safer else "",
        tally,
        *(mono(step, _LINES["step"]) for step in steps),
    )


def _bottom(ask: ShownAsk, now: float, notes: Sequence[str]) -> str:
    said = [(f"{label}: " if label else "", mono(text, _LINES["says"])) for label, text in context(ask)]
    lines = [
        *(f"{label}{text}" for label, text in said),
        _where(ask),
        _background(ask),
        escaped_line(state(ask, now).text, 200) if ask.state == "doubtful" else "",
        *notes,
        f"{ID}{ask.id}{f' · until {hour_minute(ask.expires_at)}' if ask.expires_at else ''}",
    ]
    return "\n".join(filter(None, lines))


def _where(ask: ShownAsk) -> str:
    subject = ask.subject
    facts = [subject.folder if subject.folder != subject.project else "", subject.branch, subject.mode]
    words = " · ".join(each for each in facts if each and each != "default")
    return f"In: {mono(words, _LINES['where'])}" if words else ""


def _background(ask: ShownAsk) -> str:
    stop = ask.view.stop
    if stop is None or not stop.background:
        return ""
    return f"Still running: {mono(', '.join(stop.background), _LINES['where'])}"


def _masked(ask: ShownAsk, audience: Audience) -> str:
    title, text = ask_summary(ask, audience)
    last = "/asks lists them." if audience.gist else f"{ID}{ask.id}"
    return _joined(f"<b>{escaped_line(title, 120)}</b>", escaped_line(text, 300), last)


def _part(ask: ShownAsk, at: int, parts: Sequence[str]) -> str:
    return f"{ID}{ask.id} · {at + 1} of {len(parts)}\n{block(parts[at])}"


def _joined(*parts: str) -> str:
    return "\n".join(filter(None, parts))


LONGEST = 2_400
_HEADS = {"finished": "◇ TURN ENDED", "failed": "✕ STOPPED WITH AN ERROR"}


def notice_text(notice: Notice, *, is_masked: bool) -> str:
    if is_masked:
        title, words = notice_summary(notice, Audience("masked"))
        return f"<b>{escaped_line(title, 120)}</b>\n{escaped_line(words, 200)}"
    name = who.identity(Subject("", session=notice.session, project=notice.project, title=notice.title))
    shown = chat_text(notice.text.strip())
    lines = [
        f"<b>{_HEADS[notice.what]}</b>",
        mono(name.removesuffix(" · main agent"), 160),
        block(both_ends(shown, LONGEST)) if shown else "",
        "Reply to tell it what to do next.",
    ]
    return "\n".join(filter(None, lines))
