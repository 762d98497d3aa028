"""Forms of MCP servers, filled in on the page."""

from playwright.sync_api import Page, expect

from tests.browser.agent import Agent
from tests.browser.card import Card
from tests.component.hub_process import HubProcess

SCHEMA = {
    "type": "object",
    "properties": {
        "account": {"type": "string", "title": "Account", "minLength": 3},
        "seats": {"type": "integer", "title": "Seats", "minimum": 1},
        "plan": {"type": "string", "title": "Plan", "enum": ["free", "pro"]},
        "agreed": {"type": "boolean", "title": "Agreed"},
    },
    "required": ["account"],
}
TYPED = "alice-the-first"


def test_form_is_checked_filled_in_and_never_recorded(page: Page, agent: Agent, hub: HubProcess) -> None:
    """Native inputs with their rules; the server gets typed values, and the journal none of them."""
    held = agent.form("Which account?", SCHEMA)
    card = Card(page).shows("lab", "Which account?")
    card.press("Submit")
    expect(card.thing).to_contain_text("Account is required.")
    assert held.is_waiting
    card.thing.get_by_label("Account").fill(TYPED)
    card.thing.get_by_label("Seats").fill("3")
    card.thing.get_by_label("pro").check()
    card.press_twice("Submit")
    told = held.output()
    assert told["action"] == "accept"
    assert told["content"] == {"account": TYPED, "seats": 3, "plan": "pro", "agreed": False}
    card.says("ran")
    _, reply = hub.api("GET", f"/api/log?q={TYPED}")
    assert reply["records"] == []
    for file in hub.paths.state.rglob("*"):
        assert not file.is_file() or TYPED.encode() not in file.read_bytes(), file


def test_declined_form_is_declined(page: Page, agent: Agent) -> None:
    """No is one press."""
    held = agent.form("Which account?", SCHEMA)
    Card(page).shows("Which account?").press("Decline")
    assert held.output()["action"] == "decline"


def test_address_is_opened_only_by_a_press(page: Page, agent: Agent) -> None:
    """The host stands large, the rest small; the page itself goes nowhere."""
    held = agent.link("Please sign in", "https://auth.example.com/login?next=1")
    card = Card(page).shows("Please sign in")
    expect(card.thing.locator(".host")).to_have_text("auth.example.com")
    expect(card.thing.get_by_role("button", name="Open auth.example.com")).to_be_visible()
    assert len(page.context.pages) == 1
    card.press_twice("Submit")
    assert held.output()["action"] == "accept"
