"""What of an event is written down.

Contents are not: what tools returned, what was written into files and what people typed into forms are kept as a size
and a keyed fingerprint. Commands, prompts and paths are kept, cut at a length no reader misses.
"""

import itertools
from collections.abc import Callable
from typing import Any

import msgspec

Fingerprint = Callable[[bytes], str]

LONGEST_TEXT = 4_000
MOST_ITEMS = 200
DEEPEST = 12

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


def storable(payload: dict[str, Any], fingerprint: Fingerprint) -> dict[str, Any]:
    """A copy of the payload that may be written down."""
    kept = _kept(payload, fingerprint, 0)
    assert isinstance(kept, dict)
    return kept


def _kept(value: Any, fingerprint: Fingerprint, depth: int) -> Any:
    # By exact type and without pattern matching: this runs for every field of every event.
    kind = type(value)
    if kind is str:
        return value if len(value) <= LONGEST_TEXT else f"{value[:LONGEST_TEXT]}⟨{len(value) - LONGEST_TEXT} more⟩"
    if kind is not dict and kind is not list:
        return value
    if depth >= DEEPEST:
        return {"withheld": "nested too deeply"}
    if kind is list:
        items = [_kept(item, fingerprint, depth + 1) for item in value[:MOST_ITEMS]]
        return items if len(value) <= MOST_ITEMS else [*items, f"⟨{len(value) - MOST_ITEMS} more⟩"]
    return {
        key[:LONGEST_TEXT]: _withheld(item, fingerprint) if key in CONTENT else _kept(item, fingerprint, depth + 1)
        for key, item in itertools.islice(value.items(), MOST_ITEMS)
    }


def _withheld(value: Any, fingerprint: Fingerprint) -> Any:
    if value is None or isinstance(value, bool):
        return value
    text = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else msgspec.json.encode(value)
    return {"size": len(text), "fingerprint": fingerprint(text)}
