"""Asks that were answered first elsewhere: at the terminal, or on another screen."""

from playwright.sync_api import Page, expect

from tests.browser.agent import Agent, shown
from tests.browser.card import Card, rows
from tests.browser.conftest import Visitors
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess, until

# A stream that brings nothing while the page is told to be deaf.
DEAF = """
const add = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (type, listener) {
  return add.call(this, type, (event) => type === "record" && window.isDeaf || listener(event));
};
"""


def test_ask_answered_at_the_terminal_is_over(page: Page, agent: Agent) -> None:
    """The call ran without an answer of ours: the card says so, keeps its place, and its buttons are off."""
    held = agent.bash("touch one.txt")
    card = Card(page).shows("touch one.txt").read()
    agent.ran(held)
    expect(card.status).to_contain_text("terminal")
    expect(card.button("Allow once")).to_be_disabled()
    expect(card.button("Deny")).to_be_disabled()
    assert held.output() == {}


def test_two_browsers_at_once_one_wins(visitors: Visitors, agent: Agent, hub: HubProcess) -> None:
    """Both press within the same moment: the agent hears one of them, and the other is told."""
    one, other = visitors(), visitors()
    for visit in (one, other):
        visit.expect("409")
    pages = [one.open(), other.open()]
    held = agent.bash("touch one.txt")
    first, second = (Card(page).shows("touch one.txt").read() for page in pages)
    first.page.evaluate("document.querySelector('.bar .yes').click()")
    second.page.evaluate("document.querySelector('.bar .no').click()")
    behavior = held.decision()["behavior"]
    until(lambda: shown(hub)[0]["state"] != "answered", "the agent is told")
    [ask] = shown(hub)
    assert ask["answer"]["choice"] == behavior
    winner, loser = (first, second) if behavior == "allow" else (second, first)
    winner.says("Told Claude" if behavior == "allow" else "Denied")
    # Refused, or shown the other's answer before the press was sent.
    expect(loser.bar).to_contain_text("Allowed" if behavior == "allow" else "Denied")
    _, log = hub.api("GET", "/api/log?q=")
    assert [record["kind"] for record in log["records"]].count("answer") == 1


def test_answer_of_another_screen_greys_the_card_in_place(visitors: Visitors, agent: Agent) -> None:
    """Who looks on sees what was answered and where; nothing jumps away."""
    pages = [visitors().open(), visitors().open()]
    agent.bash("touch one.txt")
    mine, theirs = (Card(page).shows("touch one.txt").read() for page in pages)
    theirs.press("Allow once")
    mine.says("Allowed on Chrome on Linux")
    expect(rows(mine.page)).to_have_count(1)
    mine.shows("touch one.txt")


def test_late_press_is_refused_and_says_so(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """The stream lags, and a card that is over is pressed: that is louder than success."""
    visit.context.add_init_script(DEAF)
    visit.expect("409")
    page = visit.open()
    held = agent.bash("touch one.txt")
    card = Card(page).shows("touch one.txt").read()
    page.evaluate("window.isDeaf = true")
    agent.ran(held)
    until(lambda: shown(hub)[0]["state"] == "closed", "the ask is closed")
    card.press("Deny")
    expect(card.bar).to_contain_text("too late and was not used")

    def refused() -> list[str]:
        records = hub.api("GET", "/api/log?q=")[1]["records"]
        return [record["ask"] for record in records if record["kind"] == "refused"]

    # The page is told before it is on record.
    assert until(refused, "the refusal on record") == [shown(hub)[0]["id"]]
