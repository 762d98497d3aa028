"""A turn has ended, and is told on the page to go on."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.agent import Agent
from tests.browser.card import Card


@pytest.fixture
def hub_config() -> str:
    return '[asks]\nhold_stops = "always"\n'


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
