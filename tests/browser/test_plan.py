"""Plans, read on the page, approved or sent back with notes."""

from playwright.sync_api import Page, expect

from tests.browser.agent import Agent
from tests.browser.card import Card

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
