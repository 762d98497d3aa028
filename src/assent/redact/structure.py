"""Redaction of events before they are recorded.

Contents are not: what tools returned, what was written into files and what people typed into forms are kept as a size
and a keyed fingerprint. Commands, prompts and paths are kept, without the secrets in them and cut at a length no reader
misses.
"""

import itertools
import re
from collections.abc import Callable, Container, Sequence
from typing import Any

import msgspec

from assent.redact import named, scan, shown
from assent.redact.scan import Fingerprint
from assent.redact.shown import texts

LONGEST_TEXT = 4_000
MOST_ITEMS = 200
DEEPEST = 12
SHORT_KEY = 20
MOST_TAME = 1_024
_SCALARS = frozenset({int, float, bool, type(None)})
# Names of fields seen so far that hold no contents and give nothing away, and what stood in plain fields.
_tame: set[str] = set()
_ordinary: set[str] = set()

# Fields that carry contents, wherever they stand in a payload.
CONTENT = frozenset(
    {
        "tool_response",
        "content",
        "old_string",
        "new_string",
        "new_source",
        "compact_summary",
    }
)
# Fields that every event has, filled in by the harness itself: nothing to look for in an ordinary id or a plain word.
PLAIN = frozenset(
    {"session_id", "hook_event_name", "permission_mode", "tool_name", "tool_use_id", "prompt_id", "agent_id"}
)
_ORDINARY = re.compile(
    r"toolu_[A-Za-z0-9]{16,32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z]{1,24}|[a-z0-9]{1,17}"
)


class _Rules:
    """What is the same for every field of one payload."""

    __slots__ = ("extra", "fingerprint")

    def __init__(self, fingerprint: Fingerprint, extra: tuple[re.Pattern[str], ...]) -> None:
        self.fingerprint = fingerprint
        self.extra = extra


def storable(
    payload: dict[str, Any], fingerprint: Fingerprint, extra: tuple[re.Pattern[str], ...] = ()
) -> dict[str, Any]:
    """A copy of the payload that may be written down."""
    kept = _kept(payload, _Rules(fingerprint, extra), 0)
    assert isinstance(kept, dict)
    return kept


def _kept(value: Any, rules: _Rules, depth: int) -> Any:
    # By exact type and without pattern matching: this runs for every field of every event.
    kind = type(value)
    if kind is str:
        text = scan.redacted(value, rules.fingerprint, rules.extra, LONGEST_TEXT)
        return text if len(value) <= LONGEST_TEXT else f"{text}⟨{len(value) - LONGEST_TEXT} more⟩"
    if kind is tuple:
        return tuple(_kept(list(value), rules, depth))
    if kind is not dict and kind is not list:
        return value
    if depth >= DEEPEST:
        return {"withheld": "nested too deeply"}
    if kind is list:
        items = [_kept(item, rules, depth + 1) for item in value[:MOST_ITEMS]]
        return items if len(value) <= MOST_ITEMS else [*items, f"⟨{len(value) - MOST_ITEMS} more⟩"]
    return _mapping(value, rules, depth)


def _mapping(value: dict[str, Any], rules: _Rules, depth: int) -> dict[str, Any]:
    kept = {}
    # What the user's own expressions match is not known to be harmless.
    tame: Container[str] = () if rules.extra else _tame
    harmless = scan.harmless
    for key, item in value.items() if len(value) <= MOST_ITEMS else itertools.islice(value.items(), MOST_ITEMS):
        kind = type(item)
        # Nearly every field: its name gives nothing away, and its text was looked through before.
        is_known = key in tame and (
            (len(item) < scan.SHORTEST or item in harmless) if kind is str else kind in _SCALARS
        )
        if is_known or (depth == 0 and kind is str and item in _ordinary and key in PLAIN):
            kept[key] = item
        elif kind is dict and key in tame and depth + 1 < DEEPEST:
            kept[key] = _mapping(item, rules, depth + 1)
        else:
            kept[_key(key, rules)] = _field(key, item, rules, depth)
    return kept


def _key(key: str, rules: _Rules) -> str:
    """No secret is this short, and nearly every key is."""
    return key if len(key) < SHORT_KEY else scan.redacted(key, rules.fingerprint, rules.extra, LONGEST_TEXT)


def _field(key: str, value: Any, rules: _Rules, depth: int) -> Any:
    if key in CONTENT:
        return _withheld(value, rules.fingerprint)
    if depth == 0 and key in PLAIN and type(value) is str and _ORDINARY.fullmatch(value):
        _remember(value, _ordinary)
        return value
    telling = named.kind_of_field(key)
    if telling is None:
        # A long name may be a text itself, and is as tame as that.
        if len(key) < SHORT_KEY or (key in scan.harmless and not rules.extra):
            _remember(key, _tame)
    elif type(value) is str and named.is_field_value(value):
        return scan.mark(telling, value, rules.fingerprint)
    return _kept(value, rules, depth + 1)


def _remember(text: str, seen: set[str]) -> None:
    if len(seen) >= MOST_TAME:
        seen.clear()
    seen.add(text)


def _withheld(value: Any, fingerprint: Fingerprint) -> Any:
    if value is None or isinstance(value, bool):
        return value
    text = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else msgspec.json.encode(value)
    return {"size": len(text), "fingerprint": fingerprint(text)}


def nothing_extra() -> Sequence[str]:
    return ()


class Redactor:
    """Looks at the configured expressions on use, so that a change needs no restart."""

    def __init__(self, fingerprint: scan.Fingerprint, extra: Callable[[], Sequence[str]] = nothing_extra) -> None:
        self._fingerprint = fingerprint
        self._extra = extra
        self._seen: Sequence[str] = ()
        self._compiled: tuple[re.Pattern[str], ...] = ()

    def text(self, text: str) -> str:
        return scan.redacted(text, self._fingerprint, self._patterns())

    def storable(self, payload: dict[str, Any]) -> dict[str, Any]:
        return storable(payload, self._fingerprint, self._patterns())

    def shown(self, value: Any, line: str | None = None) -> Any:
        """All of it, with marks in place of secrets: for people who decide. ``line`` is the command that is asked
        about, of which the value may show parts."""
        return shown.shown(value, self._fingerprint, self._patterns(), line)

    def without_pieces(self, text: str, value: Any, visible: str = "") -> str:
        """A short text about a value, without the pieces of secrets that a cut left; those in ``visible`` are kept."""
        if shown.CUT not in text:
            return text
        secrets = [
            (kind, each[start:end]) for each in texts(value) for start, end, kind in scan.secrets(each[:LONGEST_TEXT])
        ]
        # The parts of a tool's name are told apart in a heading.
        parts = [(kind, part) for kind, secret in secrets for part in dict.fromkeys((secret, *secret.split("__")))]
        hidden = [(kind, part) for kind, part in parts if len(part) >= scan.SHORTEST and part not in visible]
        return shown.without_pieces(text, hidden[:MOST_ITEMS], self._fingerprint)

    def restored(self, value: Any, original: Any) -> Any:
        """The value with each mark put back that stands for something in the original."""
        return shown.restored(value, shown.marks(original, self._fingerprint, self._patterns()))

    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        wanted = self._extra()
        if wanted is not self._seen:
            self._compiled = tuple(re.compile(expression) for expression in wanted)
            self._seen = wanted
        return self._compiled
