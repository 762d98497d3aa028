"""The heading of a card: what is wanted, in plain words."""

from assent.asks import command_verbs, names
from assent.asks.edits import path_of
from assent.protocol import tools
from assent.protocol.card import FileDiff, FormView
from assent.protocol.events import Stop, SubagentStop
from assent.protocol.trial import Trial

_FIXED = {
    "TodoWrite": "Update the to-do list",
    "EnterPlanMode": "Start planning",
    "KillShell": "End a background command",
    "KillBash": "End a background command",
    "TaskStop": "End a background task",
    "CronCreate": "Schedule a prompt for later",
    "ScheduleWakeup": "Wake up later",
    "ReadMcpResourceTool": "Read from a server",
    "NotebookRead": "Read a notebook",
}


def of_tool(
    name: str,
    tool: tools.ToolInput,
    command: str,
    trial: Trial | None,
    diffs: tuple[FileDiff, ...],
    called: command_verbs.Namer,
) -> str:
    if trial is not None and trial.unread == "too_long":
        return "Too long to read"
    if command:
        return command_verbs.phrase(trial, command, called) if trial else command_verbs.of_text(command)
    match tool:
        case tools.Write():
            verb = "Create" if diffs and diffs[0].is_new else "Write"
            return f"{verb} {called(tool.file_path)}"
        case tools.Edit() | tools.MultiEdit() | tools.NotebookEdit():
            return f"Edit {called(path_of(tool) or 'a file')}"
        case tools.Read():
            return f"Read {called(tool.file_path)}"
        case tools.Glob():
            return f"List files like {names.cut(tool.pattern)}"
        case tools.Grep():
            return f"Search {called(tool.path)}" if tool.path else "Search the project"
        case tools.WebFetch():
            return f"Fetch {names.host(tool.url)}"
        case tools.WebSearch():
            return f"Search the web for {names.cut(tool.query)}"
        case tools.Agent():
            return f"Start the sub-agent {names.cut(tool.subagent_type)}" if tool.subagent_type else "Start a sub-agent"
        case tools.McpTool():
            return f"Use {names.cut(tool.server, 40)}: {names.cut(tool.tool, 60)}"
        case tools.OtherTool(input={"skill": str(skill)}):
            return f"Use the skill {names.cut(skill)}"
    return _FIXED.get(name) or f"Use {names.cut(name)}"


def of_questions(tool: tools.AskUserQuestion) -> str:
    first = names.cut(tool.questions[0].question, 100) if tool.questions else ""
    more = len(tool.questions) - 1
    return (first or "Answer a question") + (f" (and {more} more)" if more > 0 else "")


def of_plan(plan: str) -> str:
    heading = next((line.strip("# \t") for line in plan.splitlines() if line.startswith("#")), "")
    return f"Plan: {names.cut(heading, 80)}" if heading and heading.lower() != "plan" else "Approve a plan"


def of_form(form: FormView) -> str:
    server = names.cut(form.server, 40) or "a server"
    if form.mode == "url":
        return f"Open {names.cut(form.host) or 'a page'} for {server}"
    return f"Fill in a form for {server}" if form.fields or form.trouble else f"Say yes or no to {server}"


def of_stop(event: Stop | SubagentStop) -> str:
    if isinstance(event, SubagentStop):
        return (
            f"The sub-agent {names.cut(event.agent_type, 40)} finished" if event.agent_type else "A sub-agent finished"
        )
    return "The turn is finished"
