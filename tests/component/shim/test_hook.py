"""The tiny file in front: it starts the program from its cache, and without one."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.component.shim.conftest import BYPASS, Shim
from tests.component.shim.fake_hub import FakeHub, answer

SAID = answer("json_output", stdout_json={"a": 1})


@pytest.fixture
def shim(python_shim: Shim) -> Shim:
    """The native shim starts none of these files, unless it hands over: then this is what it starts."""
    return python_shim


def cache(shim: Shim) -> Path:
    (found,) = (shim.paths.shim / "__pycache__").glob("forward.*.pyc")
    return found


def test_first_run_leaves_a_cache(shim: Shim) -> None:
    """The program is compiled once, not on every hook run."""
    with FakeHub(shim.socket, SAID):
        assert shim.run().out == b'{"a":1}'
        before = cache(shim).stat().st_mtime_ns
        assert shim.run().out == b'{"a":1}'
    assert cache(shim).stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:10],
        lambda data: data[: len(data) // 2],
        lambda data: b"\x00\x00\r\n" + data[4:],
        lambda data: bytes(len(data)),
        lambda data: data[:16] + b"garbage",
    ],
    ids=["empty", "short", "half", "other interpreter", "zeros", "garbage"],
)
def test_damaged_cache_does_not_matter(shim: Shim, damage: Callable[[bytes], bytes]) -> None:
    """A cache of another interpreter, or one that a power cut left half written, falls back to the source."""
    with FakeHub(shim.socket, SAID):
        shim.run()
        found = cache(shim)
        found.write_bytes(damage(found.read_bytes()))
        result = shim.run()
    assert (result.code, result.out, result.err) == (0, b'{"a":1}', b"")


def test_unwritable_cache_does_not_matter(shim: Shim) -> None:
    """Where nothing can be cached the program is compiled each time."""
    (shim.paths.shim / "__pycache__").write_text("a file where the folder should be")
    with FakeHub(shim.socket, SAID):
        assert shim.run().out == b'{"a":1}'


@pytest.mark.parametrize("text", [None, "import nothing_of_this_name", "def ("])
def test_damaged_program_is_one_line(shim: Shim, text: str | None) -> None:
    """With the program gone or unreadable nothing is decided, and the reader is told where to look."""
    program = shim.paths.shim / "forward.py"
    program.unlink()
    if text is not None:
        program.write_text(text)
    result = shim.run()
    assert (result.code, result.out) == (0, b"")
    assert result.err == b"assent: the hook's program is damaged and nothing was decided; run: assent doctor\n"


@pytest.mark.parametrize(
    ("mode", "event", "payload", "expected"),
    [
        ("deny_in_bypass", "PreToolUse", BYPASS, b'"permissionDecision":"deny"'),
        ("prompt_in_bypass", "PreToolUse", BYPASS, b'"permissionDecision":"ask"'),
        ("no_opinion", "PreToolUse", BYPASS, b""),
        ("deny_in_bypass", "PreToolUse", b"{}", b""),
        ("deny_in_bypass", "Stop", BYPASS, b""),
    ],
)
def test_damaged_program_lets_nothing_run_in_bypass(
    shim: Shim, mode: str, event: str, payload: bytes, expected: bytes
) -> None:
    """Without its program the hook still says what is configured for the mode in which silence runs the tool."""
    shim.place(mode)
    (shim.paths.shim / "forward.py").unlink()
    result = shim.run(event, payload)
    assert result.code == 0
    assert bool(result.out) == bool(expected)
    assert expected in result.out


def test_answered_run_imports_the_socket_and_nothing_else(shim: Shim) -> None:
    """From start to a block with escaped text, one module is loaded beyond what an empty program has."""

    def imported(*arguments: str) -> set[str]:
        argv = [str(shim.paths.shim / "python"), "-X", "importtime", "-I", "-S", *arguments]
        trace = subprocess.run(argv, input=b"{}", capture_output=True, env={}).stderr
        return {
            line.rpartition(b"|")[2].strip().decode() for line in trace.splitlines() if line.startswith(b"import time")
        }

    shim.run(deadline=0.2)
    with FakeHub(shim.socket, answer("block_with_stderr", stderr="a\n\x01é")) as hub:
        extra = imported(*shim.argv("PreToolUse", 10, 5)[3:]) - imported("-c", "pass")
    assert len(hub.lines) == 1
    assert extra <= {"_socket"}
