"""Tools of MCP servers. What they do is unknown: Care at least, and more where name or input tell of more."""

import re
from collections.abc import Iterator
from typing import Any

from assent.policy.call import Call
from assent.policy.effects import Effect, care, danger
from assent.policy.paths import on_path
from assent.policy.sensitive import kind_of_secret
from assent.policy.shell.spelling import Setting
from assent.policy.shell.walk import Walk
from assent.policy.shell.words import Arg
from assent.policy.tools.web import to_address
from assent.protocol.decision import Risk
from assent.protocol.operations import CHANGES_FILES, READS_FILES, Mcp, Other, Shell, Subagent

_DESCRIBED = (Shell, Subagent, *CHANGES_FILES, *READS_FILES)
MOST_VALUES = 200
DEEPEST = 6
LONGEST_LINE = 10_000
LONGEST_PATH = 4_096

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_TAKES_AWAY = _set("delete drop destroy purge wipe erase truncate terminate revoke uninstall rollback reset")
_SPEAKS_OUT = _set(
    "send post publish create comment reply email mail message share upload push merge deploy release submit tweet"
    " invite transfer pay order update write edit add"
)
_RUNS = _set("exec execute eval shell command terminal script spawn bash run")
_SHELLS = _set("power powershell pwsh shell terminal exec bash zsh cmd console subprocess")
_TYPES = _set("click type press keyboard mouse drag fill keys")
# By its name such a tool leaves files as they are.
_WORDS_THAT_READ = _set("read get list search find show view stat info open look cat head tail grep glob tree describe")
_LINE = re.compile(r"(?:shell_?)?(?:command|cmd|script|line)(?:_?line)?", re.IGNORECASE)
_PATH = re.compile(
    r"(?:.*_)?(?:path|file|filename|filepath|folder|dir|directory|paths|files|target|dst|dest|destination)",
    re.IGNORECASE,
)
_TEXT = re.compile(
    r"(?:.*_)?(?:content|contents|text|body|message|title|description|query|prompt|comment|summary|pattern|regex|diff"
    r"|patch|code|old_?str(?:ing)?|new_?str(?:ing)?)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:.*_)?(?:url|uri|href|endpoint|urls)", re.IGNORECASE)


def effects(operation: Mcp, call: Call, setting: Setting) -> Iterator[Effect]:
    server, tool = operation.server, operation.tool
    words = words_of(tool)
    named = f"{server}: {tool}"[:200]
    if words & _TAKES_AWAY:
        yield danger("remote", f"By its name, this tool of {server} deletes something.", named)
    elif words & _RUNS:
        yield care("run", f"By its name, this tool of {server} runs something.", named)
    elif words & _TYPES:
        yield care("typing", f"By its name, this tool of {server} acts in a person's place.", named)
    elif words & _SPEAKS_OUT:
        yield care("publish", f"By its name, this tool of {server} changes or sends something.", named)
    else:
        yield care("fetch", f"What this tool of {server} does, only {server} knows.", named)
    yield from told_by_input(call, setting)


def is_shell_like(call: Call) -> bool:
    """Whether an unknown tool takes commands: by its name, or by what its input is called."""
    operation = call.operation
    if isinstance(operation, _DESCRIBED) or (isinstance(operation, Other) and operation.is_described):
        return False
    has_line = any(isinstance(value, str) and _LINE.fullmatch(name) for name, value in call.input.items())
    return has_line or (not isinstance(operation, Mcp) and not words_of(call.tool).isdisjoint(_SHELLS))


def words_of(tool: str) -> set[str]:
    return {word.lower() for word in _WORDS.findall(tool)}


def told_by_input(call: Call, setting: Setting) -> Iterator[Effect]:
    """Dangers that stand in the input of an unknown tool."""
    operation = call.operation
    name = operation.tool.rpartition("__")[2] if isinstance(operation, Mcp) else call.tool
    changes = _WORDS_THAT_READ.isdisjoint(words_of(name))
    for name, text in _values(call.input):
        for effect in _of_value(name, text, setting, changes=changes):
            # The server may do less than the input says; input that seems harmless proves nothing.
            if effect.risk > Risk.CARE:
                yield effect


def _of_value(name: str, text: str, setting: Setting, *, changes: bool) -> Iterator[Effect]:
    if kind := kind_of_secret(text):
        yield danger("send", f"It hands what looks like a {kind} to a server.")
    if _LINE.fullmatch(name):
        for act in Walk(setting).line(text[:LONGEST_LINE]):
            for each in act.all():
                yield from each.effects
    elif _ADDRESS.fullmatch(name):
        yield from to_address(text, setting)
    elif _PATH.fullmatch(name):
        yield on_path("read", Arg(text), setting, setting.cwd)
    if changes and len(text) < LONGEST_PATH and (_PATH.fullmatch(name) or ("/" in text and not _TEXT.fullmatch(name))):
        # What this server takes it for is not known: the name of a file that agents obey is enough.
        written = on_path("write", Arg(text.removeprefix("file://")), setting, setting.cwd, recursive=True)
        if written.kind == "tamper":
            yield written


def _values(value: Any, name: str = "", depth: int = 0, left: list[int] | None = None) -> Iterator[tuple[str, str]]:
    left = [MOST_VALUES] if left is None else left
    left[0] -= 1
    if left[0] < 0 or depth > DEEPEST:
        return
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _values(inner, str(key), depth + 1, left)
    elif isinstance(value, list):
        for inner in value:
            yield from _values(inner, name, depth + 1, left)
