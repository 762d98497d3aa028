"""An ask as one message: what it is, who wants it, the thing itself, why it is judged so, and what can be pressed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from assent.protocol.bodies import AskKind
from assent.protocol.card import ShownAsk, Subject
from assent.surfaces import ask_text, prose
from assent.surfaces.ask_text import ask_summary, both_ends, notice_summary, pieces
from assent.surfaces.base import Audience, Notice
from assent.surfaces.prose import Line, Run, Style
from assent.text import who, wording
from assent.text.ask_state import PERSONS, Told, approval, changed, context, flags, is_waiting, said, state
from assent.text.safe import CUT, chat_line, chat_text, escaped, size

Block = dict[str, Any]


def unescaped(text: str) -> str:
    """What people wrote comes with the same three escapes."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def words(text: str, style: str = "") -> Block:
    element: Block = {"type": "text", "text": text}
    if style:
        element["style"] = {style: True}
    return element


def styled(runs: Iterable[Run]) -> list[Block]:
    return [words(run.text, run.style) for run in runs]


def mono(text: str, longest: int) -> list[Block]:
    """On one line, as an agent wrote it."""
    return styled(prose.code(text, longest))


def sentence(text: str, longest: int, style: Style = "") -> list[Block]:
    return styled(prose.sentence(text, longest, style))


def section(*elements: Block) -> Block:
    return {"type": "rich_text_section", "elements": list(elements)}


def preformatted(text: str) -> Block:
    return {"type": "rich_text_preformatted", "elements": [words(text)]}


def listed(line: Line) -> Block:
    style = "ordered" if line.kind == "number" else "bullet"
    made: Block = {"type": "rich_text_list", "style": style, "indent": min(line.depth, DEEPEST), "elements": []}
    return {**made, "offset": line.number - 1} if line.kind == "number" and line.number > 1 else made


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
MOST_FACTS = 5
# So far Slack indents lists.
DEEPEST = 8
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
    middle, is_whole = _middle(ask)
    again = [words("Still waiting for you.\n")] if audience.is_reminder else []
    top = rich(section(*again, *head(ask), *_why(ask)))
    return Card(text, (top, *middle, _bottom(ask, now, link, is_whole=is_whole)), is_whole)


def _middle(ask: ShownAsk) -> tuple[list[Block], bool]:
    """The thing itself, and whether all of it stands there."""
    if ask.kind == "plan":
        return _plan(ask)
    if ask.view.questions and len(body := _questions(ask)) <= PART:
        return [rich(*(part for at in range(len(ask.view.questions)) for part in _question(ask, at)))], True
    body = ask_text.text(ask) if not ask.view.questions else _questions(ask)
    parts = pieces(body, PART, WHOLE // PART + 1) if size(body) <= WHOLE else None
    if parts is None or ask.kind in _SUMMARISED:
        parts = [both_ends(body, SHORT)]
    is_whole = "".join(parts) == body and ask_text.is_whole(ask)
    return [rich(preformatted(part)) for part in parts if part.strip("\n")], is_whole


def _plan(ask: ShownAsk) -> tuple[list[Block], bool]:
    """A plan in Slack's own formatting."""
    lines, left = ask_text.plan(ask, WHOLE)
    made: list[Block] = []
    for line in lines:
        if not line.text.strip("\n"):
            continue
        if line.kind in ("bullet", "number"):
            _append(made, line)
        elif line.kind == "code":
            made.append(preformatted(line.text))
        elif line.kind == "quote":
            made.append({"type": "rich_text_quote", "elements": styled(line.runs)})
        else:
            gap = [words("\n")] if made and line.is_apart and made[-1]["type"] != "rich_text_preformatted" else []
            made.append(section(*gap, *styled(line.runs)))
    if left:
        made.append(section(words(f"{left:,} more characters: open it to read all of it.", "italic")))
    facts = [[*sentence(name, 60), *_after(": ", mono(value, 200))] for name, value in ask.view.facts[:MOST_FACTS]]
    below = [rich(section(*_lines(*facts)))] if any(facts) else []
    return [*([rich(*made)] if made else []), *below], not left


def _append(made: list[Block], line: Line) -> None:
    """To the list before it, if that goes on."""
    new, last = listed(line), made[-1] if made else {}
    if any(last.get(name) != new[name] for name in ("type", "style", "indent")):
        made.append(new)
    made[-1]["elements"].append(section(*styled(line.runs)))


def _question(ask: ShownAsk, at: int) -> Iterator[Block]:
    """What is asked, and the options as a list."""
    one = ask.view.questions[at]
    head = ask_text.question_head(ask.view.questions, at)
    asked = [] if ask_text.is_in_heading(ask, at) else sentence(one.question, 2 * PART, "bold")
    if above := _lines(sentence(head, 200), asked):
        yield section(*([words("\n")] if at else []), *above)
    for number, option in enumerate(one.options, 1):
        entry = listed(Line("number", (), 0, number))
        about = sentence(option.description, 2 * PART)
        entry["elements"] = [section(*(_lines(sentence(option.label, 2 * PART, "bold"), about) or [words(CUT)]))]
        yield entry
        if option.preview.strip():
            yield preformatted(chat_text(option.preview))


def _lines(*lines: Sequence[Block]) -> list[Block]:
    """Those that say something, below each other."""
    said = [each for each in lines if each]
    return [*said[0], *(part for each in said[1:] for part in _after("\n", each))] if said else []


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
    level = Run(f"{wording.sign(ask)} {chat_line(wording.label(ask), 40).upper()} · ", "bold")
    whose = " · ".join((who.identity(ask.subject), *flags(ask)))
    return [
        *styled(prose.joined((level, *prose.sentence(ask_text.heading(ask), _LINES["verb"], "bold")))),
        *_after("\n", sentence(whose, _LINES["title"] + 160)),
    ]


def _why(ask: ShownAsk) -> list[Block]:
    """What has to be known before the thing itself is read."""
    instead, advice = ask_text.safer(ask)
    command, said = mono(instead, _LINES["safer"]), sentence(advice, _LINES["safer"])
    rest = ask_text.more_steps(ask)
    return [
        *_labelled("Approval", sentence(approval(ask), _LINES["why"])),
        *_labelled("Why", sentence(ask.risk.reason, _LINES["why"])),
        *_labelled("Safer", [*command, *(_after(" – ", said) if command else said)]),
        *([words(f"\n{changed(ask)}")] if changed(ask) else []),
        *_labelled("Would do", sentence(ask_text.tally(ask), 100)),
        *(part for step in ask_text.steps(ask) for part in _step(*step)),
        *([words(f"\n{rest}")] if rest else []),
    ]


def _step(sign: str, what: str, where: str) -> list[Block]:
    """``■ Restart app  web1 web2``"""
    told = sentence(what, _LINES["step"])
    return [words(f"\n{sign} "), *told, *_after(" ", mono(where, _LINES["step"]))]


def _labelled(label: str, elements: Sequence[Block]) -> list[Block]:
    """On a line of its own."""
    return [words("\n"), words(f"{label}:", "bold"), *_after(" ", elements)] if elements else []


def _bottom(ask: ShownAsk, now: float, link: str, *, is_whole: bool) -> Block:
    stop = ask.view.stop
    running = ", ".join(stop.background) if stop is not None else ""
    can_say_yes = any(way.choice in ("allow", "answer") for way in ask.choices)
    elsewhere = ("" if is_whole else _CUT) if can_say_yes else _ELSEWHERE.get(ask.kind, "")
    lines: list[Sequence[Block]] = [
        *_context(ask),
        styled(ask_text.where(ask)),
        _labelled("Still running", mono(running, _LINES["where"]))[1:],
        [words(chat_line(state(ask, now).text, 200))] if ask.state == "doubtful" else [],
        [words(elsewhere)] if elsewhere else [],
        _labelled("Open", mono(link, 300))[1:],
        [words(" · ".join(filter(None, (f"{ID}{ask.id}", ask_text.until(ask, now)))))],
    ]
    return rich(section(*_lines(*lines)))


def _context(ask: ShownAsk) -> Iterator[list[Block]]:
    """The person's words are prose, the agent's are code."""
    for label, text in context(ask):
        is_persons = label in PERSONS
        shown = sentence(text, _LINES["says"]) if is_persons else mono(text, _LINES["says"])
        yield _labelled(label, shown)[1:] if label else shown


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
    head = section(
        words(f"{_HEADS[notice.what]}\n", "bold"), *sentence(name.removesuffix(" · main agent") or "agent", 160)
    )
    middle = [preformatted(both_ends(body, SHORT))] if body else []
    return Card(" – ".join(filter(None, (title, chat_line(text, 240)))), (rich(head, *middle),))
