"""Labelled lines. They are read as text and judged; none is ever run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

FOLDER = Path(__file__).parent / "corpus"
# Judged in other projects and by other measures than the rest.
DAY = "day.jsonl"


class Line(msgspec.Struct, frozen=True):
    command: str
    category: str
    # Who wrote it: we, or the tests of another guard.
    origin: str
    # Of a dangerous line.
    severity: Literal["", "high", "medium"] = ""
    tier: str = ""
    # Of a harmless line: it should pass, or it may be asked about.
    label: Literal["", "allow", "allow-or-ask"] = ""
    # Its file: shared with the measurements of other guards, or written here.
    is_own: bool = False

    @property
    def is_dangerous(self) -> bool:
        return not self.label

    @property
    def is_core(self) -> bool:
        """Clearly dangerous and grave: what must never pass in silence."""
        return self.tier == "core" and self.severity == "high"

    @property
    def is_ours(self) -> bool:
        return self.origin == "ours"


class DayLine(msgspec.Struct, frozen=True):
    """One line of a day's work, in the project it is typed in."""

    command: str
    # What it is, not what is said about it: read, project, change, web, danger …; one or several.
    labels: list[str]
    # A kind of accuracy.projects.
    project: str


def load(folder: Path = FOLDER) -> list[Line]:
    return [line for path in sorted(folder.glob("*.jsonl")) if path.name != DAY for line in _lines(path)]


def load_day(folder: Path = FOLDER) -> list[DayLine]:
    decoder = msgspec.json.Decoder(DayLine)
    return [decoder.decode(text) for text in (folder / DAY).read_bytes().splitlines()]


def _lines(path: Path) -> Iterator[Line]:
    decoder = msgspec.json.Decoder(Line)
    for text in path.read_bytes().splitlines():
        yield msgspec.structs.replace(decoder.decode(text), is_own=path.name.startswith("own_"))
