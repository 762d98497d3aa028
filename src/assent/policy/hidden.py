"""Ways to hide what is run: text that is spelled otherwise until it runs, and files that change their name first."""

import re
from collections.abc import Sequence

from assent.policy.scope import Scope
from assent.policy.streams import DECODERS
from assent.policy.tree import Param, Simple, Subst, Word

# They give a file another name, or make another one of it.
CARRIERS = frozenset({"mv", "cp", "ln", "install"})

_ESCAPED = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|0?[0-7]{3}|u[0-9A-Fa-f]{4})")
# Two are a colour or a tab; a word spelled like this is hidden.
_MANY = 2
_RUNNERS = frozenset({"eval", "source", "."})
_INTERPRETERS = re.compile(r"(?:.*/)?(?:ba|z|da|k|a|fi)?sh|(?:.*/)?(?:python|perl|ruby|node|php)[\d.]*")


def hides(name: str, texts: Sequence[str]) -> bool:
    """Whether what it prints is spelled otherwise on the line."""
    if name in ("printf", "echo"):
        return sum(len(_ESCAPED.findall(text)) for text in texts) > _MANY
    return name == "rev" or (name == "tr" and len(texts) == 2 and all(len(text) > 2 for text in texts))


def runs_hidden(words: tuple[Word, ...]) -> bool:
    """Whether a substitution that decodes something stands where a program or its text does."""
    if not words:
        return False
    if _decodes(words[0]):
        return True
    name = words[0].plain or ""
    if name in _RUNNERS or any(word.plain in _RUNNERS for word in words[:3]):
        return any(_decodes(word) for word in words)
    is_line = _INTERPRETERS.fullmatch(name) is not None and any((word.plain or "").startswith("-") for word in words)
    return is_line and any(_decodes(word) for word in words)


def _decodes(word: Word) -> bool:
    for part in word.parts:
        if isinstance(part, Param) and part.word is not None and _decodes(part.word):
            return True
        if isinstance(part, Subst):
            for item in part.script.items:
                for pipeline in (item.first, *(each for _, each in item.rest)):
                    if any(isinstance(stage, Simple) and _is_decoder(stage) for stage in pipeline.stages):
                        return True
    return False


def _is_decoder(command: Simple) -> bool:
    if not command.words:
        return False
    name = (command.words[0].plain or "").rpartition("/")[2]
    return name in DECODERS or hides(name, [word.raw for word in command.words[1:]])


def carried(texts: list[str], scope: Scope) -> None:
    """What the line wrote into a file is in the new one, too."""
    operands = [text for text in texts if not text.startswith("-")]
    if len(operands) < 2:
        return
    for source in operands[:-1]:
        for what in scope.written(scope.path(source)):
            scope.wrote(operands[-1] if "/" in operands[-1] else f"./{operands[-1]}", what)
