"""The tokens by which the index knows a record, and what a filter asks of them. The two sides must agree.

A record has a token for each three characters that follow each other in its text, and for each key a filter knows."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from assent.filter import TEXT, Filter, Term, project_of, risks, rules_of, text_at, tool_of
from assent.protocol.record import Record
from assent.record_text import folded, searchable

# Stands between tokens, so it stands in none.
SEPARATOR = "\x1f"
# What else is no letter or digit may stand in a token.
TOKEN_CHARACTERS = "".join(chr(code) for code in range(1, 128) if not chr(code).isalnum() and chr(code) != SEPARATOR)

# Begins the tokens of keys: no three characters of a text are mistaken for one, for those are longer or shorter.
_KEY = "\x02"
_EVERY = f"{_KEY}a"
_LONGEST = 100
_SHORT = 500
_MOST_THREES = 16
_MOST_VALUES = 50
_MOST_NEGATED = 16
_NO_RISK = "\0"
# How many characters of an id narrow anything down, and from how many on that costs little.
_FEWEST, _ENOUGH = 3, 6

# Both sides by the filter's key. What a record has of it:
_HAS: dict[str, Callable[[Record], str | tuple[str, ...] | None]] = {
    "session": attrgetter("session"),
    "agent": attrgetter("agent"),
    "call": attrgetter("call"),
    "harness": lambda record: text_at(record.body, "harness"),
    "event": lambda record: text_at(record.body, "event"),
    "tool": tool_of,
    "decision": attrgetter("decision"),
    "ask": attrgetter("ask"),
    "risk": attrgetter("risk"),
    "by": attrgetter("by"),
    "rule": lambda record: tuple(rules_of(record)),
    "project": project_of,
}
_LETTER = {key: chr(ord("b") + place) for place, key in enumerate(_HAS)}
_BEGINS = frozenset({"session", "agent", "call"})


def tokens(record: Record) -> str:
    """All of a record's tokens, as the index takes them."""
    keys = [_tokens_of(key, has) for key, values_of in _HAS.items() if (has := values_of(record))]
    return SEPARATOR.join((_EVERY, *keys, _threes_of(searchable(record))))


class Query(NamedTuple):
    match: str
    # It begins with few letters, and to put together all that begins so takes long. What is so common is read first.
    is_dear: bool


def query_of(wanted: Filter) -> Query | None:
    """What every wanted record meets; it may let too much through, never too little. None if that is everything."""
    asked = [(term, match) for term in wanted.terms if (match := _asked(term)) is not None]
    cheap = [match for term, match in asked if not term.negated and not _is_dear(term)]
    dear = [match for term, match in asked if not term.negated and _is_dear(term)]
    barred = [match for term, match in asked if term.negated][:_MOST_NEGATED]
    if not cheap and not dear and not barred:
        return None
    # The dear ones only where nothing else narrows it down: the filter itself has the last word.
    whole = " AND ".join(f"({match})" for match in cheap or dear) or _quoted(_EVERY)
    for match in barred:
        whole = f"({whole}) NOT ({match})"
    return Query(whole, is_dear=bool(dear) and not cheap)


def _asked(term: Term) -> str | None:
    """Of a negated term only if it is exact: the opposite of too much would be too little."""
    if term.key == TEXT:
        return None if term.negated else _text(term.values[0])
    if term.key not in _HAS or len(term.values) > _MOST_VALUES:
        return None
    if term.key in _BEGINS:
        return _beginnings(term)
    values = [each for value in term.values for each in _MEANS[term.key](value)]
    return " OR ".join(_quoted(_token(term.key, value)) for value in values) if all(values) else None


def _beginnings(term: Term) -> str | None:
    is_exact = all(len(value.encode()) <= _LONGEST for value in term.values)
    if min(map(len, term.values)) < _FEWEST or (term.negated and (not is_exact or _is_dear(term))):
        return None
    return " OR ".join(f"{_quoted(_token(term.key, _cut(value)))} *" for value in term.values)


def _is_dear(term: Term) -> bool:
    if term.key == TEXT:
        return len(folded(term.values[0])) < 3
    return term.key in _BEGINS and min(map(len, term.values)) < _ENOUGH


def _uncased_values(value: str) -> Iterator[str]:
    """Upper and lower case are the same in ASCII alone; what is not ASCII may become so in lower case."""
    if value.lower().isascii():
        yield value.lower()
    if not value.isascii():
        yield value


# And what a filter's value asks for. An empty one stands for everything.
_MEANS: dict[str, Callable[[str], Iterable[str]]] = {
    **dict.fromkeys(("harness", "event", "tool", "decision", "ask"), _uncased_values),
    "risk": lambda value: sorted(risk.word for risk in risks((value,))) or [_NO_RISK],
    "by": lambda value: (value,),
    "rule": lambda value: (f"rule:{value}",),
    "project": lambda value: (value.rstrip("/"),),
}


def _text(value: str) -> str | None:
    sought = _unseparated(folded(value))
    if len(sought) < 3:
        # One letter stands in nearly every text. One of another script does not.
        return None if len(sought) == 1 and sought.isascii() else f"{_quoted(sought)} *"
    threes = list(dict.fromkeys(sought[place : place + 3] for place in range(len(sought) - 2)))
    # A few of a long text narrow it down as well as all.
    step = -(-len(threes) // _MOST_THREES)
    return " AND ".join(map(_quoted, threes[::step]))


def _threes_of(text: str) -> str:
    return _short_threes(text) if len(text) <= _SHORT else _threes(text)


def _threes(text: str) -> str:
    # Two more characters at the end, so that every character begins one.
    whole = f"{_unseparated(text)}\n\n"
    return SEPARATOR.join({whole[place : place + 3] for place in range(len(whole) - 2)})


# Kept, for the events of one call say the same; only short ones, so that it stays small.
_short_threes = lru_cache(maxsize=1024)(_threes)


@lru_cache(maxsize=1024)
def _tokens_of(key: str, has: str | tuple[str, ...]) -> str:
    """Kept, for a session's records say the same again and again."""
    all_of_it = (has,) if isinstance(has, str) else has
    return SEPARATOR.join({_token(key, value) for each in all_of_it for value in _IS[key](each)})


def _token(key: str, value: str) -> str:
    raw = value.encode()
    # An index cuts off what is longer than it likes; what stands here instead is still only this value's.
    return f"{_KEY}{_LETTER[key]}{raw.hex() if len(raw) <= _LONGEST else hashlib.sha256(raw).hexdigest() + 'x'}"


def _cut(value: str) -> str:
    """The beginning, in whole characters."""
    return value.encode()[:_LONGEST].decode(errors="ignore")


def _quoted(token: str) -> str:
    inside = token.replace('"', '""')
    return f'"{inside}"'


def _unseparated(text: str) -> str:
    return text.replace(SEPARATOR, " ")


def _uncased(value: str) -> tuple[str, ...]:
    return (value.lower() if value.isascii() else value,)


def _levels(value: str, marks: str = ":#") -> Iterator[str]:
    """``rule:user#4`` and all it is below: ``rule:user``, ``rule``."""
    yield from (value[:place] for place, character in enumerate(value) if place and character in marks)
    yield value


def _folders(path: str) -> Iterator[str]:
    """The folder, those around it, and its name."""
    if folder := path.rstrip("/"):
        yield from _levels(folder, "/")
        yield folder.rpartition("/")[2]


# What that means for the index.
_IS: dict[str, Callable[[str], Iterable[str]]] = {
    **dict.fromkeys(_BEGINS, lambda value: (_cut(value),)),
    **dict.fromkeys(("harness", "event", "tool", "decision", "ask"), _uncased),
    "risk": lambda value: (value.lower(),),
    "by": _levels,
    "rule": _levels,
    "project": _folders,
}
