"""Runs the measurements and prints Markdown. Exits with 1 when a budget is missed or a measurement failed."""

import argparse
import json
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace

from bench import (
    append,
    asks,
    before,
    corpus,
    fleet,
    growth,
    joined,
    latency,
    machine,
    million,
    page,
    resting,
    rulebook,
    session,
    shim,
    startup,
    throughput,
    trips,
    verdict,
    watch,
    writers,
)
from bench.machine import Effort
from bench.table import Report, summary
from tests import surroundings

# In the order of the page. `history` is before `growth`, which takes over its million records.
MODULES = (
    shim,
    session,
    latency,
    throughput,
    verdict,
    corpus,
    rulebook,
    asks,
    resting,
    append,
    writers,
    million,
    growth,
    startup,
    watch,
    joined,
    trips,
    fleet,
)
MEASUREMENTS: dict[str, Callable[[Effort], Report]] = {module.NAME: module.measure for module in MODULES}
# A measurement that takes longer is cut off: minutes of a whole run, and of a quick one.
LONGEST, LONGEST_QUICK = 15, 6
LONGER = {million.NAME: 60, session.NAME: 40, growth.NAME: 40, trips.NAME: 30, fleet.NAME: 40}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", action="append", choices=sorted(MEASUREMENTS), metavar="NAME", help=_names())
    parser.add_argument("--quick", action="store_true", help="few rounds: shows that it works, not how fast it is")
    parser.add_argument(
        "--against", metavar="REV", help="an earlier revision of the project that takes turns with this one"
    )
    parser.add_argument("--json", action="store_true", help="print data instead of Markdown")
    parser.add_argument("--write", action="store_true", help="put what was measured into docs/performance.md as well")
    arguments = parser.parse_args()
    effort = Effort(is_quick=arguments.quick)
    if arguments.against is not None:
        machine.say(f"{arguments.against}: getting it ready …")
        try:
            effort = replace(effort, against=before.tree(arguments.against))
        except before.NoTreeError as problem:
            parser.error(f"{arguments.against} cannot be measured: {problem}")
    surroundings.have_a_terminal()
    about = machine.words()
    reports = []
    for name in arguments.only or MEASUREMENTS:
        start = time.monotonic()
        machine.say(f"{name} …")
        reports.append(_report(name, effort))
        machine.say(f"{name}: {time.monotonic() - start:.0f} s")
    run = page.Run(about, arguments.quick, tuple(reports))
    if arguments.json:
        print(json.dumps(run.data(), indent=1))
    else:
        tables = [table.markdown() for report in reports for table in report.tables]
        print("\n\n".join([run.about(), *tables, summary(reports)]))
    if arguments.write:
        page.write(page.PAGE, page.sections([run], list(MEASUREMENTS)))
    is_missed = any(not check.is_met and not check.is_goal for report in reports for check in report.checks)
    return int(is_missed or any(report.has_failed for report in reports))


def _report(name: str, effort: Effort) -> Report:
    minutes = LONGEST_QUICK if effort.is_quick else LONGER.get(name, LONGEST)
    try:
        with machine.at_most(60 * minutes):
            return MEASUREMENTS[name](effort)
    except (Exception, machine.TooLongError) as problem:
        # What the others found took minutes and must not be lost.
        traceback.print_exc()
        return Report(name, not_measured=f"{name} failed: {problem}", has_failed=True)


def _names() -> str:
    return f"one of {', '.join(MEASUREMENTS)}; may be given several times"


if __name__ == "__main__":
    sys.exit(main())
