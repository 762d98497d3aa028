"""Lines of plain and quoted words, plain redirections and joints between commands: most lines, read at once.

What is read here is read by the grammar to the same tree; whatever is not as plain is left to it."""

import re
from typing import Literal, cast

from assent.policy.shell.tree import List, Lit, Pipeline, Redirect, ScriptTree, Simple, Word

# So short that no limit of the grammar is met.
LONGEST = 1_000
MOST_COMMANDS = 50
_TOKEN = re.compile(
    r"""[ \t]*(?:
    (?:([A-Za-z0-9_./:@%+,=^~*?\[\]{}-]+) | '([^'\n\0]*)' | "([^"\\`$\n\0]*)") (?=[ \t;|]|&&|\Z)
    | (\d*)(&>>|&>|>>|>&|>|<)[ \t]*([A-Za-z0-9_./-]+)(?=[ \t;|]|&&|\Z)
    | (&&|\|\||\||;)(?![&|;>])
    )""",
    re.VERBOSE,
)
# Its groups: a plain word, then two kinds of quoted ones; the last of a redirection; a joint.
_PLAIN, _TARGET, _OPERATOR = 1, 6, 7
_NAME = re.compile(r"[A-Za-z0-9_./+-]+")
# They begin something else than a command, or take words that are none.
_WORDS = "if then elif else fi for select while until do done case esac in function coproc time"
_NOT_COMMANDS = frozenset(f"{_WORDS} declare typeset local export readonly".split())

Joined = tuple[Literal["&&", "||"], Pipeline]


def read(text: str) -> ScriptTree | None:
    """None where it takes more to read it."""
    size = len(text)
    if size > LONGEST:
        return None
    items: list[List] = []
    # Pipelines of the list, commands of the pipeline, words of the command.
    listed: list[tuple[str, Pipeline]] = []
    stages: list[Simple] = []
    words: list[Word] = []
    redirects: list[Redirect] = []
    joint, start, at, commands = "", 0, 0, 0
    while at < size:
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        end, kind = match.end(), match.lastindex
        if kind == _PLAIN:
            plain = match[_PLAIN]
            if not words:
                if plain in _NOT_COMMANDS or _NAME.fullmatch(plain) is None:
                    return None
                start = end - len(plain)
            words.append(Word((Lit(plain),), plain))
        elif kind != _OPERATOR:
            if not words:
                return None
            if kind == _TARGET:
                fd, into, target = match.group(4, 5, 6)
                redirects.append(Redirect(into, fd, Word((Lit(target),), target)))
            else:
                quoted = match[kind or 0]
                words.append(Word((Lit(quoted, quoted=True),), text[end - len(quoted) - 2 : end]))
        else:
            operator = match[_OPERATOR]
            commands += 1
            if not words or commands > MOST_COMMANDS:
                return None
            stages.append(Simple((), tuple(words), tuple(redirects), text[start:at]))
            words, redirects = [], []
            if operator != "|":
                listed.append((joint, Pipeline(tuple(stages))))
                stages, joint = [], operator
            if operator == ";":
                items.append(_list(listed))
                listed, joint = [], ""
        at = end
    if not words:
        return None
    stages.append(Simple((), tuple(words), tuple(redirects), text[start:at]))
    listed.append((joint, Pipeline(tuple(stages))))
    items.append(_list(listed))
    return ScriptTree(tuple(items), text)


def _list(listed: list[tuple[str, Pipeline]]) -> List:
    return List(listed[0][1], tuple([cast("Joined", each) for each in listed[1:]]))
