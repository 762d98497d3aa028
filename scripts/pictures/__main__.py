"""make pictures: one of every screen into build/pictures, the best of them into docs/pictures.

python -m scripts.pictures [--rare] [SCENE …]: only these; --rare: small, zoomed, forced colours, high contrast.
python -m scripts.pictures --terminal [SCENE …]: the terminal, without the page.
python -m scripts.pictures --chats: every kind of ask in Telegram and Slack.
python -m scripts.pictures --moving: the moving picture of README alone.
"""

import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from assent.client import Client
from scripts import chromium
from scripts.pictures import chats, moving, terminal, watch
from scripts.pictures.camera import NARROW, RARE, USUAL, Lens, Seat, seats
from scripts.pictures.cast import CONFIG, QUEUED, RULES, Cast
from scripts.pictures.png import smaller
from scripts.pictures.scenes import SCENES
from scripts.pictures.stage import Home, Worker
from tests import surroundings

ROOT = Path(__file__).parents[2]
OUT = ROOT / "build" / "pictures"
DOCS = ROOT / "docs" / "pictures"
TRIED = "cd api && npm ci; git stash && git push -f origin main"
# What README and docs show, and what they call it.
BEST = {
    "inbox": "inbox.wide-dark",
    "ask-phone": "ask-danger.narrow-dark",
    "question-phone": "ask-question-picked.narrow-light",
    "diff": "ask-change.wide-light",
    "hidden": "ask-hidden.wide-dark",
    "always": "always.wide-light",
    "stop-asking": "stop-asking.wide-light",
    "session": "session.wide-light",
    "log": "log.wide-dark",
    "plan-phone": "ask-plan.narrow-light",
}
BEST_IN_TERMINALS = {
    "watch": "watch-inbox.120x36",
    "watch-diff": "watch-ask-change-light.120x36",
    "watch-session": "watch-session.120x36",
    "watch-feed": "watch-feed.120x36",
}


def main(wanted: list[str]) -> None:
    surroundings.have_a_terminal()
    lenses = RARE if "--rare" in wanted else USUAL
    names = [name for name in wanted if name in SCENES] or list(SCENES)
    OUT.mkdir(parents=True, exist_ok=True)
    if "--moving" in wanted:
        with started() as browser:
            moving.make(browser, DOCS / "moving.png")
        return
    if "--chats" in wanted:
        told = chats.messages()
        with started() as browser:
            chats.photograph(browser, OUT, told)
        return
    if "--terminal" in wanted:
        only_terminal([name for name in wanted if not name.startswith("--")])
        return
    told = chats.messages() if not wanted else ({}, {})
    with started() as browser:
        with at_work(browser, lenses) as (cast, sitting):
            for name in names:
                for seat in sitting:
                    SCENES[name](seat, cast)
                    seat.take(name)
                print(name)
            if wanted:
                return
            let_in(browser, sitting[0], cast)
            terminal.photograph(browser, DOCS / "try.png", f"try '{TRIED}'", terminal.output(cast.hub, "try", TRIED))
            invitation = terminal.output(cast.hub, "pair", until="Waiting for it")
            terminal.photograph(browser, DOCS / "pair-terminal.png", "pair", invitation, line=terminal.TOUCHING)
        beginning_and_end(browser)
        watch.photograph(browser, OUT, [])
        chats.photograph(browser, OUT, told)
        moving.make(browser, DOCS / "moving.png")
    publish(BEST | BEST_IN_TERMINALS)


def only_terminal(names: list[str]) -> None:
    with started() as browser:
        watch.photograph(browser, OUT, names)
    if not names:
        publish(BEST_IN_TERMINALS)


def publish(best: dict[str, str]) -> None:
    for name, source in best.items():
        (DOCS / f"{name}.png").write_bytes(smaller((OUT / f"{source}.png").read_bytes()))


@contextmanager
def at_work(browser: Browser, lenses: list[Lens]) -> Iterator[tuple[Cast, list[Seat]]]:
    with tempfile.TemporaryDirectory() as home:
        hub = Home(Path(home), CONFIG, RULES)
        hub.start()
        cast = Cast(hub)
        try:
            cast.warm_up()
            # A sub-agent is kept waiting only while a screen is watched.
            with seats(browser, hub, OUT, lenses) as sitting:
                cast.ask()
                cast.still_wait()
                for text in QUEUED:
                    Client(hub.paths).queue_add(cast.api.session, text)
                yield cast, sitting
        finally:
            cast.leave()
            hub.forget()


def let_in(browser: Browser, desk: Seat, cast: Cast) -> None:
    """Three words on both screens."""
    SCENES["pair"](desk, cast)
    address = desk.page.locator(".invitation code").inner_text()
    context = browser.new_context(**NARROW, locale="en-GB", timezone_id="UTC")
    phone = context.new_page()
    phone.goto(re.sub(r"^https?://[^/]+", desk.address, address))
    for page, name, lens in ((phone, "pair-words", "narrow"), (desk.page, "pair-words", "wide")):
        expect(page.locator(".words span")).to_have_count(3)
        page.emulate_media(color_scheme="dark")
        page.screenshot(path=OUT / f"{name}.{lens}-dark.png")
    context.close()


def beginning_and_end(browser: Browser) -> None:
    """An unused hub, one where nothing waits, and one that is gone."""
    with tempfile.TemporaryDirectory() as home:
        hub = Home(Path(home))
        hub.start()
        try:
            with seats(browser, hub, OUT, USUAL) as sitting:
                for seat in sitting:
                    seat.look("/")
                    expect(seat.page.locator(".steps-left li:visible")).to_have_count(3)
                    seat.take("first-run")
                worker = Worker(hub, hub.project("webshop"), "Fix flaky login", "The login test fails at times.")
                worker.does("Grep", pattern="datetime.now")
                for seat in sitting:
                    expect(seat.page.locator(".open-ones")).to_contain_text("1 working")
                    expect(seat.page.locator(".day-figures:visible")).to_be_visible()
                    seat.take("nothing")
                worker.bash("touch CHANGES.md")
                name = hub.newest()
                for seat in sitting:
                    seat.look(f"/a/{name}")
                hub.stop()
                for seat in sitting:
                    expect(seat.page.get_by_role("alert").first).to_contain_text("Hub unreachable")
                    seat.take("hub-down")
                worker.hang_up()
        finally:
            hub.forget()
    print("first-run nothing hub-down")


@contextmanager
def started() -> Iterator[Browser]:
    program = chromium.find()
    if program is None:
        sys.exit(f"No pictures were made. {chromium.MISSING}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=chromium.flags())
        yield browser
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
