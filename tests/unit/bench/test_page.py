"""Measured sections of the page: read, made and exchanged."""

import json
from pathlib import Path

import pytest

from bench import page
from bench.page import PageError, Run, marked, pasted, sections
from bench.table import Check, Report, Table
from scripts import performance_tables

PAGE = """# Title

By hand.

<!-- measured: one -->

old

<!-- end: one -->

Between.

<!-- measured: summary -->
<!-- end: summary -->
"""


def report(name: str, measured: float = 1.0) -> Report:
    table = Table("Title", ("what", "ms"), (("a", "1.00"),), "A note.")
    return Report(name, (table,), (Check(f"what {name} costs", measured, 2.0, "ms", is_goal=True),))


def run(*reports: Report, is_quick: bool = False) -> Run:
    return Run("2 cores", is_quick, reports)


def test_marked_sections_are_read_without_the_space_around_them() -> None:
    """By their names."""
    assert marked(PAGE) == {"one": "old", "summary": ""}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<!-- measured: a -->\n", "does not end"),
        ("<!-- end: a -->\n", "without having begun"),
        ("<!-- measured: a -->\n<!-- end: b -->\n", "without having begun"),
        ("<!-- measured: a -->\n<!-- measured: b -->\n<!-- end: b -->\n", "inside of another"),
        ("<!-- measured: a -->\n<!-- end: a -->\n" * 2, "begins twice"),
    ],
)
def test_marks_that_do_not_pair_are_refused(text: str, problem: str) -> None:
    """Before anything is written over."""
    with pytest.raises(PageError, match=problem):
        marked(text)


def test_pasting_changes_its_section_and_nothing_else() -> None:
    """Prose stays as it was, and doing it again changes nothing."""
    once = pasted(PAGE, {"one": "new\n\ntwo"})
    assert once == PAGE.replace("old", "new\n\ntwo")
    assert pasted(once, {"one": "new\n\ntwo"}) == once


def test_pasting_into_no_section_is_refused() -> None:
    """A measurement without a place is not dropped in silence."""
    with pytest.raises(PageError, match="no section two"):
        pasted(PAGE, {"two": "new"})


def test_section_has_the_machine_the_budgets_and_the_tables() -> None:
    """A quick run says so."""
    made = sections([run(report("one"), is_quick=True)], ["one", "two"])["one"]
    assert made.startswith("Measured on: 2 cores. A quick run")
    assert "| what one costs | 1.00 ms | ≤ 2 ms (goal) | yes |" in made
    assert made.endswith("### Title\n\n| what | ms |\n| --- | ---: |\n| a | 1.00 |\n\nA note.")


def test_what_was_not_measured_is_named_in_its_section() -> None:
    """And in the table of all."""
    made = sections([run(Report("one", not_measured="one: it needs Linux."))], ["one"])
    assert all("Not measured: one: it needs Linux." in text for text in made.values())


def test_summary_is_made_of_a_whole_run_only() -> None:
    """In the order of the measurements; the later of two runs counts."""
    first, second = run(report("two", 1.0)), run(report("one"), report("two", 3.0))
    assert page.SUMMARY not in sections([first], ["one", "two"])
    made = sections([first, second], ["one", "two"])[page.SUMMARY]
    assert made.index("what one costs") < made.index("| what two costs | 3.00 ms |")


def test_summary_of_several_machines_leaves_them_to_the_sections() -> None:
    """Each of them says on what it was measured."""
    runs = [Run("2 cores", False, (report("one"),)), Run("4 cores", False, (report("two"),))]
    made = sections(runs, ["one", "two"])
    assert made[page.SUMMARY].startswith("Measured in 2 runs; their sections say on what.")
    assert made["two"].startswith("Measured on: 4 cores.")


def test_summary_of_a_part_names_the_rest() -> None:
    """A part never passes for the whole."""
    made = sections([run(report("two"))], ["one", "two", "three"], in_part=True)[page.SUMMARY]
    assert "what two costs" in made
    assert "Not in these runs: `one`, `three`." in made


def test_run_reads_what_it_said() -> None:
    """Through JSON, with all numbers and notes."""
    said = run(report("one"), Report("two", not_measured="why."))
    assert Run.read(json.loads(json.dumps(said.data()))) == said


def test_script_renews_the_page_from_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And leaves it alone where it has no place for what was measured."""
    target, data = tmp_path / "page.md", tmp_path / "run.json"
    target.write_text(PAGE)
    monkeypatch.setattr("sys.argv", ["performance_tables", str(data), "--page", str(target)])
    data.write_text(json.dumps(run(report("one")).data()))
    assert performance_tables.main() == 0
    assert "what one costs" in marked(target.read_text())["one"]
    data.write_text(json.dumps(run(report("two")).data()))
    before = target.read_text()
    assert performance_tables.main() == 1
    assert target.read_text() == before
