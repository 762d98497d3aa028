"""Edit one place of a JSON file, keeping its indentation, line ends, spacing and comments."""

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assent.harnesses import json_text
from assent.harnesses.json_text import JsonTextError, Node

BOM = "\ufeff"

Step = str | int
Path = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Style:
    """How the file was written."""

    newline: str
    indent: str
    colon: str
    comma: str
    # Whether values stand on lines of their own.
    block: bool


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file. Every change makes a new one, and is checked against the value it was meant to give."""

    text: str
    root: Node
    style: Style
    bom: str = ""
    # The text without its comments; every place is the same in both.
    bare: str = ""
    # Whether comments and last commas may stand in it.
    lenient: bool = False

    @classmethod
    def read(cls, data: bytes, *, lenient: bool = False) -> "Document":
        try:
            text = data.decode()
        except UnicodeDecodeError as e:
            valid = data[: e.start].decode()
            raise JsonTextError(valid, len(valid), "not UTF-8") from None
        bom = BOM if text.startswith(BOM) else ""
        text = text[len(bom) :]
        bare = json_text.without_comments(text) if lenient else text
        root = json_text.parse(bare, last_commas=lenient)
        return cls(text, root, _style(bare, root), bom, bare, lenient)

    def write(self) -> bytes:
        return (self.bom + self.text).encode()

    def get(self, path: Path) -> Node | None:
        """The value at this place, or None."""
        node = self.root
        for step in path:
            if isinstance(step, int):
                if not isinstance(node.value, list) or step >= len(node.children):
                    return None
                node = node.children[step]
            else:
                places = [n for n, (key, _, _) in enumerate(node.keys) if key == step]
                if not places:
                    return None
                if len(places) > 1:
                    raise JsonTextError(self.text, node.keys[places[1]][1], f"{step!r} stands here a second time")
                node = node.children[places[0]]
        return node

    def replace(self, path: Path, value: Any) -> "Document":
        node = self._at(path)
        block = "\n" in self.text[node.start : node.end] or (self.style.block and not node.children)
        text = self._render(value, self._indent_of(node.start), block=block)
        return self._spliced([(node.start, node.end, text)], _with(self.root.value, path, value))

    def add(self, path: Path, key: str, value: Any) -> "Document":
        """Give the object at this place one more member, as its last."""
        node = self._at(path)
        intended = _with(self.root.value, (*path, key), value)
        return self._insert(node, json.dumps(key) + self.style.colon, value, intended)

    def append(self, path: Path, value: Any) -> "Document":
        """Give the array at this place one more element, as its last."""
        node = self._at(path)
        return self._insert(node, "", value, _with(self.root.value, path, [*node.value, value]))

    def remove(self, path: Path) -> "Document":
        """Take out the member or element at this place, with its comma. Comments around it stay."""
        parent, child = self._at(path[:-1]), self._at(path)
        spans = parent.spans()
        n = next(n for n, other in enumerate(parent.children) if other is child)
        (start, end), is_last = spans[n], n == len(spans) - 1
        before = spans[n - 1][1] if n else parent.start + 1
        behind = parent.end - 1 if is_last else spans[n + 1][0]
        intended = _without(self.root.value, path)
        comma, own_comma = self._comma(before, start), self._comma(end, behind)
        noted = self._noted(before, start)
        if not noted and not self._noted(end, behind):
            if len(spans) == 1:
                cut = before, behind
            elif n == 0:
                cut = start, behind
            else:
                cut = (comma, own_comma) if is_last and own_comma else (before, end)
            return self._spliced([(*cut, "")], intended)
        drops_comma = is_last and not own_comma and comma > 0
        is_joined = noted > (0 if drops_comma else comma) and not self.text[:noted].endswith("*/")
        if is_joined and self.bare[own_comma or end :].partition("\n")[0].strip():
            # What follows must not become a part of the comment.
            noted = start
        if drops_comma:
            cuts = [(comma - 1, comma), (noted, end)] if noted > comma else [(noted or before, end)]
        else:
            cuts = [(max(noted, comma) or (before if is_last else start), end)]
        if own_comma:
            cuts.append((own_comma - 1, own_comma))
        return self._spliced([(*cut, "") for cut in cuts], intended)

    def _at(self, path: Path) -> Node:
        node = self.get(path)
        assert node is not None, path
        return node

    def _comma(self, start: int, end: int) -> int:
        """Behind the comma between two places outside of any value; 0 where there is none."""
        return self.bare.find(",", start, end) + 1

    def _noted(self, start: int, end: int) -> int:
        """Behind the last comment between two places outside of any value; 0 where there is none."""
        return next((at + 1 for at in range(end - 1, start - 1, -1) if self.text[at] != self.bare[at]), 0)

    def _insert(self, parent: Node, prefix: str, value: Any, intended: Any) -> "Document":
        spans = parent.spans()
        if not spans:
            return self._fill(parent, prefix, value, intended)
        start, end = spans[-1]
        # The space before the last child shows how children are set apart here; a first child on the opening
        # bracket's line shows nothing.
        before = spans[-2][1] if len(spans) > 1 else parent.start + 1
        gap = self.bare[before:start].rpartition(",")[2]
        comma, noted = self._comma(end, parent.end - 1), self._noted(end, parent.end - 1)
        if "\n" in gap or noted:
            indent = gap.rpartition("\n")[2] if "\n" in gap else self._indent_of(start)
            separator = self.style.newline + indent
        else:
            indent = self._indent_of(start)
            separator = self.style.comma[1:]
        block = "\n" in gap or "\n" in self.text[start:end]
        new = separator + prefix + self._render(value, indent, block=block)
        if comma:
            at = max(comma, noted)
            return self._spliced([(at, at, f"{new},")], intended)
        at = noted or end
        return self._spliced([(end, end, ","), (at, at, new)], intended)

    def _fill(self, parent: Node, prefix: str, value: Any, intended: Any) -> "Document":
        noted = self._noted(parent.start + 1, parent.end - 1)
        if self.style.block or noted:
            outer = self._indent_of(parent.start)
            inner = outer + self.style.indent
            newline = self.style.newline
            body = newline + inner + prefix + self._render(value, inner, block=True)
            if noted:
                return self._spliced([(noted, noted, body)], intended)
            body += newline + outer
        else:
            body = prefix + self._render(value, "", block=False)
        return self._spliced([(parent.start + 1, parent.end - 1, body)], intended)

    def _render(self, value: Any, indent: str, *, block: bool) -> str:
        """The value as this file would write it, starting on a line indented like this.

        Lists stay on one line: thirty entries are then thirty lines, which a person asked about them can read."""
        style = self.style
        if not block or not isinstance(value, dict) or not value:
            return json.dumps(value, ensure_ascii=False, separators=(style.comma, style.colon))
        inner = indent + style.indent
        rows = [json.dumps(key) + style.colon + self._render(item, inner, block=True) for key, item in value.items()]
        glue = "," + style.newline + inner
        return "{" + style.newline + inner + glue.join(rows) + style.newline + indent + "}"

    def _indent_of(self, at: int) -> str:
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _spliced(self, parts: Sequence[tuple[int, int, str]], intended: Any) -> "Document":
        """With other texts in these places, which are given in their order."""
        text = self.text
        for start, end, new in reversed(parts):
            text = text[:start] + new + text[end:]
        bare = json_text.without_comments(text) if self.lenient else text
        root = json_text.parse(bare, last_commas=self.lenient)
        # Read again by a parser that is not ours: no edit leaves this class that says anything else than was meant.
        plain = json_text.without_last_commas(bare) if self.lenient else bare
        if root.value != intended or json.loads(plain) != intended:
            raise JsonTextError(self.text, parts[0][0], "this place could not be edited safely")
        # A file that gets its first line breaks from us keeps the style it was opened with.
        return Document(text, root, self.style, self.bom, bare, self.lenient)


def _style(text: str, root: Node) -> Style:
    newline = "\r\n" if "\r\n" in text else "\n"
    gaps = [(node, *_first_gap(text, node)) for node in root.walk() if node.children]
    block = any("\n" in gap for _, gap, _ in gaps) or not root.children
    indent = next((unit for _, gap, unit in gaps if "\n" in gap and unit), "  ")
    colons = (text[end : child.start] for node in root.walk() for (_, _, end), child in _members(node))
    colon = next((c for c in colons if "\n" not in c), ": ")
    tight = not block and (colon == ":" or any(_is_tight(text, node) for node in root.walk()))
    return Style(newline, indent, colon, "," if tight else ", ", block)


def _members(node: Node) -> list[tuple[tuple[str, int, int], Node]]:
    return list(zip(node.keys, node.children, strict=False))


def _first_gap(text: str, node: Node) -> tuple[str, str]:
    """The space before the first child, and how much deeper than its parent's line the child stands."""
    gap = text[node.start + 1 : node.spans()[0][0]]
    inner = gap.rpartition("\n")[2]
    line = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    outer = line[: len(line) - len(line.lstrip(" \t"))]
    return gap, inner[len(outer) :] if inner.startswith(outer) else ""


def _is_tight(text: str, node: Node) -> bool:
    spans = node.spans()
    return any(text[a[1] : b[0]] == "," for a, b in itertools.pairwise(spans))


def _with(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    head, rest = path[0], path[1:]
    changed = value.copy()
    changed[head] = _with(value[head], rest, new) if rest else new
    return changed


def _without(value: Any, path: Path) -> Any:
    head, rest = path[0], path[1:]
    changed = value.copy()
    if rest:
        changed[head] = _without(value[head], rest)
    else:
        del changed[head]
    return changed
