"""Text in Telegram's HTML. Whatever an agent wrote stands in monospaced letters: there no links, names or commands are
made of it."""

from assent.surfaces.text import CUT, escaped, first, seen

# It takes 4,096 characters, and counts less than we do.
LONGEST_MESSAGE = 4_000


def line(text: str, longest: int) -> str:
    """One line, escaped, no longer than this with its escapes; a cut is seen."""
    beginning = text[: 4 * longest]
    shown = " ".join(seen(beginning).split())
    head = first(shown, longest)
    if head == shown and beginning == text:
        return escaped(shown)
    return escaped(first(shown, longest - 1).rstrip()) + CUT


def mono(text: str, longest: int) -> str:
    return f"<code>{shown}</code>" if (shown := line(text, longest)) else ""


def block(text: str) -> str:
    return f"<pre>{escaped(text)}</pre>"
