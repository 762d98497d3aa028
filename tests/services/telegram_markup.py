"""What Telegram makes of a text in its HTML: the text people see, or why it is none."""

import html
import re

TAGS = frozenset({"b", "strong", "i", "em", "u", "s", "code", "pre", "a", "blockquote", "tg-spoiler"})
_PIECE = re.compile(r"<[^>]*>|&[#\w]+;|[<&]|[^<&]+", re.DOTALL)
_TAG = re.compile(r"<(/?)([a-zA-Z-]+)((?:\s[^>]*)?)>")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|#\d+|#x[0-9a-fA-F]+);")


class MarkupError(Exception):
    pass


def parsed(text: str) -> str:
    shown: list[str] = []
    open_tags: list[str] = []
    at = 0
    for piece in _PIECE.findall(text):
        if tag := _TAG.fullmatch(piece):
            _tag(tag[1] == "/", tag[2].lower(), open_tags, at)
        elif piece.startswith("<"):
            raise MarkupError(f"Unexpected end of tag at byte offset {at}")
        elif _ENTITY.fullmatch(piece):
            shown.append(html.unescape(piece))
        else:
            shown.append(piece)
        at += len(piece.encode())
    if open_tags:
        raise MarkupError(f'Can\'t find end tag corresponding to start tag "{open_tags[-1]}"')
    return "".join(shown)


def _tag(is_end: bool, name: str, open_tags: list[str], at: int) -> None:
    if not is_end:
        if name not in TAGS:
            raise MarkupError(f'Unsupported start tag "{name}" at byte offset {at}')
        open_tags.append(name)
    elif not open_tags:
        raise MarkupError(f"Unexpected end tag at byte offset {at}")
    elif open_tags[-1] != name:
        raise MarkupError(f'Unmatched end tag at byte offset {at}, expected "</{open_tags[-1]}>", found "</{name}>"')
    else:
        open_tags.pop()
