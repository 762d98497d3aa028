"""Tokens of workloads: where a CI job or a container finds the one by which it joins."""

import os
import sys
from pathlib import Path

from assent.errors import UsageError

LARGEST = 1 << 16
ENV = "env:"


def read(source: str) -> str:
    """From "-" (standard input), "env:NAME" or a file. Raises UsageError, which never has the token in its words."""
    try:
        if source == "-":
            token = sys.stdin.read(LARGEST)
        elif source.startswith(ENV):
            token = os.environ.get(source.removeprefix(ENV), "")
        else:
            with Path(source).expanduser().open(encoding="utf-8") as file:
                token = file.read(LARGEST)
    except (OSError, UnicodeDecodeError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise UsageError(f"The token of the workload cannot be read: {why}.") from None
    if not token.strip():
        place = source if source.startswith(ENV) else "what should hold it"
        raise UsageError(f"There is no token of a workload: {place} is empty.")
    return token.strip()


def kept_source(source: str) -> str:
    """Where it can be read again later; "" where it cannot."""
    if source == "-":
        return ""
    return source if source.startswith(ENV) else str(Path(source).expanduser().absolute())


def read_again(source: str) -> str:
    """Raises UsageError."""
    if not source:
        raise UsageError(
            "The relay asks for a newer token of this workload, and there is no place to read one from.",
            hint="`assent leave`, then `assent join URL --workload FILE`.",
        )
    return read(source)
