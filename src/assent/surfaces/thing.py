"""What an ask is about, as plain text: all of it, in the order in which it is read."""

import json
from collections.abc import Iterator

from assent.protocol.card import FieldView, FileDiff, FormView, QuestionView, ShownAsk
from assent.surfaces.text import seen


def text(ask: ShownAsk, step: int = 0) -> str:
    """Of several questions the one whose turn it is; the others come one after the other."""
    view = ask.view
    if view.questions:
        return question(view.questions, min(step, len(view.questions) - 1))
    if view.form is not None:
        return _form(view.form)
    if view.stop is not None:
        return seen(view.stop.message)
    parts = [
        seen("".join(segment.text for segment in view.segments), is_command=True),
        *("\n".join(_diff(diff)) for diff in view.diffs),
        "\n".join(f"{seen(name)}: {seen(value, is_command=True)}" for name, value in view.facts),
        seen(view.markdown),
    ]
    told = "\n\n".join(part for part in parts if part)
    if not told and view.raw:
        return seen(json.dumps(view.raw, ensure_ascii=False, indent=1), is_command=True)
    return told


def is_whole(ask: ShownAsk) -> bool:
    """Whether the ask itself has all of it: a change of very many lines is shortened before it comes here."""
    return all(_counted(diff) == (diff.added, diff.removed) for diff in ask.view.diffs)


def question(questions: tuple[QuestionView, ...], step: int) -> str:
    one = questions[step]
    where = f"{step + 1} of {len(questions)}" if len(questions) > 1 else ""
    head = " · ".join(filter(None, (where, seen(one.header), "pick any number" if one.multi else "")))
    lines = [head] if head else []
    lines.append(seen(one.question))
    for at, option in enumerate(one.options):
        lines += ["", f"{at + 1}  {seen(option.label)}"]
        lines += [f"   {each}" for each in seen(option.description).splitlines()]
        lines += [f"   │ {each}" for each in seen(option.preview).splitlines()]
    return "\n".join(lines)


def _diff(diff: FileDiff) -> Iterator[str]:
    yield f"{seen(diff.path, is_command=True)}{' (new file)' if diff.is_new else ''} +{diff.added} −{diff.removed}"
    if diff.note:
        yield seen(diff.note)
    for hunk in diff.hunks:
        yield f"@@ {hunk.new_start} @@" if hunk.new_start else "@@"
        yield from (seen(each, is_command=True) for each in hunk.lines)


def _counted(diff: FileDiff) -> tuple[int, int]:
    signs = [each[:1] for hunk in diff.hunks for each in hunk.lines]
    return (signs.count("+"), signs.count("-")) if diff.hunks else (diff.added, diff.removed)


def _form(form: FormView) -> str:
    lines = [seen(form.message)] if form.message else []
    if form.mode == "url":
        lines += ["", f"Opens {seen(form.host, is_command=True)}", seen(form.url, is_command=True)]
    lines += [f"• {_field(each)}" for each in form.fields]
    if form.trouble:
        lines += ["", seen(form.trouble)]
    return "\n".join(lines).strip("\n")


def _field(field: FieldView) -> str:
    return f"{seen(field.title or field.name)}{' (needed)' if field.required else ''}"
