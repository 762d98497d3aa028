"""What the load hears: replies between signs of life, responses, and messages in pieces."""

import pytest

from bench.crowd import Messages, Reply, Response


def test_reply_waits_through_signs_of_life() -> None:
    """Blank lines are counted and are no answer, and an answer may come in pieces."""
    heard: list[tuple[bytes, float]] = []
    reply = Reply(lambda line, now: heard.append((line, now)))
    assert [reply(chunk, now) for now, chunk in enumerate([b"\n", b"\n\n", b'\n{"pay', b'load":{}}\n'])] == [
        True,
        True,
        True,
        False,
    ]
    assert heard == [(b'{"payload":{}}\n', 3)]
    assert reply.beats == 4


def test_reply_that_never_came_stops_the_measurement() -> None:
    """A hub that hangs up has not answered quickly."""
    with pytest.raises(AssertionError, match="hung up"):
        Reply(lambda _, __: None)(b"", 0.0)


def test_response_is_done_with_its_last_byte() -> None:
    """Not before its body is as long as its head says."""
    whole = b"HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\n{}"
    heard: list[bytes] = []
    response = Response(lambda said, _: heard.append(said))
    assert all(response(whole[at : at + 1], 0.0) for at in range(len(whole) - 1))
    assert not heard
    assert not response(whole[-1:], 0.0)
    assert heard == [whole]


def test_response_that_breaks_off_is_passed_on_as_it_is() -> None:
    """The client sees that it is incomplete."""
    heard: list[bytes] = []
    response = Response(lambda said, _: heard.append(said))
    assert response(b"HTTP/1.1 202 Acc", 0.0)
    assert not response(b"", 0.0)
    assert heard == [b"HTTP/1.1 202 Acc"]


def test_messages_pass_on_those_about_asks_whole_and_once() -> None:
    """However the stream is cut into pieces; the rest is counted."""
    ask = b'id: 7\nevent: record\ndata: {"seq":7,"asks":[{"id":"a"}]}\n\n'
    other = b'id: 8\nevent: record\ndata: {"seq":8}\n\n'
    stream = b"HTTP/1.1 200 OK\r\n\r\n: connected\n\n" + b"\r\n3f\r\n" + ask + b"\r\n21\r\n" + other
    for size in (1, 7, len(stream)):
        heard: list[bytes] = []
        page = Messages(lambda data, _, heard=heard: heard.append(data))  # type: ignore[misc]
        for start in range(0, len(stream), size):
            assert page(stream[start : start + size], 0.0)
        assert heard == [b'{"seq":7,"asks":[{"id":"a"}]}']
        assert (page.count, page.size) == (2, len(stream))


def test_messages_that_are_refused_stop_the_measurement() -> None:
    """A page that sees nothing would be the quickest of all."""
    page = Messages(lambda _, __: None)
    with pytest.raises(AssertionError, match="refused"):
        page(b"HTTP/1.1 401 Unauthorized\r\n\r\n{}\n\n", 0.0)
    with pytest.raises(AssertionError, match="cut off"):
        page(b"", 0.0)
