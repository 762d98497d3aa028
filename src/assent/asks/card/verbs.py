"""The heading of a card: what is wanted, in plain words."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from assent.asks.card import names
from assent.asks.card.command_verbs import Namer
from assent.protocol.card import FileDiff, FormView
from assent.protocol.events import Stop, SubagentStop
from assent.protocol.operations import (
    Edit,
    Fetch,
    Mcp,
    Operation,
    Other,
    Patch,
    Question,
    Read,
    Search,
    Subagent,
    Write,
)

# Between the words of a name like ``create_pull_request`` or ``createPullRequest``.
_BETWEEN_WORDS = re.compile(r"[_\-.\s]+|(?<=[a-z0-9])(?=[A-Z])")
# What says most about a call to a server, the first that is there.
_TELLING = ("title", "name", "subject", "summary", "query", "url", "path", "id", "channel", "to", "message", "text")


def of_tool(name: str, operation: Operation, given: Mapping[str, Any], diffs: Sequence[FileDiff], called: Namer) -> str:
    match operation:
        case Write(path=str(path), content=str()):
            return f"Create {called(path)}" if diffs and diffs[0].is_new else f"Write {called(path)}"
        case Edit(path=str(path)) if operation.is_whole:
            return f"Edit {called(path)}"
        case Patch(files=files) if files:
            return f"Change {names.listed([called(file.path) for file in files])}"
        case Read(is_notebook=True):
            return "Read a notebook"
        case Read(path=str(path)):
            return f"Read {called(path)}"
        case Search(kind="names", pattern=pattern) if pattern:
            return f"List files like {names.cut(pattern)}"
        case Search(kind="content", path=path):
            return f"Search {called(path)}" if path else "Search the project"
        case Fetch(query=None, url=str(url)):
            return f"Fetch {names.host(url)}"
        case Fetch(query=str(query)):
            return f"Search the web for {names.cut(query)}"
        case Subagent(kind=kind):
            return f"Start the sub-agent {names.cut(kind)}" if kind else "Start a sub-agent"
        case Mcp(server=str(server), tool=str(tool)) if operation.has_plain_names:
            return _of_mcp(server, tool, given)
        case Other(words=words) if words:
            return names.cut(words, 80)
    return f"Use {names.cut(name)}"


def _of_mcp(server: str, tool: str, given: Mapping[str, Any]) -> str:
    """``Create pull request “Add rate limits” (github)``"""
    words = names.cut(_BETWEEN_WORDS.sub(" ", tool).strip().lower(), 60) or tool
    about = next((value for key in _TELLING if isinstance(value := given.get(key), str) and value.strip()), "")
    quoted = f" “{names.cut(about, 50)}”" if about else ""
    return f"{words[:1].upper()}{words[1:]}{quoted} ({names.cut(server, 40)})"


def of_questions(tool: Question) -> str:
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
