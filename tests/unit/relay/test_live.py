"""Live asks and answers in memory."""

import msgspec
import pytest

from assent.protocol.team import Identity, Role
from assent.relay import live
from assent.relay.hubs import FRESH_MS, KnownHub
from assent.relay.live import FullError, LiveAnswer, LiveAnswers, LiveAsk, LiveAsks, names_of
from assent.relay.store import GRACE_MS, REMEMBERED_MS, AskRow

NOW = 10_000_000_000
ADA = Identity("https://id", "ada", "Ada@example.org", groups=("dev",))
BOB = Identity("https://id", "bob", "bob@example.org", groups=("dev", "SRE"))
MEMBER: tuple[Role, ...] = ("member",)


def hub(name: str, owner: Identity = ADA, *, proven: int = NOW, is_workload: bool = False) -> KnownHub:
    return KnownHub(name, "key", owner, is_workload, "m", "1", NOW, proven)


def ask(name: str = "one", *, owner: Identity = ADA, whom: tuple[str, ...] = ("owner",), **other: int) -> LiveAsk:
    body = msgspec.json.encode({"audience": whom, "ask": name, "pad": "x" * other.get("size", 0)})
    change, deadline = other.get("change", 1), other.get("deadline", NOW)
    return live.read(AskRow("holder", name, change, deadline, body, owner, bool(other.get("workload"))), is_own=True)


@pytest.mark.parametrize(
    ("whom", "viewer", "roles", "expected"),
    [
        (("owner",), hub("phone"), MEMBER, "answer"),
        (("group:SRE",), hub("phone"), MEMBER, "answer"),
        (("owner",), hub("phone", proven=NOW - FRESH_MS - 1), (), "answer"),
        (("owner",), hub("holder"), MEMBER, ""),
        (("owner",), hub("b", BOB), MEMBER, ""),
        (("group:SRE",), hub("b", BOB), MEMBER, "answer"),
        (("group:sre",), hub("b", BOB), MEMBER, ""),
        (("person:BOB@example.org",), hub("b", BOB), MEMBER, "answer"),
        (("person:bob",), hub("b", BOB), MEMBER, "answer"),
        (("group:SRE",), hub("b", BOB, proven=NOW - FRESH_MS - 1), MEMBER, ""),
        (("group:SRE",), hub("b", BOB), (), ""),
        (("group:SRE",), hub("b", BOB), ("approver",), "answer"),
        (("group:SRE",), hub("b", BOB), ("auditor",), "read"),
        (("owner",), hub("b", BOB), ("auditor",), "read"),
        (("owner",), hub("b", BOB), ("member", "admin"), "read"),
        (("owner",), hub("job", ADA, is_workload=True), MEMBER, ""),
    ],
)
def test_right_to_an_ask(whom: tuple[str, ...], viewer: KnownHub, roles: tuple[Role, ...], expected: str) -> None:
    """Owner, named, by role, or none; groups and roles only as long as they are vouched for."""
    shown = ask(whom=whom)
    assert shown.right_of(viewer, roles, NOW) == expected
    if expected:
        assert names_of(viewer, roles) & {"*", *shown.names}


def test_ask_of_a_workload_has_no_owner() -> None:
    """Another run of the same job is not its owner, nor would a person of that name be."""
    assert ask(workload=1).right_of(hub("phone"), MEMBER, NOW) == ""


def test_newer_change_takes_the_place_of_an_older_one() -> None:
    """Also in what is found by names; who was shown the older one still counts as a viewer."""
    asks = LiveAsks()
    asks.put(first := ask(whom=("group:a",)))
    first.viewers.add("phone")
    asks.put(ask(whom=("group:b",), change=2))
    assert asks.named(["group:a"]) == []
    assert [(one.row.change, one.viewers) for one in asks.named(["group:b"])] == [(2, {"phone"})]
    assert len(asks) == 1


def test_ask_that_was_removed_leaves_nothing() -> None:
    """Memory stays flat."""
    asks = LiveAsks()
    asks.put(ask(whom=("owner", "group:a")))
    asks.remove(("holder", "one"))
    assert (asks.all(), asks.of("holder"), asks.named(["group:a"])) == ([], [], [])
    assert (asks._named, asks._of_hub, asks._bytes_of, asks._bytes) == ({}, {}, {}, 0)


@pytest.mark.parametrize(
    ("limit", "value"), [("MOST_OF_A_HUB", 1), ("MOST_BYTES_OF_A_HUB", 3_000), ("MOST_BYTES", 3_000)]
)
def test_room_is_bounded(limit: str, value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In number and in bytes; what is there already may change."""
    monkeypatch.setattr(live, limit, value)
    asks = LiveAsks()
    asks.put(ask(size=2_000))
    asks.check_room(ask(size=2_100, change=2).row)
    with pytest.raises(FullError):
        asks.check_room(ask("two", size=2_000).row)


def test_end_is_remembered_for_a_while() -> None:
    """A relay that has not heard of it may post the ask once more."""
    asks = LiveAsks()
    asks.put(ask())
    asks.end(("holder", "one"), NOW)
    asks.overdue(NOW + REMEMBERED_MS - 1)
    assert asks.has_ended(("holder", "one"))
    asks.overdue(NOW + REMEMBERED_MS)
    assert not asks.has_ended(("holder", "one"))


def test_overdue_asks_are_named() -> None:
    """Past their deadline by more than clocks differ, or not posted again."""
    asks = LiveAsks()
    asks.put(ask("late", deadline=NOW - GRACE_MS - 1))
    asks.put(ask("due", deadline=NOW - GRACE_MS))
    asks.put(unconfirmed := ask("lost"))
    unconfirmed.confirm_by = NOW - 1
    assert sorted(one.row.ask for one in asks.overdue(NOW)) == ["late", "lost"]


def answer(nonce: str, result: bytes | None = None, at: int = NOW) -> LiveAnswer:
    return LiveAnswer(("holder", "one", "phone", nonce), b"{}", at, result)


def test_answers_are_for_their_judge_and_results_for_their_author() -> None:
    """Each has one place where it is waited for."""
    answers = LiveAnswers()
    answers.put(open_one := answer("a"))
    answers.put(judged := answer("b", b"{}"))
    assert (answers.for_hub("holder"), answers.for_hub("phone")) == ([open_one], [judged])


def test_answer_that_was_judged_takes_no_room_but_its_result() -> None:
    """It is remembered for minutes; those of a busy team would fill the relay."""
    answers = LiveAnswers()
    answers.put(answer("a"))
    answers.put(judged := answer("a", b"{}"))
    assert (answers.get(judged.key), judged.body, answers._bytes) == (judged, b"", 2)


def test_answers_and_results_end_with_time() -> None:
    """A result may still be waited for when the ask is over."""
    answers = LiveAnswers()
    answers.put(answer("a"))
    answers.put(answer("b", b"{}"))
    answers.forget_old(NOW + REMEMBERED_MS + 1)
    assert (answers.all(), answers._bytes) == ([], 0)


def test_answers_of_one_hub_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot fill what all use; those that were judged are remembered, and hold up no other."""
    monkeypatch.setattr(live, "MOST_ANSWERS_OF_A_HUB", 1)
    answers = LiveAnswers()
    answers.put(answer("a"))
    with pytest.raises(FullError):
        answers.check_room(answer("b").key, b"{}")
    answers.put(answer("a", b"{}"))
    answers.check_room(answer("b").key, b"{}")
    answers.check_room(("holder", "one", "other", "b"), b"{}")
