"""Parts of a text in a language, each with the style of its kind."""

from collections.abc import Iterator
from functools import lru_cache

from pygments.lexer import Lexer  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

_STYLES = {Comment: "text-3 italic", Keyword: "hue-5", String: "hue-2", Number: "hue-0", Name.Function: "hue-4"}


def found(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Together they are the text, as far as the language's reader is to be trusted."""
    lexer = _lexer(language)
    if lexer is None:
        yield text, ""
        return
    for kind, value in lexer.get_tokens(text):
        yield value, _style(kind)


@lru_cache
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _style(kind: _TokenType) -> str:
    return next((style for token, style in _STYLES.items() if kind in token), "")
