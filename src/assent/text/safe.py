"""Hostile text made inert: one function for each kind of output.

What an agent wrote may try to steer a terminal, to hide a part of itself, to move it out of sight, to turn it round or
to be read as markup. Whatever leaves the program passes one of these functions:

=====================  ================================================================================
``plain_line``         one line of a log, a table or a record
``terminal_text``      lines of the terminal UI, which draws them cell by cell
``printed_text``       lines a command prints to the terminal
``notification_line``  one line of a notification, a lock screen or a button
``chat_text``          lines of a chat message, before they are escaped
``escaped``            the same in Telegram's HTML and in Slack's markup, which share their escapes
=====================  ================================================================================

The page needs none of them: ``web/view/text.js`` puts text into the document as text nodes, never as HTML, and draws
what is not seen by the same rules. Which characters are not seen is in ``text/invisible.py``."""

import unicodedata

from assent.expressions import later
from assent.text import invisible, wording
from assent.text.invisible import spelled

LONGEST = 160
# What says that something was left out of a message.
CUT = "⋯"
TAB = 4
_ODD_BLANKS = later("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_WIDE_BLANK = "\u3000"
# So many in a row are folded; at the beginning of a line blanks are how far it is indented.
_BLANKS = later(r"(?<=[^ \n]) {21,}| {41,}")
_TABS = later(r"\t{9,}")
_LINE_ENDS = later(r"\n(?: *\n){3,}|\n")
_MOST_LINE_ENDS = 3
_PRINTED_BLANKS = later(rf"{_BLANKS.pattern}|{_TABS.pattern}")
_PRINTED_LINE_ENDS = later(r"\n{5,}")
_CHAT_BLANKS = later(r"[ \t]{40,}")
_CHAT_LINE_ENDS = later(r"\n(?:[ \t]*\n){10,}")
# A sign, and what asks for it as a coloured picture.
_PICTURE = later("([^\x00-\x7f])\ufe0f")
# More marks than this on one letter climb out of their line.
_PILED = later(
    r"[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0e31-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4,}"
)
_NOT_ASCII = later(r"[^\x00-\x7f]")
_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def plain_line(text: str, longest: int = LONGEST) -> str:
    """Printable characters on one line; what is longer ends in an ellipsis."""
    # Only the beginning is shown, so only that much is looked at: an input can be megabytes.
    beginning = text[: longest * 8]
    shown = " ".join(beginning.split())[: longest * 2]
    if not shown.isprintable():
        shown = "".join(c if c.isprintable() else spelled(c) for c in shown)
    if len(shown) <= longest and len(beginning) == len(text):
        return shown
    return f"{shown[: longest - 1]}…"


def terminal_text(text: str, *, is_command: bool = False, is_ascii: bool = False) -> str:
    """Line ends stay; in a command they are drawn as well, so that they can be told from a line that was too long.
    Each line still has to pass the terminal UI's last guard, which knows how wide characters are."""
    if not is_command:
        # Two cells in some terminals, one in others: both are the sign.
        text = _PICTURE.sub(lambda match: match[1 if unicodedata.category(match[1])[0] == "S" else 0], text)
    if is_ascii:
        # In a command no character may pass for another one.
        text = _NOT_ASCII.sub(lambda match: wording.plain(spelled(match[0]) if is_command else match[0]), text)
    text = invisible.drawn(text, is_command=is_command)
    text = text if is_command else text.replace("\r\n", "\n")
    text = _ODD_BLANKS.sub(lambda match: "  " if match[0] == _WIDE_BLANK else " ", text)
    text = _TABS.sub(lambda match: f"⟨⇥×{len(match[0])}⟩", text).expandtabs(TAB)
    text = _BLANKS.sub(lambda match: f"⟨␣×{len(match[0])}⟩", text)
    return _LINE_ENDS.sub(lambda match: _line_ends(match[0], is_command), text)


def printed_text(text: str, *, is_command: bool = True) -> str:
    """Line ends are all that is left in it beside printable characters."""
    text = text if is_command else text.replace("\r\n", "\n").removeprefix("\ufeff")
    shown = invisible.drawn(text, is_command=is_command)
    shown = _PRINTED_BLANKS.sub(lambda run: f"{'␣' if run[0][0] == ' ' else '⇥'}×{len(run[0])}", shown)
    shown = _PRINTED_LINE_ENDS.sub(lambda run: f"↵×{len(run[0])}\n", shown).replace("\t", " " * TAB)
    shown = _PILED.sub(lambda run: "".join(map(spelled, run[0])), shown)
    if not shown.replace("\n", "").isprintable():
        shown = "".join(sign if sign == "\n" or sign.isprintable() else spelled(sign) for sign in shown)
    return shown


def notification_line(text: str, longest: int) -> str:
    """One line in which every character that would not be seen, or would move others, is named."""
    shown = "".join(_seen(c) for c in text[: 2 * longest])
    shown = " ".join(shown.split())
    return shown if len(shown) <= longest and len(text) <= 2 * longest else shown[: longest - 1].rstrip() + CUT


def chat_text(text: str, *, is_command: bool = False) -> str:
    """Nothing in it hides, moves the rest away or turns it round. It is not yet escaped."""
    shown = invisible.drawn(text if is_command else text.replace("\r\n", "\n"), is_command=is_command)
    shown = _CHAT_BLANKS.sub(lambda run: f"␣×{len(run[0])}", shown)
    return _CHAT_LINE_ENDS.sub(lambda run: f"↵×{run[0].count(chr(10))}\n", shown)


def chat_line(text: str, longest: int) -> str:
    """The beginning of it on one line, not yet escaped; a cut is seen."""
    beginning = text[: 4 * longest]
    shown = " ".join(chat_text(beginning).split())
    if len(shown) <= longest and beginning == text:
        return shown
    return shown[: longest - 1].rstrip() + CUT


def escaped(text: str) -> str:
    """None of it is markup for Telegram or Slack."""
    return "".join(_ESCAPED.get(c, c) for c in text)


def escaped_line(text: str, longest: int) -> str:
    """The beginning of it on one line, escaped, no longer than this with its escapes; a cut is seen."""
    beginning = text[: 4 * longest]
    shown = " ".join(chat_text(beginning).split())
    head = first(shown, longest)
    if head == shown and beginning == text:
        return escaped(shown)
    return escaped(first(shown, longest - 1).rstrip()) + CUT


def size(text: str) -> int:
    """In units of UTF-16, as the services count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def first(text: str, room: int) -> str:
    """As much of the beginning as fits, escaped, into so much room: a cut never goes through an escape."""
    used = 0
    for at, c in enumerate(text):
        used += size(_ESCAPED.get(c, c))
        if used > room:
            return text[:at]
    return text


def middle(text: str, longest: int) -> str:
    """One line; of what is too long both ends."""
    # What could not be shown anyway is not looked through.
    line = " ".join((text if len(text) <= 8 * longest else f"{text[: 4 * longest]} {text[-4 * longest :]}").split())
    if len(line) <= longest:
        return line
    kept = longest - 1
    return f"{line[: kept - kept // 2]}…{line[len(line) - kept // 2 :]}"


def _seen(c: str) -> str:
    if c in "\n\t ":
        return " "
    return c if unicodedata.category(c)[0] not in "CZ" else spelled(c)


def _line_ends(ends: str, is_command: bool) -> str:
    count = ends.count("\n")
    if count > _MOST_LINE_ENDS:
        return f"⟨↵×{count}⟩\n"
    return ends.replace("\n", "↵\n") if is_command else ends
