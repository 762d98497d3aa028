"""The shared words of a filter, for rows of the feed that are on the screen already. Pure."""

from collections.abc import Callable
from functools import partial

from assent import filter as filters
from assent.errors import UsageError
from assent.tui.feed.rows import Wanted
from assent.views.feed import Row
from assent.views.sessions import Session

SessionOf = Callable[[str], Session | None]
_Meets = Callable[[Row, str, Session | None], bool]


def parse(text: str, session_of: SessionOf, now: float) -> Wanted | None:
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


def _begins(found: str | None, value: str) -> bool:
    return found is not None and found.casefold().startswith(value)


def _is_or_below(found: str, value: str, marks: str) -> bool:
    return found == value or (found.startswith(value) and found[len(value)] in marks)


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
    parts = [row.name, row.what, row.note, row.agent_type]
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
