"""The shim stands alone: it starts fast because it loads next to nothing, and it must run from its copy."""

import ast
import subprocess
from pathlib import Path

import pytest

from assent.shim import forward, place

HERE = Path(forward.__file__).parent
ALLOWED = {
    "hook.py": {"posix", "sys", "_frozen_importlib_external"},
    # hashlib only where a stop mark lies.
    "forward.py": {"_socket", "hashlib", "posix", "sys", "time"},
}


def imported(*arguments: str) -> set[str]:
    argv = [str(place.interpreter()), "-X", "importtime", "-I", "-S", *arguments]
    payload = b'{"permission_mode":"bypassPermissions"}'
    trace = subprocess.run(argv, input=payload, capture_output=True, env={"CLAUDE_PROJECT_DIR": '"\n'}).stderr
    return {line.rpartition(b"|")[2].strip().decode() for line in trace.splitlines() if line.startswith(b"import time")}


@pytest.mark.parametrize("name", ALLOWED)
def test_source_imports_what_is_allowed(name: str) -> None:
    """No import, at the top or inside a function, goes beyond the list."""
    found = set()
    for node in ast.walk(ast.parse((HERE / name).read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    assert found == ALLOWED[name]


@pytest.mark.parametrize("name", ALLOWED)
def test_source_is_ascii(name: str) -> None:
    """The interpreter reads it the same in any locale."""
    assert (HERE / name).read_bytes().isascii()


@pytest.mark.parametrize("name", ALLOWED)
def test_run_without_a_hub_imports_the_socket_and_nothing_else(tmp_path: Path, name: str) -> None:
    """Even the way through revival, gap and fallback loads one module beyond what an empty program has."""
    shim = tmp_path / "state" / "shim"
    shim.mkdir(parents=True)
    for source in ALLOWED:
        (shim / source).write_bytes((HERE / source).read_bytes())
    arguments = [str(shim / name), str(tmp_path / "s"), "claude-code", "PreToolUse", "0.2", "0.1"]
    imported(*arguments)
    assert imported(*arguments) - imported("-c", "pass") <= {"_socket"}
    assert (tmp_path / "state" / "spool" / "gaps.ndjson").read_bytes().count(b"\n") == 2


def test_modules_for_free_are_loaded_at_start() -> None:
    """What the program imports besides the socket is there before it runs."""
    script = "import sys; print(*sorted({'posix', 'sys', 'time', '_frozen_importlib_external'} - set(sys.modules)))"
    process = subprocess.run([place.interpreter(), "-I", "-S", "-c", script], capture_output=True, env={})
    assert process.stdout == b"\n"
