#!/usr/bin/env python3
"""Put the Claude Code that the end-to-end tests drive into a cache outside the tree, and print where it is.

The platform package carries the native program and needs no Node at run time; npm is needed once, to fetch it.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

VERSION = "2.1.325"
SYSTEMS = {"Linux": "linux", "Darwin": "darwin"}
MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
FETCH_SECONDS = 600


class CannotBeHadError(Exception):
    """Says in one sentence why the client is not there."""


def package() -> str:
    """The npm package of the program for this machine."""
    return f"@anthropic-ai/claude-code-{machine()}{'-musl' if has_musl() else ''}"


def machine() -> str:
    """System and processor, as names of npm packages spell them."""
    system, processor = SYSTEMS.get(platform.system()), MACHINES.get(platform.machine().lower())
    if system is None or processor is None:
        raise CannotBeHadError(f"there is no package of it for {platform.system()} on {platform.machine()}")
    return f"{system}-{processor}"


def has_musl() -> bool:
    return platform.system() == "Linux" and any(Path("/lib").glob("ld-musl-*.so.1"))


def cache(environ: Mapping[str, str]) -> Path:
    """What development fetches is kept here, outside the tree."""
    user_cache = environ.get("XDG_CACHE_HOME") or Path(environ.get("HOME") or Path.home()) / ".cache"
    return Path(environ.get("ASSENT_DEV_CACHE") or Path(user_cache) / "assent-dev")


def cached(environ: Mapping[str, str]) -> Path:
    """Where the program stands once it is fetched."""
    return cache(environ) / "claude-code" / VERSION / "claude"


def fetch(into: Path, *, allowed: bool) -> None:
    """Download and unpack in a folder of its own, then rename: a cut-off download is never taken for the client."""
    if not allowed:
        raise CannotBeHadError("it is not in the cache; scripts/test-needs fetches it")
    print(f"fetching Claude Code {VERSION} …", file=sys.stderr)
    fetch_package(f"{package()}@{VERSION}", into, "claude")


def fetch_package(wanted: str, into: Path, file: str) -> None:
    """The package's files in that folder, of which one is what it is fetched for."""
    npm = shutil.which("npm")
    if npm is None:
        raise CannotBeHadError("npm is needed to fetch it and is not on PATH")
    shelf = into.parent
    shelf.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=shelf, prefix=".fetching-") as folder:
        unpacked = Path(folder, "package")
        unpack(npm_pack(npm, wanted, Path(folder)), unpacked)
        program = unpacked / file
        if not program.is_file():
            raise CannotBeHadError(f"{wanted} does not contain {file}")
        program.chmod(0o755)
        try:
            unpacked.rename(into)
        except OSError:
            # Another process was faster, and its copy is as good; a leftover without the program is not.
            if not (into / file).is_file():
                shutil.rmtree(into)
                unpacked.rename(into)


def unpack(packed: Path, folder: Path) -> None:
    """The package is a handful of plain files in one folder; anything else in it is left out."""
    folder.mkdir()
    with tarfile.open(packed) as archive:
        for member in archive:
            source = archive.extractfile(member) if member.isfile() else None
            if source is not None:
                with source, Path(folder, Path(member.name).name).open("wb") as target:
                    shutil.copyfileobj(source, target, 1 << 20)


def npm_pack(npm: str, wanted: str, folder: Path) -> Path:
    # Runs in the empty folder so that no package.json or .npmrc of the project takes part.
    command = [npm, "pack", wanted, "--pack-destination", str(folder), "--loglevel", "error"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=FETCH_SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        raise CannotBeHadError(f"npm did not finish fetching {wanted} within {FETCH_SECONDS} s") from late
    found = list(folder.glob("*.tgz"))
    if done.returncode or not found:
        codes = [line.split()[-1] for line in done.stderr.splitlines() if "code" in line.split()]
        code = codes[0] if codes else "no reason given"
        raise CannotBeHadError(f"npm could not fetch {wanted} ({code}): is the network there")
    return found[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cached", action="store_true", help="only look, fetch nothing")
    arguments = parser.parse_args()
    program = cached(os.environ)
    try:
        if not os.access(program, os.X_OK):
            fetch(program.parent, allowed=not arguments.cached)
    except (CannotBeHadError, OSError, tarfile.TarError) as problem:
        print(f"Claude Code {VERSION} is not available: {problem}.", file=sys.stderr)
        return 1
    print(program)
    return 0


if __name__ == "__main__":
    sys.exit(main())
