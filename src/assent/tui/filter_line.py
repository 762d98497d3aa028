"""A filter, typed in one line: the grammar that all surfaces share, completed while it is typed. A filter that cannot
be read changes nothing: the one before stays."""

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from assent import filter as grammar
from assent.errors import UsageError
from assent.filter import DECISIONS, KEYS, Filter
from assent.hub_state import Mirror
from assent.protocol.decision import Risk
from assent.protocol.record import Record
from assent.protocol.rule_words import FREQUENT
from assent.protocol.session import Session
from assent.text.safe import plain_line
from assent.text.who import project_of
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.text import Line, sentence

Values = Callable[[str], Iterable[str]]

_MOMENTS = ("1h", "2h", "today", "yesterday", "7d", "30d")
_KNOWN: dict[str, tuple[str, ...]] = {
    "risk": tuple(f"{sign}{risk.word}" for sign in ("", ">=") for risk in Risk),
    "decision": DECISIONS,
    "by": ("rule", "person", "permission", "stance", "floor", "timeout", "terminal"),
    "since": _MOMENTS,
    "until": _MOMENTS,
    "tool": FREQUENT,
}
_LAST_WORD = re.compile(r'(?:^|\s)-?(?:([a-z]+):(?:[^\s",]*,)*([^\s",]*)|([a-z]+))$')
_LONGEST = 200


def nothing(_: str) -> Iterable[str]:
    return ()


def completed(text: str, values: Values = nothing) -> str:
    """The line with its last word completed; "" where there is no completion."""
    match = _LAST_WORD.search(text)
    if match is None:
        return ""
    key, value, word = match.groups()
    if key is None:
        wanted = next((f"{name}:" for name in KEYS if name.startswith(word)), "")
        return f"{text[: match.start(3)]}{wanted}" if wanted else ""
    candidates = (*_KNOWN.get(key, ()), *values(key))
    wanted = next((one for one in candidates if one.startswith(value) and one != value and _is_bare(one)), "")
    return f"{text[: match.start(2)]}{wanted}" if wanted else ""


def _is_bare(value: str) -> bool:
    """Needs no quotation marks, and steers nothing."""
    return bool(value) and value.isprintable() and not re.search(r'[\s",:\\]', value)


def problem(error: UsageError) -> str:
    """What is wrong with it, in words; the place is where one types."""
    return sentence(error)


@dataclass(slots=True)
class FilterLine:
    """What is in force is the last text that could be read."""

    text: str = ""
    values: Values = nothing
    _filter: Filter = field(default_factory=Filter)

    def __post_init__(self) -> None:
        self.take(self.text)

    @property
    def is_empty(self) -> bool:
        return not self.text

    def take(self, text: str) -> str | None:
        """None if it is in force now, otherwise why not."""
        try:
            self._filter = grammar.parse(text.strip(), now=time.time())
        except UsageError as error:
            return problem(error)
        self.text = text.strip()
        return None

    def matches(self, record: Record) -> bool:
        return self._filter.matches(record)

    def typing(self, changed: Callable[[], None]) -> Typing:
        """The line to type; ``changed`` is called when another filter is in force."""

        def take(text: str) -> str | None:
            before = self.text
            trouble = self.take(text)
            if trouble is None and self.text != before:
                changed()
            return trouble

        return Typing("filter:", take, self.text, complete=lambda text: completed(text, self.values))

    def shown(self) -> Line:
        """What is in force, for the head of a list."""
        return [("/ ", "focus strong"), (plain_line(self.text, _LONGEST), "focus")] if self.text else []


def of_sessions(mirror: Mirror) -> Values:
    """How the sessions that are known complete ``session:`` and ``project:``."""

    def values(key: str) -> Iterable[str]:
        sessions = mirror.sessions.values()
        if key == "session":
            return (session.id[:8] for session in sessions)
        return dict.fromkeys(project_of(session) for session in sessions) if key == "project" else ()

    return values


def of_session(session: Session) -> Record:
    """A session as a filter sees it: by its id, its project, its agent and its words."""
    texts = {"title": session.title, "model": session.model, "mode": session.mode, "state": session.state}
    body = {"harness": session.harness, "project": session.project or session.cwd, "folder": session.cwd}
    return Record(
        hub="", seq=0, at=session.last, kind="event", session=session.id, body={**body, **texts}, prev="", hash=""
    )
