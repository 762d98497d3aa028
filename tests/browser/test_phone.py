"""One column under a thumb."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.agent import Agent, wait_for_ask
from tests.browser.card import Card, rows
from tests.browser.conftest import Visitors
from tests.component.hub_process import HubProcess

SMALL = {"width": 360, "height": 740}
TOUCH = {"has_touch": True, "is_mobile": True}
PUSH = "git push --force origin main"
LONG = "curl -s https://example.com/" + "a" * 300 + ".tar.gz --output downloads/archive.tar.gz"


@pytest.fixture
def phone(visitors: Visitors) -> Page:
    return visitors(SMALL, **TOUCH).open()


def sideways(page: Page) -> int:
    """How far the page can be pushed to the side, in pixels."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def test_row_opens_the_ask_and_offers_no_answer_itself(phone: Page, agent: Agent) -> None:
    """A slip of the thumb on a list answers nothing."""
    agent.bash(LONG)
    row = rows(phone).first
    expect(row).to_be_visible()
    assert row.get_by_role("button").count() == 0
    box = row.bounding_box()
    assert box
    assert box["height"] >= 64
    assert sideways(phone) == 0
    row.get_by_role("link").tap()
    Card(phone).shows("example.com")
    assert sideways(phone) == 0


def test_answers_lie_under_the_thumb_and_apart(phone: Page, agent: Agent) -> None:
    """A bar at the bottom: Deny left, Allow right and larger, both as tall as a thumb, with room between them."""
    agent.bash("touch one.txt")
    rows(phone).first.get_by_role("link").tap()
    card = Card(phone).shows("touch one.txt").read()
    deny, allow = card.button("Deny").bounding_box(), card.button("Allow once").bounding_box()
    assert deny
    assert allow
    assert min(deny["height"], allow["height"]) >= 48
    assert deny["x"] + deny["width"] + 24 <= allow["x"]
    assert allow["width"] > deny["width"]
    assert allow["y"] + allow["height"] <= SMALL["height"]
    assert allow["y"] > SMALL["height"] * 0.75


def test_danger_is_held_and_typed_on_touch(phone: Page, agent: Agent, hub: HubProcess) -> None:
    """A tap does nothing, with the word or without it; only a finger that stays says yes."""
    held = agent.bash(PUSH)
    rows(phone).first.get_by_role("link").tap()
    card = Card(phone).shows(PUSH).read()
    card.match.fill(wait_for_ask(hub)["risk"]["match"])
    allow = card.bar.locator("button.yes")
    allow.tap()
    expect(card.status).to_contain_text("waiting")
    assert held.is_waiting
    touch = phone.context.new_cdp_session(phone)
    box = allow.bounding_box()
    assert box
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    told = held.decision()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert told == {"behavior": "allow"}


def test_swipe_goes_on_and_never_answers(phone: Page, agent: Agent) -> None:
    """From one ask to the next, and nothing else."""
    first, second = agent.bash("touch one.txt"), agent.bash("touch two.txt")
    rows(phone).first.get_by_role("link").tap()
    card = Card(phone).shows("touch one.txt").read()
    touch = phone.context.new_cdp_session(phone)
    for kind, x in (("touchStart", 300), ("touchMove", 180), ("touchMove", 60)):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": 300}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    card.shows("touch two.txt")
    assert first.is_waiting
    assert second.is_waiting


def test_everything_fits_at_twice_the_size(visitors: Visitors, agent: Agent) -> None:
    """At 200 % zoom a desktop is as narrow as this: one column, nothing cut off."""
    page = visitors({"width": 640, "height": 400}, device_scale_factor=2).open()
    agent.bash(PUSH)
    rows(page).first.get_by_role("link").click()
    card = Card(page).shows(PUSH)
    assert sideways(page) == 0
    expect(card.button("Deny")).to_be_in_viewport()
    card.press("Deny")
    card.says(re.compile("Denied"))
