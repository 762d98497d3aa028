"""Asks that are alike, answered at once from the menu of one of them."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import checks
from tests.browser.agent import Agent, wait_for_ask
from tests.browser.card import Card, rows, sheet
from tests.component.hub_process import HubProcess

COMMANDS = tuple(f"pytest -q {name}.py" for name in ("one", "two", "three"))


@pytest.mark.parametrize(("word", "title"), [("Allow", "Allow these 3, once each?"), ("Deny", "Deny these 3?")])
def test_all_are_shown_and_each_is_answered(page: Page, agent: Agent, hub: HubProcess, word: str, title: str) -> None:
    """With the whole text of each; what is not like them is left alone."""
    held = [agent.bash(command) for command in COMMANDS]
    danger = agent.bash("git push --force origin main")
    expect(rows(page)).to_have_count(4)
    Card(page).shows(COMMANDS[0]).more(f"{word} these 3…")
    shown = sheet(page, title)
    for command in COMMANDS:
        expect(shown).to_contain_text(command)
    expect(shown).not_to_contain_text("--force")
    assert checks.barriers(page) == []
    shown.get_by_role("button", name=f"{word} these 3").click()
    assert [one.decision()["behavior"] for one in held] == [word.lower()] * 3
    assert danger.is_waiting
    assert wait_for_ask(hub)["risk"]["level"] == "danger"


def test_cancel_answers_nothing(page: Page, agent: Agent) -> None:
    held = [agent.bash(command) for command in COMMANDS]
    expect(rows(page)).to_have_count(3)
    Card(page).shows(COMMANDS[0]).more("Allow these 3…")
    page.keyboard.press("Escape")
    expect(sheet(page, "Allow these 3, once each?")).to_have_count(0)
    assert all(one.is_waiting for one in held)


def test_ask_without_another_like_it_offers_nothing_of_the_kind(page: Page, agent: Agent) -> None:
    agent.bash(COMMANDS[0])
    Card(page).shows(COMMANDS[0]).press("More answers")
    menu = page.get_by_role("dialog", name="More answers")
    expect(menu.get_by_role("button", name="Deny", exact=False).first).to_be_visible()
    expect(menu).not_to_contain_text("these")
