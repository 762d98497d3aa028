"""The inbox: what waits, in the order it came; what is over; and what an empty one says."""

import json
import re

from playwright.sync_api import Page, expect

from tests.browser.agent import Agent, wait_for_ask
from tests.browser.card import Card, closed, rows
from tests.browser.conftest import PHONE, Visitors
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess


def test_asks_stand_in_the_order_they_came(page: Page, agent: Agent) -> None:
    """New ones are added below, and the title counts them."""
    for name in ("one", "two", "three"):
        agent.bash(f"touch {name}.txt")
        expect(rows(page).last).to_contain_text(f"{name}.txt")
    expect(page).to_have_title("(3) assent")
    expect(Card(page).article).to_contain_text("touch one.txt")


def test_answered_ask_folds_into_the_closed_ones(page: Page, agent: Agent) -> None:
    """After a moment in its place it is one line below, with how it ended."""
    held = agent.bash("touch one.txt")
    Card(page).shows("touch one.txt").press("Allow once")
    held.decision()
    agent.ran(held)
    expect(closed(page).first).to_contain_text("Write one.txt")
    expect(rows(page)).to_have_count(0)
    expect(page.locator(".open-ones")).to_contain_text("Nothing needs you. Sessions: 1 working.")


def test_idle_session_is_not_called_working(page: Page, agent: Agent) -> None:
    """A minute after its turn the client says that it waits for input: it is still the person's turn."""
    agent.tell("Stop", stop_hook_active=False, last_assistant_message="Done.")
    agent.tell("Notification", message="Claude is waiting for your input", notification_type="idle_prompt")
    expect(page.locator(".open-ones")).to_contain_text("Nothing needs you. Sessions: 1 your turn.")
    expect(page.locator("#rail-sessions").get_by_role("img", name="your turn")).to_be_visible()


def test_answer_leads_to_the_next_ask_and_leaves_a_receipt(page: Page, agent: Agent) -> None:
    """The focus goes to the next heading; what became of the answer is told beside it."""
    first = agent.bash("touch one.txt")
    agent.bash("touch two.txt")
    expect(rows(page)).to_have_count(2)
    card = Card(page).shows("touch one.txt").press("Allow once")
    first.decision()
    card.shows("touch two.txt")
    expect(card.heading).to_be_focused()
    receipts = page.get_by_role("region", name="What became of your answers")
    expect(receipts).to_contain_text("Told Claude")
    agent.ran(first)
    expect(receipts).to_contain_text("ran")


def test_new_ask_is_announced(page: Page, agent: Agent) -> None:
    """In the order in which it is read: risk, what, who, which of how many. Danger interrupts."""
    agent.bash("touch one.txt")
    expect(page.locator("#polite")).to_have_text("Change. Write one.txt. webshop, main agent. One of one.")
    agent.bash("git push --force origin main")
    expect(page.locator("#urgent")).to_have_text(re.compile(r"^Danger\. .* webshop, main agent\. Two of two\.$"))


def test_first_page_has_three_steps_and_says_what_comes(page: Page) -> None:
    """What to do now, what Assent does then, and how to get rid of it."""
    welcome = page.locator(".first-run")
    expect(welcome.locator(".steps-left li")).to_have_count(3)
    expect(welcome).to_contain_text("assent install in a terminal")
    expect(welcome).to_contain_text("Start claude anywhere")
    expect(welcome.locator(".promise li")).to_have_count(3)
    expect(welcome).to_contain_text("It listens on this machine only, at localhost:")
    expect(welcome).to_contain_text("assent uninstall")


def test_steps_are_ticked_while_the_page_is_open(page: Page, hub: HubProcess) -> None:
    """The file that the installer leaves is enough; no one has to load the page again."""
    steps = page.locator(".first-run .steps-left li")
    expect(steps).to_have_count(3)
    expect(page.locator(".first-run .is-done")).to_have_count(0)
    settings = hub.paths.state / "settings.json"
    installs = {"installs": [{"file": str(settings)}]}
    (hub.paths.state / "installs.json").write_text(json.dumps(installs))
    expect(page.locator(".first-run .is-done")).to_contain_text("Hooks written")


def test_empty_inbox_later_shows_the_day(page: Page, agent: Agent) -> None:
    """What was asked, what was not, and the last decisions."""
    held = agent.bash("touch one.txt")
    Card(page).shows("touch one.txt").press("Allow once")
    held.decision()
    agent.ran(held)
    today = page.locator(".first-run")
    expect(today.locator(".day-figures")).to_contain_text(re.compile("asked you *1"))
    expect(today.locator(".last-decisions li").first).to_contain_text("touch one.txt")
    expect(today.locator(".steps-left")).to_contain_text("First event seen")


def test_test_ask_is_not_counted(page: Page) -> None:
    """It is no decision of the day, and leaves the first page as it was."""
    page.get_by_role("button", name="Send test ask").click()
    Card(page).shows("nothing is run, whatever you answer").press("Deny")
    expect(page.locator(".first-run .promise")).to_be_visible()


def test_test_ask_shows_how_it_works(page: Page) -> None:
    """Asked for on the empty page, answered, done."""
    page.get_by_role("button", name="Send test ask").click()
    card = Card(page).shows("nothing is run, whatever you answer").press("Allow once")
    card.says("ran")


def test_filter_narrows_the_list(page: Page, agent: Agent) -> None:
    """By anything that stands on a row or in the command."""
    agent.bash("touch one.txt")
    agent.bash("touch two.txt")
    expect(rows(page)).to_have_count(2)
    page.get_by_label("Show asks that contain").fill("two")
    expect(rows(page)).to_have_count(1)
    page.get_by_label("Show asks that contain").fill("three")
    expect(page.locator(".open-ones")).to_contain_text("No ask matches.")


def test_deep_link_opens_the_ask(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """As a push does; and one to an ask of long ago says so."""
    visit.expect("404")
    page = visit.open()
    agent.bash("touch one.txt")
    agent.bash("touch two.txt")
    expect(rows(page)).to_have_count(2)
    ask = wait_for_ask(hub)
    page.goto(f"{visit.address()}/a/{ask['id']}")
    card = Card(page).shows(ask["view"]["segments"][0]["text"])
    expect(card.heading).to_be_focused()
    page.goto(f"{visit.address()}/a/zzzzz")
    expect(page.locator(".detail")).to_contain_text("This ask is not known any more.")


def test_phone_shows_a_list_and_then_one_ask(visitors: Visitors, agent: Agent) -> None:
    """No button on a row; the ask has its own screen, with a way back."""
    page = visitors(PHONE, has_touch=True).open()
    agent.bash("touch one.txt")
    expect(rows(page).first.get_by_role("button")).to_have_count(0)
    expect(page.locator(".detail")).to_be_hidden()
    rows(page).first.get_by_role("link").tap()
    card = Card(page).shows("touch one.txt")
    expect(page.locator(".list")).to_be_hidden()
    expect(page.get_by_role("navigation", name="Screens")).to_be_hidden()
    deny, allow = card.button("Deny").bounding_box(), card.button("Allow once").bounding_box()
    assert deny
    assert allow
    assert min(deny["height"], allow["height"]) >= 48
    assert allow["x"] - (deny["x"] + deny["width"]) >= 24
    page.get_by_role("link", name=re.compile("Back to the inbox")).tap()
    expect(rows(page)).to_have_count(1)


def test_swipe_goes_to_the_next_ask_and_answers_nothing(visitors: Visitors, agent: Agent) -> None:
    """A finger drawn across the card."""
    page = visitors(PHONE, has_touch=True).open()
    held = [agent.bash("touch one.txt"), agent.bash("touch two.txt")]
    expect(rows(page)).to_have_count(2)
    rows(page).first.get_by_role("link").tap()
    card = Card(page).shows("touch one.txt").read()
    finger = page.context.new_cdp_session(page)
    for kind, points in (("touchStart", [300]), ("touchMove", [200]), ("touchMove", [100]), ("touchEnd", [])):
        touches = [{"x": x, "y": 420} for x in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    card.shows("touch two.txt")
    assert all(one.is_waiting for one in held)


def test_row_cuts_no_sign_of_a_hidden_character_in_half(page: Page, agent: Agent) -> None:
    """What is not seen is spelled out whole on the line of a row, or not at all."""
    agent.bash("touch start-" + "x" * 20 + "\u202e" * 8 + "y" * 20 + " and a rather long end\U000e0041.txt")
    line = rows(page).first.locator(".line")
    expect(line).to_contain_text("⟨U+E0041⟩")
    halves = """(line) => {
      const edge = line.querySelector(".start").getBoundingClientRect().right;
      const isSeen = (mark) => document.elementFromPoint(mark.left + 2, (mark.top + mark.bottom) / 2)?.matches(".mark");
      const marks = [...line.querySelectorAll(".start .mark")].map((mark) => mark.getBoundingClientRect());
      return marks.filter((mark) => mark.left < edge && mark.right > edge && isSeen(mark)).length;
    }"""
    assert line.evaluate(halves) == 0
    assert line.locator(".end").evaluate("(end) => end.textContent.length") <= 16
