"""Answers on the command line: what may be scripted, and what is said when it may not."""

import json
from collections.abc import Callable
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from assent.asks.choices import CHOICES, PERMITTING
from assent.cli.answer.dialogue import KEYS
from assent.client import ApiError, Client
from assent.client.snapshot import Snapshot
from assent.errors import HubUnreachableError
from assent.protocol.bodies import SAFE, Choice
from assent.protocol.card import AnswerRequest, Said, ShownAsk
from assent.protocol.lasting import Stay
from assent.protocol.session import Session
from assent.text import wording
from tests.unit.cli.conftest import Run
from tests.unit.tui import shown_asks as asks

Answers = Callable[..., None]
NOW = asks.OPENED + 42_000
TOLD = {"state": "told", "choices": ()}


@pytest.fixture
def hub(
    clock: Callable[[float], None], answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[AnswerRequest]]:
    """A hub in which these wait; what it was told."""
    clock(NOW / 1000)

    def make(*waiting: ShownAsk, **then: Any) -> list[AnswerRequest]:
        said: list[AnswerRequest] = []
        monkeypatch.setattr(Client, "answer", lambda _, __, given: said.append(given))
        answers(snapshot=Snapshot(1, list(waiting), [Session(id="s1")]))
        answers(ask=replace(waiting[0], **(then or TOLD)) if waiting else None)
        return said

    return make


def test_what_permits_something_is_never_scripted() -> None:
    """Every choice is either for programs, too, or for people alone; the hub and the shell agree on which."""
    assert (
        set(get_args(Choice)) - SAFE
        == PERMITTING
        == {choice for choice, words in wording.CHOICES.items() if words.confirm}
    )
    assert {choice for keys in KEYS.values() for _, choice, _ in keys} <= set(get_args(Choice))
    for kind, keys in KEYS.items():
        assert {choice for _, choice, _ in keys} <= set(CHOICES[kind])
        assert len({key for key, _, _ in keys}) == len(keys)


def test_scripted_no_is_bound_to_what_waits(assent: Run, hub: Callable[..., list[AnswerRequest]]) -> None:
    """Revision and hash go with it, and the first letters of the id are enough."""
    said = hub(asks.permission(rev=3))
    result = assent("answer", "kp", "deny", "-m", "Use stash.")
    assert (result.code, result.out) == (0, "Denied. Claude was told.\n")
    assert said == [AnswerRequest(rev=3, hash="0" * 64, choice="deny", message="Use stash.")]


def test_json_result_says_whether_the_agent_was_told(assent: Run, hub: Callable[..., list[AnswerRequest]]) -> None:
    """For scripts."""
    hub(asks.stop())
    told = json.loads(assent("answer", "kptwm", "keep-going", "-m", "Go on.", "--json").out)
    assert (told["choice"], told["state"], told["told"]) == ("keep_going", "told", True)


@pytest.mark.parametrize("choice", sorted(PERMITTING))
def test_yes_without_a_terminal_is_refused(
    assent: Run, hub: Callable[..., list[AnswerRequest]], choice: Choice
) -> None:
    """Whatever the kind of ask, and nothing is sent."""
    kind = next(kind for kind, known in CHOICES.items() if choice in known)
    timed = (Stay("exact", "exactly this call"),)
    said = hub(
        asks.permission("git push", level="care", timed=timed) if kind == "permission" else getattr(asks, kind)()
    )
    result = assent("answer", "kptwm", choice)
    assert result.code == 1
    assert f"{choice} was not sent: a yes needs a terminal" in result.err
    assert said == []


@pytest.mark.parametrize("kind", CHOICES)
def test_card_without_a_terminal_is_shown_and_not_answered(
    assent: Run, hub: Callable[..., list[AnswerRequest]], kind: str
) -> None:
    """The hint names a no that this kind takes."""
    said = hub(getattr(asks, kind)())
    result = assent("answer", "kptwm")
    assert result.code == 1
    assert "webshop · Fix flaky login" in result.out
    assert f"`assent answer kptwm {CHOICES[kind][0]}` works anywhere" in result.err  # type: ignore[index]
    assert said == []


def test_json_without_a_choice_is_the_ask(assent: Run, hub: Callable[..., list[AnswerRequest]]) -> None:
    """All that is known of it."""
    hub(asks.permission())
    assert json.loads(assent("answer", "kptwm", "--json").out)["risk"]["match"] == "uploads"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (
            ("nope", "deny"),
            "No ask is called 'nope'.\nhint: these wait: kpaaa (Edit auth.py), kptwm (Delete untracked files).\n",
        ),
        (("kp", "deny"), "2 asks begin with 'kp': kpaaa, kptwm.\nhint: give more letters."),
        (("", "deny"), "No ask is called ''."),
        (
            ("kptwm", "approve"),
            "'approve' is no answer to this. Nothing was sent.\nhint: it takes deny, deny_here,",
        ),
        (("kptwm", "yes"), "'yes' is no answer. Nothing was sent."),
    ],
)
def test_mistakes_name_what_there_is(
    assent: Run, hub: Callable[..., list[AnswerRequest]], words: tuple[str, ...], error: str
) -> None:
    """And nothing is sent by a guess."""
    said = hub(asks.permission(), asks.edit(id="kpaaa"))
    result = assent("answer", *words)
    assert result.code == (1 if error.startswith("No ask") else 2)
    assert result.err.startswith(f"assent: {error}")
    assert said == []


def test_words_are_needed_where_they_are_the_answer(assent: Run, hub: Callable[..., list[AnswerRequest]]) -> None:
    """Notes on a plan and what comes next do not go without."""
    said = hub(asks.plan())
    result = assent("answer", "kptwm", "revise")
    assert (result.code, said) == (2, [])
    assert "revise needs words. Nothing was sent." in result.err


def test_answer_that_comes_too_late_has_a_code_of_its_own(
    assent: Run, hub: Callable[..., list[AnswerRequest]], answers: Answers
) -> None:
    """Who was first is named, and where."""
    said = Said(NOW, "person:iPhone", "allow", "page", "d1")
    hub(asks.permission(), state="told", answer=said)
    answers(answer=ApiError(409, "too-late", "Another answer came first."))
    result = assent("answer", "kptwm", "deny")
    assert (result.code, result.out) == (5, "")
    assert result.err.startswith("assent: Your answer was not used. It does not wait any more: Allowed on iPhone, ")
    hub(asks.permission(state="told", answer=said))
    assert assent("answer", "kptwm", "deny").code == 5


def test_answer_the_agent_never_got_is_lost(assent: Run, hub: Callable[..., list[AnswerRequest]]) -> None:
    """On record, and of no use: louder than a success."""
    hub(asks.permission(), state="closed", undelivered="the agent was gone before the answer came")
    result = assent("answer", "kptwm", "deny")
    assert result.code == 5
    assert "Claude was not told: the agent was gone" in result.err


def test_inside_a_session_nothing_can_be_answered(
    assent: Run, hub: Callable[..., list[AnswerRequest]], answers: Answers
) -> None:
    """The sentence says why, and where it can be."""
    hub(asks.permission(choices=()))
    answers(me={"scope": "watch"})
    for choice in ((), ("deny",)):
        result = assent("answer", "kptwm", *choice)
        assert result.code == 1
        assert "a coding agent started this, and answers are for people" in result.err
    hub(asks.permission())
    answers(answer=ApiError(403, "scope", "This needs the scope deny, you have watch."))
    assert "answers are for people" in assent("answer", "kptwm", "deny").err


def test_ask_whose_agent_has_not_come_back_takes_no_answer(
    assent: Run, hub: Callable[..., list[AnswerRequest]], answers: Answers
) -> None:
    """After a restart of the hub, until the agent is connected again."""
    said = hub(asks.permission(choices=()))
    answers(me={"scope": "admin"})
    result = assent("answer", "kptwm", "deny")
    assert (result.code, said) == (5, [])
    assert "the agent has not come back for its answer" in result.err


def test_hub_that_goes_while_it_is_told_leaves_no_false_hope(
    assent: Run, hub: Callable[..., list[AnswerRequest]], answers: Answers
) -> None:
    """Whether it arrived is unknown, and the message says so."""
    hub(asks.permission())
    answers(answer=HubUnreachableError("No hub is running."))
    result = assent("answer", "kptwm", "deny")
    assert result.code == 4
    assert "whether your answer arrived is not known" in result.err


def test_refusal_of_the_hub_is_told_in_its_words(
    assent: Run, hub: Callable[..., list[AnswerRequest]], answers: Answers
) -> None:
    """Exit code 1, and its own sentence."""
    hub(asks.permission())
    answers(answer=ApiError(409, "unfit", "The message is longer than 8000 characters."))
    result = assent("answer", "kptwm", "deny")
    assert (result.code, result.err) == (1, "assent: The message is longer than 8000 characters.\n")
