"""What people may see: everything, but for the secrets in it. Nothing is cut, nothing that could run is hidden, and
marks can be taken back."""

from typing import Any

from assent.redact import inert, named, scan


def shown(value: Any, fingerprint: scan.Fingerprint, extra: tuple[Any, ...] = ()) -> Any:
    """A copy in which every secret is a mark."""
    match value:
        case str():
            return scan.redacted(value, fingerprint, extra, is_decided_on=True)
        case dict():
            return {_key(key, fingerprint, extra): _field(key, item, fingerprint, extra) for key, item in value.items()}
        case list():
            return [shown(item, fingerprint, extra) for item in value]
        case tuple():
            return tuple(shown(item, fingerprint, extra) for item in value)
    return value


def marks(value: Any, fingerprint: scan.Fingerprint, extra: tuple[Any, ...] = ()) -> dict[str, str]:
    """Each mark that would be shown, and what it stands for."""
    found: dict[str, str] = {}

    def noting(secret: bytes) -> str:
        print_ = fingerprint(secret)
        found[print_[: scan.FINGERPRINT]] = secret.decode("utf-8", "surrogatepass")
        return print_

    shown(value, noting, extra)
    return found


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


def _key(key: str, fingerprint: scan.Fingerprint, extra: tuple[Any, ...]) -> str:
    return scan.redacted(key, fingerprint, extra, is_decided_on=True)


def _field(key: str, value: Any, fingerprint: scan.Fingerprint, extra: tuple[Any, ...]) -> Any:
    telling = named.kind_of_field(key)
    if telling is not None and isinstance(value, str) and named.is_field_value(value):
        hidden = "".join(value[start:end] for start, end, _ in inert.parts(value, (0, len(value), "extra")))
        return scan.mark(telling, hidden, fingerprint) + value[len(hidden) :] if hidden else value
    return shown(value, fingerprint, extra)
