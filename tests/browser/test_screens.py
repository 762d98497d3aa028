"""What holds for every screen."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visit import Visit

MOST_BYTES = 60_000
SCREENS = {"/s": "Sessions", "/f": "Feed", "/log": "Log", "/rules": "Rules", "/set": "Settings", "/pair": "Devices"}


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
