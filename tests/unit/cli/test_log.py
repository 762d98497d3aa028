"""The record as lines, and the way it is followed across restarts."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from assent.client import ApiError, Client
from assent.errors import HubUnreachableError
from tests.unit.cli.conftest import Run, status

Answers = Callable[..., None]


def record(seq: int, **fields: Any) -> dict[str, Any]:
    return {"seq": seq, "at": 1_000_000 + seq * 1000, "kind": "event", "line": f"line {seq}", **fields}


@pytest.fixture(autouse=True)
def now(clock: Callable[[float], None]) -> None:
    clock(90_000.0)


def test_log_is_one_line_a_record(assent: Run, answers: Answers) -> None:
    """Local time, the session's first letters, the line; with the date unless it is today."""
    answers(log=[record(1, session="4f1c0000-1"), record(2, at=89_000_000)])
    assert assent("log", "-n", "2").out == (
        "1970-01-01 00:16:41  4f1c0000  line 1\n"
        "00:43:20  -         line 2\n"
    )  # fmt: skip


def test_log_json_is_the_record_itself(assent: Run, answers: Answers) -> None:
    """One object a line, with its text."""
    answers(log=[record(1), record(2)])
    assert [json.loads(line) for line in assent("log", "-n", "2", "--json").out.splitlines()] == [record(1), record(2)]


def test_log_fetches_more_than_a_page(assent: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long log comes in pages, and stays in order."""
    asked: list[tuple[int, int | None]] = []

    def pages(_: Client, limit: int, before: int | None = None) -> list[dict[str, Any]]:
        asked.append((limit, before))
        end = before or 1501
        return [record(seq) for seq in range(max(1, end - limit), end)]

    monkeypatch.setattr(Client, "log", pages)
    lines = assent("log", "-n", "5000").out.splitlines()
    assert asked == [(1000, None), (1000, 501), (1000, 1)]
    assert [line.rsplit(" ", 1)[1] for line in lines] == [str(seq) for seq in range(1, 1501)]


def test_log_follow_goes_on_after_a_restart_without_gap_or_repetition(
    assent: Run, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream is resumed by the last seq seen, people are told once that the hub is away, Ctrl-C ends it."""
    asked: list[int] = []

    def stream(_: Client, since: int) -> Iterator[dict[str, Any]]:
        asked.append(since)
        match len(asked):
            case 1:
                yield record(8)
                yield record(9)
            case 2 | 3:
                raise HubUnreachableError("No hub is running.")
            case 4:
                yield record(10)
                raise KeyboardInterrupt

    answers(log=[record(7)])
    monkeypatch.setattr(Client, "stream", stream)
    monkeypatch.setattr("time.sleep", lambda _: None)
    result = assent("log", "--follow", "-n", "1")
    assert asked == [7, 9, 9, 9]
    assert [line[-2:].strip() for line in result.out.splitlines()] == ["7", "8", "9", "10"]
    assert result.code == 130
    assert result.err == "The hub stopped; waiting for the next one.\n\n"


def test_log_follow_skips_what_is_too_long_ago_and_says_so(
    assent: Run, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a long sleep the stream starts at the head, and the number left out is told."""
    asked: list[int] = []

    def stream(_: Client, since: int) -> Iterator[dict[str, Any]]:
        asked.append(since)
        if len(asked) == 1:
            raise ApiError(410, "too-far-behind", "That is too long ago to stream.")
        raise KeyboardInterrupt
        yield {}

    answers(log=[record(7)], status=status(journal={"seq": 5000}))
    monkeypatch.setattr(Client, "stream", stream)
    monkeypatch.setattr("time.sleep", lambda _: None)
    result = assent("log", "-f")
    assert asked == [7, 5000]
    assert result.err == "4993 records were written meanwhile and are left out here.\n\n"


def test_log_with_no_lines_to_begin_with_follows_from_the_head(
    assent: Run, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """-n 0 shows only what happens from now on."""
    asked: list[int] = []

    def stream(_: Client, since: int) -> Iterator[dict[str, Any]]:
        asked.append(since)
        raise KeyboardInterrupt
        yield {}

    answers(status=status())
    monkeypatch.setattr(Client, "stream", stream)
    assert assent("log", "-f", "-n", "0").code == 130
    assert asked == [7]


def test_log_of_a_negative_length_is_usage(assent: Run) -> None:
    """-n -1 means nothing."""
    assert assent("log", "-n", "-1").code == 2
