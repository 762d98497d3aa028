"""What a person is shown of an ask: made once from the event and what the judge saw, for every surface.

Pure, and the same every time: answers are bound to the hash of what comes out of here. Nothing is redacted yet."""

import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from assent.asks import edits, hidden, names, segments, verbs
from assent.asks.command_verbs import worst_effects
from assent.asks.form_view import form_view
from assent.asks.instead import instead
from assent.asks.match_word import match_word
from assent.protocol import tools
from assent.protocol.bodies import AskKind
from assent.protocol.card import (
    Card,
    Flag,
    FormView,
    OptionView,
    Peril,
    QuestionView,
    Segment,
    StopView,
    Subject,
    View,
)
from assent.protocol.envelope import CLAUDE_CODE
from assent.protocol.events import Elicitation, Event, PermissionRequest, PreToolUse, Stop, SubagentStop, TurnEnd
from assent.protocol.risk import Risk
from assent.protocol.trial import Seen as Effect
from assent.protocol.trial import Trial

HIDDEN = "It holds characters that cannot be seen, or that look like others."
# More than a screen shows at once.
LONG_LINES = 30
LONG_TEXT = 2_000
LONGEST_SAYING = 300

_SHELLS = frozenset({"Bash", "Monitor"})
_EXACT = ("command", "file_path", "notebook_path", "path", "url")
# Kinds of effects whose target is a file.
_OF_FILES = frozenset({"read", "write", "delete", "mode", "secret", "persist", "tamper", "run", "project"})


def _reads_nothing(_: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known beside the event."""

    trial: Trial | None = None
    # The verdict's, or "care" where there is none.
    risk: str = "care"
    # The project's folder.
    project: str = ""
    title: str = ""
    # What the sub-agent was told to do.
    task: str = ""
    branch: str = ""
    attended: bool | None = None
    machine: str = ""
    # Whether that is another machine than the hub's.
    is_elsewhere: bool = False
    entrypoint: str = ""
    harness: str = CLAUDE_CODE
    # How often this turn was kept going.
    continuations: int = 0
    # The text of a regular file, None where it cannot be read; and whether anything is there by that name.
    read: Callable[[str], str | None] = _reads_nothing
    there: Callable[[str], bool] | None = None
    home: str = ""
    # Not every program that runs an agent says when it refused something.
    limited: bool = False


class NoAskError(ValueError):
    """Nobody can be asked about this event."""


def draw(event: Event, seen: Seen) -> Card:
    """Raises NoAskError for an event that is no ask."""
    match event:
        case PermissionRequest() | PreToolUse():
            return _of_call(event, seen)
        case Elicitation():
            form = form_view(event)
            view = View(verbs.of_form(form), form=form, raw=_raw(event, _OF_ELICITATION))
            return _card("form", event, seen, view, _of_form(form), texts=_form_texts(form), exact=[form.url])
        case Stop() | SubagentStop():
            stop = StopView(
                event.last_assistant_message or "", seen.continuations, background=tuple(_background(event))
            )
            view = View(verbs.of_stop(event), stop=stop)
            return _card("stop", event, seen, view, Peril("look"), texts=[stop.message, *stop.background])
    raise NoAskError(f"Nobody can be asked about {event.name}.")


def _of_call(event: PermissionRequest | PreToolUse, seen: Seen) -> Card:
    match event.tool:
        case tools.AskUserQuestion() as asked if asked.questions:
            questions = tuple(map(_question, asked.questions))
            view = View(verbs.of_questions(asked), event.tool_name, questions=questions, raw=event.tool_input)
            return _card("question", event, seen, view, Peril("look"), texts=_question_texts(questions))
        case tools.ExitPlanMode() as planned:
            text = planned.plan or (seen.read(planned.plan_file_path) if planned.plan_file_path else None) or ""
            view = View(
                verbs.of_plan(text),
                event.tool_name,
                markdown=text,
                facts=tuple(_plan_facts(planned)),
                raw=event.tool_input,
            )
            return _card("plan", event, seen, view, Peril("change"), texts=[text, *(value for _, value in view.facts)])
    return _permission(event, seen)


def _permission(event: PermissionRequest | PreToolUse, seen: Seen) -> Card:
    tool, trial = event.tool, seen.trial
    given = event.tool_input.get("command")
    command = given if event.tool_name in _SHELLS and isinstance(given, str) else ""
    level = max(segments.parsed(seen.risk), segments.parsed(trial.risk) if trial and trial.risk else Risk.LOOK)
    texts = [command] if command else list(_texts(event.tool_input))
    exact = [value for key in _EXACT if isinstance(value := event.tool_input.get(key), str)]

    def called(path: str) -> str:
        if "://" in path:
            return names.cut(path)
        return names.short(names.whole(path, event.cwd) if event.cwd else path, seen.project, seen.home)

    path = edits.path_of(tool)
    file = names.whole(_expanded(path, seen.home), event.cwd) if path else ""
    diff = edits.of_tool(tool, file, called(path or ""), seen.read, seen.there)
    diffs = (diff,) if diff else ()
    effects = _effects(trial)
    view = View(
        verbs.of_tool(event.tool_name, tool, command, trial, diffs, called),
        event.tool_name,
        segments=tuple(_segments(tool, command, trial, level.word)),
        diffs=diffs,
        facts=tuple(_facts(event, tool, command, has_diff=diff is not None)),
        raw=event.tool_input,
    )
    peril = Peril(
        level.word,
        reason=trial.reason if trial else "",
        safer=trial.safer if trial else "",
        instead=instead(command, trial.steps) if trial and command else "",
        match=_match(effects, command or file or _line(texts), event, trial) if level is Risk.DANGER else "",
    )
    is_outside = _is_outside(file, effects, event.cwd, seen)
    return _card("permission", event, seen, view, peril, texts=texts, exact=exact, is_outside=is_outside)


def _card(
    kind: AskKind,
    event: Event,
    seen: Seen,
    view: View,
    peril: Peril,
    *,
    texts: list[str],
    exact: Sequence[str] = (),
    is_outside: bool = False,
) -> Card:
    """``exact`` are texts that a program takes by the letter."""
    is_hidden = any(map(hidden.has_hidden, exact)) or any(hidden.has_hidden(each, is_command=False) for each in texts)
    if is_hidden:
        level = max(segments.parsed(peril.level), Risk.CARE).word
        peril = msgspec.structs.replace(peril, level=level, reason=f"{peril.reason} {HIDDEN}".strip())
    found: dict[Flag, bool] = {
        "hidden_characters": is_hidden,
        "long": _is_long(view, texts),
        "outside_project": is_outside,
        "sub_agent": event.agent_id is not None,
        "unattended": seen.attended is False,
        "bypass": event.permission_mode == "bypassPermissions",
        "other_machine": seen.is_elsewhere,
        "limited_host": seen.limited,
    }
    says = event.tool_input.get("description") if isinstance(event, (PermissionRequest, PreToolUse)) else None
    return Card(
        kind=kind,
        view=view,
        subject=_subject(event, seen),
        risk=peril,
        says=names.cut(says, LONGEST_SAYING) if isinstance(says, str) else "",
        flags=tuple(flag for flag, is_set in found.items() if is_set),
    )


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


def _segments(tool: tools.ToolInput, command: str, trial: Trial | None, level: str) -> Iterator[Segment]:
    if command:
        yield from segments.split(command, trial, level)
    elif isinstance(tool, tools.Agent):
        yield Segment(tool.prompt, level, needs_you=True)


def _facts(
    event: PermissionRequest | PreToolUse, tool: tools.ToolInput, command: str, *, has_diff: bool
) -> Iterator[tuple[str, str]]:
    """What of the input is not shown elsewhere."""
    shown = {"description"} if command or isinstance(tool, tools.Agent) else set()
    if command:
        shown.add("command")
    elif isinstance(tool, tools.Agent):
        shown.add("prompt")
    elif has_diff:
        shown |= {"file_path", "notebook_path", "content", "old_string", "new_string", "edits", "new_source"}
    for name, value in event.tool_input.items():
        if name not in shown and value is not None and not (has_diff and value is False):
            yield name, value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _question(question: tools.Question) -> QuestionView:
    options = tuple(OptionView(each.label, each.description or "", each.preview or "") for each in question.options)
    return QuestionView(question.question, question.header or "", options, bool(question.multi_select))


def _question_texts(questions: tuple[QuestionView, ...]) -> list[str]:
    options = [option for question in questions for option in question.options]
    asked = [text for question in questions for text in (question.question, question.header)]
    return [*asked, *(text for each in options for text in (each.label, each.description, each.preview))]


def _plan_facts(plan: tools.ExitPlanMode) -> Iterator[tuple[str, str]]:
    if plan.plan_file_path:
        yield "plan file", plan.plan_file_path
    for each in plan.allowed_prompts or ():
        yield "also allowed", ": ".join(str(each[key]) for key in ("tool", "prompt") if each.get(key))


_OF_ELICITATION = ("mcp_server_name", "message", "mode", "requested_schema", "url", "elicitation_id")


def _raw(event: Event, wanted: tuple[str, ...]) -> dict[str, Any]:
    return {name: event.raw[name] for name in wanted if name in event.raw}


def _of_form(form: FormView) -> Peril:
    server = form.server or "a server"
    if form.mode == "url":
        return Peril(
            "care", reason=f"The page is of {form.host}, and the server {server} names it." if form.host else ""
        )
    return Peril("care", reason=f"What is filled in goes to the server {server}.")


def _form_texts(form: FormView) -> list[str]:
    labels = [text for field in form.fields for text in (field.name, field.title, field.description)]
    options = [text for field in form.fields for option in field.options for text in option]
    return [form.server, form.message, form.url, *labels, *options]


def _background(event: TurnEnd) -> Iterator[str]:
    for task in event.background_tasks:
        yield names.cut(": ".join(filter(None, (task.type, task.description or task.command or task.id))), 120)
    for later in event.session_crons:
        yield names.cut(f"later ({later.schedule or 'once'}): {later.prompt or later.id}", 120)


def _effects(trial: Trial | None) -> list[Effect]:
    if trial is None:
        return []
    return worst_effects(trial.steps) or sorted(trial.effects, key=lambda effect: -segments.parsed(effect.risk))


def _match(effects: list[Effect], text: str, event: PermissionRequest | PreToolUse, trial: Trial | None) -> str:
    worst = [effect for effect in effects if effect.risk == "danger"]
    return match_word(worst, trial.evidence if trial else "", text, event.tool_name)


def _is_outside(file: str, effects: list[Effect], cwd: str, seen: Seen) -> bool:
    project = seen.project or cwd
    if not project:
        return False
    targets = [effect.target for effect in effects if effect.kind in _OF_FILES and "://" not in effect.target]
    whole = [
        names.whole(each, cwd) for each in targets if each.startswith(("/", "..")) and not each.startswith("/dev/")
    ]
    return any(not names.is_below(each, project) for each in (file, *whole) if each)


def _expanded(path: str, home: str) -> str:
    return posixpath.join(home, path[2:]) if home and path.startswith("~/") else path


def _texts(value: Any, deepest: int = 20) -> Iterator[str]:
    """Every text in it, names included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and deepest:
        for key, each in value.items():
            yield str(key)
            yield from _texts(each, deepest - 1)
    elif isinstance(value, list) and deepest:
        for each in value:
            yield from _texts(each, deepest - 1)


def _is_long(view: View, texts: list[str]) -> bool:
    if view.diffs:
        return sum(len(hunk.lines) for diff in view.diffs for hunk in diff.hunks) > LONG_LINES
    return sum(map(len, texts)) > LONG_TEXT or sum(text.count("\n") for text in texts) > LONG_LINES


def _line(texts: list[str]) -> str:
    return " ".join(texts)[:LONG_TEXT]
