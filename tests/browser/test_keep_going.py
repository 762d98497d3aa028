"""A turn has ended, and is told on the page to go on."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser import checks
from tests.browser.agent import Agent
from tests.browser.card import Card, sheet
from tests.component.hub_process import HubProcess


@pytest.fixture
def hub_config() -> str:
    return '[asks]\nhold_stops = "always"\nsnippets = ["Use pnpm here", "Explain first"]\n'


def test_reply_reaches_the_agent_as_its_users_words(page: Page, agent: Agent) -> None:
    """What it said last is shown; what it should do next is typed, and told."""
    held = agent.stop("All tests are green.\n\nShall I commit?")
    card = Card(page).shows("All tests are green.", "Shall I commit?").read()
    card.thing.get_by_label("What it should do next").fill("Commit, then update the changelog.")
    card.press("Keep going")
    assert "Commit, then update the changelog." in json.dumps(held.output())


def test_chip_fills_in_a_usual_reply(page: Page, agent: Agent) -> None:
    """Run the tests, with one press less."""
    held = agent.stop("Done.")
    card = Card(page).shows("Done.").read()
    card.thing.get_by_role("button", name="Run the tests").click()
    expect(card.thing.get_by_label("What it should do next")).to_have_value("Run the tests.")
    card.press("Keep going")
    assert "Run the tests." in json.dumps(held.output())


def test_let_it_stop_says_nothing(page: Page, agent: Agent) -> None:
    """The turn ends as it would have."""
    held = agent.stop("Done.")
    Card(page).shows("Done.").press("Let it stop")
    assert held.output() == {}


def test_own_reply_is_filled_in_and_not_sent(page: Page, agent: Agent) -> None:
    """Beside the usual ones; other words can follow it."""
    held = agent.stop("Done.")
    card = Card(page).shows("Done.").read()
    card.thing.get_by_role("button", name="Use pnpm here").click()
    field = card.thing.get_by_label("What it should do next")
    expect(field).to_have_value("Use pnpm here")
    assert held.is_waiting
    field.press("End")
    field.press_sequentially(", and commit.")
    card.press("Keep going")
    assert "Use pnpm here, and commit." in json.dumps(held.output())


def test_own_reply_is_offered_where_a_no_is_explained(page: Page, agent: Agent) -> None:
    """In the sheet of Deny and tell."""
    held = agent.bash("touch one.txt")
    Card(page).shows("touch one.txt").key("D")
    tell = sheet(page, "Deny and tell")
    tell.get_by_role("button", name="Explain first").click()
    expect(tell.get_by_label("Deny and tell")).to_have_value("Explain first")
    assert checks.barriers(page) == []
    assert held.is_waiting
    tell.get_by_role("button", name="Deny and tell").click()
    assert "Explain first" in held.decision()["message"]


def test_card_says_what_is_queued_and_leads_there(page: Page, agent: Agent, hub: HubProcess) -> None:
    """While it is shown; the link opens the session, whose box has one's own replies."""
    agent.bash("touch one.txt")
    card = Card(page).shows("touch one.txt")
    for text in ("Run the tests", "Push"):
        hub.api("POST", f"/api/sessions/{agent.session}/queue", json.dumps({"text": text}).encode())
    queued = card.article.locator(".queued")
    expect(queued).to_contain_text("Queued: 2. Next, when it stops: Run the tests")
    assert checks.barriers(page) == []
    queued.get_by_role("link", name="queue").click()
    box = page.get_by_role("region", name="Queue")
    box.get_by_role("button", name="Use pnpm here").click()
    expect(box.get_by_label("Next instruction")).to_have_value("Use pnpm here")
    expect(box.locator("li")).to_have_count(2)
    agent.tell("SessionEnd", reason="other")
    agent.hang_up()
    expect(box).to_contain_text("The session has ended")
    expect(box.get_by_label("Next instruction")).to_be_hidden()
