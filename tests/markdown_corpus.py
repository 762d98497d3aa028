"""Markdown as agents write plans. The terminal UI draws its nodes; the page's own drawing is held to the same nodes."""

from collections.abc import Sequence
from typing import Any

from assent.text.markdown import Inline, Node

CORPUS = {
    "heading": "# Move login\n\n## Why\n\nTokens are checked twice.\n",
    "paragraphs": "First line\ngoes on here.\n\nSecond paragraph.\n",
    "emphasis": "Do **this** and *that*, not ~~those~~, with `git stash -u`.\n",
    "bullets": "- one\n- two\n  - inner\n  - more\n- three\n",
    "numbers": "3. Extract the check\n4. Delete the rest\n",
    "item_goes_on": "1. One\n   goes on\n2. Two\n",
    "code": "Run:\n\n```sh\nnpm ci\nnpm test -- --watch=false\n```\n\nThen stop.\n",
    "code_with_markup": "```\n# no heading\n- no item\n**no emphasis**\n```\n",
    "code_in_item": "- build\n\n  ```\n  make all\n  ```\n",
    "quote": "> It said so.\n>\n> - twice\n",
    "rule": "above\n\n---\n\nbelow\n",
    "table": "| file | lines |\n|---|---|\n| auth.py | 12 |\n| login.py | 3 |\n",
    "link": "See [the docs](https://example.invalid/x) first.\n",
    "plan": (
        "# Move login to its own module\n\n1. Extract the token check\n   - keep the old API\n   - add `check_token`\n"
        "2. Delete **all** of `legacy/`\n\n| step | risk |\n|---|---|\n| 1 | low |\n| 2 | high |\n\n"
        "> Ask before step 2.\n"
    ),
}


def outline(nodes: Sequence[Node]) -> list[Any]:
    """What both drawings have to show: kind, line where a note can be about it, mark and words."""
    made: list[Any] = []
    for node in nodes:
        if node.kind in ("bullets", "numbers", "item", "quote", "table", "row"):
            mark = [node.mark.rstrip(".)")] if node.kind == "item" and node.mark else []
            made.append([node.kind, *mark, *outline(node.children)])
        elif node.kind == "rule":
            made.append(["rule"])
        elif node.kind == "code":
            made.append(["code", node.line, node.text.removesuffix("\n")])
        elif node.kind == "cell":
            made.append(["cell", *words(node.inline)])
        else:
            made.append(
                [node.kind, node.line, *([int(node.mark)] if node.kind == "heading" else []), *words(node.inline)]
            )
    return made


def words(inline: Sequence[Inline]) -> list[Any]:
    """Texts as they follow each other, neighbours joined; what stands out with its kind."""
    made: list[Any] = []
    for piece in inline:
        if piece.kind in ("strong", "em", "struck"):
            made.append([piece.kind, *words(piece.children)])
        elif piece.kind == "code":
            made.append(["code", piece.text])
        else:
            for text in (piece.text, *words(piece.children), piece.address):
                if made and isinstance(made[-1], str) and isinstance(text, str):
                    made[-1] += text
                elif text:
                    made.append(text)
    return made
