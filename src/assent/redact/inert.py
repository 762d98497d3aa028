"""The part of a secret that may be hidden from a person who decides: only a plain word that nothing in the line runs.

The author of a command also writes what looks like a secret in it. If all of that became a mark, ``-b a=bbbb|sh`` would
be approved without its ``|sh``, and ``PASSWORD='rm -rf x'; eval "$PASSWORD"`` without what it runs. Where it is not
plain that a text is inert, it is shown."""

import re
from collections.abc import Iterator

from assent.redact import running

Span = tuple[int, int, str]

_ACTIVE = re.compile(r"[$`|&;<>()\n\r]")
_BLANK = re.compile(r"\s")
# Lines of a key are longer than names of programs, or end as none does.
_KEY = re.compile(
    r"-----BEGIN[A-Z0-9 ]{0,30} PRIVATE KEY(?: BLOCK)?-----"
    r"(?:\s{1,3}[+ -]?(?:Proc-Type|DEK-Info|Version|Comment): [\w,. -]{1,100})*"
    r"(?:\s{0,4}[+ -]?[A-Za-z0-9+/=\\]{32,})*(?:\s{1,3}[+ -]?[A-Za-z0-9+/]{1,32}={1,2}(?![A-Za-z0-9+/=]))?"
)
# Not a variable that a shell would obey.
_COOKIE = re.compile(
    r"(?:; ?)?(?=[A-Z0-9_.-]{0,79}[a-z])[A-Za-z0-9_.-]{1,80}=(?P<value>[A-Za-z0-9_.%+/=:~-]{1,2048})(?P<more>;|$)?"
)
# What makes a token the name of a machine.
_DOMAIN = re.compile(r"(?:\.[A-Za-z][A-Za-z0-9-]{0,62}){1,8}(?=[:/\s\"']|$)")
_HERE_DOCUMENT = re.compile(r"\b(?:cat|tee)\b[^\n;|&]{0,300}<<-?\s{0,3}[\"']?(?P<end>\w{1,60})[^\n]{0,300}\n")
_ASSIGNED = re.compile(
    r"(?:^|[\s;&|({\"'`,])(?P<name>[A-Za-z_]\w{0,80})(?:\[[^\]\s]{0,40}\])?\s{0,2}\+?[=:]\s{0,2}[\"']?$"
)
_NAME = re.compile(r"(?:^|[\s;&|({\"'`,-])(?P<name>[A-Za-z_][\w.-]{0,80})\+?[= ][\"']?(?:[^\s\"';&|=]{0,60}/)?$")
_OBEYED = re.compile(
    r"(?i)(?:askpass|command|cmd|exec|editor|visual|pager|browser|shell|preload|audit|path|startup|env|opts?|options|ssh|rsh"
    r"|helper|hook|program|script|wrapper|diff|pack|filter|interpreter|handler|callback|action|runner|include|require)$"
)
_SCRIPT = re.compile(r"-[A-Za-z]{0,6}c\s{1,3}[\"']{0,2}$")
_STARTS = re.compile(r"[;&|()\n\r`]")
_VALUE = re.compile(r"-|[A-Za-z_]\w*(?:\[[^\]\s]{0,40}\])?\+?=")
_QUOTES = "\"'"
# Looked through for each secret, so not without end.
_FURTHEST = 600


def parts(text: str, span: Span) -> Iterator[Span]:
    """The stretches of a secret that are plain words, in order."""
    start, end, kind = span
    if kind == "private-key" and (key := _KEY.match(text, start, end)):
        yield start, key.end(), kind
        return
    if text[start - 1 : start] == "`" or text[max(0, start - 2) : start] == "$(":
        return
    if kind == "cookie":
        yield from _cookies(text, start, end)
        return
    match = _ACTIVE.search(text, start, end)
    stop = match.start() if match else end
    if stop > start and (kind == "extra" or not _BLANK.search(text, start, stop)):
        yield start, stop, kind


def _cookies(text: str, start: int, end: int) -> Iterator[Span]:
    """The values of cookies; of those behind the first, only what nothing but a cookie looks like."""
    at = start
    while (pair := _COOKIE.match(text, at, end)) and (at == start or pair["more"] is not None):
        if at == start or "/" not in pair["value"]:
            yield pair.start("value"), pair.end("value"), "cookie"
        at = pair.end("value")


def must_be_shown(line: str, span: Span, used: frozenset[str]) -> bool:
    """Whether a secret of a command line could run: it stands where a command does, or its variable is read."""
    start, end, kind = span
    if kind == "private-key":
        return not _is_in_here_document(line, start) and not _is_quoted(line, start)
    if _DOMAIN.match(line, end) and "/" not in line[start:end]:
        return True
    return is_assigned_to(line, start, used) or _is_program(line, start) or _is_command(line, start)


def is_assigned_to(text: str, start: int, names: frozenset[str]) -> bool:
    match = _ASSIGNED.search(text[max(0, start - 120) : start])
    return match is not None and match["name"] in names


def _is_program(line: str, start: int) -> bool:
    """Whether it is the value of a variable or an option that names a program."""
    match = _NAME.search(line[max(0, start - 120) : start])
    return match is not None and _OBEYED.search(match["name"]) is not None


def _is_command(line: str, start: int) -> bool:
    near = line[max(0, start - _FURTHEST) : start]
    piece = _STARTS.split(near)[-1]
    if _SCRIPT.search(piece):
        return True
    word = piece[len(piece) - len(_BLANK.split(piece)[-1]) :]
    # What follows a name and an equals sign is a value.
    return not _VALUE.match(word.lstrip(_QUOTES)) and running.awaits_command(
        running.words_of(piece[: len(piece) - len(word)])
    )


def _is_in_here_document(line: str, at: int) -> bool:
    for match in _HERE_DOCUMENT.finditer(line, 0, at):
        end = re.compile(rf"^\s*{match['end']}$", re.MULTILINE).search(line, match.end())
        if end is None or end.start() > at:
            return True
    return False


def _is_quoted(line: str, at: int) -> bool:
    quote, i = "", 0
    while i < at:
        sign = line[i]
        if sign == "\\" and quote != "'":
            i += 1
        elif quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        i += 1
    return bool(quote)
