"""The word somebody types to show that they read to the end: it comes from what would be touched."""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from assent.protocol.trial import Seen as Effect

SHORTEST, LONGEST = 3, 20
# Typed on any keyboard, and not to be mistaken for something else.
_TYPEABLE = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{{SHORTEST - 2},{LONGEST - 2}}}[A-Za-z0-9]", re.ASCII)
_PIECE = re.compile(rf"[A-Za-z0-9]{{{SHORTEST},{LONGEST}}}", re.ASCII)
_WORDS = re.compile(r"[\s,;|&()<>\"'`=]+")
# They say nothing about what is touched.
_COMMON = frozenset(
    {"from", "table", "where", "into", "delete", "drop", "all", "and", "the", "with", "for", "set", "values"}
)
LAST_RESORT = "danger"


def match_word(effects: Iterable[Effect], *texts: str) -> str:
    """From the targets of these effects, else from the last telling word of the first text that has one."""
    found = (*(_of_target(effect.target) for effect in effects), *map(_of_words, texts))
    candidates = [word for words in found for word in words]
    return next((word for word in candidates if word.lower() not in _COMMON), next(iter(candidates), LAST_RESORT))


def _of_target(target: str) -> Iterator[str]:
    if "://" in target:
        host = _host(target)
        yield from _typeable(host)
        yield from _pieces(host)
        return
    # "origin, main", "ns prod": the last word says most; "host:/path" is about the host.
    for word in reversed(_WORDS.split(target)):
        parts = [word.partition(":")[0]] if ":" in word else word.split("/")[::-1]
        for part in parts:
            yield from _typeable(part)
            yield from _pieces(part)


def _of_words(text: str) -> Iterator[str]:
    for word in reversed(_WORDS.split(text[-2_000:])):
        if not word.startswith("-"):
            yield from _of_target(word) if "://" in word else _typeable(word.rstrip("/").rpartition("/")[2])
    for word in reversed(_WORDS.split(text[-2_000:])):
        yield from _pieces(word)


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _typeable(word: str) -> Iterator[str]:
    if _TYPEABLE.fullmatch(word):
        yield word


def _pieces(word: str) -> Iterator[str]:
    """Parts of what is too long or too odd, the last first."""
    yield from reversed(_PIECE.findall(word))
