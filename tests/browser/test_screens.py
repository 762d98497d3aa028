"""What holds for every screen."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.agent import Agent
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess, until

MOST_BYTES = 60_000
SCREENS = {
    "/s": "Sessions",
    "/f": "Feed",
    "/log": "Log",
    "/stats": "Statistics",
    "/rules": "Rules",
    "/set": "Settings",
    "/pair": "Devices",
}


@pytest.mark.parametrize(("path", "name"), SCREENS.items(), ids=SCREENS.values())
def test_screen_is_light_and_marked_in_the_rail(visit: Visit, path: str, name: str) -> None:
    """Opened for the first time, it fetches less than one photograph; the rail says where one is."""
    page = visit.open(path)
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(page.locator("#nav [aria-current=page] .word")).to_have_text([name])
    fetched: int = page.evaluate(
        """() => performance.getEntries().filter((each) => !each.name.includes("/api/"))
          .reduce((sum, each) => sum + (each.encodedBodySize ?? 0), 0)"""
    )
    assert 10_000 < fetched < MOST_BYTES


def test_letters_lead_to_every_screen(page: Page) -> None:
    """By keyboard alone."""
    for key, name in {"s": "Sessions", "f": "Feed", "l": "Log", "r": "Rules", ",": "Settings"}.items():
        page.keyboard.press("g")
        page.keyboard.press(key)
        expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


def test_what_an_agent_wrote_is_drawn_and_never_obeyed(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """Markup is text and hidden characters are marks, in the feed, in the log and in the story of a call."""
    hostile = "echo '<img src=x onerror=document.title=1>' \u202e#"
    call = {"permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": hostile}}
    agent.tell("PreToolUse", **call, tool_use_id="toolu_1")
    row = until(lambda: next(iter(hub.api("GET", "/api/decisions?q=onerror")[1]["rows"]), None), "the decision")
    page = visit.open("/f")
    for path in ("/f", "/log?q=onerror", f"/log/{row['seq']}"):
        page.goto(visit.address() + path)
        expect(page.locator("#screen")).to_contain_text("<img src=x onerror=document.title=1>")
        expect(page.locator("#screen")).to_contain_text("⟨U+202E⟩")
        assert page.locator("#screen img").count() == 0


def test_page_can_be_put_on_a_home_screen(page: Page) -> None:
    """Its manifest names icons that are there, one of them without transparent corners."""
    found = page.evaluate(
        """async () => {
          const address = document.querySelector("link[rel=manifest]").href;
          const manifest = await (await fetch(address)).json();
          const icons = await Promise.all(manifest.icons.map(async ({ src, purpose }) =>
            [(await fetch(src)).status, purpose ?? "any"]));
          return { display: manifest.display, icons };
        }"""
    )
    assert found["display"] == "standalone"
    assert all(status == 200 for status, _ in found["icons"])
    assert {purpose for _, purpose in found["icons"]} == {"any", "maskable"}
