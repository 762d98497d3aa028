"""No text in any field of any ask breaks the card, hides on it, or touches what we say ourselves."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from assent.hub_state import Mirror
from assent.protocol.card import FieldView, FileDiff, Hunk, Result, Said, ShownAsk
from assent.text import wording
from assent.text.ask_state import state
from assent.tui.asks import card
from assent.tui.asks.ask_views import thing_of
from assent.tui.drawing import glyphs
from assent.tui.drawing.look import Look
from assent.tui.drawing.text import Line, width
from assent.tui.shared import Shared
from tests.hostile import SAMPLES, poisoned
from tests.unit.tui import shown_asks as asks

FULL = msgspec.structs.replace(asks.WEBSHOP, agent="id", agent_type="explorer", task="task", machine="desk")
KINDS: dict[str, Callable[[], ShownAsk]] = {
    "permission": lambda: asks.permission(flags=("other_machine", "bypass"), subject=FULL),
    "of another machine": asks.of_another_machine,
    "edit": lambda: asks.edit(asks.EDIT, FileDiff("new", 1, 0, (Hunk(0, 0, ("+x",)),), is_new=True, note="note")),
    "facts": lambda: asks.permission("x", level="care", card_view={"segments": (), "facts": (("name", "value"),)}),
    "raw": lambda: asks.permission("x", level="look", card_view={"segments": (), "raw": {"a": {"b": ["c", 1]}}}),
    "question": asks.question,
    "plan": asks.plan,
    "form": lambda: asks.form(
        FieldView("a", "text", "t", "d", default="x"), FieldView("b", "choice", options=(("v", "w"),))
    ),
    "url": lambda: asks.form(mode="url", url="https://host/path", host="host"),
    "stop": asks.stop,
    "closed": lambda: asks.permission(
        state="closed",
        answer=Said(asks.OPENED + 1, "person:iPhone", "allow", message="m", grants=("g",)),
        result=Result("failed", why="why", at=asks.OPENED + 2),
    ),
    "lost": lambda: asks.permission(state="closed", undelivered="why"),
}
SHARED = cast("Shared", SimpleNamespace(mirror=Mirror()))
# Each text once, and all of them together at every width.
CASES = [*((text, 60) for text in SAMPLES), *(("\n".join(SAMPLES), cells) for cells in (20, 80, 240))]


@pytest.fixture(params=["signs", "letters"])
def is_ascii(request: pytest.FixtureRequest) -> Iterator[bool]:
    glyphs.plain_only(request.param == "letters")
    yield request.param == "letters"
    glyphs.plain_only(False)


def drawn(ask: ShownAsk, cells: int) -> Iterator[Line]:
    thing = thing_of(ask, SHARED)
    yield card.heading(ask, cells)
    yield from card.lines(ask, thing, cells, state(ask, asks.OPENED + 42_000))
    if thing.key("v") is True:
        yield from thing.lines(cells)
    yield from card.raw(ask, cells)


@pytest.mark.parametrize("kind", KINDS)
def test_card_is_whole_whatever_stands_in_it(kind: str, is_ascii: bool) -> None:
    """Every line fits, holds nothing but printable characters, and the heading names the risk."""
    look = Look(is_ascii=is_ascii)
    plain = KINDS[kind]()
    word = look.shown(f"{wording.sign(plain)} {wording.label(plain).upper()}")
    for text, cells in CASES:
        heading, *lines = drawn(poisoned(plain, text), cells)
        for line in (heading, *lines):
            strip = look.strip(line, cells)
            assert width(line) <= cells, (text[:40], cells, line)
            assert strip.cell_length == cells
            assert strip.text.isprintable()
        assert look.strip(heading, cells).text.strip().startswith(word)
