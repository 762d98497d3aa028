"""An ask as text, in the order in which it is read: how dangerous, who, the thing itself, why, what the agent says,
where, how long. What an agent wrote stands behind a bar, so that none of it passes for our own words."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from assent.cli import output
from assent.cli.answering.text import flat, inert, lines, wrapped
from assent.protocol.card import FieldView, FileDiff, FormView, QuestionView, Segment, ShownAsk, StopView, View
from assent.words import signs, state, who

BAR = "│ "
LABEL = 12
MOST_PARTS = 6
RISK_STYLES = {"look": "faint", "change": "added", "care": "warn", "danger": "bad"}
_SIGNS = {"+": ("+", "added"), "-": ("−", "removed"), " ": (" ", "")}


def card(ask: ShownAsk, now: float, width: int) -> list[str]:
    """``now`` in milliseconds."""
    return [line for part in _parts(ask, now, width) for line in part]


def _parts(ask: ShownAsk, now: float, width: int) -> Iterator[Iterator[str]]:
    yield _head(ask, width)
    yield _thing(ask, width)
    yield _why(ask, width)
    yield _where(ask, width)
    yield _hanging(state.state(ask, now).text, width)
    yield _match(ask)


def _head(ask: ShownAsk, width: int) -> Iterator[str]:
    label = f"{signs.sign(ask)} {signs.label(ask)}"
    first, *rest = wrapped(flat(ask.view.verb, code=False), width - len(label) - 12, at_words=True)
    risk = output.styled(label, RISK_STYLES.get(ask.risk.level, "warn"))
    yield f"{risk} · {output.styled(first, 'strong')}  {output.styled(ask.id, 'faint')}"
    yield from (" " * (len(label) + 3) + output.styled(line, "strong") for line in rest)
    yield from _hanging(who.identity(ask.subject), width)
    if ask.subject.agent and ask.subject.task:
        yield from _labelled("its task", ask.subject.task, width)
    if flags := state.flags(ask):
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
        yield from _segments(view.segments, width)
    for diff in view.diffs:
        yield from _diff(diff, width)
    for name, value in view.facts:
        yield from _inset("  ", f"{flat(name)}:", width)
        yield from behind_bar(value, width)
    if not (view.segments or view.diffs or view.facts):
        raw = msgspec.json.format(msgspec.json.encode(view.raw), indent=2).decode()
        yield from behind_bar(raw, width)


def _segments(segments: tuple[Segment, ...], width: int) -> Iterator[str]:
    yield from behind_bar("".join(segment.text for segment in segments), width, breaks=True)
    commands = [segment for segment in segments if segment.risk]
    guilty = [segment for segment in commands if segment.needs_you]
    if len(commands) < 2:
        return
    if len(guilty) == len(commands):
        yield f"{'both' if len(guilty) == 2 else f'all {len(guilty)}'} need you:"
    else:
        yield f"{len(guilty)} of {len(commands)} {'needs' if len(guilty) == 1 else 'need'} you:"
    # All of it stands above; of many parts those say most that weigh most.
    heaviest = sorted(guilty or commands, key=lambda segment: -_weight(segment))
    for segment in heaviest[:MOST_PARTS]:
        yield from _command(segment, width)
    if rest := heaviest[MOST_PARTS:]:
        level = f"{signs.risk_sign(rest[0].risk)} {signs.risk_word(rest[0].risk)}"
        yield f"  and {len(rest)} more, none of them riskier than {level}"


def _weight(segment: Segment) -> int:
    known = list(signs.RISKS)
    return known.index(segment.risk) if segment.risk in known else known.index("care")


def _command(segment: Segment, width: int) -> Iterator[str]:
    level = f"{signs.risk_sign(segment.risk)} {signs.risk_word(segment.risk)}"
    yield f"  {output.styled(level, RISK_STYLES.get(segment.risk, 'warn'))}"
    for line in lines(" ".join(segment.text.split()), width - 6):
        yield f"    {output.styled(BAR, 'faint')}{line}"
    for line in lines(segment.why, width - 4, code=False) if segment.why else ():
        yield f"    {line}"


def _diff(diff: FileDiff, width: int) -> Iterator[str]:
    counts = f"{output.styled(f'+{diff.added}', 'added')} {output.styled(f'−{diff.removed}', 'removed')}"
    *begun, last = _hanging(f"File {flat(diff.path)}{' · new file' if diff.is_new else ''}", width - 12, "strong")
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
    if said := f"{number}{header}{several}".strip():
        yield from _inset("  ", said, width)
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
    for line in inert(view.markdown, code=False).split("\n") if view.markdown.strip() else ():
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
    kind = {"choice": "one of", "choices": "any of", "boolean": "yes or no"}.get(field.kind, field.format or field.kind)
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
    if risk.reason:
        yield from _labelled("Why", risk.reason, width)
    if risk.instead:
        yield from _labelled("Safer", risk.instead, width, code=True)
    # Where the advice is the command itself, once is enough.
    if risk.safer and not risk.instead.startswith(risk.safer):
        yield from _labelled("" if risk.instead else "Safer", risk.safer, width)
    if ask.says:
        yield from _labelled("Agent says", f"“{ask.says}”", width)


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
    mode = f"mode {subject.mode}" if subject.mode else ""
    parts = [flat(part) for part in (at_home(subject.folder), subject.branch, mode) if part]
    if parts:
        yield from _hanging(f"in {'  '.join(parts)}", width, "faint")


def at_home(path: str) -> str:
    """As its owner calls it."""
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path == home or path.startswith(f"{home}/") else path


def _match(ask: ShownAsk) -> Iterator[str]:
    """Last, so that only those know it who read to the end."""
    if ask.risk.level == "danger" and ask.risk.match:
        yield f"match word: {output.styled(inert(ask.risk.match), 'strong')}"
