"""How the terminal UI looks: a few whole screens, compared with what was accepted before."""

import os
import re
import time
from collections.abc import Iterator
from datetime import datetime, tzinfo
from pathlib import Path

import msgspec
import pytest

from assent.protocol.card import Result, Said
from assent.protocol.session import Agent, Session
from assent.tui import bars
from assent.tui.drawing.look import Look
from tests.component.tui.conftest import Seat, Sit
from tests.component.tui.stand_in import StandIn
from tests.unit.tui.heard_rows import row
from tests.unit.tui.shown_asks import OPENED, WEBSHOP, edit, permission, plan, question, stop

pytestmark = pytest.mark.anyio
SNAPSHOTS = Path(__file__).parent / "snapshots"
UPDATE = "UPDATE_SNAPSHOTS"
_FONTS = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
SESSION = Session(
    id=WEBSHOP.session,
    project=WEBSHOP.project,
    title="Fix flaky login",
    model="opus",
    mode="default",
    started=OPENED - 600_000,
    last=OPENED,
    calls=12,
    cost_usd=0.42,
    tokens_in=18_200,
    tokens_out=2_100,
    agents=(Agent("a1", "Explore", "Find the uses of the clock", calls=3, started=OPENED - 60_000),),
)


class Fixed(datetime):
    """Its now never moves."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "Fixed":
        return cls(2026, 1, 15, 9, 41, 12, tzinfo=tz)


@pytest.fixture(autouse=True)
def one_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The same clock in the same zone everywhere."""
    monkeypatch.setattr(bars, "datetime", Fixed)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


async def compare(seat: Seat, name: str) -> None:
    """With the picture that was accepted; another one is laid beside it."""
    await seat.read()
    await seat.later(0)
    shown = _FONTS.sub("", re.sub(r"terminal-\d+", "terminal", seat.app.export_screenshot(title="assent")))
    accepted = SNAPSHOTS / f"{name}.svg"
    if os.environ.get(UPDATE):
        accepted.write_text(shown)
    new = accepted.with_suffix(".new.svg")
    if not accepted.exists() or accepted.read_text() != shown:
        new.write_text(shown)
        pytest.fail(f"{name} looks different now: see {new}. If it should, run this again with {UPDATE}=1.")
    new.unlink(missing_ok=True)


def hub() -> StandIn:
    """Every kind of ask, one that is over, and a session at work."""
    kinds = [permission(), permission("npm ci", level="care"), edit(), question(), plan(), stop()]
    asks = [
        msgspec.structs.replace(ask, id=f"{ask.kind[:4]}{at}", opened_at=OPENED - 90_000 + at * 11_000)
        for at, ask in enumerate(kinds)
    ]
    ended = msgspec.structs.replace(
        edit(id="over0", opened_at=OPENED - 200_000),
        state="closed",
        answer=Said(OPENED - 190_000, "person:iPhone", "allow"),
        result=Result("ran", at=OPENED - 180_000),
    )
    names = {"session": SESSION.id, "state": "done", "took_ms": 12.0}
    rows = [
        row(1, at=OPENED - 50_000, name="Read", what="src/auth.py", **names),
        row(2, at=OPENED - 40_000, name="Bash", what="git status --short", **names),
        row(3, at=OPENED - 30_000, name="Bash", what="rm -rf ~", session=SESSION.id, state="denied", risk="danger"),
        row(4, at=OPENED - 20_000, name="Grep", what="datetime.now", session=SESSION.id, state="running"),
    ]
    return StandIn(*asks, ended, sessions=[SESSION], rows=rows)


async def test_inbox(sit: Sit) -> None:
    """A dangerous ask on the screen most people have."""
    async with sit(hub=hub(), size=(120, 36)) as seat:
        await compare(seat, "inbox")


async def test_question_in_a_small_terminal(sit: Sit) -> None:
    """The list above the ask."""
    async with sit(hub=hub(), size=(80, 24)) as seat:
        seat.app.shared.go("inbox", "ques3")
        await seat.read()
        await seat.press("2")
        await compare(seat, "question")


async def test_plan_in_a_large_terminal(sit: Sit) -> None:
    """Markdown, one part gone to."""
    async with sit(hub=hub(), size=(200, 50)) as seat:
        seat.app.shared.go("inbox", "plan4")
        await seat.read()
        await seat.press("tab")
        await compare(seat, "plan")


async def test_feed(sit: Sit) -> None:
    """One row a call."""
    async with sit(hub=hub(), size=(120, 24)) as seat:
        await seat.press("g", "f")
        await seat.sees("rm -rf ~")
        await compare(seat, "feed")


async def test_session(sit: Sit) -> None:
    """Its agents, what it needs, what it cost."""
    async with sit(hub=hub(), size=(120, 36)) as seat:
        seat.app.shared.go("sessions", SESSION.id)
        await seat.sees("rm -rf ~", "Explore")
        await compare(seat, "session")


async def test_light(sit: Sit) -> None:
    """A change on a light ground."""
    async with sit(hub=hub(), size=(110, 30), look=Look(is_dark=False)) as seat:
        seat.app.shared.go("inbox", "perm2")
        await compare(seat, "light")


async def test_stop_asking_in_a_small_terminal(sit: Sit) -> None:
    """Exactly what passes and what still asks, where and how long, without scrolling."""
    async with sit(hub=hub(), size=(80, 24)) as seat:
        seat.app.shared.go("inbox", "perm1")
        await seat.read()
        await seat.press("A")
        await seat.sees("stop asking for this here")
        await seat.press("2", "h")
        await compare(seat, "stop-asking")
