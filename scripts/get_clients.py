"""Put the clients beside Claude Code that the end-to-end tests drive into a cache, and print where they are.

python -m scripts.get_clients [--cached] [NAME …]
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from scripts import get_claude_code as fetching


class Package(NamedTuple):
    """An npm package, for each machine one or for all the same."""

    name: str
    version: str
    # Where the program lies in it; a pattern where that differs from machine to machine.
    program: str
    # What npm calls this version, where it has one for each machine.
    published_as: str = "{version}"
    # A script that Node runs.
    needs_node: bool = False


NODE = Package("node-{machine}", "22.23.3", "bin/node")
CLIENTS = {
    "copilot": Package("@github/copilot-{machine}", "1.0.102", "copilot"),
    "codex": Package("@openai/codex", "0.166.0", "vendor/*/bin/codex", published_as="{version}-{machine}"),
    "opencode": Package("opencode-{machine}", "1.18.33", "bin/opencode"),
    "qwen": Package("@qwen-code/qwen-code", "0.24.4", "cli-entry.js", needs_node=True),
    "gemini": Package("@google/gemini-cli", "0.61.0", "bundle/gemini.js", needs_node=True),
    "grok": Package("@xai-official/grok-{machine}", "1.0.41", "bin/grok.br"),
}
_UNPACK_BROTLI = (
    "const {createReadStream: read, createWriteStream: write} = require('fs');"
    "read(process.argv[1]).pipe(require('zlib').createBrotliDecompress()).pipe(write(process.argv[2]));"
)


def cached(name: str, environ: Mapping[str, str]) -> Path:
    """Where the program stands once it is fetched."""
    return fetching.cache(environ) / name / CLIENTS[name].version / name


def fetch(name: str, package: Package, program: Path) -> None:
    """Unpacked beside its place, then moved: a cut-off download is never taken for the client."""
    print(f"fetching {name} {package.version} …", file=sys.stderr)
    npm = shutil.which("npm")
    if npm is None:
        raise fetching.CannotBeHadError("npm is needed to fetch it and is not on PATH")
    machine = fetching.machine()
    version = package.published_as.format(version=package.version, machine=machine)
    wanted = f"{package.name.format(machine=machine)}@{version}"
    into = program.parent
    into.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=into.parent, prefix=".fetching-") as folder:
        unpacked = Path(folder, "unpacked")
        with tarfile.open(fetching.npm_pack(npm, wanted, Path(folder))) as archive:
            archive.extractall(unpacked, filter="data")
        found = next(iter(sorted((unpacked / "package").glob(package.program))), None)
        if found is None:
            raise fetching.CannotBeHadError(f"{wanted} does not contain {package.program}")
        _place(unpacked / program.name, found.relative_to(unpacked), package)
        if into.exists() and not os.access(program, os.X_OK):
            shutil.rmtree(into)
        if not into.exists():
            unpacked.rename(into)


def _place(program: Path, found: Path, package: Package) -> None:
    """One executable of the client's name, whatever the package has."""
    if package.needs_node:
        node = shlex.quote(str(node_of(os.environ)))
        program.write_text(f'#!/bin/sh\nexec {node} "$(dirname "$(readlink -f "$0")")/{found}" "$@"\n')
        program.chmod(0o755)
    elif found.suffix == ".br":
        source = program.parent / found
        subprocess.run(["node", "-e", _UNPACK_BROTLI, str(source), str(program)], check=True, timeout=120)
        source.unlink()
        program.chmod(0o755)
    else:
        (program.parent / found).chmod(0o755)
        program.symlink_to(found)


def node_of(environ: Mapping[str, str]) -> Path:
    return fetching.cache(environ) / "node" / NODE.version / "node"


def obtained(name: str, package: Package, program: Path, *, allowed: bool) -> str:
    """Why it cannot be had; "" where it is there."""
    if os.access(program, os.X_OK):
        return ""
    why: object = "it is not in the cache; scripts/test-needs fetches it"
    if allowed:
        try:
            fetch(name, package, program)
        except (fetching.CannotBeHadError, OSError, tarfile.TarError, subprocess.SubprocessError) as problem:
            why = problem
        else:
            return ""
    return f"{name} {package.version} is not available: {why}."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cached", action="store_true", help="only look, fetch nothing")
    parser.add_argument("names", nargs="*", choices=[*CLIENTS, []])
    arguments = parser.parse_args()
    wanted = {name: (CLIENTS[name], cached(name, os.environ)) for name in arguments.names or CLIENTS}
    if any(package.needs_node for package, _ in wanted.values()):
        wanted["node"] = (NODE, node_of(os.environ))
    with ThreadPoolExecutor(3) as pool:
        problems = list(
            pool.map(lambda item: obtained(item[0], *item[1], allowed=not arguments.cached), wanted.items())
        )
    for (_, program), problem in zip(wanted.values(), problems, strict=True):
        print(problem or program, file=sys.stderr if problem else sys.stdout)
    return 1 if any(problems) else 0


if __name__ == "__main__":
    sys.exit(main())
