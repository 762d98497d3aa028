"""Rows of lasting permissions, above the rules: what passes, where, since and until when. Pure."""

from collections.abc import Sequence

import msgspec

from assent.protocol.lasting import Given
from assent.text import who, wording
from assent.text.safe import plain_line
from assent.tui.drawing.listing import Entry
from assent.tui.drawing.text import Line, ends, fit, pad, safe_text, wrap
from assent.tui.drawing.text import width as line_width
from assent.tui.sessions.facts import short

TITLE = "Grants"
SURE = "Enter takes it back, Esc keeps"
LONGEST = 500
_KEY = "permission:"
_SIGN = 9
_WORDS = {"run": "Run {}", "change": "Make {}", "reads": "{} only reads"}


def key(given: Given) -> str:
    """As decisions name it, where they do."""
    return f"{_KEY}{given.id}"


def deciding(given: Given) -> str:
    """What finds in the log what it decided; "" where that is not on record under its name."""
    return f"by:{key(given)}" if given.keeper == "assent" else ""


def text(given: Given) -> str:
    """What passes. It names commands and branches: what looks like another letter is spelled out."""
    words = " ".join(safe_text(given.words, is_command=True).split())
    return plain_line(_WORDS.get(given.kind, "{}").replace("{}", words), LONGEST)


def where(given: Given, home: str) -> str:
    project = short(given.project, home) if given.project else "every project"
    return f"{project}, {who.agent_name(given.harness)} only" if given.harness else f"{project}, every agent"


def matches(given: Given, wanted: str) -> bool:
    """By all words, wherever they stand."""
    whole = "\n".join((TITLE, text(given), given.project, given.harness, given.by, given.rule, given.void)).lower()
    return all(word in whole for word in wanted.lower().split())


def listed(all_given: Sequence[Given], width: int, *, now: float, home: str, doomed: str = "") -> list[Entry]:
    """Under one heading; nothing where there are none. ``doomed``: the key of the one that Enter would take back."""
    if not all_given:
        return []
    rows = [_row(given, width, now, home, is_doomed=key(given) == doomed) for given in all_given]
    return [_heading(), *rows, Entry(None, lambda _width, _: [[]])]


def _heading() -> Entry:
    line: Line = [("─ ", "line"), (TITLE, "text-2 strong"), ("  d takes one back", "text-3")]
    return Entry(None, lambda width, _: [fit(line, width)])


def _row(given: Given, width: int, now: float, home: str, *, is_doomed: bool) -> Entry:
    room = max(8, width - _SIGN - 2)
    saved = wording.grant_used(given)
    right: Line = [(f"{SURE} ", "care strong")] if is_doomed else [(f"{saved} ", "text-3")]
    # Nothing of what passes may be hidden by what stands at the right.
    beside = room - line_width(right) - 1
    below: list[tuple[str, str]] = [] if beside >= 16 else [("".join(part for part, _ in right), right[0][1])]
    if below:
        right, beside = [], room
    first = wrap([(text(given), "text-3" if given.void else "strong")], beside)
    facts = wording.grant_facts(msgspec.structs.replace(given, file=given.file and short(given.file, home)), now)
    below += [
        (where(given, home), "text-2"),
        ("; ".join(fact for fact in facts if fact != saved), "text-2"),
        (f"Does not hold: {given.void}" if given.void else "", "care"),
    ]
    rest = [line for note, style in below if note for line in wrap([(plain_line(note, LONGEST), style)], room)]
    sign = ("– void", "text-3") if given.void else ("■ deny", "danger") if given.kind == "deny" else ("✓ allow", "ok")

    def draw(cells: int, is_selected: bool) -> list[Line]:
        edge: Line = [("▌" if is_selected else " ", "focus strong")]
        blank: Line = [*edge, (" " * _SIGN, "")]
        head = ends([*edge, *pad([sign], _SIGN), *first[0]], right, cells)
        return [head, *([*blank, *line] for line in (*first[1:], *rest))]

    return Entry(key(given), draw, len(first) + len(rest))
