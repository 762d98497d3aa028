"""Rules drawn by where they stand: who made them, what they say, whether they are heard. Pure."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from assent.harnesses import names
from assent.protocol.decision import Step, Trial
from assent.text import who, wording
from assent.text.safe import plain_line
from assent.tui.drawing.listing import Entry
from assent.tui.drawing.text import Line, ends, fit, pad, safe_text, wrap
from assent.tui.drawing.text import width as lines_width
from assent.tui.sessions.facts import short

LONGEST_WHY = 400
DEEPEST = 8
_LABEL = 8


def lines(trial: Trial, width: int) -> list[Line]:
    words = wording.TRIALS.get(trial.decision, wording.Word(plain_line(trial.decision, 20)))
    level = trial.risk or "care"
    made = _labelled("Command", [(safe_text(trial.command), "strong")], width)
    made += wrap([(f" {words.text}  ", f"{words.role} strong"), *_risk(level)], width)
    for label, text in (("Why", trial.reason), ("Safer", trial.safer), ("Then", trial.told)):
        if text:
            made += _labelled(label, [(plain_line(text, LONGEST_WHY), "")], width)
    if trial.steps:
        made += [[], [(" Part by part", "text-2 strong")], *_steps(trial.steps, 0, width)]
    made += [[], [(" Who said what", "text-2 strong")]]
    for spoken in trial.trace:
        why = f": {plain_line(spoken.why, LONGEST_WHY)}" if spoken.why else ""
        line: Line = [(who.decider(spoken.by), "strong"), (f" {spoken.says.replace('_', ' ')}{why}", "text-2")]
        made += _indented(line, 3, width)
    return made


def _risk(level: str) -> Line:
    return [(f"{wording.risk_sign(level)} {wording.risk_word(level)}", wording.risk_role(level))]


def _labelled(label: str, line: Line, width: int) -> list[Line]:
    first, *rest = wrap(line, width - _LABEL - 2)
    blank = (" " * (_LABEL + 1), "")
    return [[(f" {label:{_LABEL}}", "text-2"), *first], *([blank, *more] for more in rest)]


def _steps(steps: tuple[Step, ...], depth: int, width: int) -> list[Line]:
    made: list[Line] = []
    indent = 3 + 2 * min(depth, DEEPEST)
    for step in steps:
        made += _indented(
            [*_risk(step.risk), ("  ", ""), (plain_line(step.command, LONGEST_WHY), "strong")], indent, width
        )
        for effect in step.effects:
            target = f" {plain_line(effect.target, 80)}" if effect.target else ""
            made += _indented([(plain_line(effect.why, LONGEST_WHY), "text-2"), (target, "")], indent + 2, width)
        made += _steps(step.starts, depth + 1, width)
    return made


def _indented(line: Line, by: int, width: int) -> list[Line]:
    return [[(" " * by, ""), *part] for part in wrap(line, width - by - 1)]


Rule = Mapping[str, Any]

LEVELS = {
    "user": ("yours", "Yours, everywhere"),
    "project": ("the project's", "The project's, in it, once you trust it"),
    "agent.managed": ("your organisation's", f"{names.AGENT}'s, set by your organisation"),
    "agent.user": (f"{names.AGENT}'s own", f"{names.AGENT}'s own, everywhere; its client obeys them itself"),
    "agent.project": (
        f"{names.AGENT}'s, from the repository",
        f"{names.AGENT}'s, from the repository; its client obeys them itself",
    ),
    "agent.local": (
        f"{names.AGENT}'s, for you in this project",
        f"{names.AGENT}'s, for you in this project; its client obeys them",
    ),
}
RULE = "rule:"
LONGEST = 500
_SIGN = 9
SURE = "Remove it? Enter removes, Esc keeps"


def owner(level: str) -> str:
    return LEVELS[level][0] if level in LEVELS else plain_line(level, 40)


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
    fields = (rule["level"], owner(rule["level"]), rule["file"], rule["decision"], text(rule))
    whole = "\n".join((*fields, rule.get("when", ""), rule.get("reason", ""), rule.get("unheard", ""))).lower()
    return all(word in whole for word in wanted.lower().split())


def grouped(rules: Sequence[Rule], width: int, *, home: str, hits: Mapping[str, str], doomed: str = "") -> list[Entry]:
    """Under a heading for each file. ``doomed``: the rule that Enter would remove."""
    made: list[Entry] = []
    for (level, file), of in groupby(rules, key=lambda rule: (rule["level"], rule["file"])):
        title = LEVELS[level][1] if level in LEVELS else plain_line(level, 40)
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
    patterns = wrap([(plain_line(text(rule), LONGEST), "text-3" if rule.get("unheard") else "strong")], beside)
    below = [
        (f"when {rule['when']}" if rule.get("when") else "", "text-2"),
        (rule.get("reason") or "", "text-2"),
        (f"Not heard: {rule['unheard']}" if rule.get("unheard") else "", "care"),
    ]
    rest = [line for note, style in below if note for line in wrap([(plain_line(note, LONGEST), style)], room)]
    words = wording.RULES.get(rule["decision"], wording.Word(plain_line(rule["decision"], 8)))

    def draw(cells: int, is_selected: bool) -> list[Line]:
        edge: Line = [("▌" if is_selected else " ", "focus strong")]
        first: Line = [*edge, *pad([(words.text, words.role)], _SIGN), *patterns[0]]
        blank: Line = [*edge, (" " * _SIGN, "")]
        return [ends(first, end, cells), *([*blank, *line] for line in (*patterns[1:], *rest))]

    return Entry(key(rule), draw, len(patterns) + len(rest))
