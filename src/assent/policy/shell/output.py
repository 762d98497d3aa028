"""Output of commands, where it can be told from the line alone."""

# ruff: noqa: PTH120 - paths here are text that an agent wrote

import base64
import os
import re
from collections.abc import Callable

from assent.policy import world
from assent.policy.shell.words import HOLE, Arg

# Where the system and its package managers keep programs.
_INSTALLED = r"(?:/(?:usr/|usr/local/|opt/homebrew/|home/linuxbrew/\.linuxbrew/)?s?bin/)?"
_SHELL = r"(?: (?:bash|zsh|sh|posix))?"
_HOOKS = re.compile(
    rf"{_INSTALLED}(?:"
    rf"ssh-agent(?: -s)?|brew shellenv{_SHELL}|direnv hook{_SHELL}|(?:starship|zoxide) init{_SHELL}"
    r"|fnm env(?: --(?:use-on-cd|shell(?:=| )\w+|version-file-strategy(?:=| )\w+|corepack-enabled|resolve-engines))*"
    rf"|(?:pyenv|rbenv|nodenv|goenv|jenv|plenv) (?:virtualenv-)?init -(?: --?[\w-]+)*{_SHELL}|pyenv init --path{_SHELL}"
    rf"|conda shell\.(?:bash|zsh|posix) hook|dircolors(?: -b)?|lesspipe(?:\.sh)?"
    r"|(?:gh|kubectl|helm|docker|poetry|rustup|uv|ruff|pip|npm|pnpm|deno|just|kind|minikube|argocd|flux) completions?"
    r"(?: -s)?(?: (?:bash|zsh))?(?: (?:cargo|rustup))?"
    r")"
)
# It makes programs and completions known, and runs nothing else.
_SETS_UP = ":;\n"


def printed_by_tools(words: list[str]) -> str | None:
    """What stands for the text; None for every other command."""
    return _SETS_UP if _HOOKS.fullmatch(" ".join(words)) else None


# Which commit it is does not matter to what is done with it: it is a number, no option, no path, no program.
SOME_COMMIT = "0" * 40
_REVISION = re.compile(r"[\w@][\w@^~{}./-]*")
_CHOOSES = re.compile(
    r"-\d+|-n\d*|--(?:max-count|skip|since|until|after|before|author|committer|grep)=.*|--(?:all|reverse|merges|no-merges"
    r"|first-parent|tags|branches|remotes|topo-order|date-order|ancestry-path)"
)
_ONLY_COMMITS = re.compile(r"--(?:format|pretty)=(?:format:|tformat:)?%[Hh]")


def printed_by_git(rest: list[str], cwd: str | None) -> str | None:
    match rest:
        case ["rev-parse", "--show-toplevel"]:
            return _folder(cwd)
        case ["rev-parse", *words]:
            revisions = [word for word in words if word not in ("--verify", "--short", "-q", "--quiet")]
            is_commit = bool(revisions) and all(_REVISION.fullmatch(word) for word in revisions)
        case ["merge-base", *words]:
            is_commit = all(_REVISION.fullmatch(word) or word in ("-a", "--all", "--fork-point") for word in words)
        case ["rev-list", *words]:
            is_commit = _are_commits(words)
        case ["log", *words]:
            formats = [word for word in words if _ONLY_COMMITS.fullmatch(word)]
            is_commit = len(formats) == 1 and _are_commits([word for word in words if word not in formats])
        case _:
            return None
    return f"{SOME_COMMIT}\n" if is_commit else None


def _are_commits(words: list[str]) -> bool:
    """Only revisions, and options that choose among them."""
    before = words[: words.index("--")] if "--" in words else words
    return all(_CHOOSES.fullmatch(word) if word.startswith("-") else _REVISION.fullmatch(word) for word in before)


def _folder(cwd: str | None) -> str | None:
    git = world.git_folder(cwd) if cwd is not None else None
    return f"{os.path.dirname(git)}\n" if git and git.endswith("/.git") else None


_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "\\": "\\",
    "e": "\x1b",
    "'": "'",
    '"': '"',
}
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|0?([0-7]{1,3})|([abefnrtv\\'\"]))")
_DIRECTIVE = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?[sdiuxXocqb])")


_PRINTS = "echo printf cat git pwd which command type mktemp basename dirname true : false sleep tee jobs rev tr"
_PRINTERS = frozenset(_PRINTS.split())


def printed(args: tuple[Arg, ...], stdin: str | None, cwd: str | None) -> str | None:
    """None where it cannot be told. Holes in it stay holes."""
    name = args[0].text.rpartition("/")[2]
    if name not in _PRINTERS and name not in _DECODED:
        return None if True in [arg.glob for arg in args] else printed_by_tools([arg.text for arg in args])
    rest = [arg.text for arg in args[1:]]
    if name in _DECODED:
        rest = [{"--decode": "-d", "-D": "-d"}.get(text, text) for text in rest if text not in ("-i", "-")]
        rest = ["-r", "-p"] if rest in (["-rp"], ["-pr"], ["-p", "-r"], ["-r", "-ps"]) else rest
    if any(arg.glob for arg in args):
        return None
    if name == "echo":
        return _echo(rest)
    if name == "printf" and rest and rest[0] != "-v":
        return _printf(rest[1:] if rest[0] == "--" else rest)
    if name == "cat" and (not rest or rest == ["-"]):
        return stdin
    if name == "git":
        return printed_by_git(rest, cwd)
    if name == "pwd":
        return None if cwd is None else f"{cwd}\n"
    if (asked := _looked_up(name, rest)) is not None:
        # Where programs lie: good enough to know which one it is.
        return asked if "/" in asked else f"/usr/bin/{asked}\n"
    if name == "mktemp" and all(text.startswith("-") and set(text) <= set("-dqu") for text in rest):
        return "/tmp/tmp.made\n"  # noqa: S108 - what such a name looks like
    if name in ("basename", "dirname") and len(rest) == 1 and HOLE not in rest[0] and not rest[0].startswith("-"):
        folder, slash, last = rest[0].rstrip("/").rpartition("/")
        return f"{last or '/' if name == 'basename' else folder or ('/' if slash or not last else '.')}\n"
    if name in ("true", ":", "false", "sleep"):
        return ""
    if name == "tee":
        return stdin
    if (text := printed_by_tools([arg.text for arg in args])) is not None:
        return text
    if name == "jobs" and rest in (["-p"], ["-rp"], ["-pr"]):
        # What the shell has started, as the shell writes it.
        return "$!\n"
    if name == "rev" and not rest and stdin is not None and HOLE not in stdin:
        return "\n".join(line[::-1] for line in stdin.split("\n"))
    if name in _DECODED and stdin is not None and HOLE not in stdin and set(rest) == _DECODED[name][0]:
        return _decoded(stdin, _DECODED[name][1])
    if name == "tr" and len(rest) == 2 and stdin is not None:
        return _translated(stdin, *rest)
    return None


def _looked_up(name: str, rest: list[str]) -> str | None:
    """``which x``, ``command -v x``, ``type -P x``"""
    if (name, *rest[:-1]) not in (("which",), ("command", "-v"), ("type", "-p"), ("type", "-P")) or not rest:
        return None
    return rest[-1] if re.fullmatch(r"[\w./+][\w./+-]*", rest[-1]) else None


def _decoded(text: str, decode: Callable[[str], bytes]) -> str | None:
    try:
        made = decode("".join(text.split())).decode()
    except (ValueError, UnicodeDecodeError):
        return None
    return made if HOLE not in made else None


_DECODED: dict[str, tuple[set[str], Callable[[str], bytes]]] = {
    "base64": ({"-d"}, base64.b64decode),
    "base32": ({"-d"}, base64.b32decode),
    "xxd": ({"-r", "-p"}, bytes.fromhex),
}


def _echo(rest: list[str]) -> str:
    newline, escapes = "\n", False
    while rest and re.fullmatch(r"-[neE]+", rest[0]):
        newline = "" if "n" in rest[0] else newline
        escapes = "e" in rest[0]
        rest = rest[1:]
    text = " ".join(rest)
    return (_unescaped(text) if escapes else text) + newline


def _printf(rest: list[str]) -> str | None:
    template, values = (rest or [""])[0], rest[1:]
    if HOLE in template:
        return None
    made: list[str] = []
    while True:
        left = len(values)
        made.append(_ESCAPE.sub(_character, _DIRECTIVE.sub(lambda match: _directive(match[0], values), template)))
        if not values or len(values) == left or len(made) > 100:
            return "".join(made)


def _directive(directive: str, values: list[str]) -> str:
    if directive == "%%":
        return "%"
    value = values.pop(0) if values else ""
    if directive[-1] == "b":
        value = _unescaped(value)
    # A second pass turns escapes of the template into characters; those of a value must survive it.
    return value.replace("\\", "\\\\")


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    hexadecimal, octal, letter = match.groups()
    if letter is not None:
        return _ESCAPES[letter]
    return chr(int(hexadecimal, 16) if hexadecimal else int(octal, 8) & 0xFF)


def _translated(text: str, old: str, new: str) -> str | None:
    """``tr a-z n-za-m``, the well-known trick."""
    first, second = _set(old), _set(new)
    if first is None or second is None or not second:
        return None
    second += second[-1] * (len(first) - len(second))
    return text.translate(dict(zip(map(ord, first), second, strict=False)))


def _set(text: str) -> str | None:
    if HOLE in text or "[" in text:
        return None
    made = ""
    place = 0
    while place < len(text):
        if text[place + 1 : place + 2] == "-" and place + 2 < len(text):
            made += "".join(map(chr, range(ord(text[place]), ord(text[place + 2]) + 1)))
            place += 3
        else:
            made += text[place]
            place += 1
    return made
