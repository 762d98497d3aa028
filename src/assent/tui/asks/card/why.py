"""What stands after the thing: why it is at this level, what would be safer, what the agent says, what became of it."""

from assent.protocol.card import ShownAsk
from assent.tui.drawing.text import Line, fit, inert, label, width, wrap
from assent.words.state import Told, is_waiting, said

LABEL = 8
MOST_SAID = 2
# With less room a label stands on a line of its own.
_ROOM_FOR_LABELS = 36


def why(ask: ShownAsk, cells: int) -> list[Line]:
    risk = ask.risk
    made: list[Line] = []
    if risk.reason:
        made += labelled("Why", [(label(risk.reason), "")], cells)
    if safer := _safer(ask):
        made += labelled("Safer", safer, cells)
    if ask.says:
        made += labelled("Agent", _quoted(ask.says), cells, most=MOST_SAID)
    return made


def outcome(ask: ShownAsk, told: Told, cells: int) -> list[Line]:
    """What was answered, and what came of it; nothing while it waits."""
    if is_waiting(ask):
        return []
    made: list[Line] = []
    if ask.answer is not None:
        made += labelled("Answer", [(label(said(ask.answer)), "strong")], cells)
        if ask.answer.message:
            made += labelled("Words", _quoted(ask.answer.message), cells)
        for grant in ask.answer.grants:
            made += labelled("Granted", [(inert(grant, is_command=True), "")], cells)
    if ask.answer is None or told.text != said(ask.answer):
        style = "care strong" if told.name in ("lost", "failed") else "text-2"
        made += labelled("Result", [(f"{told.sign} {label(told.text)}".strip(), style)], cells)
    return made


def match(ask: ShownAsk, cells: int) -> list[Line]:
    """Printed after everything: known only to those who read to the end."""
    risk = ask.risk
    if risk.level != "danger" or not risk.match or not is_waiting(ask):
        return []
    return [[], *wrap([("match word: ", "text-2"), (label(risk.match), "danger strong")], cells)]


def labelled(name: str, text: Line, cells: int, *, most: int | None = None) -> list[Line]:
    """A name at the left, and the text beside it; no more than ``most`` lines of it, and it says so."""
    title = (f"{name:<{LABEL}}", "text-2 strong")
    if cells < _ROOM_FOR_LABELS:
        return [[title], *_first(wrap(text, cells), most, cells)]
    made = _first(wrap(text, cells - LABEL), most, cells - LABEL)
    return [[(" " * LABEL, "") if at else title, *line] for at, line in enumerate(made)]


def _first(lines: list[Line], most: int | None, cells: int) -> list[Line]:
    if most is None or len(lines) <= most:
        return lines
    last = lines[most - 1]
    return [*lines[: most - 1], fit([*last, (" " * (cells - width(last)), ""), ("…", "")], cells)]


def _quoted(text: str) -> Line:
    return [("“", "text-3"), (label(text), "text-2 italic"), ("”", "text-3")]


def _safer(ask: ShownAsk) -> Line:
    risk = ask.risk
    if not risk.instead:
        return [(label(risk.safer), "")] if risk.safer else []
    made: Line = [(inert(risk.instead, is_command=True), "strong")]
    # Where the advice is the command itself, once is enough.
    if risk.safer and not risk.instead.startswith(risk.safer):
        made.append((f"  {label(risk.safer)}", "text-2"))
    if is_waiting(ask) and any(way.choice == "allow_edited" for way in ask.choices):
        made.append(("  (press e to use)", "focus"))
    return made
