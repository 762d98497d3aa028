"""Tool calls of the Agent Client Protocol: their input as it is recorded, and what they are."""

import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from assent.harnesses.acp.facts import TERMINAL, TITLE_IS_COMMAND, WRITE
from assent.protocol.operations import (
    Edit,
    Fetch,
    FileChange,
    Operation,
    Other,
    Patch,
    Plan,
    Read,
    Replacement,
    Search,
    Shell,
    Write,
)

Given = dict[str, Any]

UNKNOWN = "other"
_PATHS = ("file_path", "path", "filePath", "filepath", "absolute_path", "notebook_path")
_FOLDERS = ("cwd", "workdir", "working_directory", "directory", "dir_path")
# Behind the title of a command, where it runs elsewhere than in the session's folder.
_SAID_FOLDER = re.compile(r"\[(?:in|current working directory) ([^\]]+)\]")
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh"})
_RUNS_LINE = frozenset({"-c", "-lc", "-ic"})


def named(call: Mapping[str, Any]) -> str:
    kind = call.get("kind")
    return kind if isinstance(kind, str) and kind else UNKNOWN


def given(call: Mapping[str, Any], agent: str) -> Given:
    """The input of a reported call: the agent's own, or what its title, locations and contents say of it."""
    raw = call.get("rawInput")
    made: Given = dict(raw) if isinstance(raw, dict) else {}
    title, kind = call.get("title"), named(call)
    if kind == "execute" and not made and agent.lower() in TITLE_IS_COMMAND and isinstance(title, str):
        made["command"] = title
    if changes := list(_changes(call)):
        made["changes"] = changes
    if not any(isinstance(made.get(name), str) for name in _PATHS) and (paths := _located(call)):
        made["paths"] = paths
    if isinstance(title, str) and title and title != made.get("command"):
        made["title"] = title
    return made


def folder(call: Mapping[str, Any], made: Mapping[str, Any]) -> str:
    """Where the call says that it runs; "" where it says nothing."""
    if (named_folder := _text(made, *_FOLDERS)) is not None:
        return named_folder
    told = (_SAID_FOLDER.match(text) for text in texts(call.get("content")))
    return next((match[1] for match in told if match), "")


def texts(content: Any) -> list[str]:
    """The plain texts in a list of contents."""
    blocks = [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []
    inner = [block["content"] if isinstance(block.get("content"), dict) else block for block in blocks]
    return [each["text"] for each in inner if each.get("type") == "text" and isinstance(each.get("text"), str)]


def _changes(call: Mapping[str, Any]) -> list[Given]:
    content = call.get("content")
    diffs = [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []
    return [
        {"path": each["path"], "old": each.get("oldText"), "new": each["newText"]}
        for each in diffs
        if each.get("type") == "diff" and isinstance(each.get("path"), str) and isinstance(each.get("newText"), str)
    ]


def _located(call: Mapping[str, Any]) -> list[str]:
    places = call.get("locations")
    found = [each.get("path") for each in places if isinstance(each, dict)] if isinstance(places, list) else []
    return [path for path in found if isinstance(path, str)]


def _text(made: Mapping[str, Any], *names: str) -> str | None:
    return next((value for name in names if isinstance(value := made.get(name), str)), None)


def _path(made: Mapping[str, Any]) -> str | None:
    """The one file it is about; None where it names several, or none."""
    paths = made.get("paths")
    one = paths[0] if isinstance(paths, list) and len(paths) == 1 and isinstance(paths[0], str) else None
    return _text(made, *_PATHS) or one


# --- what a call is


def operation(tool: str, made: Given) -> Operation:
    """Never raises: input that does not fit leaves fields open."""
    make = _MAKERS.get(tool)
    return make(made) if make is not None else Other()


def main_field(tool: str) -> str | None:
    return _MAIN_FIELDS.get(tool)


def _shell(made: Given) -> Operation:
    command, words = made.get("command"), made.get("args")
    line = [command] if isinstance(command, str) else command
    if not isinstance(line, list) or not line or not all(isinstance(each, str) for each in line):
        return Shell(command=None)
    rest = [each for each in words if isinstance(each, str)] if isinstance(words, list) else []
    if isinstance(command, str) and not rest:
        return Shell(command=command)
    line = [*line, *rest]
    if len(line) == 3 and line[0].rpartition("/")[2] in _SHELLS and line[1] in _RUNS_LINE:
        return Shell(command=line[2])
    return Shell(command=shlex.join(line))


def _edit(made: Given) -> Operation:
    changes = made.get("changes")
    files = [_changed(each) for each in changes if isinstance(each, dict)] if isinstance(changes, list) else []
    if len(files) > 1:
        return Patch(files=tuple(files))
    if files and files[0].old is None:
        return Write(path=files[0].path, content=files[0].new)
    if files:
        return Edit(path=files[0].path, replacements=(Replacement(old=files[0].old, new=files[0].new or ""),))
    content, new = _text(made, "content", "file_text"), _text(made, "new_string", "newString", "new_str")
    if content is not None:
        return Write(path=_path(made), content=content)
    if new is None:
        return Edit(path=_path(made))
    old = _text(made, "old_string", "oldString", "old_str")
    return Edit(path=_path(made), replacements=(Replacement(old=old, new=new),))


def _changed(change: Given) -> FileChange:
    # A file that is made has no text, or an empty one, before.
    return FileChange(path=str(change.get("path")), old=_text(change, "old") or None, new=_text(change, "new"))


def _delete(made: Given) -> Operation:
    one, several = _text(made, *_PATHS), made.get("paths")
    paths = [one] if one else [each for each in several if isinstance(each, str)] if isinstance(several, list) else []
    return Patch(files=tuple(FileChange(path=path) for path in paths)) if paths else Other()


def _search(made: Given) -> Operation:
    pattern = _text(made, "pattern", "query", "regex")
    if pattern is None:
        return Other()
    return Search(kind="content", path=_text(made, *_PATHS, *_FOLDERS), pattern=pattern)


_MAKERS: dict[str, Callable[[Given], Operation]] = {
    "execute": _shell,
    TERMINAL: _shell,
    "edit": _edit,
    WRITE: lambda made: Write(path=_text(made, "path"), content=_text(made, "content")),
    "delete": _delete,
    "read": lambda made: Read(path=_path(made)),
    "search": _search,
    "fetch": lambda made: Fetch(url=_text(made, "url"), query=_text(made, "query")),
    "switch_mode": lambda made: Plan(text=_text(made, "plan", "title")),
}
_MAIN_FIELDS = {"execute": "command", TERMINAL: "command", WRITE: "path", "read": "file_path", "fetch": "url"}


def key(tool: str, made: Given, cwd: str) -> tuple[str, ...] | None:
    """What tells two calls to be the same, whichever message they came with; None where that cannot be told."""
    match operation(tool, made):
        case Shell(command=str(command)):
            return ("shell", command.strip(), cwd)
        case Write(path=str(path), content=str(content)):
            return ("write", path, content)
        case Edit(path=str(path), replacements=(Replacement(new=new),)) if "changes" in made:
            # A diff of this protocol holds whole files.
            return ("write", path, new)
    return None
