"""A whole ask as lines, in the order in which it is read: who, why and what would be safer, what it would do, the thing
itself, what led to it, where, what became of it, and the match word last. Pure."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from assent.protocol.card import ShownAsk, Subject
from assent.text import who, wording
from assent.text.ask_state import (
    MOST_STEPS,
    PERSONS,
    Told,
    approval,
    changed,
    context,
    flags,
    is_waiting,
    said,
    steps,
    tally,
)
from assent.tui.asks.ask_view import Thing
from assent.tui.drawing.text import Line, fit, greyed, label, safe_text, width, with_marks, wrap

LABEL = 8
# A label of two words: what people and agents said.
WIDE_LABEL = 12
MOST_SAID = {**dict.fromkeys(PERSONS, 1), "Its task": 1, "Agent says": 3}
_USE = ("  (press e to use)", "focus")
# With less room a label stands on a line of its own.
_ROOM_FOR_LABELS = 36


def why(ask: ShownAsk, cells: int) -> list[Line]:
    risk = ask.risk
    made: list[Line] = []
    if needs := approval(ask):
        made += labelled("Approval", [(label(needs), "care")], cells, size=WIDE_LABEL)
    if risk.reason:
        made += labelled("Why", [(label(risk.reason), "")], cells)
    if safer := _safer(ask):
        made += labelled("Safer", safer, cells)
        if risk.instead and is_waiting(ask) and any(way.choice == "allow_edited" for way in ask.choices):
            if width([*made[-1], _USE]) > cells:
                made.append([(" " * min(LABEL, cells - len(_USE[0])), "")])
            made[-1].append(_USE)
    if ask.round is not None:
        made += wrap([(changed(ask), "strong")], cells)
        if ask.round.wrote:
            made += labelled("You wrote", _quoted(ask.round.wrote), cells, most=3, size=WIDE_LABEL)
    return made


def would(ask: ShownAsk, cells: int) -> list[Line]:
    """What a command would do, the worst first."""
    every = steps(ask)
    if not every:
        return []
    made: list[Line] = [[("Would do", "text-2 strong"), (f"  {tally(every)}", "text-2")]]
    for step in every[:MOST_STEPS]:
        line: Line = [(f" {wording.risk_sign(step.risk)} ", f"{_level(step.risk)} strong"), (label(step.words), "")]
        if step.where:
            line.append((f"  {label(' '.join(step.where))}", "text-2"))
        made += wrap(line, cells, "   ")
    return [*made, [(f"   {len(every) - MOST_STEPS} more", "text-2")]] if len(every) > MOST_STEPS else made


def led_to_it(ask: ShownAsk, cells: int) -> list[Line]:
    made: list[Line] = []
    for name, text in context(ask):
        made += labelled(name, _quoted(text), cells, most=MOST_SAID.get(name, 2), size=WIDE_LABEL)
    return made


def outcome(ask: ShownAsk, state: Told, cells: int) -> list[Line]:
    """What was answered, and what came of it; nothing while it waits."""
    if is_waiting(ask):
        return []
    made: list[Line] = []
    if ask.answer is not None:
        made += labelled("Answer", [(label(said(ask.answer)), "strong")], cells)
        if ask.answer.message:
            made += labelled("Words", _quoted(ask.answer.message), cells)
        for grant in ask.answer.grants:
            made += labelled("Granted", [(safe_text(grant, is_command=True), "")], cells)
    if ask.answer is None or state.text != said(ask.answer):
        style = "care strong" if state.name in ("lost", "failed") else "text-2"
        made += labelled("Result", [(f"{state.sign} {label(state.text)}".strip(), style)], cells)
    return made


def match(ask: ShownAsk, cells: int) -> list[Line]:
    """Printed after everything: known only to those who read to the end."""
    risk = ask.risk
    if risk.level != "danger" or not risk.match or not is_waiting(ask):
        return []
    return [[], *wrap([("match word: ", "text-2"), (label(risk.match), "danger strong")], cells)]


def labelled(name: str, text: Line, cells: int, *, most: int | None = None, size: int = LABEL) -> list[Line]:
    """A name at the left, and the text beside it; no more than ``most`` lines of it, and it says so."""
    title = (f"{name:<{size}}", "text-2 strong")
    if cells < _ROOM_FOR_LABELS:
        return [[title], *_first(wrap(text, cells), most, cells)]
    made = _first(wrap(text, cells - size), most, cells - size)
    return [[(" " * size, "") if at else title, *line] for at, line in enumerate(made)]


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
    made: Line = [(safe_text(risk.instead, is_command=True), "strong")]
    # Where the advice is the command itself, once is enough.
    if risk.safer and not risk.instead.startswith(risk.safer):
        made.append((f"  {label(risk.safer)}", "text-2"))
    return made


def raw(ask: ShownAsk, cells: int) -> list[Line]:
    return json_lines(ask.view.raw, cells)


def json_lines(value: Any, cells: int) -> list[Line]:
    return _lines(json.dumps(value, indent=2, ensure_ascii=False), cells)


@lru_cache(maxsize=1)
def _lines(text: str, cells: int) -> list[Line]:
    """Kept for the next time it is drawn: it can be megabytes."""
    # Few look at it, and start-up counts.
    from assent.tui.drawing.text import coloured

    made: list[Line] = []
    for line in coloured("\n".join(safe_text(line) for line in text.split("\n")), "json"):
        written = "".join(piece for piece, _ in line)
        depth = len(written) - len(written.lstrip(" "))
        made += wrap(with_marks(line), cells, " " * (depth + 2))
    return made


_GAP = "  "


def heading(ask: ShownAsk, cells: int) -> Line:
    """``■ DANGER  Delete untracked files``: the word is never cut."""
    return fit([*_word(ask), ("  ", ""), *_title(ask)], cells)


def _word(ask: ShownAsk) -> Line:
    level = ask.risk.level
    word = f"{wording.sign(ask)} {wording.label(ask).upper()}"
    is_block = ask.kind == "permission" and level == "danger"
    return [(f" {word} " if is_block else word, "danger-block" if is_block else f"{_level(level)} strong")]


def _title(ask: ShownAsk) -> Line:
    """What it wants; of a question who asks, because the question itself stands below."""
    if ask.kind == "question" and ask.view.questions:
        return identity(ask.subject)
    return [(label(ask.view.verb), f"strong{_struck(ask)}")]


def head(ask: ShownAsk, cells: int) -> list[Line]:
    title, who_asks = _title(ask), identity(ask.subject)
    # What is cut in the heading is whole here.
    is_cut = width([*_word(ask), ("  ", ""), *title]) > cells
    is_who = title == who_asks
    made = wrap(title, cells) if is_cut and not is_who else []
    if is_cut or not is_who:
        made += wrap(who_asks, cells, "     ")
    return [*made, *_packed(_chips(ask), cells)]


def identity(subject: Subject) -> Line:
    name = who.project(subject)
    rest = [label(part) for part in (subject.title, who.which_agent(subject)) if part]
    return [
        (f"[{who.letters(name)}]", f"hue-{who.hue(name)} strong"),
        (f" {name}", "strong"),
        ("".join(f" · {part}" for part in rest), "text-2"),
    ]


def _place(ask: ShownAsk) -> Line:
    """``~/src/webshop  main  mode default``"""
    subject = ask.subject
    folder = subject.folder if "other_machine" in ask.flags else short(subject.folder)
    parts = (label(folder), label(subject.branch), f"mode {label(subject.mode)}" if subject.mode else "")
    return [(part, "text-2") for part in parts if part]


def short(path: str) -> str:
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path == home or path.startswith(f"{home}/") else path


def _chips(ask: ShownAsk) -> Line:
    return [
        (f"[{label(words)}]", "danger-block" if words.startswith("bypass") else "care strong") for words in flags(ask)
    ]


def _packed(pieces: Line, cells: int) -> list[Line]:
    """Beside each other while there is room; none is broken that fits on a line of its own."""
    made: list[Line] = []
    for piece in pieces:
        if made and width([*made[-1], piece]) + len(_GAP) <= cells:
            made[-1] += [(_GAP, ""), piece]
        else:
            made += wrap([piece], cells)
    return made


def _level(level: str) -> str:
    return wording.risk_role(level)


def _struck(ask: ShownAsk) -> str:
    return " struck" if ask.state == "closed" and ask.result is not None and ask.result.ending == "expired" else ""


# It was answered elsewhere, or seems to have been.
_GREY = frozenset({"gone", "elsewhere"})
# Below this our own sentences may not fit; they say so.
_NARROW = 40

__all__ = ["heading", "in_view", "lines", "raw"]


def lines(ask: ShownAsk, thing: Thing, width: int, state: Told, queued: str = "") -> list[Line]:
    """``queued``: what waits for the session, in words."""
    drawn = thing.lines(width)
    if width < _NARROW:
        drawn = [fit(line, width) for line in drawn]
    waits = wrap([(queued, "text-2")], width, "  ") if queued else []
    below = [*waits, *led_to_it(ask, width), *_packed(_place(ask), width)]
    after = [*outcome(ask, state, width), *match(ask, width)]
    read = [*_above(ask, width), *drawn, *([_rule(width)] if below or after else []), *below]
    return [*(map(greyed, read) if state.name in _GREY else read), *after]


def _above(ask: ShownAsk, width: int) -> list[Line]:
    """What stands above the thing itself."""
    parts = (head(ask, width), [*why(ask, width), *would(ask, width)])
    return [line for part in parts if part for line in (*part, _rule(width))]


def _rule(width: int) -> Line:
    return [("─" * width, "line")]


def in_view(ask: ShownAsk, thing: Thing, width: int) -> int | None:
    """The line that a key in the thing led to; None where it led nowhere."""
    return None if thing.cursor is None else len(_above(ask, width)) + thing.cursor
