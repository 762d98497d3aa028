"""What an edit would change, in each way of drawing it."""

from playwright.sync_api import Page, expect

from tests.browser import views

LINES = [" import os", "-def check(token):", "+def check(token: str):", "+    audit(token)", "     return 1"]
DIFF = {
    "path": "src/auth.py",
    "added": 2,
    "removed": 1,
    "hunks": [{"old_start": 9, "new_start": 9, "lines": LINES}],
}
NEW = {"path": "new.py", "added": 1, "removed": 0, "is_new": True}
NEW |= {"hunks": [{"old_start": 0, "new_start": 1, "lines": ["+print(1)"]}]}


def _edit(*diffs: views.Json) -> views.Json:
    return views.an_ask("permission", {"tool": "Edit", "diffs": list(diffs)})


def test_lines_have_signs_and_numbers(canvas: Page) -> None:
    """Nothing is told by colour alone: each line has its sign and the numbers it has before and after."""
    box = views.draw(canvas, _edit(DIFF))
    rows = box.locator(".ln").evaluate_all("(rows) => rows.map((row) => [...row.children].map((c) => c.textContent))")
    assert rows == [
        ["9", "9", " ", "import os"],
        ["10", "", "−", "def check(token):"],
        ["", "10", "+", "def check(token: str):"],
        ["", "11", "+", "    audit(token)"],
        ["11", "12", " ", "    return 1"],
    ]


def test_v_goes_from_unified_to_split_and_back(canvas: Page) -> None:
    """Side by side each removed line stands beside the added one."""
    box = views.draw(canvas, _edit(DIFF))
    expect(box.get_by_role("button", name="unified")).to_have_attribute("aria-pressed", "true")
    views.press(canvas, "v")
    cells = box.locator(".split > .cell").evaluate_all("(cells) => cells.map((cell) => cell.textContent)")
    assert cells[2:6] == ["10−def check(token):", "10+def check(token: str):", "", "11+    audit(token)"]
    views.press(canvas, "v")
    expect(box.locator(".split")).to_have_count(0)


def test_changed_words_are_marked_in_a_unified_diff(canvas: Page) -> None:
    """What changed within a line is found without comparing the lines by eye."""
    box = views.draw(canvas, _edit(DIFF))
    expect(box.locator("ins")).to_have_text([": str"])


def test_changed_words_are_marked_when_another_line_was_added_before(canvas: Page) -> None:
    """A removed line is compared with the added line that took its place, not with the first one."""
    lines = ["-    return now() - seen < LIMIT", "+    # Both in UTC.", "+    return now(UTC) - seen < LIMIT"]
    box = views.draw(canvas, _edit({**DIFF, "hunks": [{"old_start": 1, "new_start": 1, "lines": lines}]}))
    expect(box.locator("ins")).to_have_count(1)
    expect(box.locator("ins")).to_contain_text("UTC")


def test_signs_are_words_for_screen_readers(canvas: Page) -> None:
    """A plus in front of a line is read as what it means."""
    box = views.draw(canvas, _edit(DIFF))
    expect(box.get_by_role("img", name="added")).to_have_count(2)
    expect(box.get_by_role("img", name="removed")).to_have_count(1)


def test_hunks_are_walked_and_files_are_told_apart(canvas: Page) -> None:
    """] and [ go from change to change; more than one file is announced by chips."""
    box = views.draw(canvas, _edit(DIFF, NEW))
    expect(box.locator("nav button")).to_have_text(["auth.py +2 −1", "new.py +1 −0"])
    expect(box.locator("section").nth(1).locator("h4")).to_contain_text("new file")
    views.press(canvas, "]")
    expect(box.locator(".hunk").first).to_be_focused()
    views.press(canvas, "]")
    expect(box.locator(".hunk").nth(1)).to_be_focused()
    views.press(canvas, "[")
    expect(box.locator(".hunk").first).to_be_focused()


def test_change_that_cannot_be_shown_says_so(canvas: Page) -> None:
    """A diff without lines has its reason in their place."""
    box = views.draw(canvas, _edit({"path": "a.bin", "added": 0, "removed": 0, "note": "The file cannot be read."}))
    expect(box.locator(".note")).to_have_text("The file cannot be read.")


def test_hidden_characters_in_a_change_are_drawn(canvas: Page) -> None:
    """Code that reads other than it runs is seen for what it is."""
    trojan = {**DIFF, "hunks": [{"old_start": 1, "new_start": 1, "lines": ["+if admin:\u2066 # no\u2069"]}]}
    box = views.draw(canvas, _edit(trojan))
    expect(box.locator(".tx")).to_have_text("if admin:⟨U+2066⟩ # no⟨U+2069⟩")


def test_phone_draws_unified_and_wraps(canvas: Page) -> None:
    """On a narrow screen nothing has to be scrolled sideways, and two columns are not offered."""
    canvas.set_viewport_size({"width": 390, "height": 800})
    long = {**DIFF, "hunks": [{"old_start": 1, "new_start": 1, "lines": ["+" + "word " * 60]}]}
    box = views.draw(canvas, _edit(long))
    expect(box.get_by_role("button", name="split")).to_be_hidden()
    views.press(canvas, "v")
    expect(box.locator(".split")).to_have_count(0)
    assert canvas.evaluate("document.documentElement.scrollWidth <= innerWidth")
