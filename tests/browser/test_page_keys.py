"""The keyboard: one table, dead while text is typed, and a sheet keeps its keys to itself."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.agent import Agent, shown, wait_for_ask
from tests.browser.card import Card, rows, sheet
from tests.component.hub.ask_client import WAITING
from tests.component.hub_process import HubProcess, until

# As people learn them: each key and the command it runs.
KEYS = {
    "j": "list.next",
    "k": "list.previous",
    "ArrowDown": "list.next",
    "ArrowUp": "list.previous",
    "Enter": "ask.open",
    "n": "ask.next",
    "a": "ask.allow",
    "s": "ask.allow_session",
    "A": "ask.stop_asking",
    "m": "ask.allow_for",
    "R": "ask.always",
    "d": "ask.deny",
    "D": "ask.deny_tell",
    "N": "ask.deny_here",
    "e": "ask.edit",
    "x": "ask.deny_stop",
    "t": "ask.hand_back",
    "=": "ask.alike",
    "/": "list.filter",
    ":": "page.palette",
    "?": "page.help",
    "q": "page.back",
    "Escape": "page.back",
    "u": "ask.undo",
    "r": "ask.raw",
    "v": "view.diff",
    "[": "view.previous",
    "]": "view.next",
    "y": "ask.copy",
    "c": "ask.queue",
    "z": "page.quiet",
    "L": "feed.lanes",
    "g i": "go.inbox",
    "g s": "go.sessions",
    "g f": "go.feed",
    "g l": "go.log",
    "g r": "go.rules",
    "g a": "go.grants",
    "g ,": "go.settings",
}
TABLE = "async () => Object.fromEntries((await import('/static/commands.js')).byKey)"
TWICE = """async () => {
  const { ACTIONS } = await import("/static/wording_more.js");
  const keys = ACTIONS.map(([, key]) => key).filter(Boolean);
  return keys.filter((key, at) => keys.indexOf(key) !== at);
}"""
LEAVE_AND_TYPE = """() => {
  document.activeElement.blur();
  dispatchEvent(new KeyboardEvent("keydown", { key: "d" }));
}"""


def test_key_map_is_the_one_people_learn(page: Page) -> None:
    """Every key means what it means in the terminal, and none means two things."""
    table = page.evaluate(TABLE)
    assert {key: table.get(key) for key in KEYS} == KEYS
    assert page.evaluate(TWICE) == []


def test_keys_lead_from_screen_to_screen_and_explain_themselves(page: Page) -> None:
    """g and a letter go to a screen; ? says what can be pressed there."""
    page.keyboard.type("gs")
    expect(page.get_by_role("heading", name="Sessions", level=1)).to_be_visible()
    page.keyboard.type("gf")
    expect(page.get_by_role("heading", name="Feed", level=1)).to_be_visible()
    page.keyboard.type("gi")
    expect(page.get_by_role("heading", name=re.compile("Needs you"))).to_be_visible()
    page.keyboard.press("?")
    expect(sheet(page, "Keys on this screen")).to_contain_text("deny and stop the turn")


def test_letters_are_dead_in_a_text_field_and_for_a_moment_after(page: Page, agent: Agent) -> None:
    """What is typed into the filter answers nothing, nor does what is typed on when it was left."""
    held = agent.bash("touch one.txt")
    Card(page).shows("touch one.txt").key("/")
    page.keyboard.type("ad")
    page.evaluate(LEAVE_AND_TYPE)
    later = agent.bash("touch two.txt")
    page.get_by_label("Show asks that contain").fill("")
    expect(rows(page)).to_have_count(2)
    assert held.is_waiting
    assert later.is_waiting


def test_sheet_keeps_its_keys(page: Page, agent: Agent) -> None:
    """With the menu open, d denies nothing and Esc only closes it."""
    held = agent.bash("touch one.txt")
    Card(page).shows("touch one.txt").press("More answers")
    expect(sheet(page, "More answers")).to_be_visible()
    page.keyboard.press("d")
    page.keyboard.press("Escape")
    expect(sheet(page, "More answers")).to_have_count(0)
    agent.bash("touch two.txt")
    expect(rows(page)).to_have_count(2)
    assert held.is_waiting


def test_j_and_k_show_what_they_move_to(page: Page, agent: Agent) -> None:
    """The keys for an answer always mean the ask on the screen."""
    agent.bash("touch one.txt")
    agent.bash("touch two.txt")
    expect(rows(page)).to_have_count(2)
    card = Card(page).shows("touch one.txt").key("j").shows("touch two.txt")
    expect(card.heading).to_be_focused()
    card.key("k").shows("touch one.txt")


def test_palette_runs_a_command_by_its_name(page: Page, agent: Agent) -> None:
    """: and a few letters do what a key does."""
    held = agent.bash("touch one.txt")
    Card(page).shows("touch one.txt").key(":")
    palette = sheet(page, "Commands")
    palette.get_by_role("combobox").fill("ask.deny")
    expect(palette.get_by_role("option").first).to_contain_text("deny")
    page.keyboard.press("Enter")
    assert held.decision()["behavior"] == "deny"


def test_undo_key_takes_back_what_was_not_sent(page: Page, agent: Agent, hub: HubProcess) -> None:
    """u within two seconds, and the ask waits as before."""
    held = agent.bash("npm install left-pad")
    card = Card(page).shows("Care").key("a").key("Enter").says("Sending…")
    page.keyboard.press("u")
    card.says("waiting")
    assert held.is_waiting
    assert wait_for_ask(hub)["state"] in WAITING


def test_quiet_is_kept_by_the_hub(page: Page, hub: HubProcess) -> None:
    """z and a choice: other screens are left alone for that long."""
    page.keyboard.press("z")
    sheet(page, "Quiet").get_by_role("button", name="1 hour").click()
    until(lambda: hub.api("GET", "/api/presence")[1]["quiet_until"], "the hub is told")
    expect(page.locator("#rail-foot")).to_contain_text("Quiet till")
    assert shown(hub) == []


@pytest.mark.parametrize(
    ("key", "file"), [("e", "view/edit.js"), ("R", "view/always.js"), ("A", "view/stay.js"), (":", "palette.js")]
)
def test_keys_typed_before_a_sheet_is_there_answer_nothing(page: Page, agent: Agent, key: str, file: str) -> None:
    """Its file is still on the way: what is typed was meant for it, and an “a” in it is no Allow."""
    on_the_way: list[Route] = []
    page.route(f"**/static/{file}", lambda route: on_the_way.append(route))  # noqa: PLW0108  a method takes no mark of playwright's
    held = agent.bash("touch one.txt")
    Card(page).shows("touch one.txt").key(key)
    page.keyboard.type("add")
    # Each look gives the browser a turn.
    until(lambda: page.title() and on_the_way, "the file is asked for")
    page.keyboard.type("add")
    on_the_way[0].continue_()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert held.is_waiting
