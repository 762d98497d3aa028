"""Nothing moves under the finger."""

import re

from playwright.sync_api import Page, expect

from tests.browser import checks
from tests.browser.agent import Agent
from tests.browser.card import Card, rows
from tests.browser.conftest import PHONE, Visitors
from tests.browser.visit import Visit


def still_page(visit: Visit) -> Page:
    checks.observe_shifts(visit.context)
    page = visit.open()
    expect(page.locator(".list")).to_be_visible()
    return page


def test_new_and_closed_asks_shift_nothing(visit: Visit, agent: Agent) -> None:
    """Rows are added below and stay where they are when they are over."""
    page = still_page(visit)
    first = agent.bash("touch one.txt")
    card = Card(page).shows("touch one.txt").read()
    checks.forget_shifts(page)
    second = agent.bash("touch two.txt")
    expect(rows(page)).to_have_count(2)
    assert checks.shifts(page) == []
    agent.ran(second)
    expect(rows(page).nth(1).get_by_role("link")).not_to_have_attribute("data-state", "open")
    assert checks.shifts(page) == []
    agent.ran(first)
    card.says("terminal")
    expect(card.article).to_have_class(re.compile(r"\bover\b"))
    assert checks.shifts(page) == []


def test_new_asks_shift_nothing_on_a_phone(visitors: Visitors, agent: Agent) -> None:
    """While one ask is read, others come."""
    page = still_page(visitors(PHONE))
    agent.bash("touch one.txt")
    rows(page).first.get_by_role("link").click()
    Card(page).shows("touch one.txt").read()
    checks.forget_shifts(page)
    agent.bash("touch two.txt")
    expect(page.locator("#polite")).to_contain_text("two.txt")
    assert checks.shifts(page) == []


def test_focused_ask_is_not_replaced(visit: Visit, agent: Agent) -> None:
    """The ask that is read stays, even when it is over."""
    page = still_page(visit)
    first = agent.bash("touch one.txt")
    card = Card(page).shows("touch one.txt").read()
    agent.bash("touch two.txt")
    expect(rows(page)).to_have_count(2)
    agent.ran(first)
    card.says("terminal").shows("touch one.txt")
