"""Asks for a permission: what a tool would do, drawn as far as the tool is known."""

import hashlib
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from assent.asks.card import command_verbs, edits, names, segments, steps, verbs
from assent.asks.card.drawing import Drawing, Seen
from assent.harnesses import registry
from assent.protocol.card import Peril, Segment, View
from assent.protocol.decision import Risk, Step, Trial
from assent.protocol.decision import Seen as Effect
from assent.protocol.events import ToolEvent
from assent.protocol.operations import Mcp, Operation, Patch, Shell, Subagent

SHORTEST, LONGEST = 3, 20
# Typed on any keyboard, and not to be mistaken for something else.
_TYPEABLE = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{{SHORTEST - 2},{LONGEST - 2}}}[A-Za-z0-9]", re.ASCII)
_PIECE = re.compile(rf"[A-Za-z0-9]{{{SHORTEST},{LONGEST}}}", re.ASCII)
_WORDS = re.compile(r"[\s,;|&()<>\"'`=]+")
# They say nothing about what is touched.
_COMMON = frozenset(
    {"from", "table", "where", "into", "delete", "drop", "all", "and", "the", "with", "for", "set", "values"}
)
LAST_RESORT = "danger"


def match_word(effects: Iterable[Effect], *texts: str) -> str:
    """From the targets of these effects, else from the last telling word of the first text that has one."""
    sources = (*(_of_target(effect.target) for effect in effects), *map(_of_words, texts))
    candidates = [word for words in sources for word in words]
    return next((word for word in candidates if word.lower() not in _COMMON), next(iter(candidates), LAST_RESORT))


def _of_target(target: str) -> Iterator[str]:
    if "://" in target:
        host = _host(target)
        yield from _typeable(host)
        yield from _pieces(host)
        return
    # "origin, main", "ns prod": the last word says most; "host:/path" is about the host.
    for word in reversed(_WORDS.split(target)):
        parts = [word.partition(":")[0]] if ":" in word else word.split("/")[::-1]
        for part in parts:
            yield from _typeable(part)
            yield from _pieces(part)


def _of_words(text: str) -> Iterator[str]:
    for word in reversed(_WORDS.split(text[-2_000:])):
        if not word.startswith("-"):
            yield from _of_target(word) if "://" in word else _typeable(word.rstrip("/").rpartition("/")[2])
    for word in reversed(_WORDS.split(text[-2_000:])):
        yield from _pieces(word)


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _typeable(word: str) -> Iterator[str]:
    if _TYPEABLE.fullmatch(word):
        yield word


def _pieces(word: str) -> Iterator[str]:
    """Parts of what is too long or too odd, the last first."""
    yield from reversed(_PIECE.findall(word))


_REPLACED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        # Tells what would be deleted.
        (r"(git clean (?:.* )?)-([a-z]*)f([a-z]*)\b(.*)", r"\1-\2n\3\4"),
        # Refuses where others pushed meanwhile.
        (r"(git push (?:.* )?)(?:--force|-f)(?= |$)(.*)", r"\1--force-with-lease\2"),
        # Keep the changes.
        (r"git reset --hard(?: HEAD)?", "git stash --include-untracked"),
        (r"git (?:checkout|restore)(?: --)? \.", "git stash"),
        (r"git stash (?:drop|clear)", "git stash list"),
        # Refuses what is not merged.
        (r"(git branch (?:.* )?)-D(?= |$)(.*)", r"\1-d\2"),
        # Keeps the data.
        (r"(docker(?:-| )compose down(?: .*)?) (?:-v|--volumes)(?= |$)(.*)", r"\1\2"),
    )
)
_LONGEST = 500


def instead(command: str, judged: Sequence[Step]) -> str:
    """The line with its dangerous command replaced; "" where there is no such way."""
    risky = [step.command for step in judged if step.risk == "danger"]
    if len(risky) != 1 or len(risky[0]) > _LONGEST or command.count(risky[0]) != 1:
        return ""
    for pattern, replacement in _REPLACED:
        if match := pattern.fullmatch(risky[0]):
            return command.replace(risky[0], match.expand(replacement))
    return ""


_EXACT = ("command", "file_path", "notebook_path", "path", "url")
# Kinds of effects whose target is a file.
_OF_FILES = frozenset({"read", "write", "delete", "mode", "secret", "persist", "tamper", "run", "project"})
_IN_A_DIFF = frozenset({"file_path", "notebook_path", "content", "old_string", "new_string", "edits", "new_source"})
_READ_BY_PEOPLE = frozenset({"body", "description", "comment", "markdown", "message", "text", "content", "notes"})
_MOST_WORDS = 2_000
_MOST_SCRIPTS = 6
_DEEPEST = 20


def permission(event: ToolEvent, seen: Seen) -> Drawing:
    operation, trial = registry.operation(event), seen.trial
    command = operation.command or "" if isinstance(operation, Shell) else ""
    level = max(segments.parsed(seen.risk), segments.parsed(trial.risk) if trial and trial.risk else Risk.LOOK)
    texts = [command] if command else list(_texts(event.tool_input))
    effects = _effects(trial)

    def called(path: str) -> str:
        if "://" in path:
            return names.cut(path)
        return names.short(names.whole(path, event.cwd) if event.cwd else path, seen.project, seen.home)

    def whole(path: str) -> str:
        return names.whole(_expanded(path, seen.home), event.cwd)

    path = edits.path_of(operation)
    files = [whole(path)] if path else []
    diff = edits.of_tool(operation, files[0] if files else "", called(path or ""), seen.read, seen.there)
    diffs = (diff,) if diff else ()
    for changed in edits.files_of(operation):
        files.append(whole(changed.path))
        stands = files[-1] if changed.moved_from is None else whole(changed.moved_from)
        diffs = (*diffs, edits.of_file(changed, stands, called(changed.path), seen.read, seen.there))
    heading, done = steps.told(trial, command, called) if trial and command else (command_verbs.of_text(command), ())
    if not command:
        heading = verbs.of_tool(event.tool_name, operation, event.tool_input, diffs, called)
    view = View(
        "Too long to read" if trial and trial.unread == "too_long" else heading,
        event.tool_name,
        steps=done,
        segments=tuple(_segments(operation, command, trial, level.word)),
        diffs=diffs,
        facts=(*_facts(event, operation, command, has_diff=bool(diffs)), *_scripts(trial)),
        prose=tuple(_prose(event)) if isinstance(operation, Mcp) else (),
        raw=event.tool_input,
    )
    about = command or (files[0] if files else "") or _beginning(texts)
    peril = Peril(
        level.word,
        reason=_reason(trial, effects) if trial else "",
        safer=trial.safer if trial else "",
        instead=instead(command, trial.steps) if trial and command else "",
        match=_match(effects, about, event, trial) if level is Risk.DANGER else "",
    )
    exact = [event.tool_name, *(value for key in _EXACT if isinstance(value := event.tool_input.get(key), str))]
    return Drawing("permission", view, peril, texts, exact, _is_outside(files, effects, event.cwd, seen))


def _segments(operation: Operation, command: str, trial: Trial | None, level: str) -> Iterator[Segment]:
    if command:
        yield from segments.split(command, trial, level)
    elif isinstance(operation, Subagent):
        yield Segment(operation.prompt, level, needs_you=True)


def _facts(event: ToolEvent, operation: Operation, command: str, *, has_diff: bool) -> Iterator[tuple[str, str]]:
    """What of the input is not shown elsewhere."""
    shown: frozenset[str] = _IN_A_DIFF if has_diff else frozenset()
    if has_diff and isinstance(operation, Patch):
        shown |= {"command", "diff", "patch"}
    if command:
        shown = frozenset({"command", "description"})
    elif isinstance(operation, Subagent):
        shown = frozenset({"prompt", "description"})
    for name, value in event.tool_input.items():
        if name not in shown and value is not None and not (has_diff and value is False):
            yield name, value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _prose(event: ToolEvent) -> Iterator[str]:
    """What a server is sent to be read by people, in several lines."""
    for name, value in event.tool_input.items():
        if name.lower() in _READ_BY_PEOPLE and isinstance(value, str) and "\n" in value.strip():
            yield name


def _scripts(trial: Trial | None) -> Iterator[tuple[str, str]]:
    """The files that run, with what they were when they were read: the answer is bound to them."""
    scripts = trial.scripts if trial is not None else ()
    lines = [f"{name} ({state})" for name, state in scripts[:_MOST_SCRIPTS]]
    if rest := scripts[_MOST_SCRIPTS:]:
        digest = hashlib.sha256(repr(rest).encode()).hexdigest()[:16]
        lines.append(f"{len(rest)} more files (sha256 of their versions {digest})")
    if lines:
        yield "runs", "\n".join(lines)


def _effects(trial: Trial | None) -> list[Effect]:
    """The worst first."""
    if trial is None:
        return []
    return steps.worst_effects(trial.steps) or sorted(trial.effects, key=lambda effect: -segments.parsed(effect.risk))


def _reason(trial: Trial, effects: list[Effect]) -> str:
    """Why it is at this level. A stance's words for the agent say more than a card needs, a rule's say less."""
    reason = trial.reason.removesuffix(f" Safer: {trial.safer}.")
    worst = effects[0].why if effects else ""
    is_rule = trial.by.startswith("rule:")
    return f"{reason} {worst}".strip() if is_rule and worst not in reason else reason


def _match(effects: list[Effect], text: str, event: ToolEvent, trial: Trial | None) -> str:
    worst = [effect for effect in effects if effect.risk == "danger"]
    return match_word(worst, trial.evidence if trial else "", text, event.tool_name)


def _is_outside(files: list[str], effects: list[Effect], cwd: str, seen: Seen) -> bool:
    project = seen.project or cwd
    if not project:
        return False
    targets = {effect.target for effect in effects if effect.kind in _OF_FILES}
    paths = [*files, *(names.whole(each, cwd) for each in targets if _is_elsewhere(each))]
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
