"""Rows of the feed for tests."""

from typing import Any

from assent.views.feed import Row


def row(seq: int, **fields: Any) -> Row:
    known = {
        "id": f"r{seq}",
        "rev": seq,
        "seq": seq,
        "at": seq * 1000,
        "kind": "call",
        "session": "one",
        "name": "Bash",
    }
    return Row(**{**known, **fields})
