"""Sessions as rows and in words."""

import pytest

from assent.protocol.session import Agent, Session
from assent.tui.sessions import facts as session_facts
from assent.tui.sessions import sections
from assent.views.feed import Row
from tests.unit.tui.measured import text

NOW = 1_700_000_060_000
SESSION = Session(
    id="5c9f2d1e-0000",
    project="/src/webshop",
    title="Fix flaky login",
    mode="default",
    model="opus",
    calls=7,
    cost_usd=1.5,
    tokens_in=12_000,
    last=NOW - 3_000,
    agents=(Agent("a1", "explorer", "Find clocks", "working", calls=3), Agent("a2", state="done", calls=1)),
)
DOING = Row("c1", 1, 1, NOW - 41_000, "call", session=SESSION.id, name="Bash", what="pytest -q", state="running")


def drawn(session: Session, cells: int, needs: int = 0, doing: Row | None = None) -> str:
    entry = sections.entry(session, needs, doing, NOW, cells)
    lines = entry.draw(cells, False)
    assert len(lines) == entry.height
    return text(lines, cells)


def test_wide_row_tells_everything_in_one_line() -> None:
    """State, who, what it needs, mode and model, what it is at, and what it cost."""
    row = drawn(SESSION, 200, needs=2, doing=DOING)
    for part in ("◐ working", "[WB] webshop · Fix flaky login", "   2   ", "default · opus", "Bash pytest -q  41 s"):
        assert part in row
    assert row.endswith("7      12 k     $1.50     3 s")
    assert "\n" not in row


def test_narrow_row_has_two_lines() -> None:
    """Who and what it needs stand above, the rest below as far as there is room."""
    first, second = drawn(SESSION, 60, needs=1, doing=DOING).split("\n")
    assert first.startswith(" [WB] webshop · Fix flaky login")
    assert first.endswith("1 needs you    3 s")
    assert second.startswith("   ◐ working · default · opus · $1.50")


@pytest.mark.parametrize("cells", [60, 80, 116, 240])
def test_bypass_is_loud_at_every_width(cells: int) -> None:
    """A session in which nothing is asked says so."""
    assert "bypass: nothing is asked here" in drawn(Session("s", mode="bypass", model="m" * 300), cells, 3)


@pytest.mark.parametrize("cells", [20, 60, 115, 116, 240])
def test_nothing_an_agent_wrote_breaks_a_row(cells: int) -> None:
    """Escape codes are spelled out, and no line is wider than the screen."""
    evil = "\x1b[2J\u202e漢字\n" * 40
    session = Session(id=evil, project=f"/{evil}", title=evil, mode=evil, model=evil, ended_because=evil)
    row = drawn(session, cells, doing=Row("c", 1, 1, 1, "call", name=evil, what=evil))
    assert "\x1b" not in row
    assert "\u202e" not in row
    assert "\x1b" not in text(session_facts.packed(session_facts.facts(session, evil), cells), cells)


def test_facts_tell_what_is_known_and_nothing_else() -> None:
    """What is not known is not mentioned."""
    assert session_facts.facts(Session("s", calls=1)) == ["1 call"]
    told = text(session_facts.packed(session_facts.facts(SESSION, "main"), 60), 60).split("\n")
    assert told[0] == "opus · mode default · branch main · 7 calls · tokens 12 k in"
    assert told[1].startswith("$1.50 · last ")


def test_agents_are_a_tree_with_their_tasks() -> None:
    """The main agent's calls are its own; the picked one is marked."""
    lines = session_facts.agents(SESSION, "a1")
    assert [(name, task) for name, _, task in lines] == [("", ""), ("a1", "Find clocks"), ("a2", "")]
    shown = text([line for _, line, _ in lines], 80).split("\n")
    assert shown == ["  ◐ main agent  3 calls", "▸ ├ ◐ explorer  3 calls", "  └ ✓ a2  1 call"]
    assert session_facts.agents(Session("s"), None) == []
