"""Everything the screens show, as sentences."""

import itertools
from typing import Any

import msgspec
import pytest

from assent.client.snapshot import Snapshot
from assent.errors import HubUnreachableError, UsageError
from assent.hub_state import Fresh, Heard, Lost
from assent.protocol.card import Result, Said, ShownAsk
from assent.protocol.session import Session
from assent.tui.plain import Plain
from assent.views.feed import Row
from tests.unit.tui import shown_asks as asks
from tests.unit.tui.heard_rows import row

WEBSHOP = Session(id=asks.WEBSHOP.session, project="/home/dev/src/webshop")
_seqs = itertools.count(10)


def fresh(*waiting: ShownAsk, is_far: bool = True) -> Fresh:
    return Fresh(Snapshot(seq=9, asks=list(waiting), sessions=[WEBSHOP]), is_far=is_far)


def heard(*rows: Row, **told: Any) -> Heard:
    return Heard({"seq": next(_seqs), "rows": msgspec.to_builtins(rows), **msgspec.to_builtins(told)})


def call(seq: int, **fields: Any) -> Row:
    return row(seq, session=WEBSHOP.id, **fields)


def said(plain: Plain, *news: Fresh | Heard | Lost) -> list[str]:
    return [sentence for piece in news for sentence in plain.take(piece)]


def test_ask_is_told_from_its_coming_to_its_end_once_each() -> None:
    """What waits, what was answered where, what became of it; in between nothing is repeated."""
    ask = msgspec.structs.replace(asks.permission(), id="kptwm", expires_at=None, flags=())
    answered = msgspec.structs.replace(
        ask, state="answered", changed=2, answer=Said(at=ask.opened_at, by="person:iPhone", choice="allow")
    )
    told = msgspec.structs.replace(answered, state="told", changed=3)
    closed = msgspec.structs.replace(
        told, state="closed", changed=4, result=Result(ending="ran", at=ask.opened_at + 1200)
    )
    plain = Plain()
    assert said(plain, fresh(ask)) == [
        "The hub is up. 1 session live, 1 ask waiting.",
        f"Danger, ask kptwm: {ask.view.verb}, webshop, main agent. Waiting.",
    ]
    later = said(plain, *(heard(asks=[changed]) for changed in (ask, answered, told, closed, closed)))
    assert [sentence.partition(",")[0] for sentence in later] == ["Ask kptwm: Allowed on iPhone", "Ask kptwm: Ran"]


def test_row_is_told_when_it_is_over_and_a_turn_also_when_it_begins() -> None:
    """A call is one sentence however often it changes; calls that are asked about are told by their ask."""
    plain = Plain()
    list(plain.take(fresh()))
    sentences = said(
        plain,
        heard(call(1, kind="turn", name="prompt", what="Fix the login", state="running")),
        heard(call(2, name="Edit", what="auth.py", state="running")),
        heard(call(2, rev=3, name="Edit", what="auth.py", state="done", took_ms=40, told="allowed by your rule 7")),
        heard(call(2, rev=4, name="Edit", what="auth.py", state="done", took_ms=40)),
        heard(call(5, what="rm -rf /", risk="danger", state="denied", told="denied by the floor (root): never")),
        heard(call(6, what="npm ci", state="done", ask="kptwm")),
        heard(
            call(1, rev=7, kind="turn", name="prompt", what="Fix the login", state="done", took_ms=9000, note="Done!")
        ),
        heard(call(9, kind="agent", agent="a1", agent_type="Explore", name="sub-agent", state="running")),
        heard(row(8, kind="hub", session=None, name="", what="started")),
        heard(call(10, kind="hub", name="queued", what="Run the tests.")),
        heard(call(10, rev=11, kind="hub", name="queued", what="Run the tests.", note="moved to place 2 of the queue")),
        heard(call(10, rev=12, kind="hub", name="queued", what="Run the tests.", state="done", note="told the agent")),
    )
    assert sentences == [
        "webshop: prompt Fix the login.",
        "webshop: Edit auth.py, done in 40 ms, allowed by your rule 7.",
        "webshop: Danger, Bash rm -rf /, denied by the floor (root): never.",
        "webshop: prompt Fix the login, done in 9.0 s, Done!",
        "webshop, agent Explore: sub-agent started.",
        "hub: started.",
        "webshop: queued Run the tests.",
        "webshop: queued Run the tests., done, told the agent.",
    ]


def test_hub_that_goes_and_comes_is_told_once() -> None:
    """Each try to reach it is not worth a word; what it means is."""
    plain = Plain()
    gone = Lost(HubUnreachableError("No hub is running.", hint="`assent up` starts it."))
    sentences = said(plain, gone, gone, fresh(), Lost(None), fresh(is_far=False), gone, gone, fresh())
    assert sentences == [
        "No hub is running. Agents ask in their own terminals meanwhile. Waiting for it.",
        "The hub is up. 1 session live, no asks waiting.",
        "No hub is running. Agents ask in their own terminals meanwhile. Waiting for it.",
        "The hub is back. Some of what happened in between is not told here. 1 session live, no asks waiting.",
    ]


def test_ask_that_came_and_went_unheard_is_told_by_name() -> None:
    """What was over before the start is no news; what ended while the hub was away is."""
    ask = asks.permission(id="kptwm")
    closed = msgspec.structs.replace(ask, state="closed", result=Result(ending="ran", at=ask.opened_at))
    later = msgspec.structs.replace(closed, id="later")
    plain = Plain()
    assert len(said(plain, fresh(closed))) == 1
    assert said(plain, Lost(None), fresh(closed, later)) == [f"Ask later, {ask.view.verb}: Ran."]


def test_filter_holds_for_asks_and_rows_alike() -> None:
    """Words of the shared grammar narrow down what is told; what cannot be read is refused at once."""
    plain = Plain("risk:>=care project:webshop")
    list(plain.take(fresh()))
    ask = asks.permission()
    rows = (call(1, what="ls", risk="look", state="done"), call(2, what="x", risk="care", state="done"))
    sentences = said(plain, heard(*rows, asks=[ask]), heard(row(3, session="other", risk="danger", state="done")))
    assert [sentence.partition(",")[0] for sentence in sentences] == ["Danger", "webshop: Care"]
    with pytest.raises(UsageError):
        Plain("risk:much")
