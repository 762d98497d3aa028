"""Check the page's JavaScript: types with TypeScript's compiler, mistakes with Biome's recommended rules.

python -m scripts.lint_page [--cached]

Both are single programs that npm fetches once, into a cache outside the tree; neither needs Node to run. Where they
cannot be had the check is skipped and says so, and fails where CI is set. `tsconfig.json` and `biome.json` hold the
settings.
"""

import argparse
import os
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

from scripts.get_claude_code import CannotBeHadError, cache, fetch_package, has_musl, machine

ROOT = Path(__file__).parent.parent
PAGE = "src/assent/web"
TYPESCRIPT = "7.0.2"
BIOME = "2.6.7"


def programs(environ: Mapping[str, str], *, allowed: bool) -> tuple[Path, Path]:
    """The compiler, whose package also declares what browsers provide, and the linter."""
    packages = [
        (f"@typescript/typescript-{machine()}", TYPESCRIPT, "tsc"),
        (f"@biomejs/cli-{machine()}{'-musl' if has_musl() else ''}", BIOME, "biome"),
    ]
    compiler, linter = (_program(environ, *package, allowed=allowed) for package in packages)
    return compiler, linter


def _program(environ: Mapping[str, str], package: str, version: str, name: str, *, allowed: bool) -> Path:
    program = cache(environ) / name / version / name
    if os.access(program, os.X_OK):
        return program
    if not allowed:
        raise CannotBeHadError(f"{package} {version} is not in the cache")
    print(f"fetching {package} {version} …", file=sys.stderr)
    fetch_package(f"{package}@{version}", program.parent, name)
    return program


def checks(compiler: Path, linter: Path) -> list[list[str]]:
    """The commands to run: the page, the service worker, the rules."""
    return [
        [str(compiler), "--project", "tsconfig.json"],
        [str(compiler), "--project", "tsconfig.worker.json"],
        [str(linter), "lint", "--error-on-warnings", "--max-diagnostics=200", PAGE],
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cached", action="store_true", help="only say whether both programs are there")
    arguments = parser.parse_args()
    try:
        commands = checks(*programs(os.environ, allowed=not arguments.cached))
    except (CannotBeHadError, OSError, tarfile.TarError) as problem:
        print(f"The page's JavaScript was not checked: {problem}.", file=sys.stderr)
        return 1 if arguments.cached or os.environ.get("CI") else 0
    if arguments.cached:
        return 0
    running = [subprocess.Popen(command, cwd=ROOT) for command in commands]
    return max([process.wait() != 0 for process in running])


if __name__ == "__main__":
    sys.exit(main())
