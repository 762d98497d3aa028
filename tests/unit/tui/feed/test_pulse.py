"""The last five minutes as bars."""

from assent.text.who import hue
from assent.tui.drawing.text import Line
from assent.tui.feed.pulse import BARS, Pulse
from assent.views.feed import Row


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def text(line: Line) -> str:
    return "".join(part for part, _ in line)


def test_bars_grow_with_what_happens_and_move_on_with_time() -> None:
    """Now is at the right; a busy moment stays the highest bar while it moves to the left and out."""
    clock = Clock()
    pulse = Pulse(clock)
    for _ in range(8):
        pulse.count({"kind": "event", "session": "one"})
    clock.now += 5
    pulse.count({"kind": "event", "session": "one"})
    pulse.count({"kind": "told"})
    assert text(pulse.line(10)) == "▁▁▁▁▁▁▁▁█▂"
    assert len(pulse.line(240)) == BARS
    assert pulse.label() == "9 events, 0 refused in 5 min"
    clock.now += 5 * BARS
    assert text(pulse.line(BARS)) == "▁" * BARS


def test_bar_has_the_colour_of_the_busiest_session_and_refusals_a_mark() -> None:
    """What was refused is told by a mark below and a line under the bar, not by colour alone."""
    pulse = Pulse(Clock())
    for session in ("one", "two", "two"):
        pulse.count({"kind": "event", "session": session})
    assert pulse.line(3)[-1][1] == f"hue-{hue('two')}"
    assert text(pulse.marks(3)) == "   "
    pulse.count({"kind": "decision", "decision": "deny", "session": "one"})
    assert "under" in pulse.line(3)[-1][1]
    assert text(pulse.marks(3)) == "  ✕"
    assert pulse.label() == "3 events, 1 refused in 5 min"


def test_bar_has_the_colour_of_a_project_where_it_is_known() -> None:
    """Sessions of one project have one colour, as everywhere."""
    pulse = Pulse(Clock(), name_of=lambda _: "webshop")
    pulse.count({"kind": "event", "session": "one"})
    assert pulse.line(1)[-1][1] == f"hue-{hue('webshop')}"


def test_axis_names_the_minutes_below_the_bars() -> None:
    """A label where each minute begins, as many as there is room for."""
    pulse = Pulse(Clock())
    assert text(pulse.axis(BARS)) == "5 min ago   4 min       3 min       2 min       1 min    now"
    assert text(pulse.axis(240)) == text(pulse.axis(BARS))
    assert text(pulse.axis(27)) == "   2 min ago   1 min    now"
    assert [len(text(pulse.axis(cells))) for cells in range(30)] == list(range(30))


def test_what_happened_before_is_taken_from_rows_once() -> None:
    """Rows of before count by their time; rows that come while it counts were counted already."""
    clock = Clock()
    pulse = Pulse(clock)
    at = int(clock.now * 1000)
    rows = [
        Row(id=str(n), rev=n, seq=n, at=when, kind="call", session="one", state="denied")
        for n, when in enumerate((at - 12_000, at - 600_000, at + 1_000))
    ]
    pulse.seed(rows)
    assert pulse.label() == "1 event, 1 refused in 5 min"
