"""Plans as they are read and commented on."""

from playwright.sync_api import Page, expect

from tests.browser import views

PLAN = views.an_ask("plan", {"markdown": "# Move\n\n1. Extract the check\n2. Delete the rest\n"})


def test_plan_is_approved_into_the_mode_that_was_picked(canvas: Page) -> None:
    """Asking before edits by default."""
    box = views.draw(canvas, PLAN)
    assert views.answer(canvas, "approve") == {"mode": "default"}
    box.get_by_label("accept edits").check()
    assert views.answer(canvas, "approve") == {"mode": "accept_edits"}


def test_notes_quote_the_line_they_are_about(canvas: Page) -> None:
    """A press on a line takes a note; all notes and the general one go back together, in the order of the plan."""
    box = views.draw(canvas, PLAN)
    for line, note in (("Delete the rest", "Not yet."), ("Extract the check", "Keep the name.")):
        box.get_by_text(line).click()
        box.get_by_label("Note on this line").fill(note)
        box.get_by_role("button", name="Keep note").click()
    box.get_by_label("Note on the whole plan").fill("Looks good else.")
    text = "> 1. Extract the check\nKeep the name.\n\n> 2. Delete the rest\nNot yet.\n\nLooks good else."
    assert views.answer(canvas, "revise") == {"message": text}


def test_notes_are_not_lost_by_a_yes(canvas: Page) -> None:
    """A yes while notes wait is held back; without them, sending notes is."""
    box = views.draw(canvas, PLAN)
    assert "problem" in views.answer(canvas, "revise")
    box.get_by_text("Extract the check").click()
    box.get_by_label("Note on this line").fill("Why?")
    box.get_by_role("button", name="Keep note").click()
    assert "problem" in views.answer(canvas, "approve")
    box.get_by_role("button", name="Remove").click()
    assert views.answer(canvas, "approve") == {"mode": "default"}


def test_lines_are_reached_by_keyboard(canvas: Page) -> None:
    """One stop of the tab key, arrows from line to line, Enter to comment."""
    box = views.draw(canvas, PLAN)
    box.get_by_role("heading", name="Move").focus()
    canvas.keyboard.press("ArrowDown")
    canvas.keyboard.press("Enter")
    canvas.keyboard.type("Name it.")
    canvas.keyboard.press("Control+Enter")
    expect(box.locator(".notes .quote")).to_have_text("1. Extract the check")
    assert views.answer(canvas, "revise") == {"message": "> 1. Extract the check\nName it."}


def test_plan_without_text_is_not_approved(canvas: Page) -> None:
    """What cannot be read cannot be agreed to."""
    views.draw(canvas, views.an_ask("plan", {"markdown": " \n"}))
    assert "problem" in views.answer(canvas, "approve")
