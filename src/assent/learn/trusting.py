"""A project's rules, shown to a person who decides whether to trust them."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assent.errors import UsageError
from assent.paths import Paths
from assent.policy import rule_book, rule_file, trusts

State = Literal["trusted", "changed", "gone"]


@dataclass(frozen=True, slots=True)
class Offered:
    """What a file would allow, and the digest of the very bytes that say so."""

    path: Path
    real: str
    digest: str
    # Number and text of each rule that would gain force.
    allows: tuple[tuple[int, str], ...]


def offered(folder: Path) -> Offered:
    """The rules of the project around this folder. Raises UsageError, or ConfigError where they cannot be read."""
    file = rule_file.load_project(found(folder))
    allows = tuple((ignored.rule.number, ignored.rule.in_words()) for ignored in file.ignored)
    return Offered(file.path or folder, file.real, file.digest, allows)


def found(folder: Path) -> Path:
    """Raises UsageError."""
    whole = folder.absolute()
    path = rule_book.find(whole)
    if path is None:
        raise UsageError(
            f"Nothing was changed: there is no .assent/rules.toml in {whole} or in the repository around it.",
            hint="name the project's folder: assent trust PATH.",
        )
    return path


def pinned(paths: Paths) -> dict[str, str]:
    return trusts.read(paths.trust)


def states(paths: Paths) -> dict[str, State]:
    """Every file that was trusted, and whether it still is what it was."""
    return {name: _state(Path(name), digest) for name, digest in sorted(pinned(paths).items())}


def written(files: dict[str, str]) -> bytes:
    return trusts.written(files)


def _state(path: Path, digest: str) -> State:
    try:
        content = path.read_bytes()
    except OSError:
        return "gone"
    return "trusted" if hashlib.sha256(content).hexdigest() == digest else "changed"
