"""A shim that finds no hub starts one, once."""

import fcntl
import json
import os
import shlex
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assent.paths import Paths
from tests.component.shim.conftest import BYPASS, Shim, wait_for
from tests.component.shim.fake_hub import Act, FakeHub, answer

SERVER = Path(__file__).with_name("revived_hub.py")
REVIVED = (0, b'{"revived":1}', b"")


def start_real_server(shim: Shim, delay: float = 0.0) -> None:
    """Have start-hub start a server that leaves a report in ``shim.hubs``."""
    argv = [str(shim.paths.shim / "python"), "-I", str(SERVER), str(shim.socket), str(shim.hubs), str(delay)]
    shim.start_hub_with(f"exec {shlex.join(argv)}")


def start_in_vain(shim: Shim) -> Path:
    """Have start-hub fail; each try leaves a line in the file returned."""
    tries = shim.hubs / "tries"
    shim.start_hub_with(f"echo try >> {shlex.quote(str(tries))}; exit 1")
    return tries


def start_and_hang(shim: Shim) -> None:
    """Have start-hub neither listen nor end."""
    shim.start_hub_with(f"echo > {shlex.quote(str(shim.hubs))}/$$.json; exec tail -f /dev/null")


def count(tries: Path) -> int:
    return tries.read_text().count("try")


def starts(shim: Shim) -> list[int]:
    return [int(line) for line in (shim.paths.run / "starts").read_text().split()]


def die(shim: Shim) -> Act:
    def act(conn: socket.socket, line: bytes) -> None:
        shim.socket.unlink()

    return act


@contextmanager
def right_to_start(shim: Shim) -> Iterator[None]:
    """Held as `assent restart` holds it."""
    with open(shim.paths.starting, "w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        yield


def _leads_to(fd: Path) -> str:
    """The name of the open file; "" where it was closed meanwhile."""
    try:
        return os.path.basename(os.readlink(fd))
    except FileNotFoundError:
        return ""


def wait_for_polling(pid: int) -> None:
    """Until the shim has its input, found no hub, and has the lock file open."""
    wait_for(lambda: any(_leads_to(fd) == "starting" for fd in open_files(pid)))


def open_files(pid: int) -> list[Path]:
    return list(Path(f"/proc/{pid}/fd").iterdir())


def test_missing_hub_is_started_and_asked(shim: Shim) -> None:
    """The event that found no hub is judged by the one it started, and leaves no gap."""
    start_real_server(shim)
    result = shim.run()
    assert (result.code, result.out, result.err) == REVIVED
    assert shim.gaps() == []


def test_stale_socket_is_a_missing_hub(shim: Shim) -> None:
    """A socket file that a killed hub left behind is no obstacle."""
    with socket.socket(socket.AF_UNIX) as left_behind:
        left_behind.bind(str(shim.socket))
    start_real_server(shim)
    assert shim.run().out == REVIVED[1]


def test_hub_that_vanished_meanwhile_is_started(shim: Shim) -> None:
    """A hub that dies with the event in its hands is replaced, and the event sent again."""
    start_real_server(shim)
    with FakeHub(shim.socket, die(shim)) as hub:
        result = shim.run()
    assert (result.code, result.out, result.err) == REVIVED
    assert len(hub.lines) == 1


def test_hub_that_died_with_our_request_may_take_its_time(shim: Shim) -> None:
    """It may have been asking a person, and the next one goes on with that."""
    start_real_server(shim, delay=2.5)
    with FakeHub(shim.socket, die(shim)):
        result = shim.run("Stop", silence=10)
    assert (result.code, result.out, result.err) == REVIVED


def test_slow_start_is_waited_for(shim: Shim) -> None:
    """On a busy machine a hub takes longer than a hub may stay silent; while it starts the call waits for it."""
    start_real_server(shim, delay=3.5)
    result = shim.run(payload=BYPASS, silence=2)
    assert (result.code, result.out, result.err) == REVIVED


def test_start_that_never_ends_is_given_up_at_the_deadline(shim: Shim) -> None:
    """The client's own timeout for the hook, less a margin, is never waited past."""
    start_and_hang(shim)
    result = shim.run("UserPromptSubmit", deadline=0.5)
    assert (result.code, result.out) == (0, b"")
    assert b"this event was not judged" in result.err


def test_start_that_never_ends_is_given_up_before_the_deadline(shim: Shim) -> None:
    """A gate with ten minutes does not wait that long for a program that hangs."""
    program = shim.paths.shim / "forward.py"
    program.write_text(program.read_text().replace("REVIVAL_S = 30.0", "REVIVAL_S = 0.5"))
    start_and_hang(shim)
    result = shim.run(payload=BYPASS, deadline=600)
    assert b"the hub is not running and did not start" in result.err
    assert b'"permissionDecision":"ask"' in result.out


def test_shim_waits_for_a_restart(shim: Shim) -> None:
    """While another process has the right to start a hub, none is started here, and its hub is asked."""
    tries = start_in_vain(shim)
    with right_to_start(shim):
        process = shim.start()
        shim.feed(process, BYPASS)
        wait_for_polling(process.pid)
        with FakeHub(shim.socket, answer("json_output", stdout_json={"new": 1})):
            result = shim.finish(process, None)
    assert (result.code, result.out, result.err) == (0, b'{"new":1}', b"")
    assert not tries.exists()


def test_restart_that_was_killed_is_taken_over(shim: Shim) -> None:
    """The right to start a hub comes free with its holder, and the next shim that waits uses it."""
    start_real_server(shim)
    with right_to_start(shim):
        process = shim.start()
        shim.feed(process)
        wait_for_polling(process.pid)
        assert list(shim.hubs.glob("*.json")) == []
    result = shim.finish(process, None)
    assert (result.code, result.out, result.err) == REVIVED


def test_shim_that_waits_hears_of_a_stop(shim: Shim) -> None:
    """`assent down` in the middle of a start: nothing is waited for any more."""
    with right_to_start(shim):
        process = shim.start()
        shim.feed(process, BYPASS)
        wait_for_polling(process.pid)
        shim.stop()
        result = shim.finish(process, None)
    assert (result.code, result.out, result.err) == (0, b"", b"")


def test_started_hub_holds_nothing_of_the_clients(shim: Shim) -> None:
    """Streams on /dev/null, nothing else open, a session of its own, in /, and no variable of the shim's."""
    shim.env = {b"HOME": b"/h", b"PATH": b"/evil", b"ANTHROPIC_API_KEY": b"sk-secret", b"PYTHONPATH": b"/evil"}
    start_real_server(shim)
    with open("/dev/zero", "rb") as leaked:
        result = shim.run(pass_fds=(leaked.fileno(),))
    # That communicate() came back at all says that stdout and stderr reached their end while the hub lives on.
    assert result.out == REVIVED[1]
    (path,) = shim.hubs.glob("*.json")
    report = json.loads(path.read_bytes())
    assert report["fds"] == [[0, True], [1, True], [2, True]]
    assert report["leads_session"]
    assert report["cwd"] == "/"
    # What a shell or the interpreter sets by itself.
    assert set(report["env"]) <= {"PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE"}


def test_ten_shims_start_one_hub(shim: Shim) -> None:
    """However many events find no hub at the same moment, one is started and all are answered."""
    start_real_server(shim, delay=0.3)
    processes = [shim.start() for _ in range(10)]
    for process in processes:
        shim.feed(process)
    results = [shim.finish(process, None) for process in processes]
    assert [(r.code, r.out, r.err) for r in results] == [REVIVED] * 10
    assert len(list(shim.hubs.glob("*.json"))) == 1
    assert len(starts(shim)) == 1


def test_shim_killed_while_starting_blocks_no_other(shim: Shim) -> None:
    """The right to start a hub ends with its holder, so the next shim can try at once."""
    tries = start_in_vain(shim)
    process = shim.start()
    shim.feed(process)
    wait_for(tries.exists)
    process.kill()
    shim.finish(process, None)
    start_real_server(shim)
    assert shim.run().out == REVIVED[1]


def test_three_failed_starts_pause_revival(shim: Shim) -> None:
    """A hub that cannot start is not started over and over; a minute later it may try again."""
    tries = start_in_vain(shim)
    for _ in range(3):
        result = shim.run(deadline=0.3)
        assert (result.code, result.out) == (0, b"")
    assert count(tries) == 3
    fourth = shim.run(payload=BYPASS)
    assert count(tries) == 3
    assert b'"permissionDecision":"ask"' in fourth.out
    assert b"three times within a minute" in fourth.err

    a_minute_ago = [at - 60_000 for at in starts(shim)]
    (shim.paths.run / "starts").write_text("".join(f"{at}\n" for at in a_minute_ago))
    shim.run(deadline=0.3)
    assert count(tries) == 4
    assert len(starts(shim)) == 1


def test_hub_that_does_not_come_up_is_given_up(shim: Shim) -> None:
    """Two seconds of trying are enough, whatever the deadline allows."""
    start_in_vain(shim)
    result = shim.run(payload=BYPASS)
    assert result.code == 0
    assert b'"permissionDecision":"ask"' in result.out
    assert b"the hub is not running and did not start" in result.err
    assert len(shim.gaps()) == 1


def test_start_script_that_is_gone_is_one_line(shim: Shim) -> None:
    """Without start-hub the shim fails as it does without a hub."""
    result = shim.run(payload=BYPASS)
    assert b'"permissionDecision":"ask"' in result.out
    assert result.err.startswith(b"assent: FileNotFoundError")
    assert result.err.count(b"\n") == 1


def test_run_folder_is_made_private(shim: Shim) -> None:
    """A state folder without its run folder is completed, for the user alone."""
    shim.paths.hook_socket.parent.rmdir()
    shim.paths.run.rmdir()
    shim.run(deadline=0.2)
    assert shim.paths.run.stat().st_mode & 0o777 == 0o700
    assert (shim.paths.run / "starting").stat().st_mode & 0o777 == 0o600


def test_very_long_state_folder_works(shim: Shim) -> None:
    """Everything but the socket may lie as deep as the file system allows."""
    deep = shim.paths.state.joinpath(*["d" * 200] * 5)
    shim.paths = Paths(config_dir=deep / "config", state=deep / "state")
    shim.place()
    start_real_server(shim)
    assert shim.run().out == REVIVED[1]
