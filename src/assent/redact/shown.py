"""What people may see: everything, but for the secrets in it. Nothing is cut, nothing that could run is hidden, and
marks can be taken back."""

from collections.abc import Iterator
from typing import Any

from assent.redact import addresses, inert, named, running, scan
from assent.redact.scan import Fingerprint, Span

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
        secrets = scan.secrets(line)
        sure = {start for start, _, _ in scan.secrets(line, is_strict=True)}
        hosts = list(addresses.hosts_of(line)) if secrets else []
        self._visible = frozenset(
            line[start:end]
            for start, end, kind in secrets
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


CUT = "…"
SHORTEST_PIECE = 6
LONG = 4_096


class Shown:
    """Copies of values in which every secret that may be hidden is a mark."""

    def __init__(self, fingerprint: Fingerprint, extra: tuple[Any, ...] = (), deciding: Deciding | None = None) -> None:
        """Without ``deciding`` marks stand for all that any card could hide."""
        self._fingerprint = fingerprint
        self._extra = extra
        self._deciding = deciding
        self._hidable = deciding.hidable if deciding else _plain
        self._last = ("", "")

    def of(self, value: Any) -> Any:
        match value:
            case str():
                # A long command stands on a card more than once.
                if value != self._last[0]:
                    marked = scan.redacted(value, self._fingerprint, self._extra, hidable=self._hidable)
                    if len(value) < LONG:
                        return marked
                    self._last = value, marked
                return self._last[1]
            case dict():
                return {self.of(key): self._field(key, item) for key, item in value.items()}
            case list():
                return [self.of(item) for item in value]
            case tuple():
                return tuple(self.of(item) for item in value)
        return value

    def _field(self, key: str, value: Any) -> Any:
        kind = named.kind_of_field(key)
        if kind is None or not isinstance(value, str) or not named.is_field_value(value):
            return self.of(value)
        if self._deciding is not None and self._deciding.is_used(key):
            return self.of(value)
        hidden = "".join(value[start:end] for start, end, _ in inert.parts(value, (0, len(value), kind)))
        return scan.mark(kind, hidden, self._fingerprint) + value[len(hidden) :] if hidden else self.of(value)


def _plain(text: str, spans: list[Span]) -> list[Span]:
    return [part for span in spans for part in inert.parts(text, span)]


def shown(value: Any, fingerprint: Fingerprint, extra: tuple[Any, ...] = (), line: str | None = None) -> Any:
    """A copy in which every secret is a mark, but for what the line, or the value if it is one, could run."""
    return Shown(fingerprint, extra, Deciding(value, line)).of(value)


def marks(value: Any, fingerprint: Fingerprint, extra: tuple[Any, ...] = ()) -> dict[str, str]:
    """Each mark that could be shown, and what it stands for."""
    secrets: dict[str, str] = {}

    def noting(secret: bytes) -> str:
        print_ = fingerprint(secret)
        secrets[print_[: scan.FINGERPRINT]] = secret.decode("utf-8", "surrogatepass")
        return print_

    Shown(noting, extra).of(value)
    return secrets


def without_pieces(text: str, secrets: list[tuple[str, str]], fingerprint: Fingerprint) -> str:
    """A text that was cut at an ellipsis, with a mark for what is left there of secrets, each given with its kind."""
    for kind, secret in secrets:
        mark = scan.mark(kind, secret, fingerprint)
        text = text.replace(secret, mark)
        for many in range(len(secret) - 1, SHORTEST_PIECE - 1, -1):
            text = text.replace(f"{CUT}{secret[-many:]}", f"{CUT}{mark}").replace(
                f"{secret[:many]}{CUT}", f"{mark}{CUT}"
            )
    return text


def restored(value: Any, secrets: dict[str, str]) -> Any:
    """A copy in which each known mark is what it stands for again."""
    match value:
        case str():
            return scan.unmarked(value, secrets)
        case dict():
            return {scan.unmarked(key, secrets): restored(item, secrets) for key, item in value.items()}
        case list() | tuple():
            return [restored(item, secrets) for item in value]
    return value


def has_marks(value: Any) -> bool:
    match value:
        case str():
            return scan.MARK.search(value) is not None
        case dict():
            return any(has_marks(key) or has_marks(item) for key, item in value.items())
        case list() | tuple():
            return any(map(has_marks, value))
    return False
