"""The interpreter every hook starts."""

import subprocess
from collections.abc import Iterator

from assent.install.doctor.check import Finding, Situation
from assent.shim import place

PATIENCE = 5.0
REMEDY = "run `assent install` again; it repairs the shim."


def check(situation: Situation) -> Iterator[Finding]:
    link = situation.paths.shim / "python"
    if not link.exists():
        yield Finding(
            "interpreter-missing", "problem", f"{link} does not lead to a program: no hook can start.", REMEDY
        )
        return
    try:
        done = subprocess.run(
            [str(link), "-I", "-S", "-c", "import _socket, posix"],
            env={},
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
        )
        works = done.returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        works = False
    if not works:
        yield Finding("interpreter-broken", "problem", f"{link} does not run: no hook can start.", REMEDY)
    elif link.resolve() != place.interpreter():
        text = f"Hooks run {link.resolve()}, but Assent now runs {place.interpreter()}."
        yield Finding("interpreter-other", "warning", text, "run `assent restart`; the hub refreshes the shim.")
    else:
        yield Finding("interpreter", "ok", f"Hooks run {link.resolve()}.")
