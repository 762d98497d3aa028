"""An ask as messages: what it is, who wants it, the thing itself, why it is judged so, and what can be pressed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from assent.protocol.card import ShownAsk, Subject
from assent.surfaces import ask_text, prose
from assent.surfaces.ask_text import ask_summary, both_ends, notice_summary, pieces
from assent.surfaces.base import Audience, Notice
from assent.surfaces.prose import Line, Run, Style
from assent.text import who, wording
from assent.text.ask_state import PERSONS, Told, approval, changed, context, flags, is_waiting, said, state
from assent.text.safe import chat_line, chat_text, escaped, escaped_line, size

# It takes 4,096 characters, and counts less than we do.
LONGEST_MESSAGE = 4_000


_TAG = re.compile(r"</?\w+>")
_TAGS = {"bold": "b", "italic": "i", "strike": "s", "code": "code"}


def html(runs: Iterable[Run]) -> str:
    return "".join(_tagged(escaped(run.text), _TAGS.get(run.style, "")) for run in runs)


def _tagged(text: str, tag: str) -> str:
    return f"<{tag}>{text}</{tag}>" if tag else text


def mono(text: str, longest: int) -> str:
    """On one line, as an agent wrote it."""
    return html(prose.code(text, longest))


def block(text: str) -> str:
    return f"<pre>{escaped(text)}</pre>"


def _label(label: str, text: str) -> str:
    return f"<b>{label}:</b> {text}" if text else ""


def _seen(markup: str) -> int:
    """As long as Telegram counts it: without its tags."""
    return size(_TAG.sub("", markup))


# What is longer than this many messages goes along as a file, and then nothing can be agreed to.
MOST_PARTS = 3
MOST_FACTS = 5
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
    room = LONGEST_MESSAGE - _seen(top) - _seen(bottom) - size(if_cut) - 20
    if ask.kind == "plan":
        drawn, left = _plan(ask, room)
        return Card(_joined(top, drawn, bottom), file=text if left and has_parts is None else "", is_whole=not left)
    drawn = _question(ask, step) if ask.view.questions else block(text) if text else ""
    if len(text) <= room and size(escaped(text)) <= room and _seen(drawn) <= room:
        return Card(_joined(top, drawn, bottom), is_whole=is_known_whole)
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
    level = Run(f"{wording.sign(ask)} {chat_line(wording.label(ask), 40).upper()} · ", "bold")
    return html(prose.joined((level, *prose.sentence(ask_text.heading(ask), _LINES["verb"], "bold"))))


def identity(ask: ShownAsk) -> str:
    words = " · ".join((who.identity(ask.subject), *flags(ask)))
    return html(prose.sentence(words, _LINES["title"] + 160))


def _top(ask: ShownAsk, audience: Audience) -> str:
    again = "Still waiting for you.\n" if audience.is_reminder else ""
    return f"{again}{head(ask)}\n{identity(ask)}"


def _why(ask: ShownAsk) -> str:
    """What has to be known before the thing itself is read."""
    instead, advice = ask_text.safer(ask)
    safer = (mono(instead, _LINES["safer"]), html(prose.sentence(advice, _LINES["safer"])))
    return _joined(
        _label("Approval", html(prose.sentence(approval(ask), _LINES["why"]))),
        _label("Why", html(prose.sentence(ask.risk.reason, _LINES["why"]))),
        _label("Safer", " – ".join(filter(None, safer))),
        escaped_line(changed(ask), _LINES["step"]),
        _label("Would do", ask_text.tally(ask)),
        *(_step(*step) for step in ask_text.steps(ask)),
        ask_text.more_steps(ask),
    )


def _step(sign: str, words: str, where: str) -> str:
    """``■ Restart app  web1 web2``"""
    parts = (sign, html(prose.sentence(words, _LINES["step"])), mono(where, _LINES["step"]))
    return " ".join(filter(None, parts))


def _question(ask: ShownAsk, step: int) -> str:
    """The one whose turn it is: what is asked, and the options as a list."""
    questions = ask.view.questions
    at = min(step, len(questions) - 1)
    one = questions[at]
    lines = [html(prose.sentence(ask_text.question_head(questions, at), 200))]
    if not ask_text.is_in_heading(ask, at):
        lines.append(_words(one.question, "bold"))
    for number, option in enumerate(one.options, 1):
        lines.append(f"{number}. {_words(option.label, 'bold')}")
        lines += [f"    {_words(option.description)}"] if option.description else []
        lines += [block(chat_text(option.preview))] if option.preview.strip() else []
    return f"\n{_joined(*lines)}\n"


def _words(text: str, style: Style = "") -> str:
    """All of it, on as many lines as it has."""
    lines = chat_text(text).split("\n")
    return "\n".join(html(prose.sentence(line, 2 * len(line) + 20, style)) for line in lines)


def _plan(ask: ShownAsk, room: int) -> tuple[str, int]:
    """A plan in Telegram's own formatting, as far as there is room, and how many characters of it are left out."""
    facts = [f"{html(prose.sentence(name, 60))}: {mono(value, 200)}" for name, value in ask.view.facts[:MOST_FACTS]]
    lines, left = ask_text.plan(ask, room - _seen("".join(facts)) - 120)
    more = f"<i>{left:,} more characters: open it to read all of it.</i>" if left else ""
    return f"\n{_joined(_document(lines), more)}\n\n{_joined(*facts)}".rstrip() + "\n", left


def _document(lines: Sequence[Line]) -> str:
    made: list[str] = []
    for line in lines:
        marks = {"bullet": "• ", "number": f"{line.number}. ", "quote": "› "}
        text = block(line.text) if line.kind == "code" else html(line.runs)
        gap = "\n" if made and line.is_apart and line.kind != "code" else ""
        indent = "" if line.kind == "code" else "    " * line.depth
        made.append(f"{gap}{indent}{marks.get(line.kind, '')}{text}")
    return "\n".join(made)


def _bottom(ask: ShownAsk, now: float, notes: Sequence[str]) -> str:
    lines = [
        *_context(ask),
        _where(ask),
        _background(ask),
        escaped_line(state(ask, now).text, 200) if ask.state == "doubtful" else "",
        *notes,
        " · ".join(filter(None, (f"{ID}{ask.id}", ask_text.until(ask, now)))),
    ]
    return "\n".join(filter(None, lines))


def _context(ask: ShownAsk) -> Iterator[str]:
    """The person's words are prose, the agent's are code."""
    for label, text in context(ask):
        is_persons = label in PERSONS
        shown = html(prose.sentence(text, _LINES["says"])) if is_persons else mono(text, _LINES["says"])
        yield _label(label, shown) if label else shown


def _where(ask: ShownAsk) -> str:
    """``In ~/src/webshop, on branch main``"""
    return html(ask_text.where(ask))


def _background(ask: ShownAsk) -> str:
    stop = ask.view.stop
    if stop is None or not stop.background:
        return ""
    return _label("Still running", mono(", ".join(stop.background), _LINES["where"]))


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
        html(prose.sentence(name.removesuffix(" · main agent"), 160)),
        block(both_ends(shown, LONGEST)) if shown else "",
        "Reply to tell it what to do next.",
    ]
    return "\n".join(filter(None, lines))
