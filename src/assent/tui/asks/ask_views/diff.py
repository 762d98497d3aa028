"""View of an edit: unified, side by side, or with the changed words marked. Signs say it, colours help."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Literal

from assent.protocol.card import FileDiff, Hunk
from assent.tui.drawing.text import Line, coloured, fit, label, pad, safe_text, with_marks, wrap

# A line as texts, and whether they are in this one only.
Side = list[tuple[str, bool]]

_MOST_WORK = 40_000
_WORDS = re.compile(r"\w+|\s+|(?:(.)\1*)", re.DOTALL)


def changed_words(before: str, after: str) -> tuple[Side, Side] | None:
    """None if they have too little in common for that to help."""
    old = [word[0] for word in _WORDS.finditer(before)]
    new = [word[0] for word in _WORDS.finditer(after)]
    if len(old) * len(new) > _MOST_WORK:
        return None
    match = SequenceMatcher(None, old, new, autojunk=False)
    blocks = match.get_matching_blocks()
    if sum(block.size for block in blocks) * 3 < max(len(old), len(new)):
        return None
    sides: tuple[Side, Side] = ([], [])
    ends = [0, 0]
    for block in blocks:
        for side, words, start, at in ((sides[0], old, block.a, 0), (sides[1], new, block.b, 1)):
            if changed := "".join(words[ends[at] : start]):
                side.append((changed, True))
            if same := "".join(words[start : start + block.size]):
                side.append((same, False))
            ends[at] = start + block.size
    return sides


Mode = Literal["unified", "split", "words"]
MODES: tuple[Mode, ...] = ("unified", "split", "words")
# Side by side needs room for two: this is what a card has in a terminal of 140 columns.
WIDE = 81
_SIGNS = {"+": ("+", "add"), "-": ("−", "del"), " ": (" ", "")}
_SIGN_STYLES = {"+": "change strong", "-": "care strong", " ": ""}
# With less room one number has to do.
_ROOM_FOR_TWO = 60
_LANGUAGES = {"h": "c", "hpp": "cpp", "cc": "cpp", "kt": "kotlin", "md": "", "yml": "yaml", "mjs": "js", "htm": "html"}

# Numbers in the old and the new file, sign, text, and which of its words changed.
_Row = tuple[int, int, str, str, Side | None]


def modes(cells: int) -> tuple[Mode, ...]:
    return MODES if cells >= WIDE else ("unified", "words")


def lines(diffs: Sequence[FileDiff], cells: int, mode: Mode) -> tuple[list[Line], list[int]]:
    """And where its files and hunks begin."""
    made: list[Line] = []
    stops: list[int] = []
    for number, diff in enumerate(diffs):
        if number:
            made.append([])
        top = len(made)
        made += _head(diff, cells)
        for at, hunk in enumerate(diff.hunks):
            if at:
                made.append([("⋯", "text-3")])
            stops.append(len(made) if at else top)
            made += _hunk(diff, hunk, cells, mode)
        if not diff.hunks:
            stops.append(top)
    return made, stops


def _head(diff: FileDiff, cells: int) -> list[Line]:
    name: Line = [(label(diff.path), "strong")]
    if diff.is_new:
        name.append(("  new file", "text-2"))
    counts: Line = [(f"  +{diff.added}", "change strong"), (f" −{diff.removed}", "care strong")]
    made = wrap([*name, *counts], cells, "  ")
    if diff.note:
        made += wrap([(label(diff.note), "text-2")], cells)
    elif not diff.hunks:
        made.append(fit([("Nothing in it would change.", "text-2")], cells))
    return made


def _hunk(diff: FileDiff, hunk: Hunk, cells: int, mode: Mode) -> list[Line]:
    rows = list(_rows(hunk, with_words=mode != "unified"))
    language = _language(diff.path)
    drawn = coloured("\n".join(_shown(row[3]) for row in rows), language)
    size = len(str(max((max(row[:2]) for row in rows), default=0))) if hunk.old_start or hunk.new_start else 0
    if mode == "split" and cells >= WIDE and not diff.is_new:
        return list(_side_by_side(rows, drawn, size, cells))
    return [line for row, text in zip(rows, drawn, strict=True) for line in _row(row, text, size, cells)]


def _rows(hunk: Hunk, *, with_words: bool) -> Iterator[_Row]:
    old, new = hunk.old_start, hunk.new_start
    for minus, plus, context in _runs(hunk.lines):
        if context is not None:
            yield old, new, " ", context, None
            old, new = old + 1, new + 1
            continue
        pairs = [changed_words(*pair) for pair in zip(minus, plus, strict=False)] if with_words else []
        marked = dict(enumerate(pairs))
        for at, text in enumerate(minus):
            pair = marked.get(at)
            yield old, 0, "-", text, pair[0] if pair else None
            old += 1
        for at, text in enumerate(plus):
            pair = marked.get(at)
            yield 0, new, "+", text, pair[1] if pair else None
            new += 1


def _runs(lines: Sequence[str]) -> Iterator[tuple[list[str], list[str], str | None]]:
    """Each run of removed and added lines together, each other line alone."""
    minus: list[str] = []
    plus: list[str] = []
    for line in lines:
        sign, text = line[:1], line[1:]
        if sign == "-" and not plus:
            minus.append(text)
        elif sign == "+":
            plus.append(text)
        else:
            if minus or plus:
                yield minus, plus, None
            minus, plus = ([text], []) if sign == "-" else ([], [])
            if sign != "-":
                yield [], [], text
    if minus or plus:
        yield minus, plus, None


def _row(row: _Row, text: Line, size: int, cells: int) -> Iterator[Line]:
    old, new, sign, plain, words = row
    both = f"{old or '':>{size}} {new or '':>{size}} " if cells >= _ROOM_FOR_TWO else f"{new or old or '':>{size}} "
    yield from _numbered(both if size else "", sign, _worded(plain, words) if words else text, cells)


def _numbered(number: str, sign: str, text: Line, cells: int) -> Iterator[Line]:
    """One line of the file on as many lines as it needs; its ground reaches to the end of each."""
    shown, ground = _SIGNS.get(sign, _SIGNS[" "])
    text = [(piece, f"{ground} {style}") for piece, style in with_marks(text)]
    number = number if len(number) + 6 < cells else ""
    for at, wrapped in enumerate(wrap(text, cells - len(number) - 2)):
        edge: Line = [(" " * len(number) if at else number, f"{ground} text-3")]
        edge.append((f"{' ' if at else shown} ", f"{ground} {_SIGN_STYLES.get(sign, '')}"))
        yield pad([*edge, *wrapped], cells, ground)


def _side_by_side(rows: list[_Row], drawn: list[Line], size: int, cells: int) -> Iterator[Line]:
    half = (cells - 3) // 2
    left: list[tuple[_Row, Line]] = []
    right: list[tuple[_Row, Line]] = []
    for row, text in zip(rows, drawn, strict=True):
        if row[2] == " ":
            yield from _beside(left, right, size, half)
            yield from _beside([(row, text)], [(row, text)], size, half)
            left, right = [], []
        elif row[2] == "-":
            if right:
                yield from _beside(left, right, size, half)
                left, right = [], []
            left.append((row, text))
        else:
            right.append((row, text))
    yield from _beside(left, right, size, half)


def _beside(left: list[tuple[_Row, Line]], right: list[tuple[_Row, Line]], size: int, half: int) -> Iterator[Line]:
    for one, other in zip_longest(left, right):
        for here, there in zip_longest(_cell(one, 0, size, half), _cell(other, 1, size, half)):
            yield [*pad(here or [], half), (" │ ", "line"), *(there or [])]


def _cell(side: tuple[_Row, Line] | None, which: int, size: int, half: int) -> list[Line]:
    if side is None:
        return []
    row, text = side
    number = f"{row[which] or '':>{size}} " if size else ""
    return list(_numbered(number, row[2], _worded(row[3], row[4]) if row[4] else text, half))


def _worded(plain: str, words: Side) -> Line:
    # Spelled out together: blanks and marks are told by what stands around them.
    if (shown := _shown(plain)) != plain:
        return [(shown, "")]
    return [(text, "strong under" if is_changed else "") for text, is_changed in words]


def _shown(text: str) -> str:
    """A line of a file is one line."""
    return safe_text(text).replace("\n", " ")


def _language(path: str) -> str:
    name = PurePosixPath(path).name.lower()
    suffix = name.rpartition(".")[2]
    return _LANGUAGES.get(suffix, suffix)
