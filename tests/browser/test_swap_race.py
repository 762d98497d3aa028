"""The swap race, with a real page and a real key: no press meant for one ask ever answers another."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.agent import Agent, Held, shown
from tests.browser.card import Card, rows
from tests.browser.checks import let_pass_on
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess, until
from tests.waiting import HANG

RUNS = 50
GRACE_MS = 400
# Changes inside the project: one press allows them.
WANTED, SWAPPED = "touch wanted-{}.txt", "touch swapped-{}.txt"
# The page's own clock tells what stood there at a press, and for how long: a busy machine makes presses late.
WATCH = """
window.race = { drawn: new Map(), pressed: [] };
const standing = () => document.querySelector("article.ask")?.dataset.ask;
let before;
new MutationObserver(() => {
  if (standing() !== before) window.race.drawn.set((before = standing()), performance.now());
}).observe(document, { subtree: true, childList: true });
addEventListener("keydown", (event) => {
  const ask = standing();
  if (event.key === "a") window.race.pressed.push({ ask, stood: performance.now() - window.race.drawn.get(ask) });
}, true);
"""


@pytest.mark.timeout(HANG * 10)
def test_press_answers_what_was_read_or_nothing(visit: Visit, agents: Callable[..., Agent], hub: HubProcess) -> None:
    """Another ask comes, or takes the place of the one that is read, 0 to 400 ms before Allow is pressed."""
    visit.context.add_init_script(WATCH)
    # A press on what was answered at the terminal in the same moment is refused.
    visit.expect("409")
    page = visit.open()
    chance = random.Random(20)
    allowed = too_soon = 0
    for number in range(RUNS):
        # One session would soon be paused for asking too much.
        agent = agents()
        wanted = agent.bash(WANTED.format(number))
        read_newest(page, WANTED.format(number))
        is_gone = chance.random() < 0.5
        if is_gone:
            agent.ran(wanted)
        swapped = agent.bash(SWAPPED.format(number))
        if chance.random() < 0.5:
            # The person goes on to it, their finger already on its way to the key.
            expect(row(page, SWAPPED.format(number))).to_be_visible()
            page.keyboard.press("n")
        let_pass_on(page, chance.uniform(0, GRACE_MS))
        page.keyboard.press("a")
        press = page.evaluate("window.race.pressed.at(-1)")
        names = settled(hub, agent.session, wanted, swapped)
        for held in (wanted, swapped):
            if held.decision() == {"behavior": "allow"}:
                allowed += 1
                assert names[command(held)] == press["ask"], f"run {number}: allowed what did not stand there: {press}"
                assert press["stood"] >= GRACE_MS, f"run {number}: allowed what had not been read: {press}"
                agent.ran(held)
        too_soon += press["stood"] < GRACE_MS
    # Presses were neither all taken nor all ignored.
    assert allowed > 0
    assert too_soon > 0
    _, log = hub.api("GET", "/api/log?q=decision:allow&limit=1000")
    by_people = [record for record in log["records"] if str(record.get("by")).startswith("person:")]
    assert len(by_people) == allowed


def read_newest(page: Page, text: str) -> None:
    # What was refused in an earlier run stays until it has been read.
    for close in page.locator(".receipt").get_by_role("button", name="Close").all():
        close.click()
    row(page, text).get_by_role("link").click()
    Card(page).shows(text).read()


def row(page: Page, text: str) -> Locator:
    return rows(page).filter(has_text=text.removeprefix("touch ")).last


def settled(hub: HubProcess, session: str, *pair: Held) -> dict[str, str]:
    """Names of the asks by command, when the press has done what it did and the rest was answered at the desk."""

    def known() -> dict[str, Any] | None:
        found = {ask["view"]["segments"][0]["text"]: ask for ask in shown(hub, session)}
        return found if all(command(held) in found for held in pair) else None

    asks = until(known, "both asks are known")
    for ask in asks.values():
        body = f'{{"rev": {ask["rev"]}, "hash": "{ask["hash"]}", "choice": "deny"}}'
        hub.api("POST", f"/api/asks/{ask['id']}/answer", body.encode())
    for held in pair:
        held.output()
    return {text: str(ask["id"]) for text, ask in asks.items()}


def command(held: Held) -> str:
    return str(held.event["tool_input"]["command"])
