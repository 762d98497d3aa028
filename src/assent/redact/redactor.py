"""Redaction as the hub uses it: with its key, and with the expressions that are configured right now."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from assent.redact import scan, shown
from assent.redact.deciding import texts
from assent.redact.structure import LONGEST_TEXT, MOST_ITEMS, storable


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
        found = [
            (kind, each[start:end]) for each in texts(value) for start, end, kind in scan.secrets(each[:LONGEST_TEXT])
        ]
        # The parts of a tool's name are told apart in a heading.
        parts = [(kind, part) for kind, secret in found for part in dict.fromkeys((secret, *secret.split("__")))]
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
