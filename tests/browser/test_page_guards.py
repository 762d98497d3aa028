"""What keeps people from answering something else than what they read."""

import json

from playwright.sync_api import Page, Request, expect

from tests.browser.agent import Agent, shown, wait_for_ask
from tests.browser.card import Card, rows
from tests.browser.conftest import PHONE, Visitors
from tests.browser.visit import Visit
from tests.component.hub.ask_client import WAITING
from tests.component.hub_process import HubProcess, until

# Presses a key in the very turn in which the ask is drawn.
PRESS_AT_ONCE = """
new MutationObserver(() => {
  if (!document.querySelector("article.ask") || window.pressed) return;
  window.pressed = true;
  for (const key of ["a", "d", "x"]) dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  document.querySelector(".bar .yes").click();
  document.querySelector(".bar .no").click();
}).observe(document, { childList: true, subtree: true });
"""


def test_press_in_the_moment_of_a_change_is_ignored(visit: Visit, agent: Agent) -> None:
    """Keys and clicks that fall into the 400 ms after an ask was drawn answer nothing."""
    visit.context.add_init_script(PRESS_AT_ONCE)
    page = visit.open()
    held = agent.bash("touch one.txt")
    card = Card(page).shows("touch one.txt")
    expect(card.bar).to_contain_text("one moment")
    card.read()
    assert page.evaluate("window.pressed")
    assert held.is_waiting
    card.press("Allow once")
    assert held.decision() == {"behavior": "allow"}


def test_click_that_activates_the_window_does_not_act(page: Page, agent: Agent) -> None:
    """A window that gets the focus starts the moment anew."""
    held = agent.bash("touch one.txt")
    card = Card(page).shows("touch one.txt").read()
    page.evaluate("dispatchEvent(new Event('focus')); document.querySelector('.bar .no').click()")
    card.read()
    assert held.is_waiting


def test_held_key_answers_once(page: Page, agent: Agent) -> None:
    """A key that repeats is one press, not a row of denials."""
    first, second = agent.bash("touch one.txt"), agent.bash("touch two.txt")
    expect(rows(page)).to_have_count(2)
    Card(page).shows("touch one.txt").read()
    page.keyboard.down("d")
    assert first.decision()["behavior"] == "deny"
    Card(page).shows("touch two.txt").read()
    page.keyboard.down("d")
    page.keyboard.up("d")
    assert second.is_waiting


def test_answer_carries_what_was_drawn(page: Page, agent: Agent, hub: HubProcess) -> None:
    """Id, revision and hash are those of the card on the screen."""
    agent.bash("touch one.txt")
    ask = wait_for_ask(hub)
    card = Card(page).shows("touch one.txt").read()
    with page.expect_request(lambda request: request.url.endswith("/answer")) as sent:
        card.press("Deny")
    request: Request = sent.value
    body = json.loads(request.post_data or "")
    assert (body["rev"], body["hash"]) == (ask["rev"], ask["hash"])
    assert request.url.endswith(f"/api/asks/{ask['id']}/answer")
    card.says("Denied")


def test_ask_that_changes_under_an_answer_is_not_answered(page: Page, agent: Agent, hub: HubProcess) -> None:
    """During the two seconds of an undo the ask becomes another one: nothing is sent, and the person is told."""
    held = agent.bash("npm install left-pad")
    ask = wait_for_ask(hub)
    card = Card(page).shows("Care").key("a").key("Enter").says("Sending…")
    page.evaluate(
        "async (ask) => (await import('/static/store.js')).takeAsk({ ...ask, rev: 2, hash: 'other', changed: 1e9 })",
        ask,
    )
    expect(card.bar.get_by_role("alert")).to_contain_text("nothing was sent")
    assert held.is_waiting
    assert shown(hub)[0]["state"] in WAITING


def test_long_text_is_read_to_its_end_before_it_is_allowed(page: Page, agent: Agent) -> None:
    """Allow is off until the end was in view; Deny is not."""
    held = agent.bash("touch one.txt\n" + "\n".join(f"echo {number} >> one.txt" for number in range(120)))
    card = Card(page).shows("touch one.txt").read()
    expect(card.button("Allow once")).to_be_disabled()
    card.key("a")
    assert held.is_waiting
    page.keyboard.press("End")
    expect(card.button("Allow once")).to_be_enabled()


def test_danger_is_held_on_a_phone(visitors: Visitors, agent: Agent, hub: HubProcess) -> None:
    """The word and a tap are not enough for a finger: it has to stay."""
    visit = visitors(PHONE, has_touch=True)
    page = visit.open()
    held = agent.bash("git push --force origin main")
    rows(page).first.get_by_role("link").tap()
    card = Card(page).shows("Danger").read()
    card.match.fill(wait_for_ask(hub)["risk"]["match"])
    yes = card.button("Hold + type")
    yes.tap()
    assert held.is_waiting
    at = yes.bounding_box()
    assert at
    finger = page.context.new_cdp_session(page)
    point = {"x": at["x"] + at["width"] / 2, "y": at["y"] + at["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    assert held.decision() == {"behavior": "allow"}
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_burst_is_one_card_that_can_be_stopped(page: Page, agent: Agent) -> None:
    """Many asks within seconds are not pressed away one by one."""
    held = [agent.bash(f"touch {number}.txt") for number in range(9)]
    burst = page.get_by_role("group", name="A burst of asks")
    expect(burst).to_contain_text("Review or stop the session?")
    expect(burst).to_contain_text("9 asks")

    def stopped() -> bool:
        # A press in the moment after it was drawn is ignored; no card beside it tells when that is over.
        burst.get_by_role("button", name="Stop the session").evaluate_all("(all) => all.forEach((one) => one.click())")
        return not held[-1].is_waiting

    until(stopped, "the session is stopped")
    assert held[-1].decision()["behavior"] == "deny"
