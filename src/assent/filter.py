"""Filter language for the record, the same on every surface.

Terms are joined by AND, ``-`` negates one, ``key:one,other`` is met by either value, all other words are full text."""

import difflib
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NoReturn, get_args

from msgspec import Struct

from assent import units
from assent.errors import UsageError
from assent.protocol.card import ShownAsk
from assent.protocol.decision import Decision, Risk
from assent.protocol.record import Record, client_of
from assent.record_text import folded, searchable

LONGEST = 2_000
TEXT = "text"
# Later moments cannot be written in every time zone.
LAST_YEAR = 9998

DECISIONS = tuple(str(kind.__struct_config__.tag) for kind in get_args(Decision))
_KEY = re.compile(r"([A-Za-z_]+):")
_OPERATOR = re.compile(r"[<>]=?|=")
_BARE = re.compile(r"[^\s\",\\:<>=-][^\s\",\\:]*")
_DAYS_AGO = {"today": 0, "yesterday": 1}
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": int.__lt__,
    "<=": int.__le__,
    "=": int.__eq__,
    ">=": int.__ge__,
    ">": int.__gt__,
}


class Term(Struct, frozen=True):
    """One condition. Moments are Unix milliseconds written as digits, risks ``>=care``; the rest is as typed."""

    key: str
    values: tuple[str, ...]
    negated: bool = False

    def matches(self, record: Record) -> bool:
        return any(_MEETS[self.key](record, value) for value in self.values) != self.negated

    def __str__(self) -> str:
        sign = "-" if self.negated else ""
        if self.key == TEXT:
            return f"{sign}{_written(self.values[0])}"
        if self.key in ("since", "until"):
            return f"{sign}{self.key}:{_moment_written(int(self.values[0]))}"
        values = self.values if self.key == "risk" else tuple(map(_written, self.values))
        return f"{sign}{self.key}:{','.join(values)}"


class Filter(Struct, frozen=True):
    """What a record must be like. Without a term every record is."""

    terms: tuple[Term, ...] = ()

    def matches(self, record: Record) -> bool:
        return all(term.matches(record) for term in self.terms)

    def __str__(self) -> str:
        """Written so that parsing it gives an equal filter."""
        return " ".join(map(str, self.terms))


def parse(text: str, *, now: float) -> Filter:
    """The filter these words mean at this time (seconds since 1970). Raises UsageError and nothing else."""
    return Filter(terms(text, KEYS, lambda word, name, values: _checked(word, name, values, now)))


def terms(text: str, keys: Sequence[str], checked: "Checked") -> tuple[Term, ...]:
    """The same language with other keys; ``checked`` says what their values mean. Raises UsageError."""
    if len(text) > LONGEST:
        raise UsageError(f"A filter has at most {LONGEST} characters.")
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise UsageError("The filter is not readable text.")
    return tuple(_term(word, keys, checked) for word in _words(text))


def project_of(record: Record) -> str | None:
    """The folder a record is about."""
    body = record.body
    return client_of(body).project or text_at(body, "payload", "cwd")


def tool_of(record: Record) -> str | None:
    return text_at(record.body, "tool") or text_at(record.body, "payload", "tool_name")


def rules_of(record: Record) -> list[str]:
    """The rule that decided, and those that spoke on the way."""
    trace = record.body.get("trace")
    lines = trace if isinstance(trace, list) else []
    speakers = (record.by, *(text_at(line, "by") for line in lines))
    return [speaker for speaker in speakers if speaker is not None and speaker.startswith("rule:")]


def text_at(body: Any, *path: str) -> str | None:
    for name in path:
        body = body.get(name) if isinstance(body, dict) else None
    return body if isinstance(body, str) else None


# --- what each key means


def _same(field: str | None, value: str) -> bool:
    """Upper and lower case are the same, in ASCII alone: what a database can do, too."""
    return field is not None and (field == value or (field.isascii() and field.lower() == value.lower()))


def _begins(field: str | None, value: str) -> bool:
    return field is not None and field.startswith(value)


def _is_or_below(field: str | None, value: str, *, marks: str) -> bool:
    return field is not None and (field == value or (field.startswith(value) and field[len(value)] in marks))


def _in_project(record: Record, value: str) -> bool:
    folder, value = (project_of(record) or "").rstrip("/"), value.rstrip("/")
    return bool(folder) and (folder.rpartition("/")[2] == value or _is_or_below(folder, value, marks="/"))


def risks(values: tuple[str, ...]) -> set[Risk]:
    """The risks that ``>=care`` and the like stand for."""
    met = set()
    for value in values:
        operator = _OPERATOR.match(value)
        wanted = Risk.parse(value[operator.end() if operator else 0 :])
        met |= {risk for risk in Risk if _COMPARE[operator[0] if operator else "="](risk, wanted)}
    return met


def _of_risk(record: Record, value: str) -> bool:
    return record.risk is not None and record.risk.lower() in {risk.word for risk in risks((value,))}


def _by_rule(record: Record, value: str) -> bool:
    return any(_is_or_below(rule, f"rule:{value}", marks="#:") for rule in rules_of(record))


_MEETS: dict[str, Callable[[Record, str], bool]] = {
    "session": lambda record, value: _begins(record.session, value),
    "project": _in_project,
    "agent": lambda record, value: _begins(record.agent, value),
    "harness": lambda record, value: _same(text_at(record.body, "harness"), value),
    "event": lambda record, value: _same(text_at(record.body, "event"), value),
    "tool": lambda record, value: _same(tool_of(record), value),
    "risk": _of_risk,
    "decision": lambda record, value: _same(record.decision, value),
    "by": lambda record, value: _is_or_below(record.by, value, marks=":#"),
    "rule": _by_rule,
    "ask": lambda record, value: _same(record.ask, value),
    "call": lambda record, value: _begins(record.call, value),
    "since": lambda record, value: record.at >= int(value),
    "until": lambda record, value: record.at < int(value),
    TEXT: lambda record, value: folded(value) in searchable(record),
}
KEYS = tuple(key for key in _MEETS if key != TEXT)


# --- reading


class Word(Struct):
    """A run of characters without space; a quoted character is never a mark."""

    whole: str
    start: int
    end: int
    characters: list[tuple[str, bool]]

    @property
    def marks(self) -> str:
        """As typed, with quoted characters blanked out."""
        return "".join("\0" if quoted else character for character, quoted in self.characters)

    def text(self, start: int = 0, end: int | None = None) -> str:
        return "".join(character for character, _ in self.characters[start:end])

    def refuse(self, message: str, hint: str | None = None) -> NoReturn:
        """Show the filter on one line, and where it is wrong."""
        shown = "".join(character if character.isprintable() else " " for character in self.whole)
        caret = " " * self.start + "^" * max(1, self.end - self.start)
        raise UsageError(f"{message}\n  {shown}\n  {caret}", hint=hint)


# Given a word, its key and its values: these as they are kept. Refuses the word where they mean nothing.
Checked = Callable[[Word, str, tuple[str, ...]], tuple[str, ...]]


def _words(text: str) -> Iterator[Word]:
    word: Word | None = None
    opened: int | None = None
    escaped = False
    for place, character in enumerate(text):
        if opened is None and character.isspace():
            if word:
                yield word
            word = None
            continue
        word = word or Word(text, place, place, [])
        word.end = place + 1
        if opened is not None and not escaped and character == "\\":
            escaped = True
        elif character == '"' and not escaped:
            opened = place if opened is None else None
        else:
            word.characters.append((character, opened is not None))
            escaped = False
    if word and opened is not None:
        word.start, word.end = opened, opened + 1
        word.refuse("This quotation mark is never closed.")
    if word:
        yield word


def _term(word: Word, keys: Sequence[str], checked: "Checked") -> Term:
    negated = word.marks.startswith("-")
    start = int(negated)
    key = _KEY.match(word.marks, start)
    if key is None:
        if not word.text(start).strip():
            word.refuse("There is nothing to look for here.", hint='write - and "" around words only')
        return Term(TEXT, (word.text(start),), negated)
    name = key[1].lower()
    if name not in keys:
        close = difflib.get_close_matches(name, keys, n=1)
        meant = f"did you mean {close[0]}:? " if close else f"there are {' '.join(keys)}. "
        word.refuse(f"There is no key {name}: to filter by.", hint=f'{meant}To look for the text, quote it: "…"')
    values = tuple(_values(word, key.end()))
    if not all(values):
        word.refuse(f"{name}: needs a value.", hint="for example risk:>=care, tool:Bash,Write or since:2h")
    return Term(name, checked(word, name, values), negated)


def _values(word: Word, start: int) -> Iterator[str]:
    marks = word.marks
    while (comma := marks.find(",", start)) >= 0:
        yield word.text(start, comma)
        start = comma + 1
    yield word.text(start)


def _checked(word: Word, name: str, values: tuple[str, ...], now: float) -> tuple[str, ...]:
    if name == "risk":
        return tuple(risk_value(word, value) for value in values)
    if name == "decision":
        return tuple(one_of(word, name, value, DECISIONS) for value in values)
    if name in ("since", "until"):
        if len(values) > 1:
            word.refuse(f"{name}: takes one moment.")
        return (str(_moment(word, values[0], now, is_end=name == "until")),)
    return values


def risk_value(word: Word, value: str) -> str:
    operator = _OPERATOR.match(value)
    level = value[operator.end() if operator else 0 :].lower()
    return f"{operator[0] if operator else ''}{one_of(word, 'risk', level, [risk.word for risk in Risk])}"


def one_of(word: Word, name: str, value: str, names: Sequence[str]) -> str:
    if value.lower() not in names:
        close = difflib.get_close_matches(value.lower(), names, n=1)
        meant = f"did you mean {close[0]}?" if close else f"{name}s are {', '.join(names)}."
        word.refuse(f"{value or 'Nothing'} is no {name}.", hint=meant)
    return value


def _moment(word: Word, value: str, now: float, *, is_end: bool) -> int:
    """In local time. ``until:`` a day is until its end."""
    try:
        if re.fullmatch(r"(?:[0-9]+[a-z]+)+", value, re.ASCII):
            return max(0, round((now - units.duration(value).total_seconds()) * 1000))
        if (day := _day(value, now)) is not None:
            moment = datetime.combine(day + timedelta(days=is_end), time.min)
        else:
            moment = datetime.fromisoformat(value)
        return max(0, round(moment.replace(year=min(moment.year, LAST_YEAR)).timestamp() * 1000))
    except (ValueError, OverflowError, OSError):
        word.refuse(
            f"{value} is no moment.", hint="write 90s, 2h, 7d, today, yesterday, 2026-01-31 or 2026-01-31T14:30"
        )


def _day(value: str, now: float) -> date | None:
    if value in _DAYS_AGO:
        return datetime.fromtimestamp(now).date() - timedelta(days=_DAYS_AGO[value])
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


# --- writing


def _written(value: str) -> str:
    if _BARE.fullmatch(value):
        return value
    inside = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{inside}"'


def _moment_written(at: int) -> str:
    return (datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=at)).isoformat(timespec="milliseconds")


# --- what is no record yet


def of_ask(ask: ShownAsk) -> Record:
    """An ask as a filter sees it: by its session, its tool, its risk and its words."""
    view, subject = ask.view, ask.subject
    texts = {"line": view.verb, "reason": ask.risk.reason, "says": ask.says, "title": subject.title}
    body = {"harness": subject.harness, "project": subject.project or subject.folder, "tool": view.tool}
    return Record(
        hub="",
        seq=0,
        at=ask.opened_at,
        kind="ask",
        session=subject.session or None,
        agent=subject.agent or None,
        call=ask.call or None,
        ask=ask.id,
        risk=ask.risk.level,
        body={**body, **texts, "input": view.raw, "markdown": view.markdown},
        prev="",
        hash="",
    )
