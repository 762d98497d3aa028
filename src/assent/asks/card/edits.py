"""What an edit would change in a file, line by line.

Nothing is left out silently: what is not shown, and why line numbers are missing, stands in the note."""

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence

from assent.protocol.card import FileDiff, Hunk

CONTEXT = 3
# Beyond this a comparison takes longer than anybody waits: then all of the old is shown, and all of the new.
_MOST_COMPARED = 2_000
_MOST_PAIRS = 200_000
MOST_SHOWN = 2_000
WHOLE = "Too much to compare line by line: the old lines are shown first, then the new ones."


def between(path: str, old: str, new: str, *, is_new: bool = False, note: str = "", numbered: bool = True) -> FileDiff:
    """``numbered`` is False where these are pieces of a file, and nobody knows which."""
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
    said = " ".join(each for each in notes if each)
    return FileDiff(path, added, removed, hunks=tuple(shown), is_new=is_new, note=said)


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
