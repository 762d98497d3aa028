"""Which words of a line changed: what both have in common in order, within a bound on the work."""

import re
from difflib import SequenceMatcher

# A line as texts, and whether they are in this one only.
Side = list[tuple[str, bool]]

_MOST_WORK = 40_000
_WORDS = re.compile(r"\w+|\s+|(?:(.)\1*)", re.DOTALL)


def changed_words(before: str, after: str) -> tuple[Side, Side] | None:
    """None if they have too little in common for that to help."""
    old = [found[0] for found in _WORDS.finditer(before)]
    new = [found[0] for found in _WORDS.finditer(after)]
    if len(old) * len(new) > _MOST_WORK:
        return None
    match = SequenceMatcher(None, old, new, autojunk=False)
    blocks = match.get_matching_blocks()
    if sum(block.size for block in blocks) * 3 < max(len(old), len(new)):
        return None
    sides: tuple[Side, Side] = ([], [])
    ends = [0, 0]
    for block in blocks:
        for side, words, start, at in ((sides[0], old, block.a, 0), (sides[1], new, block.b, 1)):
            if changed := "".join(words[ends[at] : start]):
                side.append((changed, True))
            if same := "".join(words[start : start + block.size]):
                side.append((same, False))
            ends[at] = start + block.size
    return sides
