"""Put the clients beside Claude Code that the end-to-end tests drive into a cache, and print where they are.

python -m scripts.get_clients [--cached] [NAME …]
"""

import argparse
import os
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from scripts import get_claude_code as fetching


class Package(NamedTuple):
    """An npm package for each machine, its version, and the program in it."""

    name: str
    version: str
    program: str


CLIENTS = {"copilot": Package("@github/copilot-{machine}", "1.0.102", "copilot")}


def cached(name: str, environ: Mapping[str, str]) -> Path:
    """Where the program stands once it is fetched."""
    package = CLIENTS[name]
    return fetching.cache(environ) / name / package.version / package.program


def fetch(name: str, into: Path, *, allowed: bool) -> None:
    package = CLIENTS[name]
    if not allowed:
        raise fetching.CannotBeHadError("it is not in the cache; scripts/test-needs fetches it")
    print(f"fetching {name} {package.version} …", file=sys.stderr)
    wanted = f"{package.name.format(machine=fetching.machine())}@{package.version}"
    fetching.fetch_package(wanted, into, package.program)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cached", action="store_true", help="only look, fetch nothing")
    parser.add_argument("names", nargs="*", choices=[*CLIENTS, []])
    arguments = parser.parse_args()
    lacking = 0
    for name in arguments.names or CLIENTS:
        program = cached(name, os.environ)
        try:
            if not os.access(program, os.X_OK):
                fetch(name, program.parent, allowed=not arguments.cached)
            print(program)
        except (fetching.CannotBeHadError, OSError, tarfile.TarError) as problem:
            print(f"{name} {CLIENTS[name].version} is not available: {problem}.", file=sys.stderr)
            lacking = 1
    return lacking


if __name__ == "__main__":
    sys.exit(main())
