"""The measured sections of a page: what stands between two marks is made by a run, the rest by hand."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.table import Report, grid

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
# The section with all budgets; every other one has the name of a measurement.
SUMMARY = "summary"
_MARK = re.compile(r"^<!-- (?P<edge>measured|end): (?P<name>\w+) -->$", re.MULTILINE)


class PageError(Exception):
    """The page cannot be written, and why."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one call of the measurements found."""

    machine: str
    is_quick: bool
    reports: tuple[Report, ...]

    def about(self) -> str:
        return f"Measured on: {self.machine}.{' A quick run: it shows that it works.' if self.is_quick else ''}"

    def data(self) -> dict[str, Any]:
        return {"machine": self.machine, "quick": self.is_quick, "reports": [report.data() for report in self.reports]}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Run":
        return cls(data["machine"], data["quick"], tuple(Report.read(report) for report in data["reports"]))


def sections(runs: Sequence[Run], names: Sequence[str], *, in_part: bool = False) -> dict[str, str]:
    """Markdown by the section's name. Of a measurement that was made twice the later one counts; the summary is made
    when none of ``names`` is missing, so that one part does not pass for the whole; ``in_part`` it names those."""
    found = {report.name: (run, report) for run in runs for report in run.reports}
    made = {name: _section(run, report) for name, (run, report) in found.items()}
    missing = [name for name in names if name not in found]
    if in_part or not missing:
        made[SUMMARY] = _summary([found[name] for name in names if name in found], missing)
    return made


def marked(text: str) -> dict[str, str]:
    """What stands in each section. Raises PageError where marks do not pair."""
    found: dict[str, str] = {}
    begun: re.Match[str] | None = None
    for mark in _MARK.finditer(text):
        name = mark["name"]
        if mark["edge"] == "measured":
            if begun is not None or name in found:
                raise PageError(f"section {name} begins twice, or inside of another")
            begun = mark
        else:
            if begun is None or begun["name"] != name:
                raise PageError(f"section {name} ends without having begun")
            found[name] = text[begun.end() : mark.start()].strip()
            begun = None
    if begun is not None:
        raise PageError(f"section {begun['name']} does not end")
    return found


def pasted(text: str, made: Mapping[str, str]) -> str:
    """The page with these sections, and everything else as it was."""
    known = marked(text)
    if missing := sorted(set(made) - set(known)):
        raise PageError(f"the page has no section {', '.join(missing)}")
    for name, markdown in made.items():
        start, end = f"<!-- measured: {name} -->", f"<!-- end: {name} -->"
        above, _, rest = text.partition(start)
        below = rest.partition(end)[2]
        text = f"{above}{start}\n\n{markdown}\n\n{end}{below}"
    return text


def write(page: Path, made: Mapping[str, str]) -> None:
    page.write_text(pasted(page.read_text(encoding="utf-8"), made), encoding="utf-8")


def _section(run: Run, report: Report) -> str:
    parts = [run.about()]
    if report.not_measured:
        parts.append(f"Not measured: {report.not_measured}")
    if report.checks:
        parts.append(grid(("what", "measured", "budget", "met"), [check.cells() for check in report.checks]))
    return "\n\n".join([*parts, *(table.markdown() for table in report.tables)])


def _summary(found: Sequence[tuple[Run, Report]], others: Sequence[str]) -> str:
    rows = [check.cells() for _, report in found for check in report.checks]
    missing = [f"Not measured: {report.not_measured}" for _, report in found if report.not_measured]
    if others:
        names = ", ".join(f"`{name}`" for name in others)
        missing.append(f"Not in these runs: {names}. What their sections say, if anything, is older.")
    abouts = list(dict.fromkeys(run.about() for run, _ in found))
    about = abouts[0] if len(abouts) == 1 else f"Measured in {len(abouts)} runs; their sections say on what."
    return "\n\n".join([about, grid(("what", "measured", "budget", "met"), rows), *missing])
