"""Text in Slack's Block Kit.

Whatever an agent wrote stands in rich text, where nothing is markup, or as plain text, where Slack knows three escapes
and nothing else. Markdown of Slack's kind is never used: no name, channel or link can come out of a text."""

from typing import Any

from assent.surfaces.text import CUT, escaped, seen

Block = dict[str, Any]


def unescaped(text: str) -> str:
    """What people wrote comes with the same three escapes."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def line(text: str, longest: int) -> str:
    """One line in which nothing hides; a cut is seen."""
    beginning = text[: 4 * longest]
    shown = " ".join(seen(beginning).split())
    if len(shown) <= longest and beginning == text:
        return shown
    return shown[: longest - 1].rstrip() + CUT


def words(text: str, style: str = "") -> Block:
    element: Block = {"type": "text", "text": text}
    if style:
        element["style"] = {style: True}
    return element


def mono(text: str, longest: int) -> list[Block]:
    return [words(shown, "code")] if (shown := line(text, longest)) else []


def section(*elements: Block) -> Block:
    return {"type": "rich_text_section", "elements": list(elements)}


def preformatted(text: str) -> Block:
    return {"type": "rich_text_preformatted", "elements": [words(text)]}


def rich(*parts: Block) -> Block:
    return {"type": "rich_text", "elements": list(parts)}


def plain(text: str, longest: int) -> Block:
    """Escaped first, and cut between whole characters, so that no escape is torn."""
    pieces: list[str] = []
    room = longest - len(CUT)
    for c in line(text, longest):
        piece = escaped(c)
        if len(piece) > room:
            pieces.append(CUT)
            break
        room -= len(piece)
        pieces.append(piece)
    return {"type": "plain_text", "text": "".join(pieces) or CUT, "emoji": False}
