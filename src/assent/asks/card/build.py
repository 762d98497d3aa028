"""Builder of cards: made once from the event and its judgement, for every surface.

Pure, and the same every time: answers are bound to the hash of what comes out of here. Nothing is redacted yet."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from assent.asks.card import names, segments, tool_call, verbs
from assent.asks.card.drawing import Drawing
from assent.asks.card.drawing import Seen as Seen
from assent.asks.card.form_view import form_view
from assent.harnesses import registry
from assent.protocol import modes
from assent.protocol.card import (
    Card,
    Flag,
    FormView,
    OptionView,
    Peril,
    QuestionView,
    StepView,
    StopView,
    Subject,
    View,
)
from assent.protocol.decision import Risk
from assent.protocol.events import (
    Elicitation,
    Event,
    PermissionDenied,
    PermissionRequest,
    PreToolUse,
    Stop,
    SubagentStop,
    ToolEvent,
)
from assent.protocol.operations import Asked, Plan, Question
from assent.text import invisible
from assent.text.safe import middle

_OF_ELICITATION = ("mcp_server_name", "message", "mode", "requested_schema", "url", "elicitation_id")


def question(event: ToolEvent, asked: Question) -> Drawing:
    questions = tuple(map(_question, asked.questions))
    view = View(verbs.of_questions(asked), event.tool_name, questions=questions, raw=event.tool_input)
    return Drawing("question", view, Peril("look"), list(_question_texts(questions)))


def plan(event: ToolEvent, planned: Plan, seen: Seen) -> Drawing:
    text = planned.text or (seen.read(planned.file) if planned.file else None) or ""
    facts = tuple(_plan_facts(planned))
    view = View(verbs.of_plan(text), event.tool_name, markdown=text, facts=facts, raw=event.tool_input)
    return Drawing("plan", view, Peril("change"), [text, *(value for _, value in facts)])


def refused(event: PermissionDenied, seen: Seen) -> Drawing:
    """A call that the client's own check refused, with what it said: quoted, never trusted."""
    drawing = tool_call.permission(event, seen)
    said = _first_words(event.reason or "", LONGEST_REFUSAL)
    end = "" if said.endswith((".", "!", "?", "…")) else "."
    why = f"Auto mode refused it: “{said}”{end}" if said else "Auto mode refused it."
    if seen.guarded:
        why = f"{why} {GUARDED}"
    level = max(segments.parsed(drawing.peril.level), Risk.CARE).word
    peril = msgspec.structs.replace(drawing.peril, level=level, reason=f"{why} {drawing.peril.reason}".strip())
    return replace(drawing, peril=peril, texts=(*drawing.texts, said))


def form(event: Elicitation) -> Drawing:
    shown = form_view(event)
    raw: dict[str, Any] = {name: event.raw[name] for name in _OF_ELICITATION if name in event.raw}
    view = View(verbs.of_form(shown), form=shown, raw=raw)
    return Drawing("form", view, Peril("care", reason=_reason(shown)), list(_form_texts(shown)), exact=[shown.url])


def stop(event: Stop | SubagentStop, seen: Seen) -> Drawing:
    background = tuple(_background(event))
    shown = StopView(event.last_assistant_message or "", seen.continuations, background=background)
    return Drawing("stop", View(verbs.of_stop(event), stop=shown), Peril("look"), [shown.message, *background])


def _question(asked: Asked) -> QuestionView:
    options = tuple(OptionView(each.label, each.description, each.preview) for each in asked.choices)
    return QuestionView(asked.question, asked.header, options, asked.takes_several)


def _question_texts(questions: tuple[QuestionView, ...]) -> Iterator[str]:
    for each in questions:
        yield from (each.question, each.header)
        for option in each.options:
            yield from (option.label, option.description, option.preview)


def _plan_facts(planned: Plan) -> Iterator[tuple[str, str]]:
    if planned.file:
        yield "plan file", planned.file
    for words in planned.allows:
        yield "also allowed", words


def _reason(shown: FormView) -> str:
    server = shown.server or "a server"
    if shown.mode == "url":
        return f"The server {server} wants you to visit {shown.host or 'a page'}."
    return f"What is filled in goes to the server {server}."


def _form_texts(shown: FormView) -> Iterator[str]:
    yield from (shown.server, shown.message)
    for field in shown.fields:
        yield from (field.name, field.title, field.description)
        for option in field.options:
            yield from option


def _background(event: Stop | SubagentStop) -> Iterator[str]:
    for task in event.background_tasks:
        yield names.cut(": ".join(filter(None, (task.type, task.description or task.command or task.id))), 120)
    for later in event.session_crons:
        yield names.cut(f"later ({later.schedule or 'once'}): {later.prompt or later.id}", 120)


GUARDED = (
    "The client guards this file itself, and no answer from here can let it through: do it yourself in a terminal, or "
    "tell the agent another way."
)
HIDDEN = "Some characters of the text cannot be seen, or look like others."
# More than a screen shows at once.
LONG_LINES = 30
LONG_TEXT = 2_000
LONGEST_SAYING = 300
LONGEST_REFUSAL = 600
LONGEST_LINE = 200


class NoAskError(ValueError):
    """This event cannot be asked about."""


def draw(event: Event, seen: Seen) -> Card:
    """Raises NoAskError for an event that is no ask."""
    drawing = _drawing(event, seen)
    is_hidden = _is_hidden(drawing)
    peril = drawing.peril
    if is_hidden:
        level = max(segments.parsed(peril.level), Risk.CARE).word
        peril = msgspec.structs.replace(peril, level=level, reason=f"{peril.reason} {HIDDEN}".strip())
    flags: dict[Flag, bool] = {
        "hidden_characters": is_hidden,
        "long": _is_long(drawing),
        "outside_project": drawing.is_outside,
        "sub_agent": event.agent_id is not None,
        "unattended": seen.attended is False,
        "bypass": event.permission_mode == modes.BYPASS,
        "other_machine": seen.is_elsewhere,
        "limited_host": seen.limited,
        "unread": seen.trial is not None and seen.trial.unread != "",
        "appeal": isinstance(event, PermissionDenied) and not seen.guarded,
        "guarded": seen.guarded,
        "asks_itself": seen.asks_itself,
    }
    return Card(
        kind=drawing.kind,
        view=msgspec.structs.replace(drawing.view, line=line(drawing.view)),
        subject=_subject(event, seen),
        risk=peril,
        says=_says(event),
        words=seen.words,
        asked=seen.asked,
        flags=tuple(flag for flag, is_set in flags.items() if is_set),
    )


def line(view: View) -> str:
    """The thing itself in one line: what a list shows below the heading. Of prose its beginning, else both ends."""
    if view.segments:
        text = _telling_line("".join(segment.text for segment in view.segments), view.steps)
    elif view.diffs:
        text = ", ".join(f"{diff.path} +{diff.added} -{diff.removed}" for diff in view.diffs)
    elif view.questions:
        text = " · ".join(option.label for each in view.questions for option in each.options)
    elif view.form is not None:
        text = view.form.url or view.form.message
    elif view.stop is not None:
        text = view.stop.message
    elif view.markdown:
        text = " ".join(each for each in view.markdown.splitlines() if not each.startswith("#"))
    else:
        text = " · ".join(f"{name}: {value}" for name, value in view.facts)
    is_prose = view.stop is not None or (view.markdown and not view.segments)
    return _beginning(text) if is_prose else middle(text, LONGEST_LINE)


def _beginning(text: str) -> str:
    # What could not be shown anyway is not looked through.
    line = " ".join(text[: 8 * LONGEST_LINE].split())
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…"


def _telling_line(command: str, steps: Sequence[StepView]) -> str:
    """Of a script the line with the worst that it does."""
    if len(command) <= LONGEST_LINE // 2:
        return command
    worst = steps[0].command if steps else ""
    lines = [each for each in command.splitlines() if worst and worst in each and "<<" not in each]
    return lines[0] if lines else command


def _drawing(event: Event, seen: Seen) -> Drawing:
    match event:
        case PermissionRequest() | PreToolUse():
            match registry.operation(event):
                case Question() as asked if asked.questions:
                    return question(event, asked)
                case Plan() as planned:
                    return plan(event, planned, seen)
            return tool_call.permission(event, seen)
        case PermissionDenied():
            return refused(event, seen)
        case Elicitation():
            return form(event)
        case Stop() | SubagentStop():
            return stop(event, seen)
    raise NoAskError(f"Nobody can be asked about {event.name}.")


def _subject(event: Event, seen: Seen) -> Subject:
    return Subject(
        harness=seen.harness,
        session=event.session_id,
        title=seen.title,
        agent=event.agent_id or "",
        agent_type=event.agent_type or "",
        task=seen.task,
        project=seen.project,
        folder=event.cwd,
        branch=seen.branch,
        mode=event.permission_mode or "",
        machine=seen.machine,
    )


def _first_words(text: str, longest: int) -> str:
    """One line of whole words: a secret that is cut would not be found any more."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[:longest].rpartition(' ')[0]} …".strip()


def _says(event: Event) -> str:
    description = event.tool_input.get("description") if isinstance(event, ToolEvent) else None
    return names.cut(description, LONGEST_SAYING) if isinstance(description, str) else ""


def _is_hidden(drawing: Drawing) -> bool:
    if any(map(invisible.has_hidden, drawing.exact)):
        return True
    return any(invisible.has_hidden(text, is_command=False) for text in drawing.texts)


def _is_long(drawing: Drawing) -> bool:
    if drawing.view.diffs:
        return sum(len(hunk.lines) for diff in drawing.view.diffs for hunk in diff.hunks) > LONG_LINES
    return sum(map(len, drawing.texts)) > LONG_TEXT or sum(text.count("\n") for text in drawing.texts) > LONG_LINES
