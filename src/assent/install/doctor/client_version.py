"""Which Claude Code is here, and whether we know it."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator

from assent.install.doctor.check import Finding, Situation

PATIENCE = 10.0
TESTED = (2, 1, 325)

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


def check(situation: Situation) -> Iterator[Finding]:
    program = shutil.which("claude", path=situation.environ.get("PATH", ""))
    if program is None:
        yield Finding("client-missing", "note", "There is no `claude` on your PATH.")
        return
    version = _ask(program, situation.environ.get("PATH", ""))
    tested = ".".join(map(str, TESTED))
    if version is None:
        text = f"{program} does not say which version it is."
        yield Finding("client-unknown", "warning", text, "run `claude --version` to see why.")
        return
    name = f"Claude Code {'.'.join(map(str, version))}"
    if version < TESTED:
        text = f"{name} is older than {tested}, the one Assent was tested with."
        yield Finding("client-old", "warning", text, "update it.")
    elif version > TESTED:
        yield Finding("client-new", "note", f"{name} is newer than {tested}, the one Assent was tested with.")
    else:
        yield Finding("client", "ok", f"{name} is the version Assent was tested with.")


def _ask(program: str, path: str) -> tuple[int, int, int] | None:
    """With a home of its own: a question about the version must not touch the user's files."""
    with tempfile.TemporaryDirectory(prefix="assent-doctor-") as home:
        try:
            done = subprocess.run(
                [program, "--version"],
                env={"HOME": home, "PATH": path, "DISABLE_AUTOUPDATER": "1"},
                cwd=home,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
            )
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
            return None
    match = _VERSION.search(done.stdout)
    return (int(match[1]), int(match[2]), int(match[3])) if match and done.returncode == 0 else None
