"""Put what was measured into docs/performance.md, between its marks; the prose around them stays.

    python -m bench --json > whole.json
    python -m scripts.performance_tables whole.json [PART.json …]

Of a measurement that is in several files the last one counts. The table of all budgets is renewed when no measurement
is missing; with ``--in-part`` also when some are, and it names them.
"""

import argparse
import json
import sys
from pathlib import Path

from bench import page
from bench.__main__ import MEASUREMENTS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="what `python -m bench --json` printed")
    parser.add_argument("--page", type=Path, default=page.PAGE, metavar="FILE", help="another page")
    parser.add_argument("--in-part", action="store_true", help="renew the table of all budgets, too; it names the rest")
    arguments = parser.parse_args()
    try:
        runs = [page.Run.read(json.loads(file.read_bytes())) for file in arguments.files]
        made = page.sections(runs, list(MEASUREMENTS), in_part=arguments.in_part)
        page.write(arguments.page, made)
    except (OSError, ValueError, KeyError, TypeError, page.PageError) as problem:
        print(f"{arguments.page} was not changed: {problem}", file=sys.stderr)
        return 1
    print(f"{arguments.page}: {', '.join(made)}")
    if page.SUMMARY not in made:
        missing = sorted(set(MEASUREMENTS) - set(made))
        print(f"The table of all budgets stays as it was; not measured in these files: {', '.join(missing)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
