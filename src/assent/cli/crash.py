"""What a bug leaves behind: where it happened, and nothing of what was being handled."""

import os
import platform
import sys
import time
import traceback
from pathlib import Path

from assent import paths
from assent._version import __version__


def report(error: BaseException, verb: str) -> str:
    """Write the crash file and say in one line where it is. The error's own words are shown but not kept."""
    said = f"{type(error).__name__}: {error}".splitlines()[0]
    try:
        kept = f"where it happened is in {_write(error, verb)}"
    except OSError as trouble:
        kept = f"no crash file could be written ({trouble.strerror})"
    return f"This is a bug in Assent: {said}; {kept}."


def _write(error: BaseException, verb: str) -> Path:
    folder = paths.find().state
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"crash-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}.txt"
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "w", encoding="utf-8") as file:
        file.write(_text(error, verb))
    return path


def _text(error: BaseException, verb: str) -> str:
    lines = [
        f"assent {__version__}, {verb}",
        f"python {platform.python_version()} ({sys.executable}), {platform.platform()}",
    ]
    seen: BaseException | None = error
    while seen is not None:
        lines.append(f"\n{type(seen).__qualname__}")
        # Names and places only: an error's text may quote what an agent sent.
        lines += [f"  {at.filename}:{at.lineno} {at.name}" for at in traceback.extract_tb(seen.__traceback__)]
        seen = seen.__cause__ or seen.__context__
    return "\n".join(lines) + "\n"
