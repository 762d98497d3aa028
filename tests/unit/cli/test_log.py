"""The record as lines, and the way it is followed across restarts."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from assent.client import ApiError, Client
from assent.errors import HubUnreachableError
from assent.protocol import usage
from assent.protocol.usage import Usage
from tests.unit.cli.conftest import Run, status

Answers = Callable[..., None]


def record(seq: int, **fields: Any) -> dict[str, Any]:
    place = {"seq": seq, "hub": "ab12", "prev": "0", "hash": "1"}
    return {**place, "at": 1_000_000 + seq * 1000, "kind": "event", "body": {}, "line": f"line {seq}", **fields}


@pytest.fixture(autouse=True)
def now(clock: Callable[[float], None]) -> None:
    clock(90_000.0)


def test_log_is_one_line_a_record(assent: Run, answers: Answers) -> None:
    """Its number, local time, the session's first letters, the line; with the date unless it is today."""
    answers(search=([record(1, session="4f1c0000-1"), record(2, at=89_000_000)], None))
    assert assent("log", "-n", "2").out == (
        "     1  1970-01-01 00:16:41  4f1c0000  line 1\n"
        "     2  00:43:20  -         line 2\n"
    )  # fmt: skip


def test_log_of_all_hubs_names_the_machine_of_each_record(assent: Run, answers: Answers) -> None:
    """A hub without a name, or one that shares its machine's name, is called by its own."""
    records = [
        record(4, hub="aa11", machine="devbox"),
        record(9, hub="bb22", machine="laptop"),
        record(5, hub="cc33", machine=""),
    ]
    answers(search_all=(records, ""))
    assert assent("log", "--all").out == (
        "devbox      4  1970-01-01 00:16:44  -         line 4\n"
        "laptop      9  1970-01-01 00:16:49  -         line 9\n"
        "cc33        5  1970-01-01 00:16:45  -         line 5\n"
    )
    answers(search_all=([record(1, hub="aa11", machine="box"), record(1, hub="bb22", machine="box")], ""))
    assert [line[:8] for line in assent("log", "--all").out.splitlines()] == ["box aa11", "box bb22"]


def test_log_of_all_hubs_is_fetched_until_there_is_enough(assent: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages may be short or empty."""
    pages = {
        "": ([8, 9], "aa11:8"),
        "aa11:8": ([], "aa11:4"),
        "aa11:4": ([2, 3], "aa11:2"),
    }

    def search_all(self: Client, text: str, *, limit: int, before: str) -> tuple[list[dict[str, Any]], str]:
        numbers, further = pages[before]
        return [record(number, hub="aa11", machine="devbox") for number in numbers][-limit:], further

    monkeypatch.setattr(Client, "search_all", search_all)
    told = assent("log", "--all", "-n", "3", "--json").out.splitlines()
    assert [(json.loads(line)["seq"], json.loads(line)["machine"]) for line in told] == [
        (3, "devbox"),
        (8, "devbox"),
        (9, "devbox"),
    ]


def test_log_of_all_hubs_as_csv_has_hub_and_machine(assent: Run, answers: Answers) -> None:
    """Before what there is without it."""
    answers(search_all=([record(4, hub="aa11", machine="=devbox")], ""))
    head, row = assent("log", "--all", "--csv").out.splitlines()
    assert head.startswith("hub,machine,seq,at,")
    assert row.startswith("aa11,'=devbox,4,")


@pytest.mark.parametrize(
    ("options", "why"), [(["--hub", "aa11"], "exclude each other"), (["--follow"], "takes no --all")]
)
def test_log_of_all_hubs_goes_alone(assent: Run, options: list[str], why: str) -> None:
    """What would be left out is refused instead."""
    result = assent("log", "--all", *options)
    assert (result.code, result.out) == (2, "")
    assert why in result.err


def test_log_without_a_match_says_so_beside_the_output(assent: Run, answers: Answers) -> None:
    """What reads the output gets no line of it."""
    answers(search=([], None))
    result = assent("log", "decision:deny")
    assert (result.code, result.out, result.err) == (0, "", "No record matches the filter.\n")


def test_log_json_is_the_record_itself(assent: Run, answers: Answers) -> None:
    """One object a line, with its text."""
    answers(search=([record(1), record(2)], None))
    assert [json.loads(line) for line in assent("log", "-n", "2", "--json").out.splitlines()] == [record(1), record(2)]


def test_log_leaves_out_usage_without_cost_and_tokens(assent: Run, answers: Answers) -> None:
    """Telemetry tells working time alone every few seconds; programs still get it."""
    idle, used = usage.body(Usage(active_s=4.0)), usage.body(Usage(cost_usd=0.5))
    answers(search=([record(1, kind="hub", body=idle), record(2, kind="hub", body=used), record(3, kind="hub")], None))
    assert [line.split()[0] for line in assent("log").out.splitlines()] == ["2", "3"]
    assert len(assent("log", "--json").out.splitlines()) == 3


def test_log_fetches_more_than_a_page(assent: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long log comes in pages, and stays in order."""
    asked: list[tuple[int, int | None]] = []

    def pages(
        _: Client, text: str, *, limit: int, before: int | None, hub: str | None
    ) -> tuple[list[dict[str, Any]], None]:
        assert (text, hub) == ("", None)
        asked.append((limit, before))
        end = before or 1501
        return [record(seq) for seq in range(max(1, end - limit), end)], None

    monkeypatch.setattr(Client, "search", pages)
    lines = assent("log", "-n", "5000").out.splitlines()
    assert asked == [(1000, None), (1000, 501)]
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

    answers(search=([record(7)], None), status=status())
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

    heads = iter([7, 5000])
    answers(search=([record(7)], None))
    monkeypatch.setattr(Client, "status", lambda _: status(journal={"seq": next(heads)}))
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


def test_log_follow_shows_only_what_the_filter_wants(
    assent: Run, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What happens next is narrowed down by the same words."""

    def stream(_: Client, __: int) -> Iterator[dict[str, Any]]:
        yield record(8, decision="allow")
        yield record(9, decision="deny")
        raise KeyboardInterrupt

    answers(search=([], None), status=status())
    monkeypatch.setattr(Client, "stream", stream)
    result = assent("log", "decision:deny", "--follow", "-n", "0")
    assert [line.split()[0] for line in result.out.splitlines()] == ["9"]


@pytest.mark.parametrize(
    ("argv", "text"),
    [
        (["tool:Bash", "-session:4f1c", "-n", "5"], "tool:Bash -session:4f1c"),
        (["-n5", "-find", "--json", "push"], "-find push"),
        (["--", "show", "-n"], "show -n"),
        ([], ""),
    ],
)
def test_log_takes_every_other_word_as_filter(
    assent: Run, monkeypatch: pytest.MonkeyPatch, argv: list[str], text: str
) -> None:
    """A dash negates a term, and is no option unless it can be nothing else."""
    asked: list[str] = []

    def search(_: Client, text: str, **__: Any) -> tuple[list[dict[str, Any]], None]:
        asked.append(text)
        return [], None

    monkeypatch.setattr(Client, "search", search)
    assert assent("log", *argv).code == 0
    assert asked == [text]


def test_log_goes_on_where_a_search_ended_early(assent: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub that looks at so many records at a time is asked until there are enough, or no more."""
    pages: dict[int | None, tuple[list[dict[str, Any]], int | None]] = {
        None: ([record(950)], 900),
        900: ([], 500),
        500: ([record(7)], None),
    }
    monkeypatch.setattr(Client, "search", lambda _self, _text, *, before, **_: pages.pop(before))
    assert [line.split()[0] for line in assent("log", "push").out.splitlines()] == ["7", "950"]
    assert pages == {}


def test_log_of_a_bad_filter_is_usage_and_shows_where(assent: Run) -> None:
    """The caret stands under the term, and no hub is asked."""
    result = assent("log", "push", "rsk:care")
    assert result.code == 2
    assert result.err == (
        "assent: There is no key rsk: to filter by.\n  push rsk:care\n       ^^^^^^^^\n"
        'hint: did you mean risk:? To look for the text, quote it: "…"\n'
    )


def test_log_csv_is_text_under_names(assent: Run, answers: Answers) -> None:
    """One row a record; nothing in it can run in a spreadsheet or break out of its line."""
    answers(search=([record(1, session="s,1", line='=cmd "x"\n')], None))
    assert assent("log", "--csv").out == (
        "seq,at,kind,session,agent,call,ask,risk,decision,by,line\n"
        "1,1001000,event,\"s,1\",,,,,,,\"'=cmd \"\"x\"\"\"\n"
    )  # fmt: skip


def test_log_csv_and_json_exclude_each_other(assent: Run) -> None:
    """There is one way to print a record."""
    assert assent("log", "--csv", "--json").code == 2


def test_log_shows_another_hubs_records(assent: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hub is named to the hub that is asked; following is for its own records alone."""
    asked: list[str | None] = []

    def page(_: Client, text: str, *, hub: str | None, **__: Any) -> tuple[list[dict[str, Any]], None]:
        asked.append(hub)
        return [], None

    monkeypatch.setattr(Client, "search", page)
    assert assent("log", "--hub", "cd34", "tool:Bash").code == 0
    assert asked == ["cd34"]
    refused = assent("log", "--follow", "--hub", "cd34")
    assert (refused.code, "takes no --hub" in refused.err) == (2, True)
