"""The hub's own log: small, rotating, one line an entry."""

import logging
import logging.handlers
from pathlib import Path

SIZE = 5 << 20
FILES = 5


class _OneLine(logging.Formatter):
    """A line stays a line, whatever is logged: tracebacks and newlines are folded."""

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).replace("\r", "\\r").replace("\n", "\\n")


def start(path: Path) -> None:
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=SIZE, backupCount=FILES - 1, encoding="utf-8")
    path.chmod(0o600)
    handler.setFormatter(_OneLine("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    # Their news is ours to tell, and a request line may carry more than a log should hold.
    for noisy in ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
