"""Markdown as a tree of nodes: what the terminal UI draws, and what the page's own drawing is tested against.

What an agent asks to be agreed to must be seen whole. Markdown leaves things out: definitions of links, cells beyond a
table's head, whatever is nested too deep. So each part is compared with what was written, and where a letter of it is
missing its lines are passed on as they were written."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Literal, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

# Longer texts are passed on as they were written.
LONGEST = 100_000

Span = Literal["text", "strong", "em", "struck", "code", "break", "link", "image"]
Kind = Literal[
    "heading", "paragraph", "code", "rule", "bullets", "numbers", "item", "quote", "table", "row", "cell", "written"
]
_SPANS: dict[str, Span] = {"strong": "strong", "em": "em", "s": "struck", "link": "link"}
_LISTS: dict[str, Kind] = {"bullet_list": "bullets", "ordered_list": "numbers"}
_BLOCKS: dict[str, Kind] = {**_LISTS, "list_item": "item", "blockquote": "quote", "table": "table", "tr": "row"}


class Inline(NamedTuple):
    """A piece of a line."""

    kind: Span
    text: str = ""
    # Of a link or an image, with its title: it is shown and never opened.
    address: str = ""
    children: tuple["Inline", ...] = ()


class Node(NamedTuple):
    """A block. Headings have their level and items their mark in ``mark``, code its language."""

    kind: Kind
    # Where it begins in the source, counted from 1.
    line: int
    mark: str = ""
    text: str = ""
    inline: tuple[Inline, ...] = ()
    children: tuple["Node", ...] = ()


def parse(text: str) -> list[Node]:
    """The whole text. Nothing in it is left out, whatever it holds."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if len(text) > LONGEST:
        return list(_as_written(lines, 0, len(lines)))
    nodes: list[Node] = []
    at = 0
    for tokens in _groups(_parser().parse(text)):
        start, end = tokens[0].map or [at, at]
        nodes += _as_written(lines, at, start)
        parsed = _Reader(tokens).nodes()
        seen = "".join(chain.from_iterable(map(_visible, parsed)))
        is_whole = _letters(seen) == _letters("\n".join(lines[start:end]))
        nodes += parsed if is_whole else _as_written(lines, start, end)
        at = max(at, end)
    nodes += _as_written(lines, at, len(lines))
    return nodes


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


def _as_written(lines: list[str], start: int, end: int) -> Iterator[Node]:
    for at in range(start, end):
        if lines[at].strip():
            is_apart = at == start or not lines[at - 1].strip()
            yield Node("written", at + 1, "apart" if is_apart else "", lines[at])


def _letters(text: str) -> list[str]:
    return [character for character in text if character.isalnum()]


def _visible(node: Node) -> Iterator[str]:
    """Every letter that will be seen, in order."""
    if node.kind in ("item", "code"):
        yield node.mark
    yield node.text
    for piece in node.inline:
        yield from _seen_of(piece)
    for child in node.children:
        yield from _visible(child)


def _seen_of(piece: Inline) -> Iterator[str]:
    yield piece.text
    for child in piece.children:
        yield from _seen_of(child)
    yield piece.address


class _Reader:
    """Tokens of one thing on the outermost level to nodes."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = iter(tokens)
        self._line = 1

    def nodes(self, until: str = "") -> list[Node]:
        made = []
        for token in self._tokens:
            if token.type == until:
                break
            if token.map:
                self._line = token.map[0] + 1
            made += self._node(token)
        return made

    def _node(self, token: Token) -> list[Node]:
        line, name = self._line, token.type.removesuffix("_open")
        match name:
            case "heading" | "paragraph":
                inline = self._inline_until(f"{name}_close")
                mark = token.tag[1:] if name == "heading" else ""
                return [Node("heading" if name == "heading" else "paragraph", line, mark, inline=inline)]
            case "fence" | "code_block":
                return [Node("code", line, token.info, token.content)]
            case "hr":
                return [Node("rule", line)]
            case "th" | "td":
                return [Node("cell", line, inline=self._inline_until(f"{name}_close"))]
            case "thead" | "tbody":
                return self.nodes(f"{name}_close")
            case _ if name in _BLOCKS:
                mark = f"{token.info}{token.markup}" if name == "list_item" and token.info else ""
                return [Node(_BLOCKS[name], line, mark, children=tuple(self.nodes(f"{name}_close")))]
            case _:
                return [Node("paragraph", line, inline=(Inline("text", token.content),))] if token.content else []

    def _inline_until(self, end: str) -> tuple[Inline, ...]:
        inlines: tuple[Inline, ...] = ()
        for token in self._tokens:
            if token.type == end:
                break
            if token.type == "inline":
                inlines += _pieces(token.children or [])
        return inlines


def _pieces(children: Sequence[Token]) -> tuple[Inline, ...]:
    # What is open: its token, and what it holds.
    open_pieces: list[tuple[Token | None, list[Inline]]] = [(None, [])]
    for token in children:
        made = open_pieces[-1][1]
        match token.type:
            case "softbreak":
                made.append(Inline("text", " "))
            case "hardbreak":
                made.append(Inline("break", "\n"))
            case "code_inline":
                made.append(Inline("code", token.content))
            case "image":
                made.append(Inline("image", "!", _address(token, "src"), _pieces(token.children or [])))
            case _ if token.nesting > 0:
                open_pieces.append((token, []))
            case _ if token.nesting < 0:
                begun, inside = open_pieces.pop()
                assert begun is not None
                address = "" if begun.type != "link_open" or begun.markup == "autolink" else _address(begun, "href")
                kind = _SPANS[begun.type.removesuffix("_open")]
                open_pieces[-1][1].append(Inline(kind, "", address, tuple(inside)))
            case _:
                made.append(Inline("text", token.content))
    return tuple(open_pieces[0][1])


def _address(token: Token, name: str) -> str:
    title = token.attrGet("title")
    return f" ({token.attrGet(name) or ''}{f' “{title}”' if title else ''})"
