"""What people may see: everything, but for the secrets in it. Nothing is cut, nothing that could run is hidden, and
marks can be taken back."""

from typing import Any

from assent.redact import inert, named, scan
from assent.redact.deciding import Deciding
from assent.redact.scan import Fingerprint, Span

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
    found: dict[str, str] = {}

    def noting(secret: bytes) -> str:
        print_ = fingerprint(secret)
        found[print_[: scan.FINGERPRINT]] = secret.decode("utf-8", "surrogatepass")
        return print_

    Shown(noting, extra).of(value)
    return found


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


def restored(value: Any, known: dict[str, str]) -> Any:
    """A copy in which each known mark is what it stands for again."""
    match value:
        case str():
            return scan.unmarked(value, known)
        case dict():
            return {scan.unmarked(key, known): restored(item, known) for key, item in value.items()}
        case list() | tuple():
            return [restored(item, known) for item in value]
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
