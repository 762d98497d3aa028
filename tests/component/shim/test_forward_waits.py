"""How long the shim waits, and what ends the waiting."""

import signal
import socket
import threading

import pytest

from assent.shim import place
from tests.component.shim.conftest import BYPASS, Shim
from tests.component.shim.fake_hub import Act, FakeHub, answer, hang_up, say, stay_silent
from tests.waiting import HANG

SAID = answer("json_output", stdout_json={"a": 1})
IN_BYPASS = {"no_opinion": "ask", "prompt_in_bypass": "ask", "deny_in_bypass": "deny", "deny": "deny"}


def leave(shim: Shim) -> Act:
    """Hang up for good."""
    return lambda conn, line: shim.socket.unlink()


def after_heartbeats(count: int, pause: float, act: Act) -> Act:
    def beat(conn: socket.socket, line: bytes) -> None:
        never = threading.Event()
        for _ in range(count):
            never.wait(pause)
            conn.sendall(b"\n")
        act(conn, line)

    return beat


def in_pieces(conn: socket.socket, line: bytes) -> None:
    """The reply byte by byte."""
    SAID(_Pieces(conn), line)  # type: ignore[arg-type]


class _Pieces:
    def __init__(self, conn: socket.socket) -> None:
        self.conn = conn

    def sendall(self, data: bytes) -> None:
        for n in range(len(data)):
            self.conn.sendall(data[n : n + 1])


def test_heartbeats_keep_it_waiting(shim: Shim) -> None:
    """A hub that sends blank lines is alive, and its answer counts however late."""
    with FakeHub(shim.socket, after_heartbeats(8, 0.2, SAID)):
        result = shim.run(silence=1)
    assert (result.code, result.out, result.err) == (0, b'{"a":1}', b"")


def test_silence_is_given_up(shim: Shim) -> None:
    """A hub that says nothing at all is taken for dead."""
    with FakeHub(shim.socket, stay_silent) as hub:
        result = shim.run(silence=0.3)
    assert (result.code, result.out) == (0, b"")
    assert result.err == b"assent: the hub went silent; this event was not judged. Run: assent doctor\n"
    assert len(hub.lines) == 1


def test_silence_after_heartbeats_is_given_up(shim: Shim) -> None:
    """Having been alive once is not enough."""
    with FakeHub(shim.socket, after_heartbeats(3, 0.05, stay_silent)):
        result = shim.run(payload=BYPASS, silence=0.5)
    assert b'"permissionDecision":"ask"' in result.out
    assert b"silent" in result.err


def test_deadline_ends_even_a_lively_wait(shim: Shim) -> None:
    """Heartbeats do not carry the shim past its deadline, after which the client would kill it."""
    with FakeHub(shim.socket, after_heartbeats(100, 0.05, hang_up)) as hub:
        result = shim.run(payload=BYPASS, deadline=0.5)
    assert result.code == 0
    assert b'"permissionDecision":"ask"' in result.out
    assert len(hub.lines) == 1


def test_deadline_holds_for_events_answered_at_once(shim: Shim) -> None:
    """The same program serves events with a short deadline and stays silent on them."""
    with FakeHub(shim.socket, stay_silent):
        result = shim.run("SessionStart", BYPASS, deadline=0.3)
    assert (result.code, result.out) == (0, b"")


def test_reply_in_pieces_is_put_together(shim: Shim) -> None:
    """Where the network cuts the line does not matter."""
    with FakeHub(shim.socket, in_pieces):
        assert shim.run().out == b'{"a":1}'


def test_hang_up_reconnects_with_the_same_line(shim: Shim) -> None:
    """A hub that restarted is asked again under the same request id."""
    with FakeHub(shim.socket, hang_up, SAID) as hub:
        result = shim.run()
    assert (result.code, result.out, result.err) == (0, b'{"a":1}', b"")
    assert len(hub.lines) == 2
    assert hub.lines[0] == hub.lines[1]


def test_reset_reconnects(shim: Shim) -> None:
    """A hub that went away with our line half read is asked again as well."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(shim.socket))
        listener.listen()
        listener.settimeout(HANG)
        process = shim.start()
        shim.feed(process)
        first, _ = listener.accept()
        begun = first.recv(31)
        first.close()
        second, _ = listener.accept()
        with second, second.makefile("rb") as lines:
            line = lines.readline()
            SAID(second, line)
            result = shim.finish(process, None)
    assert (result.code, result.out, result.err) == (0, b'{"a":1}', b"")
    assert line.startswith(begun)


def test_half_a_reply_reconnects(shim: Shim) -> None:
    """A reply cut off by the hub's end is not acted on; the next hub's is."""
    half = say(b'{"request_id":"ID","ts":1,"payload":{"action":"json_output","stdout_json":{"b":2}}}')
    with FakeHub(shim.socket, half, SAID) as hub:
        result = shim.run()
    assert result.out == b'{"a":1}'
    assert len(hub.lines) == 2


def test_dying_hub_may_take_a_second_connection_along(shim: Shim) -> None:
    """What is killed closes its sockets one by one, so the one that still listens is not yet the next hub."""
    with FakeHub(shim.socket, hang_up, hang_up, SAID) as hub:
        result = shim.run()
    assert (result.code, result.out, result.err) == (0, b'{"a":1}', b"")
    assert len(hub.lines) == 3


def test_hub_that_held_the_request_may_hang_up_again(shim: Shim) -> None:
    """Restarts of a hub that asks a person lose nothing, however many there are."""
    hold = after_heartbeats(3, 0.4, hang_up)
    with FakeHub(shim.socket, hold, hold, hold, hang_up, SAID) as hub:
        result = shim.run()
    assert (result.code, result.out, result.err) == (0, b'{"a":1}', b"")
    assert len(set(hub.lines)) == 1


def test_hub_that_held_the_request_for_a_moment_may_hang_up_again(shim: Shim) -> None:
    """Restarts in quick succession: each hub says that it asks a person, and is gone before a second is over."""
    hold = after_heartbeats(1, 0.0, hang_up)
    with FakeHub(shim.socket, hold, hold, hold, hold, hold, SAID) as hub:
        result = shim.run()
    assert (result.code, result.out, result.err) == (0, b'{"a":1}', b"")
    assert len(hub.lines) == 6


def test_third_hang_up_is_given_up(shim: Shim) -> None:
    """Two more tries are enough; then the client must go on."""
    with FakeHub(shim.socket, hang_up) as hub:
        result = shim.run()
    assert (result.code, result.out) == (0, b"")
    assert result.err == b"assent: the hub hung up three times; this event was not judged. Run: assent doctor\n"
    assert len(hub.lines) == 3


def test_sigterm_ends_it_at_once_and_silently(shim: Shim) -> None:
    """When the client cancels, the shim is gone without a word and the hub sees the connection close."""
    with FakeHub(shim.socket, stay_silent) as hub:
        process = shim.start()
        shim.feed(process, BYPASS)
        assert hub.heard.acquire(timeout=HANG)
        process.terminate()
        result = shim.finish(process, None)
    assert (result.code, result.out, result.err) == (-signal.SIGTERM, b"", b"")
    assert hub.rest == [b""]
    assert shim.gaps() == []


def test_interrupt_is_no_traceback(shim: Shim) -> None:
    """Ctrl-C counts as any other failure: the safe answer, one line, exit 0."""
    with FakeHub(shim.socket, stay_silent) as hub:
        process = shim.start()
        shim.feed(process, BYPASS)
        assert hub.heard.acquire(timeout=HANG)
        process.send_signal(signal.SIGINT)
        result = shim.finish(process, None)
    assert result.code == 0
    assert b'"permissionDecision":"ask"' in result.out
    assert result.err.count(b"\n") == 1


@pytest.mark.parametrize("mode", place.MODES)
@pytest.mark.parametrize("is_stopped", [False, True])
def test_held_call_never_ends_in_silence(shim: Shim, mode: str, is_stopped: bool) -> None:
    """A hub that kept a call waiting was asking a person: where none comes back, under an allow rule of the client's
    silence would run it."""
    shim.place(mode)
    if is_stopped:
        shim.stop()
    for payload, word in ((b"{}", "deny" if mode == "deny" else "ask"), (BYPASS, IN_BYPASS[mode])):
        with FakeHub(shim.socket, after_heartbeats(1, 0.0, leave(shim))):
            result = shim.run(payload=payload)
        assert f'"permissionDecision":"{word}"'.encode() in result.out


@pytest.mark.parametrize("event", ["Stop", "PermissionRequest", "UserPromptSubmit"])
def test_other_events_that_were_held_end_in_silence(shim: Shim, event: str) -> None:
    """There silence leaves it to the client's own dialog, or lets the turn end."""
    with FakeHub(shim.socket, after_heartbeats(1, 0.0, leave(shim))):
        result = shim.run(event, payload=BYPASS)
    assert (result.code, result.out) == (0, b"")
