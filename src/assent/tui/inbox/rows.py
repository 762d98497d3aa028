"""The left side of the inbox, drawn: what needs you in the order it came, who works, what is over. Pure."""

from collections.abc import Mapping, Sequence

from assent.protocol.card import ShownAsk
from assent.tui.drawing.listing import Entry
from assent.tui.drawing.text import Line, ends
from assent.tui.inbox import bursts
from assent.views.feed import Row
from assent.views.line import inert
from assent.views.sessions import Session
from assent.words import signs, times, who
from assent.words.state import Told, answerer

BURST = "burst:"
SESSION = "session:"
_SHORT = {"expired": "expired", "handed_back": "left", "withdrawn": "moved on", "lost": "not told"}
_STYLES = {"lost": "danger", "expired": "text-3 struck", "done": "ok", "told": "ok", "failed": "care", "no": "text-2"}
LONGEST = 200


def waiting(ask: ShownAsk, told: Told, refusal: str, now: float) -> Entry:
    """Two lines: what, and who; the second tells how it stands as soon as there is something to tell."""
    level = ask.risk.level
    strong = "strong" if told.is_open else "text-3"
    age = times.stopwatch(now - ask.opened_at) if told.is_open else ""

    def draw(width: int, is_selected: bool) -> list[Line]:
        edge = ("▌" if is_selected else " ", "focus strong")
        first: Line = [edge, (signs.sign(ask), f"{level} strong" if told.is_open else "text-3"), (" ", "")]
        first.append((inert(ask.view.verb, LONGEST), strong))
        told_now = refusal or ("" if told.name == "open" else f"{told.sign} {told.text}".strip())
        second: Line = [edge, ("  ", "")]
        if told_now:
            second.append((told_now, "care strong" if refusal else _STYLES.get(told.name, "text-2")))
        else:
            second += identity(ask, short=True)
        return [ends(first, [(age, "text-2")] if age else [], width), ends(second, [], width)]

    return Entry(ask.id, draw, 2)


def identity(ask: ShownAsk, *, short: bool = False) -> Line:
    subject = ask.subject
    name = who.project(subject)
    line: Line = [(f"[{who.letters(name)}]", f"hue-{who.hue(name)} strong"), (f" {name}", "text-2")]
    if subject.title:
        line.append((f" · {inert(subject.title, 60)}", "text-2"))
    if subject.agent or not short:
        line.append((f"{' ' if short else ' · '}{who.which_agent(subject)}", "text-2"))
    return line


def burst(session: str, asks: Sequence[ShownAsk]) -> Entry:
    name = who.project(asks[0].subject)

    def draw(width: int, is_selected: bool) -> list[Line]:
        edge = ("▌" if is_selected else " ", "focus strong")
        first: Line = [edge, ("▲ ", "care strong"), (bursts.words(asks), "strong")]
        second: Line = [
            edge,
            ("  ", ""),
            (f"[{who.letters(name)}]", f"hue-{who.hue(name)} strong"),
            (f" {name}", "text-2"),
        ]
        return [ends(first, [], width), ends(second, [], width)]

    return Entry(f"{BURST}{session}", draw, 2)


def working(session: Session, doing: Row | None, now: float) -> Entry:
    name = who.project_of(session)
    what = f"{doing.name} {doing.what}".strip() if doing else inert(session.title, 60)
    since = doing.at if doing else session.last

    def draw(width: int, is_selected: bool) -> list[Line]:
        edge = ("▌" if is_selected else " ", "focus strong")
        line: Line = [
            edge,
            ("◐ ", "change"),
            (f"[{who.letters(name)}]", f"hue-{who.hue(name)} strong"),
            (f" {name}  ", ""),
        ]
        line.append((inert(what, LONGEST), "text-2"))
        return [ends(line, [(times.span(now - since), "text-3")], width)]

    return Entry(f"{SESSION}{session.id}", draw)


def over(ask: ShownAsk, told: Told) -> Entry:
    """``✓ [WB] Edit auth.py      terminal``"""
    name = who.project(ask.subject)
    by = answerer(ask.answer) if ask.answer else ""
    how = _SHORT.get(told.name, by or ("terminal" if ask.result and ask.result.ending == "terminal" else ""))

    def draw(width: int, is_selected: bool) -> list[Line]:
        edge = ("▌" if is_selected else " ", "focus strong")
        line: Line = [edge, (f"{told.sign or '·'} ", _STYLES.get(told.name, "text-2"))]
        line += [(f"[{who.letters(name)}]", f"hue-{who.hue(name)}"), (f" {inert(ask.view.verb, LONGEST)}", "text-2")]
        return [ends(line, [(how, "text-3")] if how else [], width)]

    return Entry(ask.id, draw)


def doing_now(rows: Mapping[str, Row], row: Row) -> Row | None:
    """What a session does, after this row changed: its newest call that has not ended."""
    known = rows.get(row.session or "")
    if row.kind == "call" and row.state in ("running", "prompted"):
        return row
    return None if known is not None and known.id == row.id else known
