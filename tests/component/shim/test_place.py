"""Placing the shim: complete, private, whole at every moment, and only when something changed."""

import marshal
import os
import shlex
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.harnesses.site import shim_command
from assent.paths import LONGEST_SOCKET_PATH, Paths
from assent.shim import native, place
from tests import gates
from tests.component.shim.conftest import BYPASS, Shim, placed
from tests.component.shim.fake_hub import FakeHub, answer

BESIDE = ("opencode.js", "opencode-rules.js", "opencode-shim.js")
TABLES = ("variables", "replies", "program")
FILES = ("hook.py", "forward.py", "python", "interpreter", "start-hub", "run", *TABLES, *BESIDE)


@pytest.fixture(params=["native", "python"], autouse=True)
def built(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path | None:
    """With a native shim in the installation, and without one: as in a pure wheel."""
    gate = gates.sanitized() if request.param == "native" else None
    monkeypatch.setattr(native, "PROGRAM", gate or tmp_path / "not there")
    return gate


@pytest.fixture
def shim(built: Path | None) -> Iterator[Shim]:
    with placed(built) as shim:
        yield shim


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(config_dir=tmp_path / "config", state=tmp_path / "it's a state")


def snapshot(paths: Paths) -> dict[str, tuple[int, int, int]]:
    found = {name: (paths.shim / name).lstat() for name in FILES}
    return {name: (one.st_ino, one.st_mtime_ns, one.st_mode) for name, one in found.items()}


def test_place_makes_everything_private(paths: Paths, built: Path | None) -> None:
    """Folders and files are the user's alone, whatever the umask and whatever they were before."""
    paths.state.mkdir(mode=0o755)
    old = os.umask(0)
    try:
        place.place(paths, unreachable="deny", environ={})
    finally:
        os.umask(old)
    found = {name: (paths.shim / name).lstat().st_mode for name in FILES}
    modes = {name: mode & 0o777 for name, mode in found.items() if not stat.S_ISLNK(mode)}
    assert modes == {
        **({"python": 0o700} if built else {}),
        "hook.py": 0o600,
        "forward.py": 0o600,
        "start-hub": 0o700,
        "run": 0o700,
        **dict.fromkeys((*TABLES, *BESIDE), 0o600),
    }
    for folder in (paths.state, paths.shim, paths.run, paths.spool):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name for path in paths.shim.iterdir()} == set(FILES)


def test_place_links_the_real_interpreter(paths: Paths) -> None:
    """Not the virtual environment's and not a version manager's: the program both stand for."""
    place.place(paths, unreachable="deny", environ={})
    target = (paths.shim / "interpreter").readlink()
    assert target.is_absolute()
    assert not target.is_symlink()
    ask = "import sys; print(sys.version_info[:3], sys.prefix == sys.base_prefix)"
    for name in ("interpreter", "python"):
        said = subprocess.run([paths.shim / name, "-I", "-S", "-c", ask], capture_output=True, text=True, env={})
        assert said.stdout == f"{sys.version_info[:3]} True\n"


@pytest.mark.parametrize("mode", place.MODES)
@pytest.mark.parametrize("name", ["forward.py", "hook.py"])
def test_place_bakes_the_replies_in(paths: Paths, mode: str, name: str) -> None:
    """Each copy differs from its source in its tables: the replies of this mode, as they go over the wire, and in the
    program who is known by which variable."""
    place.place(paths, unreachable=mode, environ={})
    source = (Path(place.__file__).parent / name).read_text().splitlines()
    placed = (paths.shim / name).read_text().splitlines()
    changed, *senders = [line for was, line in zip(source, placed, strict=True) if was != line]
    assert changed.startswith("HARNESSES = {'claude-code'" if name == "forward.py" else "FALLBACK = {")
    assert ("permissionDecision" in changed) == (name == "forward.py" or mode != "no_opinion")
    assert [line.partition(" = ")[0] for line in senders] == (["MARKERS"] if name == "forward.py" else [])
    assert place.is_current(paths)


def test_place_refuses_an_unknown_mode(paths: Paths) -> None:
    """A mode the program would not know is a bug, not a file."""
    with pytest.raises(ValueError, match="unreachable must be one of"):
        place.place(paths, unreachable="allow", environ={})
    assert not (paths.shim / "forward.py").exists()


def test_place_again_changes_nothing(paths: Paths) -> None:
    """A hub that starts with the shim in place leaves every file as it is."""
    place.place(paths, unreachable="deny", environ={"PATH": "/a"})
    before = snapshot(paths)
    place.place(paths, unreachable="deny", environ={"PATH": "/a"})
    assert snapshot(paths) == before


@pytest.mark.parametrize("name", FILES)
def test_place_repairs_what_differs(paths: Paths, name: str) -> None:
    """A file gone or changed is found by is_current and put right by place, and the others are left alone."""
    place.place(paths, unreachable="deny", environ={})
    before = snapshot(paths)
    (paths.shim / name).unlink()
    (paths.shim / name).write_text("something else")
    assert not place.is_current(paths)
    place.place(paths, unreachable="deny", environ={})
    assert place.is_current(paths)
    assert {key for key, value in snapshot(paths).items() if value != before[key]} == {name}
    assert {path.name for path in paths.shim.iterdir()} == set(FILES)


def test_is_current_needs_everything(paths: Paths) -> None:
    """Nothing placed, or a script that cannot be started, is not current."""
    assert not place.is_current(paths)
    place.place(paths, unreachable="deny", environ={})
    (paths.shim / "run").chmod(0o600)
    assert not place.is_current(paths)
    place.place(paths, unreachable="deny", environ={})
    for name in ("python", "interpreter"):
        place.place(paths, unreachable="deny", environ={})
        (paths.shim / name).unlink()
        (paths.shim / name).symlink_to("/nonexistent/python")
        assert not place.is_current(paths)


@pytest.mark.parametrize("damage", ["replaced", "cut off"])
def test_foreign_cache_is_noticed_and_removed(shim: Shim, damage: str) -> None:
    """A compiled program that is not the source beside it cannot hide behind an untouched source."""
    program = shim.paths.shim / "forward.py"
    shim.run(deadline=0.2)
    place.place(shim.paths, unreachable="prompt_in_bypass")
    (cached,) = program.parent.glob("__pycache__/forward.*.pyc")
    assert place.is_current(shim.paths)
    if damage == "replaced":
        # Same header, so the interpreter believes it.
        cached.write_bytes(cached.read_bytes()[:16] + marshal.dumps(compile("raise SystemExit", "forward.py", "exec")))
    else:
        cached.write_bytes(cached.read_bytes()[:500])
    assert not place.is_current(shim.paths)
    place.place(shim.paths, unreachable="prompt_in_bypass")
    assert place.is_current(shim.paths)
    assert not cached.exists()


def test_is_current_looks_past_the_environment(paths: Paths) -> None:
    """Another PATH in the doctor's shell than in the hub's is no reason for alarm."""
    place.place(paths, unreachable="deny", environ={"PATH": "/somewhere", "HOME": "/else"})
    assert place.is_current(paths)


def test_start_hub_builds_its_environment_from_nothing(paths: Paths, tmp_path: Path) -> None:
    """The script passes on what the hub finds its folders by, quoted, and nothing else of its environment."""
    nasty = "/a'b\"c $(touch pwned) `d`"
    kept = {"HOME": nasty, "PATH": "/bin:/usr/bin", "ASSENT_HOME": "/x y", "XDG_STATE_HOME": "/s", "TMPDIR": "/t"}
    place.place(paths, unreachable="deny", environ=kept | {"ANTHROPIC_API_KEY": "sk", "PYTHONPATH": "/p"})
    script = (paths.shim / "start-hub").read_text()
    assert script.endswith(f" LANG=C.UTF-8 {shlex.quote(sys.executable)} -I -m assent up --from-shim\n")
    harmless = tmp_path / "print-env"
    harmless.write_text(script.partition(" LANG=C.UTF-8 ")[0] + " LANG=C.UTF-8 /usr/bin/env -0\n")
    printed = subprocess.run(
        ["/bin/sh", harmless], capture_output=True, env={"SECRET": "1", "HOME": "/mine"}, cwd=tmp_path
    )
    found = dict(pair.split("=", 1) for pair in printed.stdout.decode().split("\0") if pair)
    assert found == kept | {"LANG": "C.UTF-8"}
    assert not (tmp_path / "pwned").exists()


def test_start_hub_has_a_home_and_a_path_in_any_case(paths: Paths, home: Path) -> None:
    """Started where the environment says nothing, the hub still finds the user's home and the usual programs."""
    place.place(paths, unreachable="deny", environ={})
    script = (paths.shim / "start-hub").read_text()
    assert f"HOME={home} " in script
    assert f"PATH={place.DEFAULT_PATH} " in script


def test_command_names_everything(paths: Paths) -> None:
    """The entry's arguments say where, for whom, for which event, and how long; numbers as short as they go."""
    assert shim_command(paths, "claude-code", "PreToolUse", 600.0, 2.5) == [
        str(paths.shim / "python"), "-I", "-S", str(paths.shim / "hook.py"), str(paths.hook_socket),
        "claude-code", "PreToolUse", "600", "2.5",
    ]  # fmt: skip


def test_run_is_the_same_program(shim: Shim) -> None:
    """The script for entries without a path of this machine passes its arguments on."""
    with FakeHub(shim.socket, answer("json_output", stdout_json={"a": 1})) as hub:
        argv = [str(shim.paths.shim / "run"), "claude-code", "Stop", "5", "2"]
        said = subprocess.run(argv, input=b"{}", capture_output=True, env={})
    assert said.stdout == b'{"a":1}'
    assert hub.envelopes[0]["hook_event_name"] == "Stop"


def test_new_mode_counts_from_the_next_hook_on(shim: Shim) -> None:
    """Placing again replaces the compiled program too, even within the same second."""
    for mode, expected in (("deny", b'"deny"'), ("prompt_in_bypass", b'"ask"'), ("deny", b'"deny"')):
        shim.place(mode)
        assert expected in shim.run(payload=BYPASS, deadline=0.2).out


def test_place_copes_with_a_socket_elsewhere(tmp_path: Path) -> None:
    """A state folder too deep for a socket moves the socket, and nothing else."""
    deep = Paths(config_dir=tmp_path / "config", state=tmp_path.joinpath(*["d" * 100] * 3))
    place.place(deep, unreachable="deny", environ={})
    assert place.is_current(deep)
    assert len(os.fsencode(shim_command(deep, "h", "e", 1, 1)[4])) <= LONGEST_SOCKET_PATH


def test_new_program_takes_the_cache_of_the_old_one_along(shim: Shim) -> None:
    """The interpreter tells a stale cache by size and whole seconds, which may be the same."""
    shim.run(deadline=0.2)
    program = shim.paths.shim / "forward.py"
    (cached,) = program.parent.glob("__pycache__/forward.*.pyc")
    program.write_bytes(program.read_bytes() + b"\n")
    place.place(shim.paths, unreachable="prompt_in_bypass")
    assert not cached.exists()


def test_write_that_fails_leaves_the_old_file_and_nothing_else(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk does not take the shim away."""
    place.place(paths, unreachable="deny", environ={})
    before = snapshot(paths)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        place.place(paths, unreachable="no_opinion", environ={})
    assert snapshot(paths) == before
    assert {path.name for path in paths.shim.iterdir()} == set(FILES)


@pytest.mark.parametrize("name", ["hook.py", "run", "start-hub"])
def test_file_with_another_mode_is_written_again(paths: Paths, name: str) -> None:
    """Also if its text is the same."""
    place.place(paths, unreachable="deny", environ={})
    wanted = (paths.shim / name).stat().st_mode
    (paths.shim / name).chmod(0o755)
    place.place(paths, unreachable="deny", environ={})
    assert (paths.shim / name).stat().st_mode == wanted
