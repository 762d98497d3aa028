"""Asks for a permission: what a tool would do, drawn as far as the tool is known."""

import hashlib
import posixpath
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from assent.asks import edits, names, segments, verbs
from assent.asks.command_verbs import worst_effects
from assent.asks.drawing import Drawing, Seen
from assent.asks.instead import instead
from assent.asks.match_word import match_word
from assent.protocol import tools
from assent.protocol.card import Peril, Segment, View
from assent.protocol.events import ToolEvent
from assent.protocol.risk import Risk
from assent.protocol.trial import Seen as Effect
from assent.protocol.trial import Trial

_SHELLS = frozenset({"Bash", "Monitor"})
_EXACT = ("command", "file_path", "notebook_path", "path", "url")
# Kinds of effects whose target is a file.
_OF_FILES = frozenset({"read", "write", "delete", "mode", "secret", "persist", "tamper", "run", "project"})
_IN_A_DIFF = frozenset({"file_path", "notebook_path", "content", "old_string", "new_string", "edits", "new_source"})
_FOR_AGENTS = re.compile(r" Risk: \w+; stance: \w+\.$")
_MOST_WORDS = 2_000
_MOST_SCRIPTS = 6
_DEEPEST = 20


def permission(event: ToolEvent, seen: Seen) -> Drawing:
    tool, trial = event.tool, seen.trial
    given = event.tool_input.get("command")
    command = given if event.tool_name in _SHELLS and isinstance(given, str) else ""
    level = max(segments.parsed(seen.risk), segments.parsed(trial.risk) if trial and trial.risk else Risk.LOOK)
    texts = [command] if command else list(_texts(event.tool_input))
    effects = _effects(trial)

    def called(path: str) -> str:
        if "://" in path:
            return names.cut(path)
        return names.short(names.whole(path, event.cwd) if event.cwd else path, seen.project, seen.home)

    path = edits.path_of(tool)
    file = names.whole(_expanded(path, seen.home), event.cwd) if path else ""
    diff = edits.of_tool(tool, file, called(path or ""), seen.read, seen.there)
    diffs = (diff,) if diff else ()
    view = View(
        verbs.of_tool(event.tool_name, tool, command, trial, diffs, called),
        event.tool_name,
        segments=tuple(_segments(tool, command, trial, level.word)),
        diffs=diffs,
        facts=(*_facts(event, tool, command, has_diff=diff is not None), *_scripts(trial)),
        raw=event.tool_input,
    )
    peril = Peril(
        level.word,
        reason=_reason(trial, effects) if trial else "",
        safer=trial.safer if trial else "",
        instead=instead(command, trial.steps) if trial and command else "",
        match=_match(effects, command or file or _beginning(texts), event, trial) if level is Risk.DANGER else "",
    )
    exact = [event.tool_name, *(value for key in _EXACT if isinstance(value := event.tool_input.get(key), str))]
    return Drawing("permission", view, peril, texts, exact, _is_outside(file, effects, event.cwd, seen))


def _segments(tool: tools.ToolInput, command: str, trial: Trial | None, level: str) -> Iterator[Segment]:
    if command:
        yield from segments.split(command, trial, level)
    elif isinstance(tool, tools.Agent):
        yield Segment(tool.prompt, level, needs_you=True)


def _facts(event: ToolEvent, tool: tools.ToolInput, command: str, *, has_diff: bool) -> Iterator[tuple[str, str]]:
    """What of the input is not shown elsewhere."""
    shown: frozenset[str] = _IN_A_DIFF if has_diff else frozenset()
    if command:
        shown = frozenset({"command", "description"})
    elif isinstance(tool, tools.Agent):
        shown = frozenset({"prompt", "description"})
    for name, value in event.tool_input.items():
        if name not in shown and value is not None and not (has_diff and value is False):
            yield name, value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _scripts(trial: Trial | None) -> Iterator[tuple[str, str]]:
    """The files that run, with what they were when they were read: the answer is bound to them."""
    found = trial.scripts if trial is not None else ()
    lines = [f"{name} ({state})" for name, state in found[:_MOST_SCRIPTS]]
    if rest := found[_MOST_SCRIPTS:]:
        digest = hashlib.sha256(repr(rest).encode()).hexdigest()[:16]
        lines.append(f"{len(rest)} more files (sha256 of their versions {digest})")
    if lines:
        yield "runs", "\n".join(lines)


def _effects(trial: Trial | None) -> list[Effect]:
    """The worst first."""
    if trial is None:
        return []
    return worst_effects(trial.steps) or sorted(trial.effects, key=lambda effect: -segments.parsed(effect.risk))


def _reason(trial: Trial, effects: list[Effect]) -> str:
    """Why it is at this level. A stance's words for the agent say more than a card needs, a rule's say less."""
    reason = _FOR_AGENTS.sub("", trial.reason).removesuffix(f" Safer: {trial.safer}.")
    worst = effects[0].why if effects else ""
    is_rule = trial.by.startswith("rule:")
    return f"{reason} {worst}".strip() if is_rule and worst not in reason else reason


def _match(effects: list[Effect], text: str, event: ToolEvent, trial: Trial | None) -> str:
    worst = [effect for effect in effects if effect.risk == "danger"]
    return match_word(worst, trial.evidence if trial else "", text, event.tool_name)


def _is_outside(file: str, effects: list[Effect], cwd: str, seen: Seen) -> bool:
    project = seen.project or cwd
    if not project:
        return False
    targets = {effect.target for effect in effects if effect.kind in _OF_FILES}
    paths = [file, *(names.whole(each, cwd) for each in targets if _is_elsewhere(each))]
    return any(not names.is_below(each, project) for each in paths if each)


def _is_elsewhere(target: str) -> bool:
    return target.startswith(("/", "..")) and not target.startswith("/dev/")


def _expanded(path: str, home: str) -> str:
    return posixpath.join(home, path[2:]) if home and path.startswith("~/") else path


def _texts(value: Any, deepest: int = _DEEPEST) -> Iterator[str]:
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


def _beginning(texts: list[str]) -> str:
    return " ".join(texts)[:_MOST_WORDS]
