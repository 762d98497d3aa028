"""Plain text of an ask: all of it, in reading order."""

import json
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from assent.protocol.card import FieldView, FileDiff, FormView, QuestionView, ShownAsk
from assent.surfaces import prose
from assent.surfaces.base import Audience, Notice
from assent.surfaces.prose import Line, Run
from assent.text import ask_state, wording
from assent.text.safe import CUT, chat_text, escaped, first, notification_line, size
from assent.text.times import day_time
from assent.text.who import at_home
from assent.text.wording import risk_sign


def text(ask: ShownAsk, step: int = 0) -> str:
    """Of several questions the one whose turn it is; the others come one after the other."""
    view = ask.view
    if view.questions:
        return question(view.questions, min(step, len(view.questions) - 1))
    if view.form is not None:
        return _form(view.form)
    if view.stop is not None:
        return chat_text(view.stop.message)
    parts = [
        chat_text("".join(segment.text for segment in view.segments), is_command=True),
        *("\n".join(_diff(diff)) for diff in view.diffs),
        "\n".join(f"{chat_text(name)}: {chat_text(value, is_command=True)}" for name, value in view.facts),
        chat_text(view.markdown),
    ]
    joined = "\n\n".join(part for part in parts if part)
    if not joined and view.raw:
        return chat_text(json.dumps(view.raw, ensure_ascii=False, indent=1), is_command=True)
    return joined


def heading(ask: ShownAsk) -> str:
    """What it is; beside the word Plan it is not said twice."""
    return ask.view.verb.removeprefix("Plan: ") if ask.kind == "plan" else ask.view.verb


def plan(ask: ShownAsk, room: int) -> tuple[list[Line], int]:
    """Its lines, and how many characters are left out: all of it where that fits, and else a good part of it."""
    lines, left = prose.document(ask.view.markdown, room)
    if left:
        lines, left = prose.document(ask.view.markdown, min(room, SHORT_PLAN))
    # Its title stands in the heading already.
    is_told = bool(lines) and lines[0].kind == "heading" and lines[0].text == heading(ask)
    return lines[is_told:], left


def steps(ask: ShownAsk) -> list[tuple[str, str, str]]:
    """What a command would do, the worst first: its sign, what it is, and on what."""
    told = ask_state.steps(ask)[: ask_state.MOST_STEPS]
    return [(risk_sign(step.risk), step.words, " ".join(step.where)) for step in told]


def tally(ask: ShownAsk) -> str:
    """``11 things, 8 dangerous``; "" where the heading says all of it."""
    every = ask_state.steps(ask)
    return ask_state.tally(every) if every else ""


def more_steps(ask: ShownAsk) -> str:
    rest = len(ask_state.steps(ask)) - ask_state.MOST_STEPS
    return f"{rest} more" if rest > 0 else ""


def safer(ask: ShownAsk) -> tuple[str, str]:
    """A command that could take its place, and advice; where the advice is the command itself, once is enough."""
    risk = ask.risk
    return risk.instead, "" if risk.instead and risk.instead.startswith(risk.safer) else risk.safer


def where(ask: ShownAsk) -> list[Run]:
    """``In ~/src/webshop, on branch main``"""
    subject = ask.subject
    folder = subject.folder if "other_machine" in ask.flags else at_home(subject.folder)
    parts = (
        ("in ", folder),
        ("on branch ", subject.branch),
        ("mode ", subject.mode if subject.mode != "default" else ""),
    )
    runs = [run for words, name in parts if name for run in (Run(f", {words}"), *prose.code(name, LONGEST_PLACE))]
    return [Run(runs[0].text[2:].capitalize()), *runs[1:]] if runs else []


def until(ask: ShownAsk, now: float) -> str:
    """How long it can be answered: a message stands still, so it names the moment and not what is left."""
    return f"until {day_time(ask.expires_at, now)}" if ask.expires_at else ""


def is_whole(ask: ShownAsk) -> bool:
    """Whether the ask itself has all of it: a change of very many lines is shortened before it comes here."""
    return all(_counted(diff) == (diff.added, diff.removed) for diff in ask.view.diffs)


def question_head(questions: tuple[QuestionView, ...], step: int) -> str:
    """``2 of 3 · Storage · pick any number``"""
    one = questions[step]
    where = f"{step + 1} of {len(questions)}" if len(questions) > 1 else ""
    return " · ".join(filter(None, (where, chat_text(one.header), "pick any number" if one.multi else "")))


def is_in_heading(ask: ShownAsk, step: int) -> bool:
    """A short question stands in the heading already."""
    asked = ask.view.questions[step].question
    return (
        not step
        and len(asked) < SHORT_QUESTION
        and re.fullmatch(rf"{re.escape(asked)}(?: \(and \d+ more\))?", ask.view.verb) is not None
    )


def question(questions: tuple[QuestionView, ...], step: int) -> str:
    one = questions[step]
    lines = [head] if (head := question_head(questions, step)) else []
    lines.append(chat_text(one.question))
    for at, option in enumerate(one.options):
        lines += ["", f"{at + 1}  {chat_text(option.label)}"]
        lines += [f"   {each}" for each in chat_text(option.description).splitlines()]
        lines += [f"   │ {each}" for each in chat_text(option.preview).splitlines()]
    return "\n".join(lines)


def _diff(diff: FileDiff) -> Iterator[str]:
    yield f"{chat_text(diff.path, is_command=True)}{' (new file)' if diff.is_new else ''} +{diff.added} −{diff.removed}"
    if diff.note:
        yield chat_text(diff.note)
    for hunk in diff.hunks:
        yield f"@@ {hunk.new_start} @@" if hunk.new_start else "@@"
        yield from (chat_text(each, is_command=True) for each in hunk.lines)


def _counted(diff: FileDiff) -> tuple[int, int]:
    signs = [each[:1] for hunk in diff.hunks for each in hunk.lines]
    return (signs.count("+"), signs.count("-")) if diff.hunks else (diff.added, diff.removed)


def _form(form: FormView) -> str:
    lines = [chat_text(form.message)] if form.message else []
    if form.mode == "url":
        lines += ["", f"Opens {chat_text(form.host, is_command=True)}", chat_text(form.url, is_command=True)]
    lines += [f"• {_field(each)}" for each in form.fields]
    if form.trouble:
        lines += ["", chat_text(form.trouble)]
    return "\n".join(lines).strip("\n")


def _field(field: FieldView) -> str:
    return f"{chat_text(field.title or field.name)}{' (needed)' if field.required else ''}"


def last(text: str, room: int) -> str:
    return first(text[::-1], room)[::-1]


def both_ends(text: str, room: int) -> str:
    """Beginning and end, and how much is missing between them."""
    if len(text) <= room and size(escaped(text)) <= room:
        return text
    half = max(0, room - 40) // 2
    head, tail = first(text[: half + 1], half), last(text[-half - 1 :], half)
    missing = len(text) - len(head) - len(tail)
    return f"{head}\n{CUT} {missing:,} characters {CUT}\n{tail}".replace(",", " ")


def pieces(text: str, room: int, most: int) -> list[str] | None:
    """All of it in so many pieces, broken between lines where that is possible; None where it takes more."""
    if len(text) > room * most:
        return None
    parts = list(_pieces(text, room, most + 1))
    return parts if len(parts) <= most else None


def _pieces(text: str, room: int, most: int) -> Iterator[str]:
    while text and most:
        piece = first(text, room)
        if len(piece) < len(text):
            at = piece.rfind("\n")
            piece = piece[: at + 1] if at > len(piece) // 2 else piece
        yield piece
        text, most = text[len(piece) :], most - 1


LONGEST_PLACE = 200
SHORT_QUESTION = 180
SHORT_PLAN = 2_000
TITLE = 80
LINE = 240


def ask_summary(ask: ShownAsk, audience: Audience) -> tuple[str, str]:
    """Title and text."""
    who = notification_line(PurePosixPath(ask.subject.project).name, 40) or "Your agent"
    if audience.gist:
        return f"{who} needs you", f"{audience.gist}. Review or stop the session?"
    kind = wording.KINDS.get(ask.kind) if ask.kind != "stop" else None
    word = kind.word if kind else wording.risk_word(ask.risk.level) if ask.risk.level else ""
    if audience.privacy == "masked":
        if ask.kind == "stop":
            return f"{who} finished its turn", "Open to read on or keep it going."
        return (
            f"{who} needs you ({word})" if word else f"{who} needs you",
            f"{'Still waiting. ' if audience.is_reminder else ''}Open to review.",
        )
    title = f"{risk_sign(ask.risk.level) if ask.risk.level else ''} {word} · {ask.view.verb}".strip(" ·")
    where = f"{who} · {ask.subject.title}" if ask.subject.title else who
    return notification_line(title, TITLE), "\n".join(
        filter(None, (notification_line(where, TITLE), notification_line(ask.view.line, LINE)))
    )


def notice_summary(notice: Notice, audience: Audience) -> tuple[str, str]:
    """Title and text of a turn that ended."""
    who = notification_line(PurePosixPath(notice.project).name, 40) or "Your agent"
    word = "finished its turn" if notice.what == "finished" else "stopped with an error"
    if audience.privacy == "masked":
        return f"{who} {word}", "Open to read on."
    return f"{who} {word}", "\n".join(
        filter(None, (notification_line(notice.title, TITLE), notification_line(notice.text, LINE)))
    )
