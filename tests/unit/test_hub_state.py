"""What the hub knows, kept in step."""

from threading import Event
from typing import Any

import msgspec
import pytest

from assent.client import ApiError
from assent.client.snapshot import Snapshot
from assent.errors import HubUnreachableError
from assent.hub_state import MOST_ASKS, Fresh, Heard, Lost, Mirror, follow, snippets
from assent.protocol.card import ShownAsk
from tests.unit.tui import shown_asks as asks


def told(ask: ShownAsk, seq: int) -> Heard:
    return Heard({"seq": seq, "kind": "ask", "asks": [msgspec.to_builtins(ask)]})


def changed(ask: ShownAsk, **fields: Any) -> ShownAsk:
    return msgspec.structs.replace(ask, **fields)


def test_asks_wait_in_the_order_in_which_they_came() -> None:
    """A snapshot brings them newest first."""
    first, second = asks.permission(), changed(asks.permission(), id="zzzzz", opened_at=asks.OPENED + 5)
    mirror = Mirror()
    mirror.take(Fresh(Snapshot(seq=7, asks=[second, first], sessions=[]), is_far=True))
    assert [ask.id for ask in mirror.waiting] == [first.id, second.id]


def test_an_older_ask_does_not_replace_a_newer_one() -> None:
    """Whatever the order in which they arrive."""
    mirror = Mirror()
    new = changed(asks.permission(), changed=9, state="closed")
    mirror.take(told(new, 9))
    changes = mirror.take(told(changed(new, changed=8, state="open"), 10))
    assert mirror.asks[new.id].state == "closed"
    assert changes.asks == {new.id: new}


def test_a_beat_tells_the_time_and_who_else_looks() -> None:
    """It is no record."""
    mirror = Mirror()
    mirror.take(Heard({"at": (mirror.now() + 60_000), "screens": ["pts/1", "pts/2"]}))
    assert mirror.screens == ("pts/1", "pts/2")
    assert abs(mirror.skew - 60_000) < 5_000


def test_no_more_asks_are_kept_than_the_hub_shows() -> None:
    """The oldest that are over go first; what waits stays."""
    mirror = Mirror()
    mirror.take_ask(changed(asks.permission(), id="first", opened_at=1))
    for number in range(MOST_ASKS):
        mirror.take_ask(changed(asks.permission(), id=f"a{number}", opened_at=10 + number, state="closed", choices=()))
    assert len(mirror.asks) == MOST_ASKS
    assert "first" in mirror.asks
    assert "a0" not in mirror.asks


class Hub:
    """Answers as it is told to."""

    def __init__(self, *snapshots: Snapshot | Exception, stream: list[list[dict[str, Any]]]) -> None:
        self.snapshots = [*snapshots]
        self.streams = stream
        self.since: list[int] = []

    def snapshot(self) -> Snapshot:
        found = self.snapshots.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    def stream(self, since: int, **_: Any) -> Any:
        self.since.append(since)
        yield from self.streams.pop(0)


def heard(hub: Hub, count: int, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setattr("assent.hub_state.RETRY", 0)
    ending = Event()
    found = []
    for news in follow(hub, ending):  # type: ignore[arg-type]
        found.append(news)
        if len(found) == count:
            break
    return found


def snapshot(seq: int) -> Snapshot:
    return Snapshot(seq=seq, asks=[], sessions=[])


def test_a_hub_that_comes_back_is_followed_from_where_it_was_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that happened in between is missed."""
    gone = HubUnreachableError("No hub is running.")
    hub = Hub(snapshot(5), gone, snapshot(9), stream=[[{"seq": 6}], [{"seq": 7}]])
    news = heard(hub, 6, monkeypatch)
    assert [type(piece) for piece in news] == [Fresh, Heard, Lost, Lost, Fresh, Heard]
    assert [piece.is_far for piece in news if isinstance(piece, Fresh)] == [True, False]
    assert hub.since == [5, 6]


def test_a_journal_that_began_anew_is_read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its numbers are smaller than those we knew."""
    hub = Hub(snapshot(500), snapshot(3), stream=[[{"seq": 501}], []])
    news = heard(hub, 4, monkeypatch)
    assert isinstance(news[-1], Fresh)
    assert news[-1].is_far


def test_a_stream_that_is_refused_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """It reached too far back."""
    hub = Hub(snapshot(5), ApiError(410, "too-far-behind", "Too long ago."), snapshot(9), stream=[[], []])
    news = heard(hub, 4, monkeypatch)
    assert [type(piece) for piece in news] == [Fresh, Lost, Lost, Fresh]
    assert news[-1].is_far


@pytest.mark.parametrize(
    "message",
    [
        {"seq": 6, "asks": "none"},
        {"seq": 6, "asks": [{"id": 5}]},
        {"seq": "6"},
        {"seq": 6, "kind": ["ask"]},
        {"at": "noon"},
        {"screens": None},
    ],
)
def test_what_cannot_be_understood_is_no_news(message: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub of another version: the screen is told that it is out of step, and everything is read anew."""
    hub = Hub(snapshot(5), snapshot(9), stream=[[message], [{"seq": 10, "more": 1}]])
    news = heard(hub, 4, monkeypatch)
    assert [type(piece) for piece in news] == [Fresh, Lost, Fresh, Heard]
    assert "cannot be read" in str(news[1].error)
    assert news[2].is_far


@pytest.mark.parametrize(
    ("project", "replies"),
    [("/src/shop/web", ["Use pnpm here"]), ("/src/shopping", ["Run the tests"]), ("", ["Run the tests"])],
)
def test_snippets_are_those_of_the_innermost_folder(project: str, replies: list[str]) -> None:
    """Elsewhere the general ones; an older hub has none."""
    hub = {"snippets": {"": ["Run the tests"], "/src": ["Run the tests"], "/src/shop": ["Use pnpm here"]}}
    assert snippets(hub, project) == replies
    assert snippets({}, project) == []
