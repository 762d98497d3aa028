"""Find the secrets in a text, and put marks in their place."""

import re
from collections.abc import Callable, Mapping, Sequence

from assent.redact import addresses, named
from assent.redact.forms import OTHERS
from assent.redact.vendors import ALONE, LONG_RUN, PREFIXED, Form, Hints

Fingerprint = Callable[[bytes], str]
Span = tuple[int, int, str]

SHORTEST = 8
FINGERPRINT = 8
MARK = re.compile(r"⟨[a-z_]+:([0-9a-f]{8})⟩")
# A secret may begin before a cut and end after it: look this much further.
BEYOND = 4_096


def _by_hint(forms: Sequence[Form], names: Sequence[str] = ()) -> tuple[tuple[str, tuple[Form, ...]], ...]:
    hints = dict.fromkeys([*names, *(hint for form in forms for hint in form.hints)])
    return tuple((hint, tuple(form for form in forms if hint in form.hints)) for hint in hints)


def _by_word(forms: Sequence[Form]) -> dict[str, list[Form]]:
    words: dict[str, list[Form]] = {}
    for form in forms:
        for word in form.words:
            words.setdefault(word, []).append(form)
    return words


# Folders, modes and our own sentences come with every event: texts without a secret are known again. Never one with.
LONGEST_REMEMBERED = 300
MOST_REMEMBERED = 4_096
harmless: dict[str, None] = {}

_TOKENS = Hints((*PREFIXED, *ALONE))
_OTHERS = _by_hint(OTHERS, named.HINTS)
_ALNUM = re.compile(r"[a-z0-9]+")
_BY_WORD = _by_word(OTHERS)
_NAMES = frozenset(named.HINTS)


def redacted(
    text: str,
    fingerprint: Fingerprint,
    extra: Sequence[re.Pattern[str]] = (),
    longest: int | None = None,
    *,
    hidable: Callable[[str, list[Span]], list[Span]] | None = None,
) -> str:
    """The text with a mark for each secret; of a text longer than ``longest`` only the beginning. Where a person
    decides on it, ``hidable`` picks what of the secrets a mark may hide."""
    if len(text) < SHORTEST and not extra:
        return text
    window = text if longest is None or len(text) <= longest else text[: longest + BEYOND]
    spans = _found(window)
    for pattern in extra:
        spans += [(m.start(), m.end(), "extra") for m in pattern.finditer(window) if m.end() > m.start()]
    if not spans:
        return text if window is text else text[:longest]
    merged = _merged(spans)
    if hidable is not None:
        merged = hidable(window, merged)
    return _marked(window, merged, fingerprint, len(window) if longest is None else longest)


def mark(kind: str, secret: str, fingerprint: Fingerprint) -> str:
    """Equal secrets have equal marks."""
    return f"⟨{kind}:{fingerprint(secret.encode('utf-8', 'surrogatepass'))[:FINGERPRINT]}⟩"


def unmarked(text: str, known: Mapping[str, str]) -> str:
    """The text with what each known mark stands for."""
    return MARK.sub(lambda found: known.get(found[1], found[0]), text)


def _found(text: str) -> list[Span]:
    if text in harmless:
        return []
    spans = _searched(text)
    if not spans and len(text) <= LONGEST_REMEMBERED:
        if len(harmless) >= MOST_REMEMBERED:
            harmless.clear()
        harmless[text] = None
    return spans


def secrets(text: str, *, is_strict: bool = False) -> list[Span]:
    """Where secrets stand, sorted, no two of them overlapping; if strict, without those told only by a sentence."""
    return _merged(_searched(text, is_strict=is_strict))


def _searched(text: str, *, is_strict: bool = False) -> list[Span]:
    """In the order of the tables: where two kinds begin together, the earlier one names the mark."""
    low = text.lower()
    hinted = [found for found in _OTHERS if found[0] in low]
    forms = [form for _, group in hinted for form in group]
    for word in _BY_WORD.keys() & set(_ALNUM.findall(low)):
        forms += _BY_WORD[word]
    if LONG_RUN.search(text):
        forms = [*_TOKENS.likely(low), *forms]
    has_addresses = "://" in low
    if not hinted and not forms and "@" not in text and not has_addresses:
        return []
    spans: list[Span] = []
    for form in forms:
        group = 1 if form.pattern.groups else 0
        spans += [
            (match.start(group), match.end(group), form.kind)
            for match in form.pattern.finditer(text)
            if not (form.may_be_reference and named.is_reference(match[group]))
        ]
    if has_addresses:
        spans.extend(addresses.found(text))
    if "@" in text:
        spans.extend(addresses.loose(text))
    if hinted and not _NAMES.isdisjoint(hint for hint, _ in hinted):
        spans.extend(named.found(text, addresses.spans_of(text) if has_addresses else (), is_strict=is_strict))
    return spans


def _merged(spans: list[Span]) -> list[Span]:
    """Sorted, and no two of them overlapping."""
    merged: list[Span] = []
    for start, end, kind in sorted(spans, key=lambda span: span[0]):
        if merged and start < merged[-1][1]:
            first, until, known = merged[-1]
            merged[-1] = (first, max(until, end), known)
        else:
            merged.append((start, end, kind))
    return merged


def _marked(text: str, spans: list[Span], fingerprint: Fingerprint, longest: int) -> str:
    pieces: list[str] = []
    at = 0
    for start, end, kind in spans:
        if start >= longest:
            break
        pieces += (text[at:start], mark(kind, text[start:end], fingerprint))
        at = end
    pieces.append(text[at:longest])
    return "".join(pieces)
