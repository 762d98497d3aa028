"""The ask on the screen, used as a person uses it: read first, then press."""

import re

from playwright.sync_api import Locator, Page, expect

# Looked for with every frame: an expectation is tried again after longer and longer pauses, and every press waits.
MOMENT_AFTER = """
(bar) => new Promise((over) => {
  const latest = performance.now() + 5000;
  const waits = () => bar.isConnected && bar.classList.contains("grace") && performance.now() < latest;
  const look = () => (waits() ? requestAnimationFrame(look) : over());
  look();
})
"""


class Card:
    """What is drawn of one ask, and the bar of actions under it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.article = page.locator("article.ask")
        self.heading = self.article.locator("h2")
        self.thing = self.article.locator(".thing")
        self.bar = page.get_by_role("group", name="Answer")
        self.status = self.bar.locator(".status")
        self.match = self.bar.get_by_label("type the match word")

    def shows(self, *texts: str) -> "Card":
        for text in texts:
            expect(self.article).to_contain_text(text)
        return self

    def says(self, text: str | re.Pattern[str]) -> "Card":
        """What became of it."""
        expect(self.status).to_contain_text(text)
        return self

    def button(self, name: str) -> Locator:
        return self.bar.get_by_role("button", name=name, exact=True)

    def read(self) -> "Card":
        """Look at it for long enough that a press counts."""
        expect(self.article).to_be_visible()
        expect(self.article).not_to_have_class(re.compile(r"\bover\b"))
        self.bar.evaluate(MOMENT_AFTER)
        expect(self.bar).not_to_have_class(re.compile(r"\bgrace\b"))
        return self

    def press(self, name: str) -> "Card":
        # A button that comes now is part of a change, and the moment after it is not for pressing.
        expect(self.button(name)).to_be_visible()
        self.read()
        self.button(name).click()
        return self

    def press_twice(self, name: str) -> "Card":
        """What needs care: armed by one button, said by another."""
        self.press(name)
        self.bar.get_by_role("button", name=re.compile("^Yes, ")).click()
        return self

    def key(self, key: str) -> "Card":
        self.read()
        self.page.keyboard.press(key)
        return self

    def more(self, name: str) -> "Card":
        """An answer from the menu behind the three dots."""
        self.press("More answers")
        self.page.get_by_role("dialog", name="More answers").get_by_role("button", name=re.compile(name)).click()
        return self


def rows(page: Page) -> Locator:
    """Rows of what waits for an answer, in the order it came."""
    return page.get_by_role("feed", name="Needs you").locator("article")


def closed(page: Page) -> Locator:
    return page.locator(".over li")


def sheet(page: Page, name: str) -> Locator:
    return page.get_by_role("dialog", name=name)
