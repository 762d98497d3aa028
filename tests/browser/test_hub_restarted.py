"""The hub goes and comes back under an open page."""

import re

from playwright.sync_api import Page, expect

from tests.browser.agent import Agent, shown
from tests.browser.card import Card, rows
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess

# What a browser says of a hub that is not there.
GONE = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")


def restarting(visit: Visit, hub: HubProcess) -> Page:
    """A page of a hub that keeps its port over a restart."""
    visit.expect(*GONE)
    page = visit.open()
    config = hub.paths.config.read_text()
    hub.paths.config.write_text(config.replace("port = 0", f"port = {hub.port}"))
    return page


def test_page_freezes_while_the_hub_is_gone_and_answers_again_after(
    visit: Visit, agent: Agent, hub: HubProcess
) -> None:
    """The page says that nothing is sent; with the hub back it works again, unreloaded."""
    page = restarting(visit, hub)
    agent.bash("touch one.txt")
    card = Card(page).shows("touch one.txt").read()
    page.evaluate("window.isSamePage = true")
    hub.stop()
    expect(page.get_by_role("alert").filter(has_text="Hub unreachable since")).to_be_visible()
    expect(card.button("Allow once")).to_be_disabled()
    expect(card.button("Deny")).to_be_disabled()
    hub.start()
    expect(page.locator("#hub")).to_have_class("up")
    # Its shim died with the old hub's connection and did not come back.
    card.says(re.compile("moved on|withdrawn|gone|waiting|came back"))
    later = agent.bash("touch two.txt")
    expect(rows(page).last).to_contain_text("two.txt")
    rows(page).last.get_by_role("link").click()
    card.shows("touch two.txt").press("Allow once")
    assert later.decision() == {"behavior": "allow"}
    assert page.evaluate("window.isSamePage") is True


def test_ask_of_before_is_answered_after_the_restart(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """A shim comes back with the same request: the ask is the same one, and an answer to it reaches the agent."""
    page = restarting(visit, hub)
    held = agent.bash("touch one.txt")
    card = Card(page).shows("touch one.txt").read()
    [before] = shown(hub)
    hub.stop()
    hub.start()
    again = agent.again(held)
    expect(page.locator("#hub")).to_have_class("up")
    [after] = shown(hub)
    assert (after["id"], after["rev"], after["hash"]) == (before["id"], before["rev"], before["hash"])
    card.press("Allow once")
    assert again.decision() == {"behavior": "allow"}
