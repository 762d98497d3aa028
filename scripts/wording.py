"""Write the page's copies of the table of words. `--check` only compares.

What the page needs to open stands in `wording.js`, the rest in `wording_more.js`: every byte is counted there. Colours
are left out, for the page has a style for every state; so is what is empty."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from assent.actions import ACTIONS
from assent.text import settings, wording

WEB = Path(__file__).parent.parent / "src" / "assent" / "web"
HEAD = "// Made from src/assent/text/wording.py by `make docs`.\n"
_IN_SHEETS = frozenset({"allow_edited", "allow_here", "allow_for", "allow_project", "allow_user"})
TABLES: dict[str, dict[str, object]] = {
    "wording.js": {
        "RISKS": wording.RISKS,
        "KINDS": wording.KINDS,
        # Some answers are given in a sheet, which is their second step.
        "CHOICES": {
            choice: words._replace(confirm="", offer="" if choice == "allow_user" else words.offer)
            if choice in _IN_SHEETS
            else words
            for choice, words in wording.CHOICES.items()
        },
        # Notes and instructions have a field of their own on the page.
        "TELLING": {"deny": wording.TELLING["deny"]},
        # With the no's own name, where it has one.
        "MAIN": {
            kind: (*main, *([wording.REFUSALS[kind]] if kind in wording.REFUSALS else []))
            for kind, main in wording.MAIN.items()
        },
        "STATES": wording.STATES,
        "CLOSED": wording.CLOSED,
        "SESSIONS": wording.SESSIONS,
        "FLAGS": wording.FLAGS,
        "NEXT": wording.NEXT,
        # A key of two letters is pressed one after the other.
        "KEYS": {action.key: action.name for action in ACTIONS if action.key},
    },
    "wording_more.js": {
        "LOGGED": {choice: words.short for choice, words in wording.CHOICES.items()},
        "ENDINGS": wording.ENDINGS,
        "DECISIONS": wording.DECISIONS,
        "FEED": wording.FEED,
        "RULES": wording.RULES,
        "TRIALS": wording.TRIALS,
        "SCOPES": wording.SCOPES,
        "DECIDERS": {name: words.word for name, words in wording.DECIDERS.items()},
        "ASKS_ENDED": {name: words.word for name, words in wording.ASKS_ENDED.items()},
        "TODOS": wording.TODOS,
        "SCREENS": wording.SCREENS,
        "CAUSES": wording.CAUSES,
        "TOLD_WHEN": wording.TOLD_WHEN,
        "PICKED": settings.PICKED,
        "TYPED": settings.TYPED,
        "ACTIONS": tuple((action.name, action.key, action.words) for action in ACTIONS),
    },
}
_LEFT_OUT = frozenset({"role", "hint", "short"})


def render(name: str) -> str:
    return HEAD + "".join(f"export const {table}={_value(rows)};\n" for table, rows in TABLES[name].items())


def _value(table: object) -> str:
    if isinstance(table, Mapping):
        return "{\n" + ",\n".join(f"  {_key(key)}:{_row(row)}" for key, row in table.items()) + "}"
    assert isinstance(table, tuple)
    return "[\n" + "".join(f"  {_row(row)},\n" for row in table) + "]"


def _key(name: str) -> str:
    return name if name.isidentifier() else _text(name)


def _row(row: object) -> str:
    if isinstance(row, wording.Word | wording.ChoiceWords):
        kept = {name: value for name, value in row._asdict().items() if value and name not in _LEFT_OUT}
        return f"{{{','.join(f'{name}:{_text(value)}' for name, value in kept.items())}}}"
    return _text(row)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    for name in TABLES:
        if "--check" not in sys.argv:
            (WEB / name).write_text(render(name), encoding="utf-8")
        elif (WEB / name).read_text(encoding="utf-8") != render(name):
            sys.exit(f"src/assent/web/{name} is not what the table of words says. hint: make docs")
