"""What would be decided about a command that nobody runs, part by part, and who says so. Pure."""

from assent.protocol.trial import Step, Trial
from assent.tui.drawing.text import Line, inert, wrap
from assent.views import line as one
from assent.words import signs

SAYS = {
    "allow": ("✓ It would run", "ok"),
    "ask": ("? A person would be asked", "care"),
    "deny": ("■ It would be denied", "danger"),
    "no_opinion": ("– Nobody would say anything", "text-2"),
}
LONGEST = 400
DEEPEST = 8
_LABEL = 8


def lines(trial: Trial, width: int) -> list[Line]:
    word, style = SAYS.get(trial.decision, (one.inert(trial.decision, 20), ""))
    level = trial.risk or "care"
    made = _labelled("Command", [(inert(trial.command), "strong")], width)
    made += wrap([(f" {word}  ", f"{style} strong"), *_risk(level)], width)
    for label, text in (("Why", trial.reason), ("Safer", trial.safer), ("Then", trial.told)):
        if text:
            made += _labelled(label, [(one.inert(text, LONGEST), "")], width)
    if trial.steps:
        made += [[], [(" Part by part", "text-2 strong")], *_steps(trial.steps, 0, width)]
    made += [[], [(" Who said what", "text-2 strong")]]
    for spoken in trial.trace:
        why = f": {one.inert(spoken.why, LONGEST)}" if spoken.why else ""
        told: Line = [(one.inert(spoken.by, 60), "strong"), (f" {spoken.says.replace('_', ' ')}{why}", "text-2")]
        made += _indented(told, 3, width)
    return made


def _risk(level: str) -> Line:
    return [(f"{signs.risk_sign(level)} {signs.risk_word(level)}", level if level in signs.RISKS else "care")]


def _labelled(label: str, line: Line, width: int) -> list[Line]:
    first, *rest = wrap(line, width - _LABEL - 2)
    blank = (" " * (_LABEL + 1), "")
    return [[(f" {label:{_LABEL}}", "text-2"), *first], *([blank, *more] for more in rest)]


def _steps(steps: tuple[Step, ...], depth: int, width: int) -> list[Line]:
    made: list[Line] = []
    indent = 3 + 2 * min(depth, DEEPEST)
    for step in steps:
        made += _indented([*_risk(step.risk), ("  ", ""), (one.inert(step.command, LONGEST), "strong")], indent, width)
        for effect in step.effects:
            target = f" {one.inert(effect.target, 80)}" if effect.target else ""
            made += _indented([(one.inert(effect.why, LONGEST), "text-2"), (target, "")], indent + 2, width)
        made += _steps(step.starts, depth + 1, width)
    return made


def _indented(line: Line, by: int, width: int) -> list[Line]:
    return [[(" " * by, ""), *part] for part in wrap(line, width - by - 1)]
