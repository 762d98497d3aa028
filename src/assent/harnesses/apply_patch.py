"""Patches in the format of the tool ``apply_patch``: several files in one text, each added, changed, moved or deleted.

The client is lenient about this format. Here a text is read as a whole or not at all: where it could be read in two
ways, a file might be changed that nothing here has seen."""

import re
from collections.abc import Iterator
from posixpath import join

from msgspec.structs import replace

from assent.protocol.operations import FileChange, Part

BEGIN, END = "*** Begin Patch", "*** End Patch"
_ADD, _DELETE, _UPDATE, _MOVE = "*** Add File: ", "*** Delete File: ", "*** Update File: ", "*** Move to: "
_END_OF_FILE = "*** End of File"
_MARK = "***"
_HEREDOC = re.compile(r"""(?:(?:apply_patch|applypatch)[ \t]+)?<<[ \t]*(['"])(\w+)\1[ \t]*""")
# A document without quotes: a shell would put values into it, but here no shell reads it.
_PLAIN_HEREDOC = re.compile(r"<<(\w+)[ \t]*")
# The command by its name, which is no part of a path or of another name.
_NAMED = re.compile(r"(?<![\w./-])(?:apply_patch|applypatch)(?![\w./-])")
_IN_SHELL = re.compile(
    r"""(?:cd[ \t]+(?:'(?P<raw>[^'\\]+)'|"(?P<quoted>[^"$`\\]+)"|(?P<plain>[\w./@%+=:,-]+))[ \t]*&&[ \t]*)?"""
    r"""(?:apply_patch|applypatch)[ \t]*<<[ \t]*(?P<mark>['"]?)(?P<word>\w+)(?P=mark)[ \t]*"""
)
# What a shell would put a value in for.
_VALUES = re.compile(r"[$`\\]")


class _NoPatchError(Exception):
    """The text cannot be read for certain."""


def files_of(text: str) -> tuple[FileChange, ...]:
    """What a patch changes, in its order; empty where it cannot be read for certain. Never raises."""
    try:
        return tuple(_files(_unwrapped([line.removesuffix("\r") for line in text.strip().split("\n")])))
    except _NoPatchError:
        return ()


def in_command(line: str) -> tuple[FileChange, ...] | None:
    """The same of a shell line that does nothing but hand a patch to ``apply_patch`` as a document, in a folder that it
    may name; empty where it hands over one and cannot be read for certain; None where no patch stands in it.

    The client takes some of these lines for itself and starts no shell, so none of them counts as a shell's."""
    if _NAMED.search(line) is None or ("<<" not in line and BEGIN not in line):
        return None
    lines = line.strip().split("\n")
    found = _IN_SHELL.fullmatch(lines[0])
    # What follows the first line with the closing word would be run.
    if found is None or found["word"] not in lines or lines.index(found["word"]) != len(lines) - 1:
        return ()
    text = "\n".join(lines[1:-1])
    if not found["mark"] and _VALUES.search(text):
        return ()
    folder = found["raw"] or found["quoted"] or found["plain"] or ""
    # A shell knows of folders by these signs that the client does not.
    return () if folder[:1] in ("-", "~") else tuple(_below(folder, file) for file in files_of(text))


def _below(folder: str, file: FileChange) -> FileChange:
    if not folder:
        return file
    moved = None if file.moved_from is None else join(folder, file.moved_from)
    return replace(file, path=join(folder, file.path), moved_from=moved)


def _unwrapped(lines: list[str]) -> list[str]:
    """Without the marks of a here-document, which models write out of habit, and the client passes over."""
    found = _HEREDOC.fullmatch(lines[0]) or _PLAIN_HEREDOC.fullmatch(lines[0])
    if found is not None and not lines[0].startswith("apply") and lines[-1] == found[found.lastindex or 1]:
        lines = lines[1:-1]
    if len(lines) < 3 or lines[0].rstrip() != BEGIN or lines[-1].strip() != END:
        raise _NoPatchError
    return lines[1:-1]


def _files(lines: list[str]) -> Iterator[FileChange]:
    at, paths = 0, set[str]()
    while at < len(lines):
        head = lines[at]
        end = next((n for n in range(at + 1, len(lines)) if lines[n].startswith(_MARK) and _is_head(lines[n])), None)
        body = lines[at + 1 : end]
        made = list(_file(head, body))
        for file in made:
            if file.path in paths:
                # What stands in the file then depends on the order in which the client does it.
                raise _NoPatchError
            paths.add(file.path)
        yield from made
        at = len(lines) if end is None else end


def _is_head(line: str) -> bool:
    return not line.startswith((_MOVE, _END_OF_FILE))


def _file(head: str, body: list[str]) -> Iterator[FileChange]:
    if head.startswith(_ADD):
        if not all(line.startswith("+") for line in body):
            raise _NoPatchError
        yield FileChange(path=_path(head, _ADD), new="".join(f"{line[1:]}\n" for line in body))
    elif head.startswith(_DELETE):
        if any(line.strip() for line in body):
            raise _NoPatchError
        yield FileChange(path=_path(head, _DELETE))
    elif head.startswith(_UPDATE):
        yield from _updated(_path(head, _UPDATE), body)
    else:
        raise _NoPatchError


def _updated(path: str, body: list[str]) -> Iterator[FileChange]:
    moved = _path(body[0], _MOVE) if body and body[0].startswith(_MOVE) else None
    parts = tuple(_parts(body if moved is None else body[1:]))
    if not parts and moved is None:
        raise _NoPatchError
    old, new = "".join(part.old for part in parts), "".join(part.new for part in parts)
    if moved is None:
        yield FileChange(path=path, old=old, new=new, parts=parts)
        return
    yield FileChange(path=path)
    yield FileChange(path=moved, old=old, new=new, parts=parts, moved_from=path)


def _parts(body: list[str]) -> Iterator[Part]:
    after, old, new = "", list[str](), list[str]()
    is_open = is_over = False
    for line in body:
        if line == _END_OF_FILE and (old or new):
            is_over = True
        elif line == "@@" or line.startswith("@@ "):
            if old or new:
                yield _part(after, old, new)
            elif is_open:
                # Of two places in a row the client takes one inside the other.
                raise _NoPatchError
            after, old, new = line[3:], [], []
            is_open, is_over = True, False
        elif is_over and line:
            raise _NoPatchError
        else:
            _change(line, old, new)
    if old or new:
        yield _part(after, old, new)
    elif is_open:
        raise _NoPatchError


def _change(line: str, old: list[str], new: list[str]) -> None:
    mark, text = line[:1], line[1:]
    # A mark that is moved to the right is a part of the file to some readers, and the next file to others.
    if mark not in ("", " ", "+", "-") or (mark != "+" and mark != "-" and text.lstrip().startswith(_MARK)):
        raise _NoPatchError
    if mark != "+":
        old.append(text)
    if mark != "-":
        new.append(text)


def _part(after: str, old: list[str], new: list[str]) -> Part:
    return Part(old="".join(f"{line}\n" for line in old), new="".join(f"{line}\n" for line in new), after=after)


def _path(line: str, mark: str) -> str:
    path = line[len(mark) :].strip()
    if not path or not path.isprintable() or not line.startswith(mark):
        raise _NoPatchError
    return path
