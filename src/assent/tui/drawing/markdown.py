"""Markdown as blocks of drawn text: headings, lists, quotes, code and tables. Nothing else is interpreted.

What an agent asks to be agreed to must be seen whole. Markdown leaves things out: definitions of links, cells beyond a
table's head, whatever is nested too deep. So each part is compared with what was written, and where a letter of it is
missing it is shown as it was written."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from assent.hidden import drawn
from assent.tui.drawing.code import coloured
from assent.tui.drawing.parts import below, hung
from assent.tui.drawing.text import Line, inert, width

# Longer texts are shown as they were written.
LONGEST = 100_000

_HEAD_STYLE = "strong"
_CODE = "on:raised"


@dataclass(slots=True)
class Table:
    """Rows that share their columns."""

    rows: list[list[Line]] = field(default_factory=list)

    def widths(self) -> list[int]:
        return [max((width(row[at]) for row in self.rows if at < len(row)), default=0) for at in range(self.columns)]

    @property
    def columns(self) -> int:
        return max((len(row) for row in self.rows), default=0)


@dataclass(slots=True)
class Block:
    """Something a note can be about."""

    # Where it begins in the source, counted from 1.
    line: int
    pieces: Line = field(default_factory=list)
    # What stands before its first line, and before those that follow.
    first: str = ""
    rest: str = ""
    # A code block's own lines; they keep their blanks.
    code: tuple[str, str] | None = None
    table: Table | None = None
    row: int = 0
    is_rule: bool = False
    # Whether an empty line stands above it.
    is_apart: bool = True

    def draw(self, cells: int) -> list[Line]:
        first, rest = [(self.first, "text-3")], [(self.rest, "text-3")]
        if self.is_rule:
            return [[*first, ("─" * max(1, min(40, cells - len(self.first))), "line")]]
        if self.code is not None:
            return self._draw_code(cells)
        if self.table is not None:
            return self._draw_row(self.table, cells)
        return hung(self.pieces, cells, first, rest)

    def _draw_code(self, cells: int) -> list[Line]:
        name, text = self.code or ("", "")
        made: list[Line] = [[(name, "text-3 italic")]] if name else []
        made += coloured(text, name)
        lines: list[Line] = []
        for line in made:
            before = self.first if not lines else self.rest
            lines += hung(line, cells, [(before, "text-3"), ("│ ", "line")], [(self.rest, "text-3"), ("│ ", "line")])
        return lines

    def _draw_row(self, table: Table, cells: int) -> list[Line]:
        row, widths = table.rows[self.row], table.widths()
        before: Line = [(self.first, "text-3")]
        room = cells - width(before)
        if sum(widths) + 3 * (len(widths) - 1) <= room:
            line = list(before)
            for at, size in enumerate(widths):
                cell = row[at] if at < len(row) else []
                line += [*([(" │ ", "line")] if at else []), *cell, (" " * (size - width(cell)), "")]
            if self.row:
                return [line]
            return [line, [*before, *below(widths)]]
        # Too wide for its columns: each cell on lines of its own, under its name.
        lines: list[Line] = []
        for at, cell in enumerate(row):
            name = table.rows[0][at] if self.row and at < len(table.rows[0]) else []
            start: Line = [*before, ("│ " if at else "▌ ", "line")]
            lines += hung([*name, (": ", "text-3"), *cell] if name else cell, cells, start, [*before, ("│   ", "line")])
        return lines


def blocks(source: str) -> list[Block]:
    """The whole text. Nothing in it is left out, whatever it holds."""
    text = inert(source)
    lines = text.split("\n")
    if len(text) > LONGEST:
        return _as_written(lines, 0, len(lines))
    made: list[Block] = []
    at = 0
    for tokens in _groups(_parser().parse(text)):
        start, end = tokens[0].map or [at, at]
        if start > at:
            made += _as_written(lines, at, start)
        reader = _Reader()
        reader.read(tokens)
        written = "\n".join(lines[start:end])
        made += reader.made if _letters(reader.said()) == _letters(written) else _as_written(lines, start, end)
        at = max(at, end)
    made += _as_written(lines, at, len(lines))
    return made


class _Parser(MarkdownIt):
    """Addresses are shown, never opened: as they were written, whatever they are."""

    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802 - as the library calls it
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802
        return link


@lru_cache
def _parser() -> MarkdownIt:
    made = _Parser("commonmark", {"html": False, "maxNesting": 24}).enable(["table", "strikethrough"])
    # Entities could spell what is hidden; definitions of links vanish.
    return made.disable(["reference", "entity", "html_block", "html_inline"])


def _groups(tokens: list[Token]) -> Iterator[list[Token]]:
    """Each thing on the outermost level with all that is in it."""
    group: list[Token] = []
    depth = 0
    for token in tokens:
        group.append(token)
        depth += token.nesting
        if depth == 0:
            yield group
            group = []


def _as_written(lines: list[str], start: int, end: int) -> list[Block]:
    made = []
    for at in range(start, end):
        if lines[at].strip():
            is_apart = at == start or not lines[at - 1].strip()
            made.append(Block(at + 1, [(lines[at], "")], is_apart=is_apart))
    return made


def _letters(text: str) -> list[str]:
    return [character for character in text if character.isalnum()]


class _Reader:
    """Tokens of one thing on the outermost level to blocks."""

    def __init__(self) -> None:
        self.made: list[Block] = []
        # What stands before lines in here: for the first one, and for all others.
        self._before: list[tuple[str, str]] = []
        self._lists: list[str] = []
        self._line = 1
        self._heading = ""
        self._table: Table | None = None
        self._row_line = 1
        self._said: list[str] = []

    def said(self) -> str:
        """Every letter that will be seen, in order."""
        return "".join(self._said)

    def read(self, tokens: list[Token]) -> None:
        for token in tokens:
            if token.map:
                self._line = token.map[0] + 1
            getattr(self, f"_{token.type}", self._other)(token)

    def _other(self, token: Token) -> None:
        if token.content:
            self._said.append(token.content)
            self._add(Block(self._line, [(token.content, "")]))

    def _add(self, block: Block) -> None:
        block.first = "".join(first for first, _ in self._before)
        block.rest = "".join(rest for _, rest in self._before)
        # The mark of an item stands before its first line only.
        self._before = [(rest, rest) for _, rest in self._before]
        block.is_apart = block.is_apart and not (self._lists and self.made)
        self.made.append(block)

    def _paragraph_open(self, _: Token) -> None:
        self._heading = ""

    def _paragraph_close(self, _: Token) -> None:
        pass

    def _heading_open(self, token: Token) -> None:
        self._heading = "#" * int(token.tag[1:]) + " "

    def _heading_close(self, _: Token) -> None:
        self._heading = ""

    def _inline(self, token: Token) -> None:
        pieces = self._pieces(token.children or [], _HEAD_STYLE if self._heading else "")
        if self._table is not None:
            self._table.rows[-1].append(pieces)
        else:
            mark: Line = [(self._heading, "text-3 strong")] if self._heading else []
            self._add(Block(self._line, [*mark, *pieces]))

    def _fence(self, token: Token) -> None:
        self._said += (token.info, token.content)
        text = drawn(token.content.removesuffix("\n"), is_command=True)
        self._add(Block(self._line, code=(token.info.strip(), text)))

    _code_block = _fence

    def _hr(self, _: Token) -> None:
        self._add(Block(self._line, is_rule=True))

    def _bullet_list_open(self, _: Token) -> None:
        self._lists.append("-")

    def _ordered_list_open(self, _: Token) -> None:
        self._lists.append("")

    def _bullet_list_close(self, _: Token) -> None:
        self._lists.pop()

    _ordered_list_close = _bullet_list_close

    def _list_item_open(self, token: Token) -> None:
        self._said.append(token.info)
        mark = f"{self._lists[-1] or token.info + token.markup} "
        self._before.append((mark, " " * len(mark)))

    def _list_item_close(self, _: Token) -> None:
        self._before.pop()

    def _blockquote_open(self, _: Token) -> None:
        self._before.append(("▌ ", "▌ "))

    _blockquote_close = _list_item_close

    def _table_open(self, _: Token) -> None:
        self._table = Table()

    def _table_close(self, _: Token) -> None:
        self._table = None

    def _tr_open(self, _: Token) -> None:
        assert self._table is not None
        self._table.rows.append([])
        self._row_line = self._line

    def _tr_close(self, _: Token) -> None:
        assert self._table is not None
        row = len(self._table.rows) - 1
        if not row:
            self._table.rows[0] = [[(text, f"{style} strong") for text, style in cell] for cell in self._table.rows[0]]
        self._add(Block(self._row_line, table=self._table, row=row, is_apart=not row))

    def _pieces(self, children: list[Token], base: str) -> Line:
        pieces: Line = []
        styles = [base] if base else []
        links: list[Token] = []

        def add(text: str, *more: str) -> None:
            self._said.append(text)
            pieces.append((text, " ".join((*styles, *more))))

        for token in children:
            match token.type:
                case "strong_open":
                    styles.append("strong")
                case "em_open":
                    styles.append("italic")
                case "s_open":
                    styles.append("struck")
                case "strong_close" | "em_close" | "s_close":
                    styles.pop()
                case "softbreak":
                    add(" ")
                case "hardbreak":
                    add("\n")
                case "code_inline":
                    self._said.append(token.content)
                    pieces.append((drawn(token.content, is_command=True), " ".join((*styles, _CODE))))
                case "link_open":
                    links.append(token)
                case "link_close":
                    opened = links.pop()
                    if opened.markup != "autolink":
                        add(_address(opened, "href"), "text-2")
                case "image":
                    add("!")
                    pieces += self._pieces(token.children or [], " ".join(styles))
                    add(_address(token, "src"), "text-2")
                case _:
                    add(token.content)
        return pieces


def _address(token: Token, name: str) -> str:
    title = token.attrGet("title")
    return f" ({token.attrGet(name) or ''}{f' “{title}”' if title else ''})"
