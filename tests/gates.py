"""The native shim, compiled for tests: every warning is an error, and a wrong step in memory ends it with a report."""

import functools
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from assent.shim import native

FOLDER = Path(__file__).parents[1] / "build" / "gates"
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror")
SANITIZERS = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
# The environment of a hook is emptied, so the runtime is told in the program. Nothing is allocated that could leak.
OPTIONS = 'const char *__asan_default_options(void);\nconst char *__asan_default_options(void) { return "%s"; }\n'
REPORT = 86


@functools.cache
def sanitized(*sources: Path, flags: tuple[str, ...] = ()) -> Path:
    """The program made of gate.c, or of these sources; skips the test where it cannot be made."""
    version = hashlib.sha256(native.SOURCE.read_bytes()).hexdigest()[:16]
    wanted = sources or (native.SOURCE,)
    options = (OPTIONS % f"exitcode={REPORT}:detect_leaks=0").encode()
    key = repr((version, flags, [path.read_bytes() for path in wanted], WARNINGS, SANITIZERS, options))
    program = FOLDER / hashlib.sha256(key.encode()).hexdigest()[:16]
    if program.exists():
        return program
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("the native shim was not tested: there is no C compiler (cc) here")
    FOLDER.mkdir(parents=True, exist_ok=True)
    beside = program.with_name(f"{program.name}-{os.getpid()}")
    extra = beside.with_suffix(".c")
    extra.write_bytes(options)
    try:
        argv = [compiler, "-std=c11", *WARNINGS, *SANITIZERS, f'-DSOURCE_DIGEST="{version}"', *flags]
        argv += [f"-I{native.SOURCE.parent}", "-o", str(beside), str(extra), *map(str, wanted)]
        done = subprocess.run(argv, capture_output=True, text=True)
        if done.returncode and "cannot find" in done.stderr and "asan" in done.stderr:
            pytest.skip("the native shim was not tested: AddressSanitizer (libasan) is missing here")
        assert not done.returncode, done.stderr
        beside.replace(program)
    finally:
        extra.unlink()
        beside.unlink(missing_ok=True)
    return program


def put_in_place(folder: Path, program: Path) -> None:
    """Let entries start this program instead of the one that was placed."""
    temporary = folder / ".python.test"
    shutil.copy(program, temporary)
    temporary.chmod(0o700)
    temporary.replace(folder / "python")


def put_python_in_place(folder: Path) -> None:
    """Let entries start the interpreter, as where there is no native shim."""
    temporary = folder / ".python.test"
    temporary.unlink(missing_ok=True)
    temporary.symlink_to((folder / "interpreter").readlink())
    temporary.replace(folder / "python")
