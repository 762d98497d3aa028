"""Browsers that look at the same hub: wide and narrow, dark and light."""

import contextlib
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.component.hub_process import HubProcess

PATIENCE_MS = 8_000
Scheme = Literal["dark", "light"]


class Lens(NamedTuple):
    name: str
    options: dict[str, Any]
    schemes: tuple[Scheme, ...] = ("dark", "light")


WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
NARROW: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
USUAL = [Lens("wide", WIDE), Lens("narrow", NARROW)]
# What a page is looked at with less often, and breaks in first.
RARE = [
    Lens("small", {**NARROW, "viewport": {"width": 360, "height": 640}}, ("dark",)),
    Lens("middle", {"viewport": {"width": 900, "height": 700}}, ("dark",)),
    Lens("zoomed", {"viewport": {"width": 720, "height": 450}, "device_scale_factor": 2}, ("light",)),
    Lens("forced", {**WIDE, "forced_colors": "active"}, ("dark",)),
    Lens("contrast", {**WIDE, "contrast": "more"}, ("light",)),
]


class Seat:
    """One browser at one hub."""

    def __init__(self, context: BrowserContext, lens: Lens, hub: HubProcess, out: Path) -> None:
        self.lens = lens
        self.context = context
        self._hub = hub
        self._out = out
        self.page = context.new_page()
        self.page.goto(f"{self.address}/#open={hub.api('POST', '/api/pair')[1]['code']}")
        expect(self.page.locator("#hub")).to_have_class("up")

    @property
    def address(self) -> str:
        return f"http://localhost:{self._hub.port}"

    def look(self, path: str) -> Page:
        self.page.goto(f"{self.address}{path}")
        expect(self.page.locator("#hub")).to_have_class("up")
        # The other seats were let in, too.
        with contextlib.suppress(PlaywrightTimeoutError):
            self.page.get_by_role("button", name=re.compile("^I know")).click(timeout=1_000)
        return self.page

    def take(self, name: str) -> None:
        for scheme in self.lens.schemes:
            self.page.emulate_media(color_scheme=scheme)
            # A moment in which presses are ignored has a look of its own.
            self.page.wait_for_timeout(450)
            self.page.screenshot(path=self._out / f"{name}.{self.lens.name}-{scheme}.png", animations="disabled")


@contextmanager
def seats(browser: Browser, hub: HubProcess, out: Path, lenses: list[Lens]) -> Iterator[list[Seat]]:
    with ExitStack() as leaving:
        made = []
        for lens in lenses:
            context = browser.new_context(**lens.options, locale="en-GB", timezone_id="UTC")
            leaving.callback(context.close)
            context.set_default_timeout(PATIENCE_MS)
            made.append(Seat(context, lens, hub, out))
        yield made
