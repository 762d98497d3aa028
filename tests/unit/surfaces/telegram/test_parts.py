"""The pace, the words of commands, and what is read from updates."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.protocol.session import Session
from assent.surfaces.base import RateLimitedError
from assent.surfaces.chat import MOST, RecentDict, is_button_address
from assent.surfaces.telegram import commands, updates
from assent.surfaces.telegram.api import LONGEST_TURN, Pace


@pytest.mark.anyio
async def test_pace_lets_a_few_go_and_makes_the_rest_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """One a second in each chat; who would wait too long is told how long."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    pace = Pace(every=1.0, burst=2, clock=lambda: 100.0)
    for _ in range(4):
        await pace.turn(1)
    await pace.turn(2)
    assert slept == [1.0, 2.0]
    for _ in range(8):
        await pace.turn(1)
    with pytest.raises(RateLimitedError) as limited:
        await pace.turn(1)
    assert limited.value.retry_after > LONGEST_TURN
    everywhere = Pace(overall=2.0, clock=lambda: 100.0)
    slept.clear()
    for chat in range(5):
        await everywhere.turn(chat)
    assert slept == [0.5, 1.0]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("1h", 3_600.0),
        ("15 min", 900.0),
        ("2 days", 172_800.0),
        ("Morning", "morning"),
        ("off", 0.0),
        ("0m", None),
        ("9000h", None),
        ("soon", None),
    ],
)
def test_wishes_for_quiet(text: str, wish: float | str | None) -> None:
    """What is not understood is asked about."""
    assert commands.quiet_time(text) == wish


def test_session_is_picked_only_if_one_is_called_so() -> None:
    """Never another one by chance."""
    found = [
        Session("4f1c2d3e", project="/src/webshop", title="Fix login"),
        Session("4f1c9999", project="/src/webshop", state="idle"),
        Session("7777aaaa", project="/src/api"),
        Session("8888bbbb", project="/src/old", state="ended"),
    ]
    assert commands.picked(found, "API") is found[2]
    assert commands.picked(found, "fix login") is found[0]
    assert commands.picked(found, "4f1c2") is found[0]
    for name, why in (("webshop", "2 sessions"), ("4f1c", "2 sessions"), ("old", "No session"), ("7", "No session")):
        assert str(commands.picked(found, name)).startswith(why)
    assert "<b>" not in str(commands.picked(found, "<b>"))
    assert "webshop" in commands.sessions(found * 5, 0)
    assert commands.sessions(found[3:], 0) == "No session is running."


@given(st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)))
def test_updates_of_any_shape_are_read_or_refused(value: object) -> None:
    """Nothing the service sends stops the listening."""
    for update in (value, {"update_id": value}, {"message": value}, {"callback_query": {"id": "1", "from": value}}):
        updates.number(update)
        try:
            assert not isinstance(updates.read(update, {1}), updates.Tap | updates.Words)
        except ValueError:
            continue


def test_address_for_a_button_has_a_name_telegram_takes() -> None:
    """Else it would refuse the whole message."""
    assert is_button_address("https://nuc.example.ts.net/a/kptwm")
    assert is_button_address("http://192.168.1.5:8717/a/kptwm")
    for url in ("", "http://nuc:8717/a/kptwm", "javascript:alert(1)", "http://[broken", "ftp://a.b"):
        assert not is_button_address(url)


def test_only_the_newest_is_remembered() -> None:
    """A chat that never ends does not fill the hub."""
    kept: RecentDict[int, int] = RecentDict()
    for number in range(MOST + 5):
        kept[number] = number
    kept[5] = 0
    assert (len(kept), next(iter(kept)), 4 in kept) == (MOST, 6, False)
