"""Plans, read on the page, approved or sent back with notes."""

import re

from playwright.sync_api import Page, expect

from tests.browser import checks
from tests.browser.agent import Agent, Held
from tests.browser.card import Card, rows
from tests.browser.conftest import PHONE, Visitors

PLAN = "# Move login\n\n1. Extract the token check\n2. **Test** it\n"


def test_approved_plan_names_the_mode_that_follows(page: Page, agent: Agent) -> None:
    """The plan is drawn as text, not as source, and the yes goes with the mode picked under it."""
    held = agent.plan(PLAN)
    card = Card(page).shows("Move login", "Extract the token check")
    expect(card.thing.get_by_role("heading", name="Move login")).to_be_visible()
    card.read()
    card.thing.get_by_label("accept edits").check()
    card.press("Approve plan")
    decision = held.decision()
    assert decision["behavior"] == "allow"
    assert decision["updatedPermissions"] == [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]
    assert decision["updatedInput"]["plan"] == PLAN


def test_plan_is_approved_into_asking_by_default(page: Page, agent: Agent) -> None:
    """Without a pick the mode asks before edits."""
    held = agent.plan(PLAN)
    Card(page).shows("Move login").press("Approve plan")
    decision = held.decision()
    assert decision["behavior"] == "allow"
    assert "updatedPermissions" not in decision


def test_notes_on_a_line_go_back_with_that_line(page: Page, agent: Agent) -> None:
    """The agent reads which line a note is about, and what is wrong with the whole."""
    held = agent.plan(PLAN)
    card = Card(page).shows("Extract the token check").read()
    card.thing.get_by_text("Extract the token check").click()
    card.thing.get_by_label("Note on this line").fill("Keep the old API.")
    card.thing.get_by_role("button", name="Keep note").click()
    card.thing.get_by_label("Note on the whole plan").fill("Smaller steps, please.")
    card.press("Send notes")
    decision = held.decision()
    assert decision["behavior"] == "deny"
    assert "Extract the token check\nKeep the old API.\n\nSmaller steps, please." in decision["message"]


def test_plan_with_unsent_notes_is_not_approved(page: Page, agent: Agent) -> None:
    """A yes would lose them."""
    held = agent.plan(PLAN)
    card = Card(page).shows("Move login").read()
    card.thing.get_by_label("Note on the whole plan").fill("Smaller steps, please.")
    card.press("Approve plan")
    expect(card.bar.get_by_role("alert")).to_contain_text("notes that were not sent")
    assert held.is_waiting


BETTER = "# Move login\n\n1. Extract the token check\n2. **Test** it twice\n3. Tell what changed\n"


def second_round(page: Page, agent: Agent) -> tuple[Held, Card]:
    """The plan was sent back from here, and is proposed again."""
    first = agent.plan(PLAN)
    card = Card(page).shows("Extract the token check").read()
    card.thing.get_by_label("Note on the whole plan").fill("Test it twice.")
    card.press("Send notes")
    assert first.decision()["behavior"] == "deny"
    held = agent.plan(BETTER)
    return held, Card(page).shows("Tell what changed", "Changed since").read()


def test_second_round_says_what_changed_and_what_was_written(page: Page, agent: Agent) -> None:
    """In one line, beside a switch between the plan and its difference."""
    held, card = second_round(page, agent)
    told = card.thing.locator(".round")
    expect(told).to_contain_text(re.compile(r"Changed since \d+:\d\d: 2 lines added, 1 removed"))
    expect(told).to_contain_text("You wrote: Test it twice.")
    heading = card.thing.get_by_role("heading", name="Move login")
    card.thing.get_by_role("button", name="What changed").click()
    expect(card.thing.locator(".ln.del")).to_contain_text("2. **Test** it")
    expect(heading).to_be_hidden()
    assert checks.barriers(page) == []
    card.thing.get_by_role("button", name="Whole plan").click()
    expect(card.thing.locator(".ln.del")).to_be_hidden()
    expect(heading).to_be_visible()
    card.press("Approve plan")
    assert held.decision()["updatedInput"]["plan"] == BETTER


def test_difference_alone_is_not_approved(page: Page, agent: Agent) -> None:
    """A yes is for the whole plan, where that is shown."""
    held, card = second_round(page, agent)
    card.thing.get_by_role("button", name="What changed").click()
    card.press("Approve plan")
    expect(page.locator("body")).to_contain_text("Go back to the whole plan first")
    assert held.is_waiting


def test_switch_fits_on_a_phone(visitors: Visitors, agent: Agent) -> None:
    """Nothing is wider than the screen, and each side of it is as large as a thumb."""
    page = visitors(PHONE).open()
    first = agent.plan(PLAN)
    row = rows(page).first.get_by_role("link")
    row.click()
    card = Card(page).shows("Extract the token check").read()
    card.thing.get_by_label("Note on the whole plan").fill("Test it twice.")
    card.press("Send notes")
    first.decision()
    agent.plan(BETTER)
    page.goto(page.url.partition("/a/")[0])
    rows(page).first.get_by_role("link").click()
    switch = Card(page).shows("Changed since").thing.get_by_role("button", name="What changed")
    box = switch.bounding_box()
    assert box
    assert box["height"] >= 44
    switch.click()
    expect(Card(page).thing.locator(".ln.add").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
