"""Plant secrets in everything an agent may send, each one of its own, and look for them afterwards."""

import copy
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assent.redact.structure import CONTENT, PLAIN

# Forms a person would write; each with the same thirty characters that are looked for, and a number.
_FORMS = (
    "deploy with ghp_{} now",
    "curl -H 'Authorization: Bearer {}' https://api.example.com",
    "psql postgresql://app:{}@db.example.com/app",
    "export API_KEY={}",
    "password: {}",
    "git clone https://bot:{}@git.example.com/x.git",
)
# The harness's own words, read by programs and never by people.
_FIXED = PLAIN | {"hook_event_name", "tool_input.subagent_type"}

_PLANTED = re.compile(rb"Zq7Kp[0-9]{5}Xv9LmT4sRw2YbN8cHj")
_FOLDERS = frozenset({"cwd", "new_cwd", "old_cwd"})


class Planter:
    def __init__(self) -> None:
        self.planted: dict[str, str] = {}
        self._numbers = itertools.count()
        self._forms = itertools.cycle(_FORMS)

    def secret(self, where: str) -> str:
        secret = f"Zq7Kp{next(self._numbers):05d}Xv9LmT4sRw2YbN8cHj"
        self.planted[secret] = where
        return secret

    def text(self, where: str) -> str:
        """A text with a secret in a form that gives it away."""
        return next(self._forms).format(self.secret(where))

    def folder(self, where: str) -> str:
        """No folder goes by the name of a command or an address, but it may by that of a token."""
        return f"/home/me/ghp_{self.secret(where)}"

    def event(self, payload: dict[str, Any]) -> dict[str, Any]:
        """The same event with a secret in every text of it; contents, which are never kept, get one without a form."""
        grown = copy.deepcopy(payload)
        for holder, key, where in list(_texts(grown, payload["hook_event_name"])):
            if where.partition(".")[2] in _FIXED:
                continue
            if key in _FOLDERS:
                holder[key] = self.folder(where)
                continue
            is_content = any(part in CONTENT for part in where.split("."))
            holder[key] = self.secret(where) if is_content else self.text(where)
        return grown

    def found_below(self, folder: Path) -> list[str]:
        """Where a secret was written down after all."""
        return [
            f"{file.relative_to(folder)}: {self.planted[found.decode()]}"
            for file in sorted(path for path in folder.rglob("*") if path.is_file())
            for found in _PLANTED.findall(file.read_bytes())
        ]


def _texts(value: Any, where: str) -> Iterator[tuple[Any, Any, str]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        place = f"{where}.{key}" if isinstance(key, str) else where
        if isinstance(item, str):
            yield value, key, place
        elif isinstance(item, dict | list):
            yield from _texts(item, place)
