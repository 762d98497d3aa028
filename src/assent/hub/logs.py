"""The hub's own log: small, rotating, one line an entry."""

import logging
import logging.handlers
import os
import stat
import traceback
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType

from assent.redact import Redactor

SIZE = 5 << 20
FILES = 5
# Per minute, so that one repeated message cannot crowd out the others.
MOST_OF_A_KIND = 20
MOST_KINDS = 1_000


Raised = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class _OneLine(logging.Formatter):
    """A line stays a line, whatever is logged: newlines are folded, secrets marked, errors told by name and place."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        return self._redactor.text(super().format(record)).replace("\r", "\\r").replace("\n", "\\n")

    def formatException(self, ei: Raised) -> str:  # noqa: N802 - the name is logging's
        """Never the error's own words: they may quote what an agent sent."""
        places = [f"{at.filename}:{at.lineno} {at.name}" for at in traceback.extract_tb(ei[2])]
        return "\n".join([ei[0].__qualname__ if ei[0] else "no error", *places])


class PlainFile(logging.handlers.RotatingFileHandler):
    """Writes into a file of ours. A link or a pipe in its place is moved aside: it could lead into any other file."""

    def _open(self) -> TextIOWrapper:
        try:
            if not stat.S_ISREG(os.lstat(self.baseFilename).st_mode):
                Path(self.baseFilename).replace(f"{self.baseFilename}.odd")
        except FileNotFoundError:
            pass
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        handle = os.open(self.baseFilename, flags, 0o600)
        os.fchmod(handle, 0o600)
        return os.fdopen(handle, "a", encoding="utf-8")


class Seldom(logging.Filter):
    """Lets a few lines of the same kind pass in a minute, and says afterwards how many did not."""

    def __init__(self) -> None:
        super().__init__()
        # By kind: the minute, how many passed in it, and how many did not since the last that did.
        self._kinds: dict[str, tuple[int, int, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        minute = int(record.created // 60)
        when, passed, held = self._kinds.get(kind := str(record.msg), (minute, 0, 0))
        passed = passed if when == minute else 0
        if passed >= MOST_OF_A_KIND:
            self._kinds[kind] = (minute, passed, held + 1)
            return False
        if len(self._kinds) >= MOST_KINDS:
            self._kinds.clear()
        self._kinds[kind] = (minute, passed + 1, 0)
        if held:
            record.msg, record.args = f"{record.getMessage()} ({held} more of this kind were left out)", ()
        return True


def start(path: Path, redactor: Redactor) -> None:
    handler = PlainFile(path, maxBytes=SIZE, backupCount=FILES - 1, encoding="utf-8")
    handler.addFilter(Seldom())
    handler.setFormatter(_OneLine(redactor))
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    # Their news is ours to tell, and a request line may carry more than a log should hold.
    for noisy in ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
