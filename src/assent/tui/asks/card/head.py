"""How dangerous it is and what it wants; who, and where."""

from pathlib import Path

from assent.protocol.card import ShownAsk, Subject
from assent.tui.drawing.text import Line, fit, label, width, wrap
from assent.words import signs, who
from assent.words.state import flags

_GAP = "  "


def heading(ask: ShownAsk, cells: int) -> Line:
    """``■ DANGER  Delete untracked files``: the word is never cut."""
    level = ask.risk.level
    word = f"{signs.sign(ask)} {signs.label(ask).upper()}"
    is_block = ask.kind == "permission" and level == "danger"
    first: Line = [(f" {word} " if is_block else word, "danger-block" if is_block else f"{_level(level)} strong")]
    return fit([*first, ("  ", ""), (label(ask.view.verb), f"strong{_struck(ask)}")], cells)


def head(ask: ShownAsk, cells: int) -> list[Line]:
    made: list[Line] = []
    if width([*heading(ask, 10_000)]) > cells:
        # Cut in the heading, so here it is whole.
        made += wrap([(label(ask.view.verb), "strong")], cells)
    subject = ask.subject
    made += wrap(identity(subject), cells, "     ")
    if subject.agent and subject.task:
        made += wrap([("its task: ", "text-3"), (label(subject.task), "text-2")], cells, "     ")
    return [*made, *_packed(_place(ask), cells), *_packed(_chips(ask), cells)]


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
    folder = subject.folder if "other_machine" in ask.flags else _short(subject.folder)
    parts = (label(folder), label(subject.branch), f"mode {label(subject.mode)}" if subject.mode else "")
    return [(part, "text-2") for part in parts if part]


def _short(path: str) -> str:
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
    return level if level in signs.RISKS else "care"


def _struck(ask: ShownAsk) -> str:
    return " struck" if ask.state == "closed" and ask.result is not None and ask.result.ending == "expired" else ""
