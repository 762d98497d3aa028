"""What of a secret may be hidden from somebody who decides: never more than a shell would take as a plain word.

Whoever writes a command also writes what looks like a secret in it. If all of that became a mark, ``-b a=bbbb|sh``
would be approved without its ``|sh``. So a mark ends where something begins that could run, and the rest is shown."""

import re
from collections.abc import Iterator

Span = tuple[int, int, str]

_ACTIVE = re.compile(r"[$`|&;<>()\n\r]")
_ACTIVE_OR_BLANK = re.compile(r"[$`|&;<>()\s]")
# Lines of a key are longer than names of programs, or end as none does.
_KEY = re.compile(
    r"-----BEGIN[A-Z0-9 ]{0,30} PRIVATE KEY(?: BLOCK)?-----"
    r"(?:\s{1,3}[+ -]?(?:Proc-Type|DEK-Info|Version|Comment): [\w,. -]{1,100})*"
    r"(?:\s{0,4}[+ -]?[A-Za-z0-9+/=\\]{32,})*(?:\s{1,3}[+ -]?[A-Za-z0-9+/]{1,32}={1,2}(?![A-Za-z0-9+/=]))?"
)
_MORE_COOKIES = re.compile(r"; ?[A-Za-z0-9_.-]{1,80}=(?P<value>[A-Za-z0-9_.%+/=:~-]{4,2048})(?=;|$)")
# In a text with one of these, quotes are not what they seem to be.
_UNCLEAR = ("<<", "$(", "$'", "`", "#")
# Looked through for each secret, so not without end.
_FURTHEST = 2_000


def parts(text: str, span: Span) -> Iterator[Span]:
    """The stretches of a secret that may be hidden, in order."""
    start, end, kind = span
    if kind == "private-key" and (key := _KEY.match(text, start, end)):
        yield start, key.end(), kind
        return
    stops_at_blanks = kind != "extra" and not _is_quoted(text, start)
    found = (_ACTIVE_OR_BLANK if stops_at_blanks else _ACTIVE).search(text, start, end)
    stop = found.start() if found else end
    if stop > start:
        yield start, stop, kind
    while kind == "cookie" and (more := _MORE_COOKIES.match(text, stop, end)):
        yield more.start("value"), more.end("value"), kind
        stop = more.end()


def _is_quoted(text: str, at: int) -> bool:
    """Whether the sign before is a quote that opens, as far as that is plain to see."""
    if not 0 < at <= _FURTHEST or text[at - 1] not in "'\"" or any(text.find(sign, 0, at) >= 0 for sign in _UNCLEAR):
        return False
    quote, opened, i = "", -1, 0
    while i < at:
        sign = text[i]
        if sign == "\\" and quote != "'":
            i += 1
        elif quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote, opened = sign, i
        i += 1
    return bool(quote) and opened == at - 1
