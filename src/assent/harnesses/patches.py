"""Changes of files as texts: unified diffs, as files with what stood there and what will."""

import re

from assent.protocol.operations import FileChange

_FILE = re.compile(r"^\+\+\+ (?:b/)?(?P<path>[^\t\n]*)")
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")
NO_FILE = "dev/null"


def from_unified(diff: str, path: str) -> tuple[FileChange, ...]:
    """The one file of a diff, by the name that is given with it: the names inside the diff may be shortened. Of a
    change only the parts around it are known. Empty where it is no diff of one file."""
    old: list[str] = []
    new: list[str] = []
    made = deleted = inside = False
    files = 0
    for line in diff.splitlines():
        if not inside and line.startswith("--- "):
            made = line.endswith(NO_FILE)
        elif not inside and (found := _FILE.match(line)):
            files += 1
            deleted = found["path"].endswith(NO_FILE)
        elif _HUNK.match(line):
            inside = True
        elif inside and line.startswith("diff --git "):
            return ()
        elif inside and line[:1] in ("+", "-", " ", ""):
            if line[:1] != "+":
                old.append(line[1:])
            if line[:1] != "-":
                new.append(line[1:])
    if files != 1 or not inside:
        return ()
    return (FileChange(path=path, old=None if made else _joined(old), new=None if deleted else _joined(new)),)


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
