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
        end = match.end()
        plain, single, double, fd, into, target, operator = match.groups()
        if into is not None:
            if not words:
                return None
            redirects.append(Redirect(into, fd, Word((Lit(target),), target)))
        elif operator is None:
            if plain is not None:
                if not words:
                    if plain in _NOT_COMMANDS or _NAME.fullmatch(plain) is None:
                        return None
                    start = end - len(plain)
                words.append(Word((Lit(plain),), plain))
            elif words:
                quoted = single if single is not None else double
                words.append(Word((Lit(quoted, quoted=True),), text[end - len(quoted) - 2 : end]))
            else:
                return None
        else:
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
