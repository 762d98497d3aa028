"""Text that is a secret by its form: keys of well-known services, and private keys."""

import re

from assent.redact.vendors import LONG_RUN, PREFIXED, Hints

_PRIVATE_KEY = re.compile(r"-----BEGIN[A-Z0-9 ]{0,30} PRIVATE KEY(?: BLOCK)?-----\s*(?:\\n)?[A-Za-z0-9+/=\s\\]{40}")
# What documentation and tests write where a key would stand.
_PLACEHOLDER = re.compile(
    r"example|placeholder|dummy|fake|sample|your[-_]|x{4}|\.{3}|0{6}|1234|abcd|test_|redacted", re.IGNORECASE
)
_FEWEST_CHARACTERS = 8
_TOKENS = Hints(PREFIXED)
LONGEST_LOOK = 1 << 18


def kind_of_secret(text: str) -> str | None:
    """What kind of secret stands in the text, the first that is found; None if none does."""
    text = text[:LONGEST_LOOK]
    if "PRIVATE KEY" in text and (found := _PRIVATE_KEY.search(text)) and not _is_made_up(found[0]):
        return "private key"
    if not LONG_RUN.search(text):
        return None
    for form in _TOKENS.likely(text.lower()):
        for found in form.pattern.finditer(text):
            if not _is_made_up(found[0]):
                return form.kind
    return None


def _is_made_up(text: str) -> bool:
    return _PLACEHOLDER.search(text) is not None or len(set(text)) < _FEWEST_CHARACTERS
