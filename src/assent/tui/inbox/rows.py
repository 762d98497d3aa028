"""The left side of the inbox, drawn: what needs you in the order it came, who works, what is over. Pure."""

from collections.abc import Mapping, Sequence

from assent.protocol.card import ShownAsk
from assent.protocol.session import Session
from assent.text import times, who, wording
from assent.text.ask_state import Told, answerer, machine
from assent.text.safe import plain_line
from assent.tui.drawing.listing import Entry
from assent.tui.drawing.text import Line, ends, fit, label, middle
from assent.views.feed import Row

MOST = 5
WINDOW = 10_000


def bursting(asks: Sequence[ShownAsk]) -> dict[str, list[ShownAsk]]:
    """Of asks in the order they came, by session those that are more than five of it within ten seconds."""
    sessions: dict[str, list[ShownAsk]] = {}
    for ask in asks:
        sessions.setdefault(ask.subject.session, []).append(ask)
    by_session: dict[str, list[ShownAsk]] = {}
    for session, of in sessions.items():
        dense: dict[str, ShownAsk] = {}
        for at in range(MOST, len(of)):
            if of[at].opened_at - of[at - MOST].opened_at <= WINDOW:
                dense |= {ask.id: ask for ask in of[at - MOST : at + 1]}
        if dense:
            by_session[session] = [*dense.values()]
    return by_session


def words(asks: Sequence[ShownAsk]) -> str:
    seconds = max(1, round((asks[-1].opened_at - asks[0].opened_at) / 1000))
    return f"Paused: {len(asks)} asks in {seconds} s. Review or stop the session?"


BURST = "burst:"
SESSION = "session:"
LONGEST = 200


def waiting(ask: ShownAsk, state: Told, refusal: str, now: float) -> Entry:
    """What, the thing itself, and who; the last tells how it stands as soon as there is something to tell."""
    level = ask.risk.level
    strong = "strong" if state.is_open else "text-3"
    age = times.age(now - ask.opened_at) if state.is_open else ""

    def draw(width: int, is_selected: bool) -> list[Line]:
        edge = ("▌" if is_selected else " ", "focus strong")
        first: Line = [edge, (wording.sign(ask), f"{level} strong" if state.is_open else "text-3"), (" ", "")]
        first.append((plain_line(ask.view.verb, LONGEST), strong))
        told_now = refusal or ("" if state.name == "open" else f"{state.sign} {state.text}".strip())
        second: Line = [edge, ("  ", "")]
        if told_now:
            second.append((told_now, "care strong" if refusal else _style(state.name)))
        else:
            second += identity(ask, short=True)
        made = [ends(first, [(age, "text-2")] if age else [], width), ends(second, [], width)]
        if ask.view.line:
            thing = label(ask.view.line)
            # Of a command the end matters as much as the beginning; of prose it does not.
            shown = middle(thing, width - 4) if ask.kind == "permission" else thing
            made.insert(1, fit([edge, ("  ", ""), (shown, "text-3")], width - 1))
        return made

    return Entry(ask.id, draw, 3 if ask.view.line else 2)


def identity(ask: ShownAsk, *, short: bool = False) -> Line:
    subject = ask.subject
    name = who.project(subject)
    line: Line = [(f"[{who.letters(name)}]", f"hue-{who.hue(name)} strong"), (f" {name}", "text-2")]
    if short and (place := machine(ask)):
        line.append((f" · {place}", "text-2"))
    if subject.title:
        line.append((f" · {plain_line(subject.title, 60)}", "text-2"))
    if subject.agent or who.other_client(subject.harness) or not short:
        line.append((f"{' ' if short else ' · '}{who.which_agent(subject)}", "text-2"))
    return line


def burst(session: str, asks: Sequence[ShownAsk]) -> Entry:
    name = who.project(asks[0].subject)

    def draw(width: int, is_selected: bool) -> list[Line]:
        edge = ("▌" if is_selected else " ", "focus strong")
        first: Line = [edge, ("▲ ", "care strong"), (words(asks), "strong")]
        second: Line = [
            edge,
            ("  ", ""),
            (f"[{who.letters(name)}]", f"hue-{who.hue(name)} strong"),
            (f" {name}", "text-2"),
        ]
        return [ends(first, [], width), ends(second, [], width)]

    return Entry(f"{BURST}{session}", draw, 2)


def of_session(session: Session, doing: Row | None, now: float) -> Entry:
    name, state = who.project_of(session), wording.SESSIONS[session.state]
    text = f"{doing.title} {doing.what}".strip() if doing else plain_line(session.title, 60)
    since = doing.at if doing else session.last

    def draw(width: int, is_selected: bool) -> list[Line]:
        edge = ("▌" if is_selected else " ", "focus strong")
        line: Line = [
            edge,
            (f"{state.sign} ", state.role),
            (f"[{who.letters(name)}]", f"hue-{who.hue(name)} strong"),
            (f" {name}  ", ""),
        ]
        line.append((plain_line(text, LONGEST), "text-2"))
        return [ends(line, [(times.age(now - since), "text-3")], width)]

    return Entry(f"{SESSION}{session.id}", draw)


def _style(name: str) -> str:
    role = wording.STATES[name].role or "text-2"
    return f"{role} struck" if name == "expired" else role


def over(ask: ShownAsk, state: Told) -> Entry:
    """``✓ [WB] Edit auth.py      terminal``"""
    name = who.project(ask.subject)
    by = answerer(ask.answer) if ask.answer else ""
    how = wording.CLOSED.get(state.name, by or ("terminal" if ask.result and ask.result.ending == "terminal" else ""))

    def draw(width: int, is_selected: bool) -> list[Line]:
        edge = ("▌" if is_selected else " ", "focus strong")
        line: Line = [edge, (f"{state.sign or '·'} ", _style(state.name))]
        line += [
            (f"[{who.letters(name)}]", f"hue-{who.hue(name)}"),
            (f" {plain_line(ask.view.verb, LONGEST)}", "text-2"),
        ]
        return [ends(line, [(how, "text-3")] if how else [], width)]

    return Entry(ask.id, draw)


def doing_now(rows: Mapping[str, Row], row: Row) -> Row | None:
    """What a session does, after this row changed: its newest call that has not ended."""
    current = rows.get(row.session or "")
    if row.kind == "call" and row.state in ("running", "prompted"):
        return row
    return None if current is not None and current.id == row.id else current
