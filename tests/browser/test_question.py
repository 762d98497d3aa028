"""Questions of an agent, answered on the page."""

from playwright.sync_api import Page, expect

from tests.browser.agent import Agent, question
from tests.browser.card import Card


def test_every_question_is_answered_reviewed_and_sent(page: Page, agent: Agent) -> None:
    """One choice, several, and words of one's own; a last look; then all answers at once."""
    held = agent.question(
        question("Which database?", "SQLite", "Postgres"),
        question("Which extras?", "Cache", "Search", "Queue", multi=True),
        question("What is it called?", "Shop", "Store"),
    )
    card = Card(page).shows("Which database?", "1 of 3").read()
    card.thing.get_by_label("Postgres").check()
    card.thing.get_by_role("button", name="Next").click()
    card.shows("Which extras?", "2 of 3")
    card.thing.get_by_label("Cache").check()
    card.thing.get_by_label("Queue").check()
    card.thing.get_by_role("button", name="Next").click()
    card.shows("What is it called?", "3 of 3")
    card.thing.get_by_label("Other…").check()
    card.thing.get_by_label("Other answer").fill("Emporium")
    card.thing.get_by_role("button", name="Review").click()
    expect(card.thing).to_contain_text("Review")
    for answer in ("Postgres", "Cache, Queue", "Emporium"):
        expect(card.thing).to_contain_text(answer)
    card.press("Submit")
    assert held.decision()["updatedInput"]["answers"] == {
        "Which database?": "Postgres",
        "Which extras?": "Cache, Queue",
        "What is it called?": "Emporium",
    }


def test_single_question_is_answered_by_number(page: Page, agent: Agent) -> None:
    """A digit picks, and the answer is sent by its own button only."""
    held = agent.question(question("Which database?", "SQLite", "Postgres"))
    card = Card(page).shows("Which database?").key("2")
    expect(card.thing.get_by_label("Postgres")).to_be_checked()
    assert held.is_waiting
    card.press("Submit")
    assert held.decision()["updatedInput"]["answers"] == {"Which database?": "Postgres"}


def test_unanswered_question_is_not_sent(page: Page, agent: Agent) -> None:
    """Submit says what is missing."""
    held = agent.question(question("Which database?", "SQLite", "Postgres"))
    card = Card(page).shows("Which database?").press("Submit")
    expect(card.bar.get_by_role("alert")).to_contain_text("Pick an answer first.")
    assert held.is_waiting
