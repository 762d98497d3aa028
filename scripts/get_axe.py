"""Put axe-core, which looks for what keeps people out of a page, into the cache of the tests and print where it is.

python -m scripts.get_axe [--cached]
"""

import argparse
import os
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

from scripts.get_claude_code import CannotBeHadError, cache, fetch_package

VERSION = "4.10.3"
FILE = "axe.min.js"


def cached(environ: Mapping[str, str]) -> Path:
    return cache(environ) / "axe-core" / VERSION / FILE


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cached", action="store_true", help="only look, fetch nothing")
    arguments = parser.parse_args()
    script = cached(os.environ)
    try:
        if not script.is_file():
            if arguments.cached:
                raise CannotBeHadError("it is not in the cache; scripts/test-needs fetches it")  # noqa: TRY301
            fetch_package(f"axe-core@{VERSION}", script.parent, FILE)
    except (CannotBeHadError, OSError, tarfile.TarError) as problem:
        print(f"axe-core {VERSION} is not available: {problem}.", file=sys.stderr)
        return 1
    print(script)
    return 0


if __name__ == "__main__":
    sys.exit(main())
