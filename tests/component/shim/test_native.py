"""Placing the native shim: tried where it will run, known by its content, and never instead of a shim that works."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.paths import Paths
from assent.shim import files, native, place
from tests import gates
from tests.component.shim.conftest import BYPASS, Shim
from tests.component.shim.fake_hub import FakeHub, answer, hang_up, say


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(config_dir=tmp_path / "config", state=tmp_path / "state")


def placed(paths: Paths, gate: Path, monkeypatch: pytest.MonkeyPatch) -> native.Note:
    monkeypatch.setattr(native, "PROGRAM", gate)
    place.place(paths, unreachable="deny", environ={})
    assert place.is_current(paths)
    assert not list(paths.shim.glob(".*"))
    note = native.note(paths.shim)
    assert note
    assert note.is_native == (not (paths.shim / "python").is_symlink())
    return note


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    return path


def test_program_that_starts_is_placed(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes, for this user alone, and the interpreter beside it."""
    gate = gates.sanitized()
    assert placed(paths, gate, monkeypatch).why == ""
    assert (paths.shim / "python").read_bytes() == gate.read_bytes()
    assert (paths.shim / "interpreter").readlink() == place.interpreter()


def test_without_a_program_the_interpreter_is_placed(
    paths: Paths, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As from a pure wheel, or a clone on a machine without a compiler."""
    assert placed(paths, tmp_path / "none", monkeypatch).why == native.NOT_BUILT
    assert (paths.shim / "python").readlink() == place.interpreter()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("exit 3", "it ended with 3 when it was tried"),
        ("echo assent gate 0123456789abcdef", native.STALE),
        ("echo Python 3.11.7", native.STALE),
    ],
)
def test_program_that_does_not_prove_itself_is_not_placed(
    paths: Paths, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, why: str
) -> None:
    """One made from another version's source is known by what it says, not by its being there."""
    assert placed(paths, script(tmp_path / "gate", text), monkeypatch).why == why


def test_program_of_another_machine_is_not_placed(
    paths: Paths, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The system's reason is kept for the doctor."""
    gate = tmp_path / "gate"
    data = bytearray(gates.sanitized().read_bytes())
    data[18:20] = b"\xff\x7f"
    gate.write_bytes(data)
    assert placed(paths, gate, monkeypatch).why == "it does not start here (Exec format error)"


def test_folder_from_which_nothing_starts_has_the_interpreter(
    paths: Paths, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A file system mounted noexec: what is tried is the copy that would be started, at its place."""
    gate = gates.sanitized()
    monkeypatch.setattr(native, "PROGRAM", gate)
    write = files.beside

    def noexec(path: Path, data: bytes, mode: int) -> Path:
        return write(path, data, 0o600 if path.name == "python" else mode)

    monkeypatch.setattr(files, "beside", noexec)
    assert placed(paths, gate, monkeypatch).why == "it does not start here (Permission denied)"


def test_program_that_hangs_is_not_waited_for(paths: Paths, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nor placed."""
    monkeypatch.setattr(native, "PATIENCE", 0.2)
    gate = script(tmp_path / "gate", "exec tail -f /dev/null")
    assert placed(paths, gate, monkeypatch).why == "it did not end when it was tried"


def test_other_content_is_noticed_and_replaced(paths: Paths, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """After an upgrade the old program is still there, and starts; and one that does not start follows it."""
    gate = tmp_path / "gate"
    gate.write_bytes(gates.sanitized().read_bytes())
    placed(paths, gate, monkeypatch)
    gate.write_bytes(gate.read_bytes() + b"\n")
    assert not place.is_current(paths)
    assert placed(paths, gate, monkeypatch).is_native
    assert (paths.shim / "python").read_bytes() == gate.read_bytes()
    script(gate, "exit 1")
    assert not place.is_current(paths)
    assert not placed(paths, gate, monkeypatch).is_native
    gate.unlink()
    assert not place.is_current(paths)
    assert placed(paths, gate, monkeypatch).why == native.NOT_BUILT


def test_new_source_makes_the_program_stale(paths: Paths, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a clone whose gate.c was changed after it was installed."""
    gate = gates.sanitized()
    placed(paths, gate, monkeypatch)
    changed = tmp_path / "gate.c"
    changed.write_bytes(native.SOURCE.read_bytes() + b"\n")
    monkeypatch.setattr(native, "SOURCE", changed)
    assert not place.is_current(paths)
    assert placed(paths, gate, monkeypatch).why == native.STALE


def test_program_in_place_is_tried_once(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub that starts with it in place starts nothing."""
    placed(paths, gates.sanitized(), monkeypatch)
    monkeypatch.setattr(native, "refusal", lambda program: pytest.fail("it was tried again"))
    place.place(paths, unreachable="deny", environ={})


def test_shim_of_an_older_version_is_replaced(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """It had a link to the interpreter where entries look for it, and no other; its entries stay as they are."""
    placed(paths, gates.sanitized(), monkeypatch)
    for name in ("interpreter", "variables", "replies", "program"):
        (paths.shim / name).unlink()
    (paths.shim / "python").unlink()
    (paths.shim / "python").symlink_to(place.interpreter())
    assert not place.is_current(paths)
    assert placed(paths, gates.sanitized(), monkeypatch).is_native


def test_busy_program_is_tried_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Another thread that starts a program may hold it open for a moment."""
    gate = tmp_path / "gate"
    gate.write_bytes(gates.sanitized().read_bytes())
    gate.chmod(0o700)
    monkeypatch.setattr(native, "BUSY", 2)
    with open(gate, "r+b") as writer:
        assert native.refusal(gate) == "it does not start here (Text file busy)"
        monkeypatch.setattr(time, "sleep", lambda _: writer.close())
        assert native.refusal(gate) == ""


def test_anything_but_a_hook_starts_the_interpreter(native_shim: Shim) -> None:
    """What stood in that place before there was a native shim, and its name says."""
    python = native_shim.paths.shim / "python"
    for arguments in (("-c", "print(6 * 7)"), ("-I", "-S", "-c", "print(6 * 7)")):
        done = subprocess.run([python, *arguments], capture_output=True, env={})
        assert (done.returncode, done.stdout, done.stderr) == (0, b"42\n", b"")


@pytest.mark.parametrize("name", ["variables", "replies", "hook.py", "forward.py"])
def test_usual_call_needs_neither_replies_nor_python(native_shim: Shim, name: str) -> None:
    """Without its variables it becomes the Python shim, which knows them, too."""
    (native_shim.paths.shim / name).unlink()
    with FakeHub(native_shim.socket, answer("json_output", stdout_json={"a": 1})) as hub:
        result = native_shim.run(payload=BYPASS)
    assert (result.code, result.out, result.err) == (0, b'{"a":1}', b"")
    assert len(hub.lines) == 1


@pytest.mark.parametrize(
    "damage",
    [lambda data: b"", lambda data: data[:-1], lambda data: data[: len(data) // 2], lambda data: b"x" + data],
    ids=["empty", "cut", "half", "other version"],
)
def test_damaged_variables_are_not_read(native_shim: Shim, damage: Callable[[bytes], bytes]) -> None:
    """All of them are sent, or the Python shim sends them."""
    table = native_shim.paths.shim / "variables"
    table.write_bytes(damage(table.read_bytes()))
    native_shim.env = {b"CLAUDE_PROJECT_DIR": b"/p", b"TMUX": b"t"}
    with FakeHub(native_shim.socket, answer()) as hub:
        assert native_shim.run().code == 0
    assert hub.envelopes[0]["env"] == {"CLAUDE_PROJECT_DIR": "/p", "TMUX": "t"}


@pytest.mark.parametrize(
    ("mode", "env", "payload", "expected"),
    [
        ("deny_in_bypass", {}, BYPASS, b'"deny"'),
        ("prompt_in_bypass", {}, BYPASS, b'"ask"'),
        ("prompt_in_bypass", {}, b'{"permission_mode" :\n"bypassPermissions"}', b'"ask"'),
        ("prompt_in_bypass", {}, b"{}", b""),
        ("no_opinion", {}, BYPASS, b""),
        ("no_opinion", {b"ASSENT_RUN": b"id=1"}, b"{}", b'"deny"'),
        ("deny", {}, b"{}", b'"deny"'),
    ],
)
@pytest.mark.parametrize("gone", ["no hub", "hub that hangs up", "hub that held it"])
def test_without_an_interpreter_it_says_the_last_word_itself(
    native_shim: Shim, gone: str, mode: str, env: dict[bytes, bytes], payload: bytes, expected: bytes
) -> None:
    """An interpreter that was removed after the shim was placed: the client is told what is configured."""
    native_shim.place(mode)
    native_shim.env = env
    (native_shim.paths.shim / "interpreter").unlink()
    if gone == "no hub":
        result = native_shim.run(payload=payload)
    else:
        with FakeHub(native_shim.socket, hang_up if gone == "hub that hangs up" else say(b"\n")):
            result = native_shim.run(payload=payload)
    if gone == "hub that held it" and not expected:
        # Silence is no answer where a person was asked.
        expected = b'"ask"'
    assert result.code == 0
    assert bool(result.out) == bool(expected)
    assert expected in result.out
    assert result.err.startswith(b"assent: the shim's interpreter does not start")
    assert result.err.count(b"\n") == 1


def test_input_comes_before_an_interpreter_that_is_gone(native_shim: Shim) -> None:
    """A client that never ends its input does not keep it past the deadline, and what it said counts."""
    (native_shim.paths.shim / "interpreter").unlink()
    process = native_shim.start(deadline=0.5)
    assert process.stdin
    process.stdin.write(BYPASS)
    process.stdin.flush()
    assert process.wait(20) == 0
    assert b'"ask"' in native_shim.finish(process, None).out


def test_owner_is_asked_before_anything_is_sent(native_shim: Shim) -> None:
    """A hub of a user who is not the folder's gets no payload, and none from the Python shim, either."""
    if os.getuid():
        pytest.skip("only root can give a folder to another user")
    os.chown(native_shim.paths.shim, 4_000_000, -1)
    with FakeHub(native_shim.socket, answer("json_output", stdout_json={"a": 1})) as hub:
        result = native_shim.run(payload=BYPASS)
    assert hub.lines == []
    assert b"another user" in result.err
    assert b'"ask"' in result.out
