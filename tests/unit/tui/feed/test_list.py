"""The feed as lines, and the story under one of its rows."""

from assent.tui.feed.list import FeedList, story_lines
from assent.tui.feed.rows import FeedRows, View
from tests.unit.tui.heard_rows import row


def listed() -> FeedList:
    rows = FeedRows()
    made = FeedList(rows, View(rows), lambda _: "webshop")
    for seq in (1, 2, 3):
        rows.put(row(seq, what=f"step {seq}"))
    return made


def text(made: FeedList, y: int) -> str:
    return "".join(part for part, _ in made.line(y, 80, is_selected=False))


def test_story_stands_under_its_row_and_belongs_to_it() -> None:
    """Every line finds its row, every row its lines, with a story open and without."""
    made = listed()
    made.open("r2", ["first", "second"])
    assert len(made) == 5
    assert [made.key(y) for y in range(5)] == ["r1", "r2", "r2", "r2", "r3"]
    assert [made.place(key) for key in ("r1", "r2", "r3", "r9")] == [(0, 1), (1, 3), (4, 1), None]
    assert [("step 2" in text(made, 1)), ("first" in text(made, 2)), ("step 3" in text(made, 4))] == [True] * 3
    assert made.close()
    assert not made.close()
    assert len(made) == 3


def test_story_of_a_row_that_is_not_wanted_any_more_takes_no_room() -> None:
    """A filter that hides the row hides its story."""
    made = listed()
    made.open("r2", ["first", "second"])
    made.view.begin(lambda found: found.seq != 2)
    made.view.look_back(10)
    assert [made.key(y) for y in range(len(made))] == ["r1", "r3"]


def test_empty_list_says_so_and_cannot_be_chosen() -> None:
    """Where nothing is, a sentence stands, and no row."""
    rows = FeedRows()
    made = FeedList(rows, View(rows), lambda _: "")
    made.empty = "Events appear here."
    assert (len(made), made.key(0), "Events appear" in text(made, 0)) == (1, None, True)


def test_story_is_a_line_a_record() -> None:
    """What an agent wrote cannot leave its line."""
    (line,) = story_lines([{"seq": 7, "at": 0, "line": "PreToolUse \x1b[2J"}])
    assert line.startswith("#7  ")
    assert "\x1b" not in line
