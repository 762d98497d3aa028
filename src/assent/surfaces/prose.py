"""Sentences and Markdown for chats: runs of text with a style, so that each service draws them in its own formatting.

A chat makes links of addresses, @names, /commands and #tags in plain text. So whatever in a sentence is more than words
(a file, a host, an option) becomes code, where nothing is made of it; the words around it stay prose."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from assent.text.markdown import Inline, Node, parse
from assent.text.safe import chat_line, chat_text, first, size

Style = Literal["", "bold", "italic", "strike", "code"]
# A sentence with more than this is code as a whole: services bound how much formatting a message has.
MOST_CODES = 6
# What a plan may have of it.
MOST_RUNS = 60
_TICKED = re.compile(r"`([^`]+)`|“([^“”]+)”|[^\s“`]+|\s+|.")
_AROUND = re.compile(r"([(\[{“\"'‘«]*)(.*?)([.,:;!?)\]}”\"'’»⋯…]*)", re.DOTALL)
_TECHNICAL = re.compile(r"[/@#$_\\=~*<>{}|^⟨]|:(?!\d\d\b)|(?<=\S)[&;](?=\S)|\.[^\W\d]|^\.\w|\d\.\d+\.\d|\d{5,}")
_OPTION = re.compile(r"(?:^|\s)--?\w")


class Run(NamedTuple):
    text: str
    style: Style = ""


class Line(NamedTuple):
    """A line of a document, or a block of code in it."""

    kind: Literal["heading", "text", "bullet", "number", "quote", "code"]
    runs: tuple[Run, ...]
    # How far it is indented, and the number of a numbered one.
    depth: int = 0
    number: int = 0
    # With a gap before it.
    is_apart: bool = False

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


def sentence(text: str, longest: int, style: Style = "") -> list[Run]:
    """The beginning of it on one line, in this style; a cut is seen."""
    return _worded(chat_line(text, longest), style)


def code(text: str, longest: int) -> list[Run]:
    return [Run(shown, "code")] if (shown := chat_line(text, longest)) else []


def _worded(text: str, style: Style) -> list[Run]:
    runs = joined(_pieces(text, style))
    if sum(run.style == "code" for run in runs) > MOST_CODES:
        return [Run(text, "code")]
    return runs


def _pieces(text: str, style: Style) -> Iterator[Run]:
    for match in _TICKED.finditer(text):
        quoted = match[2] or ""
        # A command in quotes is one piece, and needs no quotes then.
        if match[1] or _TECHNICAL.search(quoted) or _OPTION.search(quoted):
            yield Run(match[1] or quoted, "code")
            continue
        if quoted:
            yield Run(match[0], style)
            continue
        around = _AROUND.fullmatch(match[0])
        assert around is not None
        before, word, after = around.groups()
        yield from (Run(before, style), Run(word, "code" if _TECHNICAL.search(word) else style), Run(after, style))


def joined(runs: Iterable[Run]) -> list[Run]:
    """Neighbours of one style as one run, and what is code on both sides of a blank, too."""
    made: list[Run] = []
    for run in runs:
        if not run.text:
            continue
        if made and made[-1].style == run.style:
            made[-1] = Run(made[-1].text + run.text, run.style)
        elif run.style == "code" and len(made) > 1 and made[-1].text == " " and made[-2].style == "code":
            made[-2:] = [Run(f"{made[-2].text} {run.text}", "code")]
        else:
            made.append(run)
    return made


def document(markdown: str, room: int) -> tuple[list[Line], int]:
    """Markdown as lines that fit into so much room, and how many characters of it are left out."""
    every = [line for node in parse(chat_text(markdown)) for line in _lines(node)]
    taken: list[Line] = []
    runs = 0
    for at, line in enumerate(every):
        needed, runs = size(line.text) + 4 + 2 * line.depth, runs + sum(bool(run.style) for run in line.runs)
        if needed > room or runs > MOST_RUNS:
            short = _cut(line, room - 8) if needed > room and not taken else None
            left = sum(len(each.text) for each in every[at:]) - (len(short.text) if short else 0)
            return [*taken, *([short] if short else [])], left
        room -= needed
        taken.append(line)
    return taken, 0


def _cut(line: Line, room: int) -> Line:
    kept: list[Run] = []
    for run in line.runs:
        part = first(run.text, room)
        room -= size(part)
        kept.append(Run(part, run.style))
        if part != run.text:
            break
    return line._replace(runs=tuple(kept))


def _lines(node: Node, depth: int = 0, *, is_apart: bool = True) -> Iterator[Line]:
    match node.kind:
        case "heading":
            yield Line("heading", _runs(node.inline, "bold"), is_apart=True)
        case "code":
            yield Line("code", (Run(node.text.rstrip("\n")),)) if node.text.strip() else Line("text", ())
        case "rule":
            yield Line("text", (Run("———"),), depth, is_apart=is_apart)
        case "bullets" | "numbers":
            for at, item in enumerate(node.children):
                yield from _item(item, at, depth, is_apart=is_apart and not at)
        case "quote":
            for child in node.children:
                for line in _lines(child, depth):
                    yield line._replace(kind="quote") if line.kind == "text" else line
        case "table":
            yield Line("code", (Run(_table(node)),))
        case "written":
            yield Line("text", tuple(_worded(node.text, "")), depth, is_apart=node.mark == "apart")
        case _:
            yield Line("text", _runs(node.inline), depth, is_apart=is_apart)


def _item(item: Node, at: int, depth: int, *, is_apart: bool) -> Iterator[Line]:
    """Its first paragraph stands beside its mark, whatever follows below it."""
    number = int(digits) if (digits := item.mark[:-1]).isdigit() else 0
    head, *rest = item.children or (Node("paragraph", item.line),)
    begins = head.kind in ("paragraph", "heading")
    runs = _runs(head.inline, "bold" if head.kind == "heading" else "") if begins else ()
    yield Line("number" if item.mark[:-1].isdigit() else "bullet", runs, depth, number or at + 1, is_apart)
    for child in rest if begins else item.children:
        yield from _lines(child, depth + 1, is_apart=False)


def _runs(pieces: Iterable[Inline], style: Style = "") -> tuple[Run, ...]:
    runs = joined(run for piece in pieces for run in _styled(piece, style))
    # What is no address in any of its parts can be one where they touch.
    words = "".join("\n" if run.style == "code" else run.text for run in runs)
    return (Run("".join(run.text for run in runs), "code"),) if any(_pieces_code(words)) else tuple(runs)


def _pieces_code(words: str) -> Iterator[bool]:
    return (run.style == "code" for run in _pieces(words, ""))


def _styled(piece: Inline, style: Style) -> Iterator[Run]:
    own: Style = _STYLES.get(piece.kind, style)
    if piece.kind == "code":
        yield Run(piece.text, "code")
    else:
        yield from _worded(piece.text, own)
    for child in piece.children:
        yield from _styled(child, own)
    if piece.address:
        yield from (Run(" "), Run(piece.address.strip(), "code"))


_STYLES: dict[str, Style] = {"strong": "bold", "em": "italic", "struck": "strike"}


def _table(node: Node) -> str:
    """Its cells below each other, in letters of one width."""
    rows = [["".join(run.text for run in _runs(cell.inline)) for cell in row.children] for row in node.children]
    wide = [max(len(row[at]) for row in rows if at < len(row)) for at in range(max(map(len, rows), default=0))]
    return "\n".join("  ".join(cell.ljust(wide[at]) for at, cell in enumerate(row)).rstrip() for row in rows)
