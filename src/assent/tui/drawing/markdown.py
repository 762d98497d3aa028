"""Markdown as blocks of drawn text: headings, lists, quotes, code and tables. Nothing else is interpreted."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from assent.text.invisible import drawn
from assent.text.markdown import Inline, Node, parse
from assent.tui.drawing.text import Line, below, coloured, hung, safe_text, width

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
    made: list[Block] = []
    for node in parse(safe_text(source)):
        drawer = _Drawer()
        drawer.draw(node)
        made += drawer.made
    return made


class _Drawer:
    """One thing on the outermost level as blocks."""

    def __init__(self) -> None:
        self.made: list[Block] = []
        # What stands before lines in here: for the first one, and for all others.
        self._before: list[tuple[str, str]] = []
        self._is_in_list = False

    def draw(self, node: Node) -> None:
        match node.kind:
            case "heading":
                mark: Line = [(f"{'#' * int(node.mark)} ", "text-3 strong")]
                self._add(Block(node.line, [*mark, *_pieces(node.inline, _HEAD_STYLE)]))
            case "code":
                text = drawn(node.text.removesuffix("\n"), is_command=True)
                self._add(Block(node.line, code=(node.mark.strip(), text)))
            case "rule":
                self._add(Block(node.line, is_rule=True))
            case "written":
                self.made.append(Block(node.line, [(node.text, "")], is_apart=bool(node.mark)))
            case "bullets" | "numbers":
                was, self._is_in_list = self._is_in_list, True
                for item in node.children:
                    mark_text = f"{item.mark or '-'} "
                    self._inside(item.children, (mark_text, " " * len(mark_text)))
                self._is_in_list = was
            case "quote":
                self._inside(node.children, ("▌ ", "▌ "))
            case "table":
                self._draw_table(node)
            case _:
                self._add(Block(node.line, _pieces(node.inline, "")))

    def _inside(self, nodes: Iterable[Node], before: tuple[str, str]) -> None:
        self._before.append(before)
        for node in nodes:
            self.draw(node)
        self._before.pop()

    def _add(self, block: Block) -> None:
        block.first = "".join(first for first, _ in self._before)
        block.rest = "".join(rest for _, rest in self._before)
        # The mark of an item stands before its first line only.
        self._before = [(rest, rest) for _, rest in self._before]
        block.is_apart = block.is_apart and not (self._is_in_list and self.made)
        self.made.append(block)

    def _draw_table(self, node: Node) -> None:
        table = Table()
        for at, row in enumerate(node.children):
            cells = [_pieces(cell.inline, "") for cell in row.children]
            if not at:
                cells = [[(text, f"{style} strong") for text, style in cell] for cell in cells]
            table.rows.append(cells)
            self._add(Block(row.line, table=table, row=at, is_apart=not at))


_STYLES = {"strong": "strong", "em": "italic", "struck": "struck"}


def _pieces(inline: Iterable[Inline], base: str) -> Line:
    pieces: Line = []
    for piece in inline:
        style = " ".join(filter(None, (base, _STYLES.get(piece.kind, ""))))
        if piece.kind == "code":
            pieces.append((drawn(piece.text, is_command=True), " ".join(filter(None, (style, _CODE)))))
        elif piece.text:
            pieces.append((piece.text, style))
        pieces += _pieces(piece.children, style)
        if piece.address:
            pieces.append((piece.address, " ".join(filter(None, (style, "text-2")))))
    return pieces
