"""Results as Markdown: tables of what was measured, and one of what was promised."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.stats import short


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def markdown(self) -> str:
        parts = [f"### {self.title}", grid(self.columns, self.rows)]
        return "\n\n".join([*parts, self.note] if self.note else parts)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Table":
        rows = tuple(tuple(row) for row in data["rows"])
        return cls(data["title"], tuple(data["columns"]), rows, data["note"])


@dataclass(frozen=True, slots=True)
class Check:
    """One budget and what was measured. A goal is printed like a budget, but nothing depends on it."""

    what: str
    measured: float
    budget: float
    unit: str = ""
    at_least: bool = False
    is_goal: bool = False

    @property
    def is_met(self) -> bool:
        return self.measured >= self.budget if self.at_least else self.measured <= self.budget

    def cells(self) -> tuple[str, ...]:
        unit = f" {self.unit}" if self.unit else ""
        bound = f"{'≥' if self.at_least else '≤'} {self.budget:,g}{unit}{' (goal)' if self.is_goal else ''}"
        return self.what, f"{short(self.measured)}{unit}", bound, "yes" if self.is_met else "**no**"


@dataclass(frozen=True, slots=True)
class Report:
    """What one measurement found."""

    name: str
    tables: tuple[Table, ...] = ()
    checks: tuple[Check, ...] = ()
    not_measured: str = ""
    has_failed: bool = False

    def data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "tables": [{"title": t.title, "columns": t.columns, "rows": t.rows, "note": t.note} for t in self.tables],
            "checks": [
                {
                    "what": c.what,
                    "measured": c.measured,
                    "budget": c.budget,
                    "unit": c.unit,
                    "at_least": c.at_least,
                    "is_goal": c.is_goal,
                    "is_met": c.is_met,
                }
                for c in self.checks
            ],
            "not_measured": self.not_measured,
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Report":
        """What ``data`` made, but for whether it failed."""
        checks = ({name: value for name, value in each.items() if name != "is_met"} for each in data["checks"])
        return cls(
            data["name"],
            tuple(Table.read(table) for table in data["tables"]),
            tuple(Check(**check) for check in checks),
            data["not_measured"],
        )


def grid(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """First column to the left, the others to the right."""
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def summary(reports: Sequence[Report]) -> str:
    """Every budget in one table, and what has none yet."""
    rows = [check.cells() for report in reports for check in report.checks]
    parts = ["### Budgets", grid(("what", "measured", "budget", "met"), rows)] if rows else []
    parts += [f"Not measured: {report.not_measured}" for report in reports if report.not_measured]
    return "\n\n".join(parts)
