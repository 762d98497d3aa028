"""The client against a real hub, and against servers that misbehave."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from assent import client as client_module
from assent.client import ApiError, Client
from assent.errors import HubUnreachableError
from assent.paths import Paths
from assent.protocol.card import AnswerRequest
from tests.component.hub.ask_client import WAITING, hook, permission
from tests.component.hub_process import HubProcess, bash, running_hub, until


@pytest.fixture
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("h")


@pytest.fixture
def hub(root: Path) -> Iterator[HubProcess]:
    with running_hub(root) as hub:
        yield hub


@pytest.fixture
def paths(root: Path) -> Paths:
    paths = Paths(config_dir=root / "c", state=root / "s")
    paths.desk_socket.parent.mkdir(parents=True)
    return paths


@contextmanager
def server(paths: Paths, serve: Callable[[socket.socket], None]) -> Iterator[None]:
    """Something that listens where a hub should, and treats each caller as told."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(str(paths.desk_socket))
    listening.listen()

    def answer() -> None:
        while True:
            try:
                caller, _ = listening.accept()
            except OSError:
                return
            with caller:
                caller.recv(65536)
                serve(caller)

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        yield
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(10)


def replying(status: str, body: bytes, kind: str = "application/json") -> Callable[[socket.socket], None]:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return lambda caller: caller.sendall(head.encode() + body)


def streaming(*chunks: bytes) -> Callable[[socket.socket], None]:
    """Server-sent events in these very pieces, then the line goes dead."""

    def serve(caller: socket.socket) -> None:
        caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for chunk in chunks:
            caller.sendall(b"%x\r\n%s\r\n" % (len(chunk), chunk))

    return serve


def test_client_reads_what_a_hub_knows(hub: HubProcess) -> None:
    """Status, sessions and log agree about an event that was sent."""
    client = Client(hub.paths)
    hub.send(bash("make"))
    until(client.sessions, "the session")
    (session,) = client.sessions()
    assert (session.id, session.calls, session.cwd) == ("s1", 1, "/p")
    assert client.status()["events"] == 1
    records, unseen_before = client.search(limit=10, before=None)
    assert unseen_before is None
    assert [record["seq"] for record in records] == list(range(1, len(records) + 1))
    assert "call Bash make" in [record["line"] for record in records]
    assert client.search(limit=10, before=2) == (records[:1], None)
    decided = [record for record in records if record["kind"] == "decision"]
    assert client.search("tool:bash decision:no_opinion project:p", limit=10, before=None)[0] == decided
    assert client.healthy()


def test_client_pauses_and_resumes(hub: HubProcess) -> None:
    """The hub says how long it will be silent."""
    client = Client(hub.paths)
    assert 59 < client.pause(60) <= 60
    assert client.pause(0) == 0


def test_client_passes_the_hubs_refusal_on(hub: HubProcess) -> None:
    """The sentence and the code are the hub's own."""
    with pytest.raises(ApiError) as refused:
        Client(hub.paths).pause(1e9)
    assert (refused.value.status, refused.value.code) == (422, "bad-pause")
    assert refused.value.message == "A pause lasts from 0 (resume) to 8 hours."
    assert refused.value.exit_code == 1


def test_client_gets_a_new_code_each_time(hub: HubProcess) -> None:
    """A code opens the page once, so it is never the same."""
    client = Client(hub.paths)
    assert len({client.pair() for _ in range(3)}) == 3


def test_stream_catches_up_and_ends_with_the_hub(hub: HubProcess) -> None:
    """What was missed comes first, then what happens; a hub that stops ends the stream without an error."""
    client = Client(hub.paths)
    hub.send(bash("echo one"))
    until(lambda: client.status()["journal"]["seq"] >= 3, "the first records")
    lines: list[str] = []

    def read() -> None:
        for record in client.stream(since=1):
            lines.append(record["line"])  # noqa: PERF401 - the other thread looks at each as it comes

    thread = threading.Thread(target=read)
    thread.start()
    until(lambda: "call Bash echo one" in lines, "what was missed")
    hub.send(bash("echo two"))
    until(lambda: "call Bash echo two" in lines, "what happens")
    hub.stop()
    thread.join(15)
    assert not thread.is_alive()


def test_no_hub_is_said_so(paths: Paths) -> None:
    """Neither a missing socket nor a dead one looks like anything else."""
    client = Client(paths)
    calls: list[Callable[[], Any]] = [client.status, client.sessions, client.pair, lambda: list(client.stream())]
    for _ in range(2):
        for call in calls:
            with pytest.raises(HubUnreachableError, match="No hub is running") as gone:
                call()
            assert gone.value.hint == "`assent up` starts it."
        assert not client.healthy()
        if not paths.desk_socket.exists():
            with socket.socket(socket.AF_UNIX) as dead:
                dead.bind(str(paths.desk_socket))


def test_hub_that_says_nothing_is_given_up(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub that accepts and then hangs costs seconds, not forever."""
    monkeypatch.setattr(client_module, "PATIENCE", 0.2)
    done = threading.Event()

    def hang(_: socket.socket) -> None:
        done.wait(10)

    with server(paths, hang):
        with pytest.raises(HubUnreachableError, match="The hub does not answer"):
            Client(paths).status()
        done.set()


def test_hub_that_hangs_up_is_unreachable(paths: Paths) -> None:
    """A connection closed without a word is a hub that is just stopping."""
    with server(paths, lambda _: None), pytest.raises(HubUnreachableError):
        Client(paths).status()


def test_problem_with_a_hint_becomes_an_error_with_a_hint(paths: Paths) -> None:
    """Code, sentence and hint come through."""
    body = b'{"error":{"code":"scope","message":"You may not.","hint":"ask the owner."}}'
    with server(paths, replying("403 Forbidden", body)), pytest.raises(ApiError) as refused:
        Client(paths).pair()
    assert str(refused.value) == "You may not.\nhint: ask the owner."
    assert refused.value.code == "scope"


def test_answer_that_is_no_problem_object_is_still_a_sentence(paths: Paths) -> None:
    """A hub that broke says so in words people can use."""
    with (
        server(paths, replying("500 Internal Server Error", b"Internal Server Error", "text/plain")),
        pytest.raises(ApiError, match=r"The hub failed to answer \(HTTP 500\)"),
    ):
        Client(paths).status()


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"sessions":[{"id":7}]}'])
def test_answer_of_another_shape_points_at_the_version(paths: Paths, body: bytes) -> None:
    """A hub of another version is no bug of this program."""
    with server(paths, replying("200 OK", body)), pytest.raises(ApiError, match="cannot be read") as odd:
        Client(paths).sessions()
    assert odd.value.hint == "`assent restart` gives you a hub of this version."


def test_answer_without_what_is_looked_for_points_at_the_version(paths: Paths) -> None:
    """For every call that looks for it."""
    with server(paths, replying("200 OK", b"{}")):
        for look in (Client(paths).devices, Client(paths).surfaces, lambda: Client(paths).status()["version"]):
            with pytest.raises(ApiError, match="cannot be read"):
                look()


def test_stream_puts_events_together_from_any_pieces(paths: Paths) -> None:
    """Comments are skipped, events may be cut anywhere, and half an event at the end is dropped."""
    pieces = (
        b": connected\n\nid: 1\nevent: rec",
        b'ord\ndata: {"seq":1}\n\n: still here\n\n',
        b'data: {"seq":\ndata: 2}\n\n',
    )
    with server(paths, streaming(*pieces, b'data: {"seq":3}\n')):
        assert list(Client(paths).stream(since=1)) == [{"seq": 1}, {"seq": 2}]


@pytest.mark.parametrize("body", [b"{half", b"[1]", b'"\xff"', b"[" * 100_000])
def test_stream_of_nonsense_is_an_error(paths: Paths, body: bytes) -> None:
    """The caller must know that the stream has ended."""
    told = b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ndata: {"seq": 1}\n\ndata: ' + body + b"\n\n"
    with server(paths, lambda caller: caller.sendall(told)):
        stream = Client(paths).stream()
        assert next(stream) == {"seq": 1}
        with pytest.raises(ApiError, match=r"cannot be read"):
            next(stream)


def test_stream_refused_is_an_error(paths: Paths) -> None:
    """Too far behind is told apart from gone."""
    body = b'{"error":{"code":"too-far-behind","message":"Too long ago.","hint":null}}'
    with server(paths, replying("410 Gone", body)), pytest.raises(ApiError) as refused:
        list(Client(paths).stream(since=1))
    assert (refused.value.status, refused.value.code) == (410, "too-far-behind")


def test_client_shows_an_ask_and_answers_it(hub: HubProcess) -> None:
    """What a terminal needs: the card, what could be granted, the answer, and the reason where it came too late."""
    client = Client(hub.paths)
    with hook(hub, permission("npm test")) as (run, _):
        (ask,) = [ask for ask in client.snapshot().asks if ask.state in WAITING]
        assert client.ask(ask.id).view.verb == ask.view.verb
        assert "rule:Bash(npm test)" in [offer.grant for offer in client.offers(ask.id)]
        answer = AnswerRequest(rev=ask.rev, hash=ask.hash, choice="allow")
        client.answer(ask.id, answer)
        assert run.decision == {"behavior": "allow"}
        with pytest.raises(ApiError) as refused:
            client.answer(ask.id, answer)
        assert (refused.value.status, refused.value.code) == (409, "too-late")


def test_stream_with_views_carries_whole_asks(hub: HubProcess) -> None:
    """A screen replaces what it has by id."""
    client = Client(hub.paths)
    since = client.snapshot().seq
    with hook(hub, permission("npm test")) as (_, ask):
        seen = next(record for record in client.stream(since, with_views=True) if record.get("asks"))
        assert [shown["id"] for shown in seen["asks"]] == [ask["id"]]
