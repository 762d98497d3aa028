"""Ways to hide what is run: text that is spelled otherwise until it runs, and files that change their name first."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assent.policy.effects import Effect
from assent.policy.shell.env import Scope
from assent.policy.shell.streams import DECODERS
from assent.policy.shell.tree import Param, Simple, Subst, Word
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

if TYPE_CHECKING:
    from assent.policy.shell.acts import Act

# Files of lines with a name, an equals sign and a value.
_OF_NAMES = re.compile(r"(?:.*/)?(?:\.env(?:[.*].*)?|[^/]*\.env)")
_SEARCHES = frozenset({"grep", "egrep", "fgrep", "rg", "ag"})
# They pass on lines, or fewer of them.
_SIEVES = _SEARCHES | {"cat", "sort", "uniq", "head", "tail", "tac"}
_COUNTS = frozenset({"-c", "-q", "-s", "-l", "-L", "-i", "-E", "-w", "-x", "-v", "-F", "-r", "-n", "-h", "-H"})
# A name is looked for, and nothing of a value.
_NAME = re.compile(r"\^?(?:export )?\(?[A-Za-z_][A-Za-z0-9_]*(?:\\?\|\^?[A-Za-z_][A-Za-z0-9_]*)*\)?=?|\^?[#=]|\.|")
# What stands at the beginning of a line, up to the equals sign.
_BEGINNING = re.compile(
    r"\^(?:\[(?:[A-Za-z0-9_-]+|\^=)\]|\\w|[A-Za-z0-9_])+(?:[*+]|\\\+)?(?:\[[A-Za-z0-9_-]+\][*+])?=?"
)
_DROPS_VALUES = re.compile(
    r"s([/|,#@])(?:=\.\*\$?\1[^&\\/|,#@]*|\^?(?:\\\(|\()\[\^=\][*+](?:\\\)|\))=?\.\*\$?\1\\1[^&\\/|,#@]*)\1g?"
)
_PRINTS_FIRST = re.compile(r"\s*(?:!?/[^/$]*/|NF(?:[>=]+\d)?)?\s*\{\s*print\s*\(?\s*\$1\s*\)?;?\s*\}\s*")
# How ``cut`` is told to print the first field, and in how many words.
_ITS_FIELDS = {
    **dict.fromkeys(("-d= -f1", "-f1 -d=", "--delimiter== --fields=1"), 2),
    **dict.fromkeys(("-d = -f1", "-d= -f 1", "-f 1 -d=", "-f1 -d ="), 3),
    **dict.fromkeys(("-d = -f 1", "-f 1 -d ="), 4),
}
_VEIL = "It shows names or numbers of a file of secrets, and none of its values."


def shows_numbers(name: str, texts: Sequence[str]) -> bool:
    """Whether it shows how much there is, or that a name is there."""
    if name == "wc":
        return not any(text.startswith("--files0-from") for text in texts)
    if name not in ("grep", "egrep", "fgrep"):
        return False
    options = [text for text in texts if text.startswith("-")]
    letters = {f"-{letter}" for text in options if not text.startswith("--") for letter in text[1:]}
    is_quiet = bool(letters & {"-c", "-q", "-l", "-L"}) or any(
        text in ("--count", "--quiet", "--silent", "--files-with-matches") for text in options
    )
    sought = next((text for text in texts if not text.startswith("-")), "x y")
    return is_quiet and letters <= _COUNTS and _NAME.fullmatch(sought) is not None


def shows_names(name: str, texts: Sequence[str]) -> bool:
    """Whether it leaves of every line what stands before the equals sign."""
    words = [text for text in texts if text not in ("-E", "-r", "-s", "--")]
    match name:
        case "cut":
            rest = words[_ITS_FIELDS[joined] :] if (joined := _head(words)) else words
            return bool(joined) and not any(word.startswith("-") for word in rest)
        case "sed":
            return bool(words) and _fits(_DROPS_VALUES, words)
        case "awk" | "gawk" | "mawk":
            rest = words[2:] if words[:2] == ["-F", "="] else words[1:] if words[:1] == ["-F="] else []
            return _fits(_PRINTS_FIRST, rest)
        case "grep" | "egrep":
            rest = [word for word in words if word not in ("-oE", "-Eo", "-o", "-oh")]
            return len(rest) < len(words) and _fits(_BEGINNING, rest)
    return False


def _head(words: Sequence[str]) -> str:
    return next((head for head in _ITS_FIELDS if " ".join(words[: _ITS_FIELDS[head]]) == head), "")


def _fits(program: re.Pattern[str], words: Sequence[str]) -> bool:
    """Whether the first word is such a program, and only files follow."""
    return bool(words) and program.fullmatch(words[0]) is not None and not any(word[:1] == "-" for word in words[1:])


def veil(effect: Effect, name: str, args: Sequence[Arg], project: str) -> Effect:
    """The effect of reading a file, less where only names or numbers of it are shown."""
    if effect.kind != "secret" or not all(arg.known for arg in args):
        return effect
    texts = [arg.text for arg in args]
    if not shows_numbers(name, texts) and not (_OF_NAMES.fullmatch(effect.target) and shows_names(name, texts)):
        return effect
    is_near = not effect.target.startswith(("/", "~", "..")) or effect.target.startswith(f"{project}/")
    return Effect("read", Risk.LOOK if is_near else Risk.CARE, _VEIL, effect.target)


def look(stages: "Sequence[list[Act]]") -> None:
    """Of a pipeline: what its first commands show of such a file does not come out where a later one drops values."""
    if not any(effect.kind == "secret" for acts in stages for act in acts for effect in act.effects):
        return
    for place, acts in enumerate(stages):
        name, args = _only(acts)
        texts = [arg.text for arg in args]
        if shows_names(name, texts) or shows_numbers(name, texts):
            # What flows into it, from before or from a file.
            for act in (act for each in stages[: place + 1] for act in each):
                act.effects[:] = [_passed(effect) for effect in act.effects]
            return
        if name not in _SIEVES:
            return


def _only(acts: "list[Act]") -> tuple[str, Sequence[Arg]]:
    """The command of a stage that is one command and writes nothing; "" for any other."""
    act = acts[0] if len(acts) == 1 else None
    if act is None or len(act.runs) != 1 or act.children:
        return "", ()
    if any(op != "<" and arg.text not in ("", "/dev/null") for op, arg in act.redirects):
        return "", ()
    name, *args = act.runs[0].args
    return ("", ()) if not all(arg.known for arg in args) else (name.text, args)


def _passed(effect: Effect) -> Effect:
    is_near = effect.kind == "secret" and not effect.target.startswith(("/", "~", ".."))
    return Effect("read", Risk.LOOK, _VEIL, effect.target) if is_near and _OF_NAMES.fullmatch(effect.target) else effect


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
        for stream in scope.written(scope.path(source)):
            scope.wrote(operands[-1] if "/" in operands[-1] else f"./{operands[-1]}", stream)


# Turns the direction of text, or takes no room: what a person reads is not what runs.
_HIDING = re.compile(
    "[\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0001-\U000e007f]"
)


def invisible(text: str) -> str:
    """Why a text is not what a person reads; "" where it is."""
    match = _HIDING.search(text)
    return "" if match is None else f"It holds a character that hides what it says: U+{ord(match[0]):04X}."
