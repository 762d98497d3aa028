"""A person opens the page."""

from playwright.sync_api import expect

from tests.browser import checks
from tests.browser.agent import Agent
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess

MOST_BYTES = 69_000


def test_link_opens_once_and_leaves_no_code_behind(visit: Visit, hub: HubProcess) -> None:
    """The code is out of the address at once, and the page is still open after a reload without it."""
    page = visit.open()
    expect(page).to_have_url(visit.address() + "/")
    page.reload()
    snapshot = page.evaluate("fetch('/api/snapshot').then((response) => response.status)")
    assert snapshot == 200


def test_page_without_a_link_shows_nothing_of_the_record(visit: Visit) -> None:
    """Without the link the page tells how to get one."""
    visit.expect("401")
    page = visit.context.new_page()
    page.goto(visit.address())
    expect(page.locator("body")).to_contain_text("assent")
    assert page.evaluate("fetch('/api/snapshot').then((response) => response.status)") == 401


def test_page_is_light(visit: Visit, agent: Agent) -> None:
    """All that a browser fetches to show an ask is smaller than one photograph."""
    page = visit.open()
    agent.bash("touch one.txt")
    expect(page.locator("article.ask")).to_be_visible()
    fetched: dict[str, int] = page.evaluate(
        """() => Object.fromEntries(performance.getEntries()
          .filter((each) => each.encodedBodySize && !each.name.includes("/api/"))
          .map((each) => [each.name, each.encodedBodySize]))"""
    )
    assert len(fetched) > 20
    assert sum(fetched.values()) < MOST_BYTES, sorted(fetched.items(), key=lambda size: -size[1])


def test_fresh_page_is_accessible(visit: Visit) -> None:
    """axe finds nothing serious on the first page."""
    page = visit.open()
    expect(page.locator("main")).to_be_visible()
    assert checks.barriers(page) == []
