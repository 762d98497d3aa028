"""Which secrets of a text that a person decides on may be marks: none that the command line could run.

It is worked out on the whole line once, and holds for each text that shows a part of it."""

from collections.abc import Iterator
from typing import Any

from assent.redact import addresses, inert, running, scan
from assent.redact.scan import Span

# Fields of a tool's input that are run.
_RUN = frozenset({"command", "cmd", "commands", "script", "code", "shell", "run", "exec", "args", "argv"})
# With more secrets than this that could run, none is hidden.
_MOST = 100
_DEEPEST = 12


class Deciding:
    def __init__(self, value: Any, line: str | None = None) -> None:
        """``line`` is the command line if there is one, otherwise it is looked for in the value."""
        self._value = value
        self._line = line
        self._is_known = False
        self._runs = False
        self._used: frozenset[str] = frozenset()
        self._visible: frozenset[str] = frozenset()

    def hidable(self, text: str, spans: list[Span]) -> list[Span]:
        """What of the secrets in a text may be hidden."""
        # Most texts have no secret, and need no look at the line.
        if not self._is_known:
            self._look()
        if self._runs:
            return []
        return [part for span in spans if not self._is_visible(text, span) for part in inert.parts(text, span)]

    def is_used(self, name: str) -> bool:
        """Whether a field of this name is read elsewhere."""
        if not self._is_known:
            self._look()
        return self._runs or name in self._used

    def _is_visible(self, text: str, span: Span) -> bool:
        start, end, kind = span
        if inert.is_assigned_to(text, start, self._used):
            return True
        if kind == "extra" and text == self._line and inert.must_be_shown(text, span, self._used):
            return True
        secret = text[start:end]
        return any(shown in secret or secret in shown for shown in self._visible)

    def _look(self) -> None:
        self._is_known = True
        every = list(texts(self._value))
        if self._line is None:
            self._line = self._value if isinstance(self._value, str) else "\n".join(_commands(self._value, 0))
        line = self._line
        self._runs = running.runs_data(line) or (not line and any(map(running.runs_data, every)))
        if self._runs:
            return
        self._used = running.used_names(line).union(*map(running.read_names, every))
        found = scan.secrets(line)
        sure = {start for start, _, _ in scan.secrets(line, is_strict=True)}
        hosts = list(addresses.hosts_of(line)) if found else []
        self._visible = frozenset(
            line[start:end]
            for start, end, kind in found
            if start not in sure
            or any(start < until and begin < end for begin, until in hosts)
            or next(inert.parts(line, (start, end, kind)), None) is None
            or inert.must_be_shown(line, (start, end, kind), self._used)
        )
        self._runs = len(self._visible) > _MOST


def texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Every text of a value."""
    match value:
        case str():
            yield value
        case dict() if depth < _DEEPEST:
            for item in value.values():
                yield from texts(item, depth + 1)
        case list() | tuple() if depth < _DEEPEST:
            for item in value:
                yield from texts(item, depth + 1)


def _commands(value: Any, depth: int) -> Iterator[str]:
    match value:
        case dict() if depth < _DEEPEST:
            for key, item in value.items():
                yield from texts(item, depth + 1) if key in _RUN else _commands(item, depth + 1)
        case list() | tuple() if depth < _DEEPEST:
            for item in value:
                yield from _commands(item, depth + 1)
