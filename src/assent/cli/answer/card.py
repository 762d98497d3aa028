"""An ask as text, in the order in which it is read: how dangerous, who, why, what it would do, the thing itself, what
led to it, where, how long. What an agent wrote stands behind a bar, so that none of it passes for our own words."""

import unicodedata
from collections.abc import Iterator, Sequence

import msgspec

from assent.cli import output
from assent.protocol.card import FieldView, FileDiff, FormView, QuestionView, ShownAsk, StopView, View
from assent.protocol.queue import Item
from assent.text import ask_state, who, wording
from assent.text.safe import printed_text


def lines(text: str, width: int, *, code: bool = True, breaks: bool = False) -> list[str]:
    """``code``: letters that pass for others are told apart, and lines break anywhere; ``breaks``: line breaks are
    drawn, so that they are told from lines that were only too long."""
    parts = printed_text(text, is_command=code).split("\n")
    drawn = [f"{line}↵" for line in parts[:-1]] + parts[-1:] if breaks and len(parts) > 1 else parts
    return [part for line in drawn for part in wrapped(line, width, at_words=not code)]


def flat(text: str, *, code: bool = True) -> str:
    """The same on one line."""
    return " ".join(printed_text(text, is_command=code).split())


def wrapped(line: str, width: int, *, at_words: bool) -> Iterator[str]:
    """The line in parts that are no wider; at least one, which may be empty."""
    width = max(width, 8)
    if line.isascii() and len(line) <= width:
        yield line
        return
    start, used, blank = 0, 0, 0
    for at, sign in enumerate(line):
        size = cells(sign)
        if used + size > width:
            # Where a word began not too far back, it goes to the next line whole.
            end = blank if at_words and blank > start and at - blank < width // 2 else at
            yield line[start:end].rstrip(" ") if at_words else line[start:end]
            start, used = end, cells(line[end:at])
        used += size
        if sign == " ":
            blank = at + 1
    yield line[start:]


def cells(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(_cells(sign) for sign in text)


def _cells(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


BAR = "│ "
LABEL = 12
# A value that stands beside its name.
SHORT = 120
LONGEST_SAID = 400
_SIGNS = {"+": ("+", "added"), "-": ("−", "removed"), " ": (" ", "")}


def card(ask: ShownAsk, now: float, width: int, queued: Sequence[Item] = ()) -> list[str]:
    """``now`` in milliseconds, ``queued`` what waits for the session."""
    return [line for part in _parts(ask, now, width, queued) for line in part]


def _parts(ask: ShownAsk, now: float, width: int, queued: Sequence[Item]) -> Iterator[Iterator[str]]:
    yield _head(ask, width)
    yield _why(ask, width)
    yield _would(ask, width)
    yield _thing(ask, width)
    yield _hanging(ask_state.queued(queued), width) if queued else iter(())
    yield _led_to_it(ask, width)
    yield _where(ask, width)
    yield _hanging(ask_state.state(ask, now).text, width)
    yield _match(ask)


def _head(ask: ShownAsk, width: int) -> Iterator[str]:
    label = f"{wording.sign(ask)} {wording.label(ask)}"
    first, *rest = wrapped(flat(ask.view.verb, code=False), width - len(label) - 12, at_words=True)
    risk = output.risk_styled(label, ask.risk.level)
    yield f"{risk} · {output.styled(first, 'strong')}  {output.styled(ask.id, 'faint')}"
    yield from (" " * (len(label) + 3) + output.styled(line, "strong") for line in rest)
    yield from _hanging(who.identity(ask.subject), width)
    if flags := ask_state.flags(ask):
        yield from _hanging(" · ".join(flags), width, "warn")


def _hanging(text: str, width: int, style: str = "") -> Iterator[str]:
    """What does not fit goes on further in: at the edge there are only words of ours."""
    for number, line in enumerate(wrapped(text, width - 4, at_words=True)):
        shown = f"{'    ' if number else ''}{line}"
        yield output.styled(shown, style) if style else shown


def _inset(prefix: str, text: str, width: int) -> Iterator[str]:
    """After words of ours; what does not fit goes on below, as far in."""
    for number, line in enumerate(wrapped(text, width - len(prefix), at_words=True)):
        yield f"{' ' * len(prefix) if number else prefix}{line}"


def _thing(ask: ShownAsk, width: int) -> Iterator[str]:
    view = ask.view
    yield ""
    if ask.kind == "question":
        for number, question in enumerate(view.questions, 1):
            yield from _question(
                question, f"{number} of {len(view.questions)}  " if len(view.questions) > 1 else "", width
            )
    elif ask.kind == "plan":
        yield from _plan(view, width)
    elif view.form is not None:
        yield from _form(view.form, width)
    elif view.stop is not None:
        yield from _stop(view.stop, width)
    else:
        yield from _tool(view, width)
    yield ""


def behind_bar(text: str, width: int, *, style: str = "", code: bool = True, breaks: bool = False) -> Iterator[str]:
    bar = output.styled(BAR, "faint")
    for line in lines(text, width - len(BAR), code=code, breaks=breaks):
        yield bar + (output.styled(line, style) if style and line else line)


def _tool(view: View, width: int) -> Iterator[str]:
    if view.segments:
        yield from behind_bar("".join(segment.text for segment in view.segments), width, breaks=True)
    for diff in view.diffs:
        yield from _diff(diff, width)
    for name, value in view.facts:
        if len(value) <= SHORT and "\n" not in value and len(flat(name)) < LABEL:
            yield from _beside(name, value, width)
            continue
        yield from _inset("  ", f"{flat(name)}:", width)
        yield from behind_bar(value, width, code=name not in view.prose)
    if not (view.segments or view.diffs or view.facts):
        raw = msgspec.json.format(msgspec.json.encode(view.raw), indent=2).decode()
        yield from behind_bar(raw, width)


def _beside(name: str, value: str, width: int) -> Iterator[str]:
    """A short value behind the bar, with its name before it."""
    first = output.styled(f"{flat(name):<{LABEL}}", "faint")
    for line in behind_bar(value, width - LABEL):
        yield f"{first}{line}"
        first = " " * LABEL


def difference(ask: ShownAsk, width: int) -> list[str]:
    """What changed in a plan since the one before."""
    return list(_diff(ask.round.diff, width, "")) if ask.round is not None else []


def _diff(diff: FileDiff, width: int, what: str = "File ") -> Iterator[str]:
    counts = f"{output.styled(f'+{diff.added}', 'added')} {output.styled(f'−{diff.removed}', 'removed')}"
    *begun, last = _hanging(f"{what}{flat(diff.path)}{' · new file' if diff.is_new else ''}", width - 12, "strong")
    yield from (*begun, f"{last}  {counts}")
    if diff.note:
        yield from (f"  {line}" for line in lines(flat(diff.note, code=False), width - 2, code=False))
    if not diff.hunks and not diff.note:
        yield "Nothing in it would change."
    end = max((max(hunk.old_start, hunk.new_start) + len(hunk.lines) for hunk in diff.hunks), default=0)
    gutter = len(str(end))
    for number, hunk in enumerate(diff.hunks):
        if number:
            yield output.styled("⋯", "faint")
        old, new = hunk.old_start, hunk.new_start
        for line in hunk.lines:
            sign, style = _SIGNS.get(line[:1], (" ", ""))
            at = old if line[:1] == "-" else new
            old, new = old + (line[:1] != "+"), new + (line[:1] != "-")
            for part, text in enumerate(lines(line[1:], width - gutter - 5)):
                shown = f"{sign if not part else ' '} {text}"
                place = f"{at if not part else '':>{gutter}} {BAR}"
                yield output.styled(place, "faint") + (output.styled(shown, style) if style else shown)


def _question(question: QuestionView, number: str, width: int) -> Iterator[str]:
    several = " (several may be picked)" if question.multi else ""
    header = f"{flat(question.header, code=False)}:" if question.header else ""
    if heading := f"{number}{header}{several}".strip():
        yield from _inset("  ", heading, width)
    yield from behind_bar(question.question, width, style="strong", code=False)
    for at, option in enumerate(question.options, 1):
        first, *rest = lines(" ".join(option.label.split()), width - 6, code=False)
        yield f"  {output.styled(str(at), 'strong')} {BAR}{first}"
        for line in (*rest, *(lines(option.description, width - 8, code=False) if option.description else ())):
            yield f"    {BAR}{output.styled(line, 'faint') if line not in rest else line}"
        for line in lines(option.preview, width - 8) if option.preview else ():
            yield f"    {BAR}  {line}"
    yield f"  {output.styled('o', 'strong')} {BAR}Other…"


def _plan(view: View, width: int) -> Iterator[str]:
    if not view.markdown.strip():
        yield "The plan has no text."
    for line in printed_text(view.markdown, is_command=False).split("\n") if view.markdown.strip() else ():
        yield from behind_bar(line, width, style="strong" if line.startswith("#") else "", code=False)
    for name, value in view.facts:
        yield from _labelled(name, value, width)


def _form(form: FormView, width: int) -> Iterator[str]:
    if form.message:
        yield from behind_bar(form.message, width, code=False)
    if form.trouble:
        yield from _hanging(flat(form.trouble, code=False), width)
    if form.mode == "url":
        yield from _inset("It wants you to open ", f"{flat(form.host) or 'no address'}:", width)
        yield from behind_bar(form.url, width)
        return
    for field in form.fields:
        yield from _field(field, width)
    yield from _inset("Sent to ", f"{flat(form.server, code=False) or 'the server'} and never recorded.", width)


def _field(field: FieldView, width: int) -> Iterator[str]:
    kind = {"choice": "one of", "choices": "any of", "boolean": "yes or no"}.get(
        field.kind, flat(field.format) or field.kind
    )
    remarks = [kind, "required" if field.required else "", "not shown while typed" if field.secret else ""]
    yield from _inset("  ", f"{title(field)} ({', '.join(filter(None, remarks))})", width)
    for line in lines(field.description, width - 6, code=False) if field.description else ():
        yield f"    {BAR}{line}"
    for at, (_, label) in enumerate(field.options, 1):
        yield from _inset(f"    {at} {BAR}", flat(label, code=False), width)


def title(field: FieldView) -> str:
    return flat(field.title or field.name, code=False)


def _stop(stop: StopView, width: int) -> Iterator[str]:
    yield from behind_bar(stop.message or "It ended without a message.", width, code=False)
    if stop.background:
        yield "Still running in the background:"
        for each in stop.background:
            yield from behind_bar(each, width)
    yield f"{stop.used} of {stop.most} continuations used"


def _why(ask: ShownAsk, width: int) -> Iterator[str]:
    risk = ask.risk
    if needs := ask_state.approval(ask):
        yield from _labelled("Approval", needs, width)
    if risk.reason:
        yield from _labelled("Why", risk.reason, width)
    if risk.instead:
        yield from _labelled("Safer", risk.instead, width, code=True)
    # Where the advice is the command itself, once is enough.
    if risk.safer and not risk.instead.startswith(risk.safer):
        yield from _labelled("" if risk.instead else "Safer", risk.safer, width)
    if ask.round is not None:
        yield from _hanging(ask_state.changed(ask), width, "strong")
        if ask.round.wrote:
            yield from _labelled("You wrote", f"“{ask.round.wrote[:LONGEST_SAID]}”", width)


def _would(ask: ShownAsk, width: int) -> Iterator[str]:
    every = ask_state.steps(ask)
    if every:
        yield from _labelled("Would do", ask_state.tally(every), width)
    for step in every[: ask_state.MOST_STEPS]:
        sign = output.risk_styled(wording.risk_sign(step.risk), step.risk)
        for number, line in enumerate(lines(" ".join((flat(step.words), *step.where)), width - 4)):
            yield f"  {sign if not number else ' '} {line}"
    if len(every) > ask_state.MOST_STEPS:
        yield f"    {len(every) - ask_state.MOST_STEPS} more"


def _led_to_it(ask: ShownAsk, width: int) -> Iterator[str]:
    for label, text in ask_state.context(ask):
        # Long ones are read on the page or in `assent watch`.
        yield from _labelled(label, f"“{text if len(text) <= LONGEST_SAID else text[: LONGEST_SAID - 1] + '…'}”", width)


def _labelled(label: str, text: str, width: int, *, code: bool = False) -> Iterator[str]:
    first = flat(label, code=False)
    if len(first) >= LABEL:
        yield from _inset("  ", f"{first}:", width)
        first = ""
    for line in lines(" ".join(text.split()), width - LABEL, code=code):
        yield f"{output.styled(f'{first:<{LABEL - 1}}', 'faint')} {line}"
        first = ""


def _where(ask: ShownAsk, width: int) -> Iterator[str]:
    subject = ask.subject
    named = (("in", who.at_home(subject.folder)), ("on branch", subject.branch), ("mode", subject.mode))
    parts = [f"{word} {flat(name)}" for word, name in named if name]
    if parts:
        yield from _hanging(", ".join(parts), width, "faint")


def _match(ask: ShownAsk) -> Iterator[str]:
    """Last, so that only those know it who read to the end."""
    if ask.risk.level == "danger" and ask.risk.match:
        yield f"match word: {output.styled(printed_text(ask.risk.match), 'strong')}"
