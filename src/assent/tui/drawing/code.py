"""Code in a few colours. Only for reading: what cannot be coloured in no time stays plain."""

import re
from functools import lru_cache

from pygments.lexer import Lexer  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

from assent.tui.drawing.text import Line

# Whoever wrote it may have written it to keep us busy.
LONGEST = 10_000
# Languages people meet; each takes a text of that length in milliseconds.
_KNOWN = re.compile(
    r"bash|c|console|cpp|css|diff|docker|dockerfile|go|html|ini|java|javascript|js|json|jsx|kotlin|make|makefile|php|py"
    r"|python|rb|ruby|rs|rust|sh|shell|sql|swift|toml|ts|tsx|typescript|xml|yaml|yml|zsh"
)
_STYLES = {Comment: "text-3 italic", Keyword: "hue-5", String: "hue-2", Number: "hue-0", Name.Function: "hue-4"}


def coloured(text: str, language: str) -> list[Line]:
    """The same text, line by line."""
    lexer = _lexer((language.split() or [""])[0].lower()) if len(text) <= LONGEST else None
    if lexer is None:
        return [[(line, "")] for line in text.split("\n")]
    lines: list[Line] = [[]]
    for kind, value in lexer.get_tokens(text):
        style = _style(kind)
        for at, part in enumerate(value.split("\n")):
            if at:
                lines.append([])
            if part:
                lines[-1].append((part, style))
    # A lexer that adds or drops anything would show what was not written.
    written = "\n".join("".join(part for part, _ in line) for line in lines)
    return lines if written == text else [[(line, "")] for line in text.split("\n")]


@lru_cache
def _lexer(language: str) -> Lexer | None:
    if _KNOWN.fullmatch(language) is None:
        return None
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _style(kind: _TokenType) -> str:
    return next((style for known, style in _STYLES.items() if kind in known), "")
