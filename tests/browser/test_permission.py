"""A person reads what an agent wants to do, and answers on the page."""

import json
import re

from playwright.sync_api import Page, expect

from tests.browser.agent import Agent, wait_for_ask
from tests.browser.card import Card, rows, sheet
from tests.component.hub.ask_client import WAITING
from tests.component.hub_process import HubProcess

ACCEPT_EDITS = {"type": "setMode", "mode": "acceptEdits", "destination": "session"}
ALLOWED = {"behavior": "allow"}
# Risk: Change, Care and Danger.
TOUCH = "touch one.txt"
INSTALL = "npm install left-pad"
PUSH = "git push --force origin main"


def test_allow_is_one_press_and_shows_its_receipt(page: Page, agent: Agent) -> None:
    """Sending, told, ran: the person sees what became of their yes."""
    held = agent.bash(TOUCH)
    card = Card(page).shows(TOUCH).press("Allow once")
    assert held.decision() == ALLOWED
    card.says("Told Claude")
    agent.ran(held)
    card.says("ran")


def test_reason_and_steps_stand_above_the_command(page: Page, agent: Agent) -> None:
    """However long it is: why, what it would do, the thing itself, and the match word after everything."""
    lines = "\n".join(f"# Line {number}" for number in range(80)) + "\ntouch a\ntouch b\ntouch c"
    agent.bash(f"{lines}\ngit clean -fdx\nnpm ci\nrm -rf /srv/data")
    card = Card(page).shows("Delete /srv/data")
    order = ("dl.why:not(.context)", ".would", ".thing", ".context", ".place", ".match-word")
    places = [card.article.locator(part).evaluate("(part) => part.getBoundingClientRect().top") for part in order]
    assert places == sorted(places)
    expect(card.article.locator(".why dd").first).to_be_in_viewport()
    expect(card.article.locator(".would h3")).to_have_text("Would do 6 things, 2 dangerous")
    steps = card.article.locator(".would > ul li .words")
    expect(steps).to_have_count(5)
    expect(steps.nth(0)).to_have_text("Danger: Delete untracked files")
    expect(steps.nth(1)).to_have_text("Danger: Delete /srv/data")
    expect(steps.nth(2)).to_have_text("Care: Install packages")
    expect(card.article.locator(".would summary")).to_have_text("1 more")


def test_step_that_is_pointed_at_is_marked_in_the_command(page: Page, agent: Agent) -> None:
    """By keyboard as by mouse."""
    agent.bash("npm ci && git clean -fdx")
    card = Card(page).shows("Delete untracked files")
    card.article.locator(".would li").first.focus()
    expect(card.thing.locator(".is-pointed")).to_have_text("git clean -fdx")
    card.heading.focus()
    expect(card.thing.locator(".is-pointed")).to_have_count(0)


def test_call_of_a_server_is_drawn_for_people(page: Page, agent: Agent) -> None:
    """A sentence, values beside their names, and what people are to read as Markdown."""
    given = {"owner": "acme", "title": "Add rate limits", "body": "## Why\n- **five** a minute", "draft": False}
    agent.wants("mcp__github__create_pull_request", given)
    card = Card(page).shows("Create pull request “Add rate limits” (github)")
    expect(card.thing.locator("dl.facts > div:not(.long)")).to_have_text(
        ["owneracme", "titleAdd rate limits", "draftfalse"]
    )
    expect(card.thing.locator("dl.facts .md li")).to_have_text("five a minute")


def test_row_shows_the_command(page: Page, agent: Agent) -> None:
    """Below what it would do: its beginning and its end."""
    agent.bash(f"echo first {'x' * 200} last")
    line = rows(page).first.locator(".line")
    expect(line).to_contain_text("echo first xx")
    expect(line.locator(".end")).to_be_in_viewport()
    expect(line.locator(".end")).to_have_text(re.compile("x last$"))


def test_deny_is_one_press(page: Page, agent: Agent) -> None:
    """No comes first and needs nothing more, whatever the risk."""
    held = agent.bash(PUSH)
    Card(page).shows("Danger").press("Deny").says("Denied")
    assert held.decision()["behavior"] == "deny"


def test_keys_answer_what_is_shown(page: Page, agent: Agent) -> None:
    """a allows, d denies."""
    first = agent.bash(TOUCH)
    Card(page).shows(TOUCH).key("a")
    assert first.decision() == ALLOWED
    second = agent.bash("touch two.txt")
    expect(rows(page)).to_have_count(2)
    page.keyboard.press("n")
    Card(page).shows("touch two.txt").key("d")
    assert second.decision()["behavior"] == "deny"


def test_deny_and_tell_sends_exactly_the_words(page: Page, agent: Agent) -> None:
    """The agent gets what was typed, markup and all, and nothing else."""
    held = agent.bash(TOUCH)
    Card(page).shows(TOUCH).press("Deny and tell…")
    words = "Use <b>Write</b> & not a shell."
    sheet(page, "Deny and tell").get_by_role("textbox").fill(words)
    sheet(page, "Deny and tell").get_by_role("button", name="Deny and tell").click()
    assert held.decision() == {"behavior": "deny", "message": words}


def test_deny_and_stop_interrupts(page: Page, agent: Agent) -> None:
    """x ends the turn."""
    held = agent.bash(TOUCH)
    Card(page).shows(TOUCH).key("x")
    decision = held.decision()
    assert (decision["behavior"], decision["interrupt"]) == ("deny", True)


def test_edited_command_is_what_is_allowed(page: Page, agent: Agent) -> None:
    """What the person made of it goes to the agent, with the rest of the input as it was."""
    held = agent.bash(TOUCH)
    Card(page).shows(TOUCH).press("Edit…")
    editing = sheet(page, "Edit the command")
    editing.get_by_role("textbox").fill("touch changed.txt")
    editing.get_by_role("button", name="Allow the edited input").click()
    assert held.decision()["updatedInput"] == {"command": "touch changed.txt", "description": "Scripted"}


def test_note_goes_with_the_allow_and_arrives_with_the_result(page: Page, agent: Agent) -> None:
    """The client takes no note with an allow, so the agent gets it when the call is done."""
    held = agent.bash(TOUCH)
    card = Card(page).shows(TOUCH).more("Allow with a note")
    sheet(page, "Note with the allow").get_by_role("textbox").fill("Name it after the ticket next time.")
    sheet(page, "Note with the allow").get_by_role("button", name="Keep note").click()
    card.press("Allow once")
    assert held.decision() == ALLOWED
    told = agent.ran(held)
    assert "Name it after the ticket next time." in json.dumps(told)


def test_always_names_rule_and_file_before_it_is_given(page: Page, agent: Agent) -> None:
    """The sheet says what will hold from now on and which file changes; the agent gets exactly that rule."""
    held = agent.bash(TOUCH, suggestions=[ACCEPT_EDITS])
    Card(page).shows(TOUCH).key("R")
    always = sheet(page, "Always allow")
    always.get_by_label("this project").check()
    expect(always).to_contain_text("settings.local.json")
    rule = always.get_by_label("The rule").input_value()
    assert rule.startswith("Bash(touch")
    always.get_by_role("button", name="Allow and remember").click()
    decision = held.decision()
    [update] = decision["updatedPermissions"]
    [given] = update["rules"]
    assert f"{given['toolName']}({given['ruleContent']})" == rule
    assert (update["type"], update["behavior"], update["destination"]) == ("addRules", "allow", "localSettings")


def test_always_is_taken_back_from_its_receipt(page: Page, agent: Agent) -> None:
    """The rule goes from the file that the agent wrote it to, and the rest of the file stays."""
    first, _ = agent.bash(TOUCH), agent.bash("touch two.txt")
    Card(page).shows(TOUCH).key("R")
    always = sheet(page, "Always allow")
    always.get_by_label("this project").check()
    rule = always.get_by_label("The rule").input_value()
    always.get_by_role("button", name="Allow and remember").click()
    first.decision()
    settings = agent.cwd / ".claude" / "settings.local.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"permissions": {"allow": ["Read(src/**)", rule]}}))
    rows(page).filter(has_text="two.txt").or_(rows(page).last).click()
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("#receipts")).to_contain_text("Taken back")
    assert json.loads(settings.read_text()) == {"permissions": {"allow": ["Read(src/**)"]}}


def test_care_takes_two_presses_in_two_places(page: Page, agent: Agent) -> None:
    """Allow only arms it; the yes is another button, and can be taken back for two seconds."""
    held = agent.bash(INSTALL)
    card = Card(page).shows("Care", INSTALL).press("Allow once")
    confirm = card.bar.get_by_role("button", name=re.compile("^Yes, allow it"))
    first, second = card.button("Allow once").bounding_box(), confirm.bounding_box()
    assert first
    assert second
    assert second["y"] + second["height"] <= first["y"] or second["x"] + second["width"] <= first["x"]
    assert held.is_waiting
    confirm.click()
    card.says("Sending…")
    assert held.is_waiting
    card.bar.get_by_role("button", name=re.compile("^Undo")).click()
    card.says("waiting")
    assert held.is_waiting
    card.key("a").key("Enter").says("Sending…")
    assert held.decision() == ALLOWED


def test_enter_alone_never_allows(page: Page, agent: Agent, hub: HubProcess) -> None:
    """Neither on the heading, where the focus is, nor anywhere else."""
    held = agent.bash(TOUCH)
    card = Card(page).shows(TOUCH).read()
    for _ in range(3):
        card.key("Enter")
    later = agent.bash("touch later.txt")
    expect(rows(page)).to_have_count(2)
    assert held.is_waiting
    assert later.is_waiting
    assert wait_for_ask(hub)["state"] in WAITING


def test_danger_is_allowed_only_with_the_match_word(page: Page, agent: Agent, hub: HubProcess) -> None:
    """The word stands after the content; without it nothing is sent."""
    held = agent.bash(PUSH)
    card = Card(page).shows("Danger", PUSH)
    word = wait_for_ask(hub)["risk"]["match"]
    expect(card.article.locator("#match-word")).to_contain_text(word)
    expect(card.button("Allow once")).to_be_disabled()
    card.key("a")
    expect(card.match).to_be_focused()
    card.match.fill("wrong")
    card.key("Enter")
    expect(card.bar.get_by_role("alert")).to_contain_text("That is not the match word.")
    assert held.is_waiting
    card.match.fill(word)
    card.press("Allow once")
    assert held.decision() == ALLOWED


def test_hand_back_leaves_the_terminal_to_decide(page: Page, agent: Agent) -> None:
    """t lets go of it without an answer."""
    held = agent.bash(TOUCH)
    Card(page).shows(TOUCH).key("t").says("Left for the terminal")
    assert held.output() == {}


def test_next_ask_is_shown_after_an_answer_and_gets_no_press(page: Page, agent: Agent) -> None:
    """A double press on Allow allows one thing."""
    first, second = agent.bash(TOUCH), agent.bash("touch two.txt")
    card = Card(page).shows(TOUCH).read()
    card.page.keyboard.press("a")
    card.page.keyboard.press("a")
    assert first.decision() == ALLOWED
    card.shows("touch two.txt").read()
    assert second.is_waiting
    card.key("d")
    assert second.decision()["behavior"] == "deny"
