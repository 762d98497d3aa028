"""One row of the feed as one line: one thing that happened, from its beginning to its end. Pure."""

from collections.abc import Callable
from functools import partial

from assent import filter as filters
from assent.errors import UsageError
from assent.protocol.session import Session
from assent.text import wording
from assent.text.times import clock, duration
from assent.text.who import hue, letters
from assent.text.wording import risk_sign
from assent.tui.drawing.text import Line, fit, pad, width
from assent.tui.feed.rows import Wanted
from assent.views.feed import Row

SessionOf = Callable[[str], Session | None]
_Meets = Callable[[Row, str, Session | None], bool]


def parse_filter(text: str, session_of: SessionOf, now: float) -> Wanted | None:
    """None where nothing is asked for. Raises UsageError, which says what is wrong."""
    wanted = filters.parse(text, now=now)
    for term in wanted.terms:
        if term.key not in KEYS:
            raise UsageError(f"The feed cannot be filtered by {term.key}:.", hint="the log can: press 4.")
    if not wanted.terms:
        return None
    return partial(_matches, [(_tests(term), term.negated) for term in wanted.terms], session_of)


_Test = Callable[[Row, Session | None], bool]


def _matches(tests: list[tuple[list[_Test], bool]], session_of: SessionOf, row: Row) -> bool:
    session = session_of(row.session) if row.session else None
    for either, negated in tests:
        # Not any(): of a hundred thousand rows, each is asked.
        for test in either:
            if test(row, session):
                if negated:
                    return False
                break
        else:
            if not negated:
                return False
    return True


def _tests(term: filters.Term) -> list[_Test]:
    if term.key == "risk":
        words = frozenset(risk.word for risk in filters.risks(term.values))
        return [lambda row, _: row.risk in words]
    if term.key in ("since", "until"):
        moment = int(term.values[0])
        return [(lambda row, _: row.at >= moment) if term.key == "since" else (lambda row, _: row.at < moment)]
    values = term.values if term.key in _EXACT else tuple(value.casefold() for value in term.values)
    meets = _MEETS[term.key]
    return [_bound(meets, value) for value in values]


def _bound(meets: _Meets, value: str) -> _Test:
    return lambda row, session: meets(row, value, session)


def _begins(field: str | None, value: str) -> bool:
    return field is not None and field.casefold().startswith(value)


def _is_or_below(field: str, value: str, marks: str) -> bool:
    return field == value or (field.startswith(value) and field[len(value)] in marks)


def _last(folder: str) -> str:
    return folder.rstrip("/").rpartition("/")[2]


def _of_session(row: Row, value: str, session: Session | None) -> bool:
    """By the beginning of its id, as everywhere, and by what people call it."""
    if _begins(row.session, value):
        return True
    return session is not None and any(
        value in name.casefold() for name in (session.title, _last(session.project or session.cwd))
    )


def _in_project(_: Row, value: str, session: Session | None) -> bool:
    folder, value = (session.project or session.cwd).rstrip("/") if session else "", value.rstrip("/")
    return bool(folder) and (_last(folder) == value or _is_or_below(folder, value, "/"))


def _by(row: Row, value: str, _: Session | None) -> bool:
    by = row.said.by if row.said else ""
    return bool(by) and (_is_or_below(by, value, ":#") or _is_or_below(by.removeprefix("person:"), value, ":#"))


def _has_text(row: Row, value: str, session: Session | None) -> bool:
    parts = [row.name, row.label, row.told, row.what, row.note, row.agent_type]
    if row.said is not None:
        parts.append(row.said.why)
    if session is not None:
        parts += (session.title, _last(session.project))
    return value in "\n".join(parts).casefold()


_MEETS: dict[str, _Meets] = {
    "session": _of_session,
    "project": _in_project,
    "agent": lambda row, value, _: _begins(row.agent, value) or _begins(row.agent_type, value),
    "harness": lambda _, value, session: session is not None and session.harness.casefold() == value,
    "tool": lambda row, value, _: row.kind == "call" and row.name.casefold() == value,
    "decision": lambda row, value, _: row.said is not None and row.said.decision == value,
    "by": _by,
    "rule": lambda row, value, _: row.said is not None and _is_or_below(row.said.by, f"rule:{value}", "#:"),
    "ask": lambda row, value, _: row.ask == value,
    "call": lambda row, value, _: _begins(row.id, value),
    filters.TEXT: _has_text,
}
KEYS = frozenset({*_MEETS, "risk", "since", "until"})
# Paths and names of rules are as they are typed.
_EXACT = frozenset({"project", "by", "rule"})


# As wide as a line must be for its parts in full; narrower ones leave out what can be missed.
FULL = 100
MIDDLE = 60
NARROW = 48
_OF_FULL = 14
_TOOK = 9
_CHIP = 11

_REFUSED = frozenset({"deny", "block", "halt"})


def line(row: Row, cells: int, of: str = "") -> Line:
    """Exactly so many cells wide at most. ``of`` is the name of its project; "" where all rows are of one session."""
    style = f"hue-{hue(of)}" if row.session else "text-3"
    made: Line = [(f"{_time(row, cells)} ", "text-3")]
    if of:
        made += [*_whose(of, cells, style), (" ", "")]
    end = _end(row, cells)
    room = cells - width(made) - width(end)
    return fit([*made, *pad(_main(row, max(0, room - 1)), room), *end], cells)


def _time(row: Row, cells: int) -> str:
    return clock(row.at) if cells >= NARROW else clock(row.at)[:5]


def _whose(of: str, cells: int, style: str) -> Line:
    return pad(fit([(of, style)], _OF_FULL), _OF_FULL) if cells >= FULL else [(f"[{letters(of)}]", style)]


def _end(row: Row, cells: int) -> Line:
    took = "" if row.took_ms is None else duration(row.took_ms)
    word, sign, style = wording.FEED.get(row.state, wording.Word(""))
    if cells >= FULL:
        return [(took.rjust(_TOOK), "text-2"), ("  ", ""), *pad([(f"{sign} {word}", style)], _CHIP)]
    # Of what went well, the sign tells enough.
    chip = sign if row.state == "done" else f"{sign} {word}".strip()
    if cells < MIDDLE or row.state not in ("done", "failed"):
        took = ""
    parts: Line = [(f"{took} ", "text-2"), (chip, style)] if took else [(chip, style)]
    return parts if chip else []


def _main(row: Row, room: int) -> Line:
    """What it was, then what was said about it. Where both do not fit, what was said keeps a third, or its ask."""
    head, tail = _what(row), _said(row)
    if width(head) + width(tail) > room:
        least = max(room // 3, width(tail[:1]) if _is_asked(row) else 0)
        head = fit(head, room - min(width(tail), max(least, room - width(head))))
    return fit([*head, *tail], room)


def _what(row: Row) -> Line:
    made: Line = []
    if row.agent:
        made.append((f"↳ {row.agent_type or row.agent[:8]} ", "text-2"))
    if row.risk in ("care", "danger"):
        made.append((f"{risk_sign(row.risk)} ", row.risk))
    if row.title:
        made.append((f"{row.title} " if row.what else row.title, "strong" if row.kind == "call" else "text-2"))
    if row.what:
        made.append((row.what, "text" if row.session else "text-2"))
    return made


def _said(row: Row) -> Line:
    made: Line = []
    if _is_asked(row):
        made.append((f" · ask {row.ask}", "focus"))
    if row.told:
        is_refused = row.said is not None and row.said.decision in _REFUSED
        made.append((f" · {row.told}", "danger" if is_refused else "text-2"))
    # Of what waits, who wants what has the room; how people were reached is told when it is opened.
    if row.note and not _is_asked(row):
        made.append((f" · {row.note}", "text-3"))
    if row.partial:
        made.append((" · beginning not recorded", "text-3"))
    return made


def _is_asked(row: Row) -> bool:
    """Whether it waits for a person. Which ask it was is told when the row is opened."""
    return bool(row.ask) and row.state == "prompted"
