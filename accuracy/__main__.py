"""Judges every labelled line and prints Markdown. Exits with 1 when a promise does not hold."""

import argparse
import sys
from pathlib import Path

from accuracy import corpus
from accuracy.day import judge_dangerous, judge_day
from accuracy.day_report import Dangerous
from accuracy.judging import judge
from accuracy.report import Report


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m accuracy", description=__doc__)
    parser.add_argument("--page", type=Path, metavar="FILE", help="renew the measured part of this page as well")
    arguments = parser.parse_args()
    lines = corpus.load()
    report = Report(judge(lines), judge_day(corpus.load_day()), Dangerous(judge_dangerous(lines)))
    measured = report.markdown()
    print(measured)
    for sentence in report.broken():
        print(sentence, file=sys.stderr)
    if arguments.page is not None:
        renew(arguments.page, measured)
    return int(bool(report.broken()))


def renew(page: Path, measured: str) -> None:
    """What stands above the mark is written by hand."""
    mark = "<!-- measured -->"
    above, found, _ = page.read_text().partition(mark)
    if not found:
        raise SystemExit(f"Nothing was written: {page} has no line {mark}.")
    page.write_text(f"{above}{mark}\n\n{measured}\n")


if __name__ == "__main__":
    sys.exit(main())
