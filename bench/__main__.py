"""Runs the measurements and prints Markdown. Exits with 1 when a budget is missed or a measurement failed."""

import argparse
import json
import sys
from collections.abc import Callable

from bench import append, asks, latency, machine, million, resting, session, shim, throughput, verdict, watch
from bench.machine import Effort
from bench.table import Report, summary
from tests import surroundings

MODULES = (shim, latency, throughput, asks, resting, verdict, append, million, session, watch)
MEASUREMENTS: dict[str, Callable[[Effort], Report]] = {module.NAME: module.measure for module in MODULES}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", action="append", choices=sorted(MEASUREMENTS), metavar="NAME", help=_names())
    parser.add_argument("--quick", action="store_true", help="few rounds: shows that it works, not how fast it is")
    parser.add_argument("--json", action="store_true", help="print data instead of Markdown")
    arguments = parser.parse_args()
    surroundings.have_a_terminal()
    effort = Effort(is_quick=arguments.quick)
    about = machine.words()
    reports = []
    for name in arguments.only or MEASUREMENTS:
        machine.say(f"{name} …")
        reports.append(_report(name, effort))
    if arguments.json:
        print(
            json.dumps({"machine": about, "quick": arguments.quick, "reports": [r.data() for r in reports]}, indent=1)
        )
    else:
        print(f"Measured on: {about}.{' A quick run.' if arguments.quick else ''}\n")
        print("\n\n".join([summary(reports), *(table.markdown() for report in reports for table in report.tables)]))
    is_missed = any(not check.is_met and not check.is_goal for report in reports for check in report.checks)
    return int(is_missed or any(report.has_failed for report in reports))


def _report(name: str, effort: Effort) -> Report:
    try:
        return MEASUREMENTS[name](effort)
    except (AssertionError, OSError) as problem:
        # What the others found took minutes and must not be lost.
        return Report(name, not_measured=f"{name} failed: {problem}", has_failed=True)


def _names() -> str:
    return f"one of {', '.join(MEASUREMENTS)}; may be given several times"


if __name__ == "__main__":
    sys.exit(main())
