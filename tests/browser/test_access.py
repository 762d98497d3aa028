"""Accessibility: every kind of ask, in both themes, at both sizes, for axe and for a keyboard."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import checks
from tests.browser.agent import Agent, question
from tests.browser.card import Card, rows, sheet
from tests.browser.conftest import DESKTOP, PHONE, Visitors

PUSH = "git clean -fdx && npm ci"
PLAN = "# Move login\n\n1. Extract the token check\n2. Test it\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n`code`\n"
SCHEMA = {
    "type": "object",
    "properties": {"account": {"type": "string"}, "plan": {"type": "string", "enum": ["free", "pro"]}},
    "required": ["account"],
}
ASKING: dict[str, Callable[[Agent], object]] = {
    "danger": lambda agent: agent.bash(PUSH),
    "diff": lambda agent: agent.wants("Write", {"file_path": str(agent.cwd / "a.py"), "content": "print(1)\n"}),
    "question": lambda agent: agent.question(question("Which?", "One", "Two"), question("And?", "A", "B", multi=True)),
    "plan": lambda agent: agent.plan(PLAN),
    "form": lambda agent: agent.form("Which account?", SCHEMA),
    "stop": lambda agent: agent.stop("All tests are green."),
}


@pytest.fixture
def hub_config() -> str:
    return '[asks]\nhold_stops = "always"\n'


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(visitors: Visitors, agents: Callable[..., Agent], scheme: str, size: str) -> None:
    """The inbox, and each kind of ask opened from it."""
    visit = visitors(PHONE if size == "phone" else DESKTOP, color_scheme=scheme)
    page = visit.open()
    found = {"empty": checks.barriers(page)}
    for kind, ask in ASKING.items():
        ask(agents(session=f"{kind}-{size}"))
        row = rows(page).last
        expect(rows(page)).to_have_count(len(found))
        name = row.get_attribute("data-ask") or ""
        row.get_by_role("link").click()
        expect(page.locator("article.ask")).to_have_attribute("data-ask", name)
        found[kind] = checks.barriers(page)
        if size == "phone":
            page.go_back()
    assert not any(found.values()), {kind: barriers for kind, barriers in found.items() if barriers}


def test_ask_is_announced_and_denied_by_keyboard_alone(page: Page, agent: Agent) -> None:
    """The focus lands on the heading; Tab reaches Deny first; Allow is never focused by itself."""
    held = agent.bash(PUSH)
    card = Card(page).shows("Danger")
    expect(page.locator("#urgent")).to_contain_text("Danger.")
    expect(card.heading).to_be_focused()
    card.read()
    for _ in range(20):
        page.keyboard.press("Tab")
        name = page.evaluate("document.activeElement.textContent")
        if card.button("Deny").evaluate("(button) => button === document.activeElement"):
            break
        assert name != "Allow once"
    expect(card.button("Deny")).to_be_focused()
    page.keyboard.press("Enter")
    assert held.decision()["behavior"] == "deny"


def test_actions_are_reached_in_order(page: Page, agent: Agent) -> None:
    """Deny, deny and tell, edit, allow."""
    agent.bash("touch one.txt")
    card = Card(page).shows("touch one.txt").read()
    names = card.bar.get_by_role("button").evaluate_all("(all) => all.map((each) => each.textContent)")
    wanted = ["Deny", "Deny and tell…", "Edit…", "Allow once"]
    assert [name for name in names if name in wanted] == wanted


def test_sheet_keeps_focus_and_keys_and_escape_answers_nothing(page: Page, agent: Agent) -> None:
    """Letters typed into it are no commands, and leaving it is no answer."""
    held = agent.bash("touch one.txt")
    Card(page).shows("touch one.txt").key("D")
    telling = sheet(page, "Deny and tell")
    page.keyboard.type("add")
    expect(telling.get_by_role("textbox")).to_have_value("add")
    page.keyboard.press("Escape")
    expect(telling).to_have_count(0)
    assert held.is_waiting
