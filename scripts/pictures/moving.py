"""The moving picture of README: an agent works, asks, is answered, and wants something that it should not."""

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from scripts.pictures.camera import Lens, seats
from scripts.pictures.cast import RULES
from scripts.pictures.png import Frame, moving
from scripts.pictures.stage import Home, Worker
from tests.browser.agent import Held
from tests.browser.card import Card

SIZE = {"width": 1120, "height": 680}
LENS = Lens("moving", {"viewport": SIZE}, ("dark",))
# In which presses are ignored after a change, and what is drawn settles.
SETTLED = 700


class Film:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Frame] = []

    def shot(self, milliseconds: int) -> None:
        """As it stands now, for so long."""
        self.page.wait_for_timeout(SETTLED)
        self.frames.append(Frame(self.page.screenshot(animations="disabled"), milliseconds))


def make(browser: Browser, file: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        hub = Home(Path(folder), rules=RULES)
        hub.start()
        try:
            worker = Worker(
                hub, hub.project("webshop"), "Fix flaky login", "The login test fails at times. Find out why."
            )
            worker.does("Grep", pattern="datetime.now")
            worker.does("Read", file_path=str(hub.home / "src/webshop/src/login.py"))
            worker.does("Bash", command="git status --short")
            with seats(browser, hub, Path(folder), [LENS]) as (seat,):
                seat.page.emulate_media(color_scheme="dark")
                _play(Film(seat.page), worker, file)
            worker.hang_up()
        finally:
            hub.forget()


def _play(film: Film, worker: Worker, file: Path) -> None:
    page = film.page
    # Someone who uses it for a while.
    page.evaluate("localStorage.setItem('assent.steps-hidden', '1')")
    page.goto(page.url)
    expect(page.locator(".day-figures:visible")).to_be_visible()
    film.shot(1_800)
    held = _wants(worker, "git push origin fix-login-clock", "Push the fix")
    card = Card(page).shows("git push origin fix-login-clock")
    film.shot(2_800)
    page.keyboard.press("a")
    film.shot(1_400)
    page.keyboard.press("Enter")
    held.decision()
    worker.ran(held)
    film.shot(1_600)
    dangerous = _wants(worker, "git clean -fdx && git push --force origin main", "Start over from a clean tree")
    card.shows("git clean -fdx")
    film.shot(3_400)
    card.press("Deny")
    dangerous.decision()
    film.shot(2_200)
    file.write_bytes(moving(film.frames))


def _wants(worker: Worker, command: str, description: str) -> Held:
    return worker.wants("Bash", {"command": command, "description": description})
