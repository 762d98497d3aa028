"""Answers as a hub sends them, and as none should, over a real socket."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from assent.client.wire import LONGEST_LINE, Connection, CutOffError


@contextmanager
def asked(tmp: str, *pieces: bytes) -> Iterator[tuple[Connection, socket.socket]]:
    """A connection to a server that has answered before it was asked, and its end of the line."""
    path = f"{tmp}/s"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(path)
        listening.listen()
        connection = Connection(path, timeout=10)
        hub = connection._connect()
        server, _ = listening.accept()
        with server:
            for piece in pieces:
                server.sendall(piece)
            server.shutdown(socket.SHUT_WR)
            connection._connect = lambda: hub  # type: ignore[method-assign]
            try:
                yield connection, server
            finally:
                connection.close()


@pytest.fixture
def tmp(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("w"))


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde",
        b"HTTP/1.1 200 OK\r\ncontent-length:5\r\n\r\nabcde and more",
        b"HTTP/1.0 200 OK\r\n\r\nabcde",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3;x=y\r\ncde\r\n0\r\n\r\n",
    ],
)
def test_body_ends_where_the_hub_said(tmp: str, answer: bytes) -> None:
    """By its length, in parts, or with the connection."""
    with asked(tmp, answer) as (connection, _):
        connection.send("GET", "/")
        assert (connection.status, connection.read()) == (200, b"abcde")


def test_request_is_one_of_http(tmp: str) -> None:
    """With its length, and with the wish to be hung up on afterwards."""
    with asked(tmp, b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n") as (connection, server):
        connection.send("POST", "/api/try?x=1", b"{}")
        line, *headers = server.recv(4096).split(b"\r\n")
    assert line == b"POST /api/try?x=1 HTTP/1.1"
    assert {b"Connection: close", b"Content-Length: 2"} <= set(headers)
    assert headers[-1] == b"{}"


def test_lines_come_whole_from_any_parts(tmp: str) -> None:
    """A line may be cut anywhere; the last one needs no end."""
    parts = (b"on", b"e\r\ntw", b"o\n\nthr", b"ee")
    body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    with asked(tmp, head, body, b"0\r\n\r\n") as (connection, _):
        connection.send("GET", "/")
        assert list(connection.lines()) == [b"one", b"two", b"", b"three"]


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200",
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\nab\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
        b"x" * (2 * LONGEST_LINE),
    ],
)
def test_answer_that_is_cut_off_is_an_error(tmp: str, answer: bytes) -> None:
    """Half an answer is never taken for a whole one."""
    with asked(tmp, answer) as (connection, _), pytest.raises(CutOffError):
        _whole(connection)


def _whole(connection: Connection) -> bytes:
    connection.send("GET", "/")
    return connection.read()
