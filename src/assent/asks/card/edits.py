"""Diffs of the editing tools against the file as it is now."""

import difflib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from assent.protocol.card import FileDiff, Hunk
from assent.protocol.operations import Cell, Edit, FileChange, Operation, Patch, Read, Replacement, Write

CONTEXT = 3
# Beyond this a comparison takes too long: then all of the old is shown, and all of the new.
_MOST_COMPARED = 2_000
_MOST_PAIRS = 200_000
MOST_SHOWN = 2_000
WHOLE = "Too much to compare line by line: the old lines are shown first, then the new ones."


def between(path: str, old: str, new: str, *, is_new: bool = False, note: str = "", numbered: bool = True) -> FileDiff:
    """``numbered`` is False where these are pieces of a file at unknown lines."""
    before, after = _lines(old), _lines(new)
    start = _shared(before, after)
    end = _shared(before[start:][::-1], after[start:][::-1])
    gone, come = before[start : len(before) - end], after[start : len(after) - end]
    notes = [note]
    if is_new or not old:
        codes: Sequence[_Code] = [("replace", 0, 0, 0, len(after))] if after else []
    elif _is_too_much(gone, come):
        codes = [("replace", start, start + len(gone), start, start + len(come))]
        notes.append(WHOLE)
    else:
        codes = _changes(gone, come, start)
    hunks = list(_hunks(codes, before, after, numbered=numbered))
    added = sum(code[4] - code[3] for code in codes)
    removed = sum(code[2] - code[1] for code in codes)
    shown, left_out = _shortened(hunks)
    if left_out:
        notes.append(f"{left_out:,} more lines are not shown here; the whole input has them.")
    if not codes and old != new:
        notes.append("Only the line break at the end changes.")
    elif not codes and not is_new:
        notes.append("Nothing changes.")
    elif not codes:
        notes.append("The file is empty.")
    joined_notes = " ".join(each for each in notes if each)
    return FileDiff(path, added, removed, hunks=tuple(shown), is_new=is_new, note=joined_notes)


_Code = tuple[str, int, int, int, int]


def _lines(text: str) -> list[str]:
    """Only line feeds end a line: whatever else might do so is part of the text, and drawn as such."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _is_too_much(gone: list[str], come: list[str]) -> bool:
    if max(len(gone), len(come)) > _MOST_COMPARED:
        return True
    there = Counter(come)
    return sum(times * there[line] for line, times in Counter(gone).items()) > _MOST_PAIRS


def _changes(gone: list[str], come: list[str], offset: int) -> list[_Code]:
    codes = difflib.SequenceMatcher(None, gone, come).get_opcodes()
    return [(tag, a + offset, b + offset, c + offset, d + offset) for tag, a, b, c, d in codes if tag != "equal"]


def _hunks(codes: Sequence[_Code], before: list[str], after: list[str], *, numbered: bool) -> Iterator[Hunk]:
    for group in _groups(codes):
        first, last = group[0], group[-1]
        lead = min(CONTEXT, first[1], first[3])
        trail = min(CONTEXT, len(before) - last[2], len(after) - last[4])
        lines = [f" {line}" for line in before[first[1] - lead : first[1]]]
        at = first[1]
        for _, old, old_end, new, new_end in group:
            lines += [f" {line}" for line in before[at:old]]
            lines += [f"-{line}" for line in before[old:old_end]]
            lines += [f"+{line}" for line in after[new:new_end]]
            at = old_end
        lines += [f" {line}" for line in before[at : at + trail]]
        old_start = first[1] - lead + 1 if before else 0
        yield Hunk(old_start if numbered else 0, first[3] - lead + 1 if numbered else 0, tuple(lines))


def _groups(codes: Sequence[_Code]) -> Iterator[list[_Code]]:
    """Changes whose surroundings touch are shown together."""
    group: list[_Code] = []
    for code in codes:
        if group and code[1] - group[-1][2] > 2 * CONTEXT:
            yield group
            group = []
        group.append(code)
    if group:
        yield group


def _shortened(hunks: list[Hunk]) -> tuple[list[Hunk], int]:
    """The beginning and the end of what is too long, and how many lines are missing."""
    total = sum(len(hunk.lines) for hunk in hunks)
    if total <= MOST_SHOWN:
        return hunks, 0
    return [*_first(hunks, MOST_SHOWN // 2), *_last(hunks, MOST_SHOWN // 2)], total - MOST_SHOWN


def _first(hunks: list[Hunk], most: int) -> Iterator[Hunk]:
    for hunk in hunks:
        if most <= 0:
            return
        yield Hunk(hunk.old_start, hunk.new_start, hunk.lines[:most])
        most -= len(hunk.lines)


def _last(hunks: list[Hunk], most: int) -> list[Hunk]:
    kept: list[Hunk] = []
    for hunk in reversed(hunks):
        if most <= 0:
            break
        skipped = hunk.lines[: max(0, len(hunk.lines) - most)]
        old = hunk.old_start + sum(line[0] != "+" for line in skipped) if hunk.old_start else 0
        new = hunk.new_start + sum(line[0] != "-" for line in skipped) if hunk.new_start else 0
        kept.insert(0, Hunk(old, new, hunk.lines[len(skipped) :]))
        most -= len(hunk.lines)
    return kept


Reader = Callable[[str], str | None]
There = Callable[[str], bool]

UNREADABLE = "The file cannot be read here, so line numbers are missing."
UNCERTAIN = "Whether this file is there already cannot be told; this is its whole new text."
NOT_THERE = "The old lines are not in the file as it is now, so this edit should fail."
REPLACED = "The file that is there cannot be read; this is its whole new text."


def of_tool(operation: Operation, path: str, shown: str, read: Reader, there: There | None) -> FileDiff | None:
    """``path`` is the whole path, ``shown`` how it is called; None for a call that edits no file, or several."""
    match operation:
        case Write(content=str(content)):
            return _write(content, path, shown, read, there)
        case Edit(cell=Cell() as cell):
            return _notebook(cell, path, shown, read)
        case Edit() if operation.is_whole:
            return _edit(operation.replacements, path, shown, read, there)
    return None


def of_file(file: FileChange, path: str, shown: str, read: Reader, there: There | None) -> FileDiff:
    """The same for one file of a patch."""
    if file.new is None:
        return between(shown, file.old if file.old is not None else read(path) or "", "", note="The file is deleted.")
    if file.parts or file.moved_from is not None:
        return _patched(file, path, shown, read)
    if file.old is None:
        return _write(file.new, path, shown, read, there)
    return _edit((Replacement(old=file.old, new=file.new),), path, shown, read, there)


def _patched(file: FileChange, path: str, shown: str, read: Reader) -> FileDiff:
    """``path`` is where the file stands now."""
    moved = "" if file.moved_from is None else f"Moved from {file.moved_from}."
    pieces = tuple(Replacement(old=part.old, new=part.new) for part in file.parts)
    text = read(path)
    if text is None:
        return _pieces(pieces, shown, f"{moved} {UNREADABLE}".strip())
    before = text.replace("\r\n", "\n")
    lines, at = _lines(before), 0
    for part in file.parts:
        if part.after:
            at = next((n + 1 for n in range(at, len(lines)) if lines[n].strip() == part.after.strip()), at)
        old, new = _lines(part.old), _lines(part.new)
        place = len(lines) if not old else _place(lines, old, at)
        if place is None:
            return _pieces(pieces, shown, f"{moved} {NOT_THERE}".strip())
        lines[place : place + len(old)] = new
        at = place + len(new)
    return between(shown, before, "".join(f"{line}\n" for line in lines), note=moved)


def _place(lines: Sequence[str], wanted: Sequence[str], start: int) -> int | None:
    """Where these lines stand; where they do not, with other spaces at their ends, as the client looks for them."""
    for same in (str, str.rstrip, str.strip):
        sought = [same(line) for line in wanted]
        for at in range(start, len(lines) - len(wanted) + 1):
            if [same(line) for line in lines[at : at + len(wanted)]] == sought:
                return at
    return None


def path_of(operation: Operation) -> str | None:
    """The file a call is about; None where it is about none, or several, or not all of it is known."""
    match operation:
        case Write(path=path, content=str()) | Read(path=path, is_notebook=False):
            return path
        case Edit(path=path) if operation.is_whole:
            return path
    return None


def files_of(operation: Operation) -> tuple[FileChange, ...]:
    return operation.files if isinstance(operation, Patch) else ()


def _write(content: str, path: str, shown: str, read: Reader, there: There | None) -> FileDiff:
    old = read(path)
    if old is not None:
        return between(shown, old, content)
    if there is None:
        return between(shown, "", content, note=UNCERTAIN)
    if there(path):
        return between(shown, "", content, note=REPLACED)
    return between(shown, "", content, is_new=True)


def _edit(edits: Sequence[Replacement], path: str, shown: str, read: Reader, there: There | None) -> FileDiff:
    old = read(path)
    if old is None and len(edits) == 1 and not edits[0].old:
        return _write(edits[0].new, path, shown, read, there)
    if old is None:
        return _pieces(edits, shown, UNREADABLE)
    # The client reads and compares with plain line feeds, and writes back what it found.
    before = old.replace("\r\n", "\n")
    after = before
    for number, edit in enumerate(edits, start=1):
        times = after.count(edit.old) if edit.old else 0
        which = f"of edit {number} " if len(edits) > 1 else ""
        if not edit.old and before.strip():
            return _pieces(
                edits, shown, f"The old text {which}is empty, and the file is not, so this edit should fail."
            )
        if edit.old and times == 0:
            return _pieces(
                edits, shown, f"The old text {which}is not in the file as it is now, so this edit should fail."
            )
        if times > 1 and not edit.everywhere:
            why = f"The old text {which}stands {times} times in the file, so this edit should fail."
            return _pieces(edits, shown, why)
        after = after.replace(edit.old, edit.new) if edit.old else edit.new
    return between(shown, before, after)


def _pieces(edits: Sequence[Replacement], shown: str, note: str) -> FileDiff:
    """The old and the new texts themselves."""
    diffs = [between(shown, edit.old or "", edit.new, numbered=False) for edit in edits]
    notes = dict.fromkeys([note, *(diff.note for diff in diffs)])
    return FileDiff(
        shown,
        sum(diff.added for diff in diffs),
        sum(diff.removed for diff in diffs),
        hunks=tuple(hunk for diff in diffs for hunk in diff.hunks),
        note=" ".join(each for each in notes if each),
    )


def _notebook(cell: Cell, path: str, shown: str, read: Reader) -> FileDiff:
    where = f"cell {cell.id}" if cell.id else "the first cell"
    text = read(path)
    old = None if text is None else _cell(text, cell.id)
    is_deleted = cell.change == "delete"
    if cell.change == "insert":
        return between(shown, "", cell.source, note=f"A new cell after {where}.", numbered=False)
    if old is None:
        missing = "cannot be found here" if text is not None else "cannot be read here"
        new = "" if is_deleted else cell.source
        note = f"{where.capitalize()} {missing}; " + ("it is deleted." if is_deleted else "this is its new text.")
        return FileDiff(shown, 0, 0, note=note) if not new else between(shown, "", new, note=note, numbered=False)
    if is_deleted:
        return between(shown, old, "", note=f"{where.capitalize()} is deleted.", numbered=False)
    return between(shown, old, cell.source, note=f"In {where}.", numbered=False)


def _cell(text: str, cell_id: str | None) -> str | None:
    """The text of a cell, by its id or, as the client counts, by its number."""
    try:
        notebook: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    for number, cell in enumerate(cells if isinstance(cells, list) else ()):
        if isinstance(cell, dict) and cell_id in (cell.get("id"), f"cell-{number}", None):
            source = cell.get("source")
            return "".join(map(str, source)) if isinstance(source, list) else str(source or "")
    return None
