"""Asks in which somebody speaks to a person: questions, plans, forms, and turns that ended."""

from collections.abc import Iterator
from typing import Any

from assent.asks import names, verbs
from assent.asks.drawing import Drawing, Seen
from assent.asks.form_view import form_view
from assent.protocol import tools
from assent.protocol.card import FormView, OptionView, Peril, QuestionView, StopView, View
from assent.protocol.events import Elicitation, Stop, SubagentStop, ToolEvent

_OF_ELICITATION = ("mcp_server_name", "message", "mode", "requested_schema", "url", "elicitation_id")


def question(event: ToolEvent, asked: tools.AskUserQuestion) -> Drawing:
    questions = tuple(map(_question, asked.questions))
    view = View(verbs.of_questions(asked), event.tool_name, questions=questions, raw=event.tool_input)
    return Drawing("question", view, Peril("look"), list(_question_texts(questions)))


def plan(event: ToolEvent, planned: tools.ExitPlanMode, seen: Seen) -> Drawing:
    text = planned.plan or (seen.read(planned.plan_file_path) if planned.plan_file_path else None) or ""
    facts = tuple(_plan_facts(planned))
    view = View(verbs.of_plan(text), event.tool_name, markdown=text, facts=facts, raw=event.tool_input)
    return Drawing("plan", view, Peril("change"), [text, *(value for _, value in facts)])


def form(event: Elicitation) -> Drawing:
    shown = form_view(event)
    raw: dict[str, Any] = {name: event.raw[name] for name in _OF_ELICITATION if name in event.raw}
    view = View(verbs.of_form(shown), form=shown, raw=raw)
    return Drawing("form", view, Peril("care", reason=_reason(shown)), list(_form_texts(shown)), exact=[shown.url])


def stop(event: Stop | SubagentStop, seen: Seen) -> Drawing:
    background = tuple(_background(event))
    shown = StopView(event.last_assistant_message or "", seen.continuations, background=background)
    return Drawing("stop", View(verbs.of_stop(event), stop=shown), Peril("look"), [shown.message, *background])


def _question(asked: tools.Question) -> QuestionView:
    options = tuple(OptionView(each.label, each.description or "", each.preview or "") for each in asked.options)
    return QuestionView(asked.question, asked.header or "", options, bool(asked.multi_select))


def _question_texts(questions: tuple[QuestionView, ...]) -> Iterator[str]:
    for each in questions:
        yield from (each.question, each.header)
        for option in each.options:
            yield from (option.label, option.description, option.preview)


def _plan_facts(planned: tools.ExitPlanMode) -> Iterator[tuple[str, str]]:
    if planned.plan_file_path:
        yield "plan file", planned.plan_file_path
    for each in planned.allowed_prompts or ():
        yield "also allowed", ": ".join(str(each[key]) for key in ("tool", "prompt") if each.get(key))


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
