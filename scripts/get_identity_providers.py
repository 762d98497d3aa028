"""Put the identity providers that the long tests sign in at into a cache, and print where they are.

python -m scripts.get_identity_providers [--cached]

Keycloak comes by Maven and runs on Java; oidc-provider comes by npm, as its lock file says, and runs on Node.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from scripts import get_claude_code as fetching
from scripts import get_clients

KEYCLOAK = "26.4.7"
# Its package.json and lock file, and the program that starts it.
LOCKED = Path(__file__).parents[1] / "tests" / "e2e" / "lab" / "identity"
FETCH_SECONDS = 900


def keycloak(environ: Mapping[str, str]) -> Path:
    """The folder that holds bin, conf and lib."""
    return fetching.cache(environ) / "keycloak" / KEYCLOAK / f"keycloak-{KEYCLOAK}"


def oidc_provider(environ: Mapping[str, str]) -> Path:
    """The folder that holds node_modules; another one for each lock file."""
    return fetching.cache(environ) / "oidc-provider" / _digest(LOCKED / "package-lock.json")


def fetch_keycloak(into: Path, folder: Path) -> None:
    maven = _program("mvn")
    artifact = f"org.keycloak:keycloak-quarkus-dist:{KEYCLOAK}:zip"
    # Maven keeps what it fetches for ever; this is fetched once.
    options = [f"-Dmaven.repo.local={folder / 'maven'}", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}"]
    _run([maven, "-q", "-B", "dependency:copy", *options], folder)
    with zipfile.ZipFile(folder / f"keycloak-quarkus-dist-{KEYCLOAK}.zip") as archive:
        archive.extractall(folder / "unpacked")
    into.parent.mkdir(parents=True, exist_ok=True)
    (folder / "unpacked" / into.name).rename(into)


def fetch_oidc_provider(into: Path, folder: Path) -> None:
    npm = _program("npm")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(LOCKED / name, folder)
    _run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder)
    into.mkdir(parents=True, exist_ok=True)
    shutil.copy(folder / "package.json", into)
    (folder / "node_modules").rename(into / "node_modules")


PROVIDERS: dict[str, tuple[Callable[[Mapping[str, str]], Path], Callable[[Path, Path], None]]] = {
    "Keycloak": (keycloak, fetch_keycloak),
    "oidc-provider": (oidc_provider, fetch_oidc_provider),
}


def problem(name: str, *, allowed: bool) -> str:
    """Why it cannot be had; "" where it is there."""
    place, fetch = PROVIDERS[name]
    into = place(os.environ)
    if into.exists():
        return ""
    if not allowed:
        return f"{name} is not in the cache; `python -m scripts.get_identity_providers` fetches it"
    print(f"fetching {name} …", file=sys.stderr)
    try:
        shelf = fetching.cache(os.environ)
        shelf.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=shelf, prefix=".fetching-") as folder:
            fetch(into, Path(folder))
    except (fetching.CannotBeHadError, OSError, subprocess.SubprocessError, zipfile.BadZipFile) as error:
        return f"{name} is not available: {error}"
    return ""


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise fetching.CannotBeHadError(f"{name} is needed to fetch it and is not on PATH")
    return found


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=FETCH_SECONDS)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise fetching.CannotBeHadError(f"{Path(command[0]).name} failed: {' '.join(last)[:300]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cached", action="store_true", help="only look, fetch nothing")
    arguments = parser.parse_args()
    problems = {name: problem(name, allowed=not arguments.cached) for name in PROVIDERS}
    node = get_clients.obtained("node", get_clients.NODE, get_clients.node_of(os.environ), allowed=not arguments.cached)
    for name, why in (problems | {"node": node}).items():
        print(why or f"{name} is there", file=sys.stderr if why else sys.stdout)
    return 1 if node or any(problems.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
