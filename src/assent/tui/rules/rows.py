"""Rules drawn by where they stand: who made them, what they say, whether they are heard. Pure."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from assent.tui.drawing.listing import Entry
from assent.tui.drawing.text import Line, ends, fit, pad, wrap
from assent.tui.drawing.text import width as lines_width
from assent.tui.sessions.facts import short
from assent.views.line import inert

Rule = Mapping[str, Any]

LEVELS = {
    "user": ("yours", "Yours, everywhere"),
    "project": ("the project's", "The project's, in it, once you trust it"),
    "agent.managed": ("your organisation's", "Claude's, set by your organisation"),
    "agent.user": ("Claude's own", "Claude's own, everywhere; its client obeys them itself"),
    "agent.project": ("Claude's, from the repository", "Claude's, from the repository; its client obeys them itself"),
    "agent.local": ("Claude's, for you in this project", "Claude's, for you in this project; its client obeys them"),
}
SAYS = {"allow": ("✓ allow", "ok"), "ask": ("? ask", "care"), "deny": ("■ deny", "danger")}
RULE = "rule:"
LONGEST = 500
_SIGN = 9
SURE = "Remove it? Enter removes, Esc keeps"


def owner(level: str) -> str:
    return LEVELS[level][0] if level in LEVELS else inert(level, 40)


def key(rule: Rule) -> str:
    return f"{RULE}{rule['level']}#{rule['number']}#{rule['decision']}#{rule['file']}"


def name(rule: Rule) -> str:
    """As decisions name it."""
    return f"rule:{rule['level']}#{rule['number']}"


def text(rule: Rule) -> str:
    return ", ".join(rule["match"])


def can_remove(rule: Rule) -> bool:
    return rule["level"] == "user" or (rule["level"] in ("agent.user", "agent.local") and rule["decision"] == "allow")


def matches(rule: Rule, wanted: str) -> bool:
    """By all words, wherever they stand."""
    told = (rule["level"], owner(rule["level"]), rule["file"], rule["decision"], text(rule))
    whole = "\n".join((*told, rule.get("when", ""), rule.get("reason", ""), rule.get("unheard", ""))).lower()
    return all(word in whole for word in wanted.lower().split())


def grouped(rules: Sequence[Rule], width: int, *, home: str, hits: Mapping[str, str], doomed: str = "") -> list[Entry]:
    """Under a heading for each file. ``doomed``: the rule that Enter would remove."""
    made: list[Entry] = []
    for (level, file), of in groupby(rules, key=lambda rule: (rule["level"], rule["file"])):
        title = LEVELS[level][1] if level in LEVELS else inert(level, 40)
        if made:
            made.append(Entry(None, lambda _width, _: [[]]))
        made.append(_heading(title, short(file, home)))
        made += [_rule(rule, width, hits.get(key(rule), ""), is_doomed=key(rule) == doomed) for rule in of]
    return made


def plain(rules: Sequence[Rule], width: int) -> list[Entry]:
    """In one list that nothing can be chosen from."""
    return [
        Entry(None, entry.draw, entry.height) for entry in (_rule(rule, width, owner(rule["level"])) for rule in rules)
    ]


def _heading(title: str, file: str) -> Entry:
    return Entry(
        None, lambda width, _: [fit([("─ ", "line"), (title, "text-2 strong"), (f"  {file}", "text-3")], width)]
    )


def _rule(rule: Rule, width: int, right: str, *, is_doomed: bool = False) -> Entry:
    """What it matches in full; below it when, why, and why it is not heard."""
    room = max(8, width - _SIGN - 2)
    end: Line = [(f"{SURE} ", "care strong")] if is_doomed else [(f"{right} ", "text-3")] if right else []
    # Nothing of it may be hidden by what stands at the right.
    beside = max(8, room - lines_width(end) - 1)
    patterns = wrap([(inert(text(rule), LONGEST), "text-3" if rule.get("unheard") else "strong")], beside)
    below = [
        (f"when {rule['when']}" if rule.get("when") else "", "text-2"),
        (rule.get("reason") or "", "text-2"),
        (f"Not heard: {rule['unheard']}" if rule.get("unheard") else "", "care"),
    ]
    rest = [line for told, style in below if told for line in wrap([(inert(told, LONGEST), style)], room)]
    word, style = SAYS.get(rule["decision"], (inert(rule["decision"], 8), ""))

    def draw(cells: int, is_selected: bool) -> list[Line]:
        edge: Line = [("▌" if is_selected else " ", "focus strong")]
        first: Line = [*edge, *pad([(word, style)], _SIGN), *patterns[0]]
        blank: Line = [*edge, (" " * _SIGN, "")]
        return [ends(first, end, cells), *([*blank, *line] for line in (*patterns[1:], *rest))]

    return Entry(key(rule), draw, len(patterns) + len(rest))
