"""A session's queue, read and changed from a terminal."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from assent.client import ApiError, Client
from assent.protocol.queue import Item, Queue
from assent.protocol.session import Session
from tests.unit.cli.conftest import Run

Answers = Callable[..., None]
WEBSHOP = Session(id="4f1c0000-1", project="/home/ada/webshop")
FIRST = Item("aa11", "Run the tests.", 1_030_000, "person:desk")
SECOND = Item("bb22", "Commit\x1b[2J it.", 1_050_000, "person:phone", "subagent")
TOLD = Item("cc33", "Fix the login.", 1_000_000, "person:desk", delivered=1_040_000)
BOTH = Queue("4f1c0000-1", (FIRST, SECOND), (TOLD,), used=2)


@pytest.fixture(autouse=True)
def now(clock: Callable[[float], None], answers: Answers) -> None:
    clock(1060.0)
    answers(sessions=[WEBSHOP], queue=BOTH)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What the hub was asked to change."""
    seen: list[tuple[Any, ...]] = []

    def noting(name: str) -> Callable[..., Queue]:
        def note(_: Client, *arguments: Any, **named: Any) -> Queue:
            seen.append((name, *arguments, named))
            return BOTH

        return note

    for name in ("queue_add", "queue_change", "queue_remove"):
        monkeypatch.setattr(Client, name, noting(name))
    return seen


@pytest.mark.parametrize("words", [(), ("list",)])
def test_queue_shows_what_waits_and_what_was_told(assent: Run, words: tuple[str, ...]) -> None:
    """In order, with who said it and for whom, and nothing in it steers the terminal."""
    assert assent("queue", "webshop", *words).out == (
        "told 20 s ago: Fix the login.\n"
        "NO  FOR                 BY     AGE   INSTRUCTION\n"
        "1   next stop           desk   30 s  Run the tests.\n"
        "2   a sub-agent's stop  phone  10 s  Commit⟨U+001B⟩[2J it.\n"
        "2 of 8 continuations used.\n"
    )


def test_queue_that_is_empty_says_so(assent: Run, answers: Answers) -> None:
    """No table without rows."""
    answers(queue=Queue("4f1c0000-1"))
    assert assent("queue", "4f").out == "Nothing waits for webshop.\n"


def test_queue_json_is_the_whole_queue(assent: Run) -> None:
    """What the hub said, in one object."""
    output = json.loads(assent("queue", "4f", "list", "--json").out)
    assert [item["id"] for item in output["items"]] == ["aa11", "bb22"]
    assert (output["used"], output["most"]) == (2, 8)


def test_added_instruction_is_named_by_its_number(assent: Run, answers: Answers) -> None:
    """Words need no quotes, and the number is the one to use next."""
    answers(queue=Queue("4f1c0000-1", (FIRST,)), queue_add=BOTH)
    result = assent("queue", "webshop", "add", "--to", "subagent", "commit", "it")
    assert result.out == "Queued for webshop as number 2, told at a sub-agent's stop.\n"


def test_instruction_for_a_held_stop_is_told_at_once(assent: Run, answers: Answers) -> None:
    """A session that waits for a reply does not wait for its next stop."""
    answers(queue=Queue("4f1c0000-1"), queue_add=Queue("4f1c0000-1"))
    assert assent("queue", "webshop", "add", "go", "on").out == "webshop waited for a reply and was told at once.\n"


def test_instruction_for_an_ended_session_waits_until_it_is_resumed(assent: Run, answers: Answers) -> None:
    """It is queued, and the person is told that the session has ended."""
    answers(sessions=[Session(id="4f1c0000-1", state="ended")], queue=Queue("x"), queue_add=Queue("x", (FIRST,)))
    result = assent("queue", "4f", "add", "run")
    assert result.out == "Queued for 4f1c0000 as number 1, told at the next stop.\n"
    assert result.err == "The session has ended; it is told if it is resumed.\n"


@pytest.mark.parametrize(
    ("words", "call"),
    [
        (("add", "go", "on"), ("queue_add", "4f1c0000-1", "go on", "stop", {})),
        (("edit", "2", "Commit", "now."), ("queue_change", "4f1c0000-1", "bb22", {"text": "Commit now."})),
        (("edit", "aa11", "Commit."), ("queue_change", "4f1c0000-1", "aa11", {"text": "Commit."})),
        (("move", "2", "1"), ("queue_change", "4f1c0000-1", "bb22", {"place": 1})),
        (("rm", "1"), ("queue_remove", "4f1c0000-1", "aa11", {})),
    ],
)
def test_change_names_the_instruction_by_its_id(
    assent: Run, asked: list[tuple[Any, ...]], words: tuple[str, ...], call: tuple[Any, ...]
) -> None:
    """A number is looked up first, so that a delivery in between cannot shift what is meant."""
    assert assent("queue", "webshop", *words).code == 0
    assert asked == [call]


@pytest.mark.parametrize("number", ["0", "3", "x", "²"])
def test_number_that_is_not_there_is_not_found(assent: Run, asked: list[tuple[Any, ...]], number: str) -> None:
    """Nothing is changed by a guess."""
    result = assent("queue", "webshop", "rm", number)
    assert result.code == 1
    assert result.err.startswith(f"assent: There is no instruction {number} in the queue of webshop.\n")
    assert asked == []


def test_refusal_of_the_hub_is_told(assent: Run, answers: Answers) -> None:
    """Its own sentence, and exit code 1."""
    answers(queue_add=ApiError(422, "queue-full", "20 instructions wait already."))
    result = assent("queue", "webshop", "add", "more")
    assert (result.code, result.err) == (1, "assent: 20 instructions wait already.\n")
