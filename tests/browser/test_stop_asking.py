"""An answer that stays: offered beside Allow once, explained on a sheet, listed under Grants and taken back there."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from assent.protocol.lasting import RUN_MEANS
from tests.browser import checks
from tests.browser.agent import Agent, wait_for_ask
from tests.browser.card import Card, sheet
from tests.browser.checks import WEB
from tests.browser.conftest import Visitors
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess, until

ALLOWED = {"behavior": "allow"}
PUSH = "git push origin feature"
SHAPE = "git push of feature to origin"
FORCE = "git push --force origin main"
TEST = "npm test"
NAME = "Stop asking here"
ACT = "Allow, and stop asking here"
NARROW: Any = {"width": 390, "height": 844}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "webshop"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder, check=True)
    return folder


def decided(agent: Agent, command: str) -> str:
    """What a call is told before a person is asked."""
    call = {"permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": command}}
    told = agent.tell("PreToolUse", **call, tool_use_id=f"toolu_{os.urandom(6).hex()}")
    output: dict[str, str] = (told.get("stdout_json") or {}).get("hookSpecificOutput", {})
    return output.get("permissionDecision", "")


def granted(hub: HubProcess) -> list[dict[str, Any]]:
    grants: list[dict[str, Any]] = hub.api("GET", "/api/grants")[1]["grants"]
    return grants


def give(hub: HubProcess, agent: Agent, command: str) -> None:
    """As a person at a terminal does."""
    held = agent.bash(command)
    ask = wait_for_ask(hub)
    given_answer = {"rev": ask["rev"], "hash": ask["hash"], "choice": "allow_here", "grant": "shape"}
    status, answer = hub.api("POST", f"/api/asks/{ask['id']}/answer", json.dumps(given_answer).encode())
    assert status == 202, answer
    assert held.decision() == ALLOWED


def test_sheet_names_what_passes_and_what_still_asks(page: Page, agent: Agent, hub: HubProcess) -> None:
    """The answer is sent as chosen, holds at once, and covers nothing beside its shape."""
    held = agent.bash(PUSH)
    card = Card(page).shows(PUSH)
    expect(card.button(NAME)).to_have_accessible_description(f"Stop asking for {SHAPE}")
    card.press(NAME)
    staying = sheet(page, NAME)
    expect(staying.locator(".lone")).to_have_text(SHAPE)
    expect(staying).to_contain_text("alone or as part of a line whose other parts need no prompt")
    expect(staying).to_contain_text("Other branches and remotes, force")
    expect(staying).to_contain_text("for Claude in")
    expect(staying).to_contain_text("webshop")
    assert checks.barriers(page) == []
    staying.get_by_label("8 hours").check()
    with page.expect_request("**/answer") as sent:
        staying.get_by_role("button", name=ACT).click()
    body = json.loads(sent.value.post_data or "{}")
    assert (body["choice"], body["grant"], body["hours"]) == ("allow_here", "shape", 8)
    assert held.decision() == ALLOWED
    assert decided(agent, PUSH) == "allow"
    assert decided(agent, "git push origin main") != "allow"
    [grant] = granted(hub)
    assert grant["until"] - grant["at"] == 8 * 3_600_000


def test_key_and_enter_answer(page: Page, agent: Agent, hub: HubProcess) -> None:
    """A opens the sheet, Enter in it agrees; without hours it holds until it is taken back."""
    held = agent.bash(PUSH)
    Card(page).shows(PUSH).key("A")
    expect(sheet(page, NAME).get_by_role("button", name=ACT)).to_be_enabled()
    page.keyboard.press("Enter")
    assert held.decision() == ALLOWED
    [grant] = granted(hub)
    assert "until" not in grant


def test_escape_leaves_the_sheet_without_an_answer(page: Page, agent: Agent, hub: HubProcess) -> None:
    """Nothing is sent, nothing is given."""
    held = agent.bash(PUSH)
    Card(page).shows(PUSH).key("A")
    expect(sheet(page, NAME)).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet(page, NAME)).to_have_count(0)
    assert held.is_waiting
    assert granted(hub) == []


def test_permission_for_tests_says_what_it_means(page: Page, agent: Agent, hub: HubProcess) -> None:
    """Code of the agent runs as the person: that sentence stands out before it is given."""
    (agent.cwd / "package.json").write_text('{"scripts": {"test": "node --test", "lint": "eslint ."}}')
    held = agent.bash(TEST)
    Card(page).shows(TEST).press(NAME)
    staying = sheet(page, NAME)
    expect(staying.locator(".means")).to_have_count(0)
    staying.get_by_label("Agents may run tests here").check()
    expect(staying.locator("strong.means")).to_have_text(RUN_MEANS)
    expect(staying).to_contain_text("for every agent in")
    staying.get_by_role("button", name=ACT).click()
    assert held.decision() == ALLOWED
    assert [grant["kind"] for grant in granted(hub)] == ["run"]
    assert decided(agent, "npm run lint") == "allow"


def test_page_says_the_sentence_of_the_hub() -> None:
    """One sentence in two languages."""
    assert f'"{RUN_MEANS}"' in (WEB / "view" / "stay.js").read_text(encoding="utf-8")


def test_danger_has_no_such_answer(page: Page, agent: Agent) -> None:
    """It is allowed once or not at all, by key as well."""
    held = agent.bash(FORCE)
    card = Card(page).shows("Danger")
    expect(card.button("Deny")).to_be_visible()
    expect(card.button(NAME)).to_have_count(0)
    card.key("A")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert held.is_waiting


def test_narrow_window_shows_every_answer(visitors: Visitors, agent: Agent) -> None:
    """Nothing is cut off, and no button covers another."""
    visit = visitors(NARROW)
    page = visit.open()
    agent.bash(PUSH)
    page.get_by_role("feed", name="Needs you").get_by_role("link").click()
    card = Card(page).shows(PUSH)
    boxes = [card.button(name).bounding_box() for name in (NAME, "Deny", "More answers", "Allow once")]
    for box in boxes:
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= NARROW["width"]
    stop, deny, _, allow = boxes
    assert stop
    assert deny
    assert allow
    assert stop["y"] + stop["height"] <= min(deny["y"], allow["y"])
    card.press(NAME)
    expect(sheet(page, NAME)).to_be_visible()
    assert checks.barriers(page) == []


def test_receipt_takes_it_back(page: Page, agent: Agent, hub: HubProcess) -> None:
    """From the strip that says what became of the answer."""
    held = agent.bash(PUSH)
    agent.bash("touch two.txt")
    Card(page).shows(PUSH).key("A")
    sheet(page, NAME).get_by_role("button", name=ACT).click()
    assert held.decision() == ALLOWED
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("#receipts")).to_contain_text("Taken back. It asks again from now on.")
    assert granted(hub) == []


@pytest.fixture
def rules(visit: Visit, agent: Agent, hub: HubProcess) -> Page:
    """The Grants screen, with a session whose project is known."""
    until(lambda: hub.api("GET", "/api/snapshot")[1]["sessions"], "the session")
    page = visit.open("/grants")
    expect(page.get_by_role("heading", name="Grants", level=1)).to_be_visible()
    return page


def test_list_tells_what_it_saved_and_takes_it_back(rules: Page, agent: Agent, hub: HubProcess) -> None:
    """What it covered asks again at once."""
    give(hub, agent, PUSH)
    assert decided(agent, PUSH) == "allow"
    row = rules.locator(".grant", has_text="git push")
    expect(row).to_contain_text("of feature to origin")
    expect(row).to_contain_text("one kind of command, for Claude")
    expect(row).to_contain_text("let 1 call pass")
    assert checks.barriers(rules) == []
    row.get_by_role("button", name="Take back").click()
    expect(rules.locator(".told")).to_contain_text("Taken back. It asks again from now on.")
    expect(row).to_have_count(0)
    expect(rules.get_by_role("heading", name="Grants", level=1)).to_be_focused()
    assert decided(agent, PUSH) != "allow"


def test_list_leads_to_what_it_let_pass(rules: Page, agent: Agent, hub: HubProcess) -> None:
    """The count is a link to the log."""
    give(hub, agent, PUSH)
    decided(agent, PUSH)
    rules.get_by_role("link", name="let 1 call pass").click()
    expect(rules.locator(".decisions tbody tr")).to_have_count(1)


def test_project_is_permitted_after_the_sheet(rules: Page, agent: Agent, hub: HubProcess) -> None:
    """The same explanation comes first, and the hours go with it."""
    (agent.cwd / "package.json").write_text('{"scripts": {"test": "node --test"}}')
    rules.get_by_role("button", name="Agents may run tests here…").click()
    giving = sheet(rules, "Allow this from now on?")
    expect(giving.locator("strong.means")).to_have_text(RUN_MEANS)
    assert granted(hub) == []
    giving.get_by_label("1 hour", exact=True).check()
    giving.get_by_role("button", name="Allow from now on").click()
    expect(rules.locator(".grant", has_text="Agents may run tests here")).to_contain_text("60 min left")
    expect(rules.get_by_role("button", name="Agents may run tests here…")).to_have_count(0)
    assert decided(agent, TEST) == "allow"


def test_what_cannot_be_permitted_says_why(visit: Visit, rules: Page, agent: Agent, hub: HubProcess) -> None:
    """Nothing in a folder without git can be brought back."""
    visit.expect("409")
    shutil.rmtree(agent.cwd / ".git")
    rules.get_by_role("button", name="Agents may change files here").click()
    sheet(rules, "Allow this from now on?").get_by_role("button", name="Allow from now on").click()
    expect(rules.locator(".told")).to_contain_text("is no git repository")
    assert granted(hub) == []


def test_allow_for_some_minutes_from_the_menu(page: Page, agent: Agent, hub: HubProcess) -> None:
    """Its end stands in the list, and it is ended early there."""
    held = agent.bash(PUSH)
    Card(page).shows(PUSH).press("More answers")
    page.get_by_role("dialog").get_by_role("button", name="Allow for some minutes…").click()
    timed = sheet(page, "Allow for some minutes")
    expect(timed).to_contain_text("exactly this call")
    expect(timed.get_by_label("10 min", exact=True)).to_be_checked()
    assert checks.barriers(page) == []
    timed.get_by_role("button", name="Allow for so long").click()
    assert held.decision() == ALLOWED
    assert decided(agent, PUSH) == "allow"
    page.keyboard.type("ga")
    row = page.locator(".grant", has_text="git push")
    expect(row).to_contain_text("10 min left")
    row.get_by_role("button", name="Take back").click()
    expect(row).to_have_count(0)
    assert decided(agent, PUSH) != "allow"


def test_always_deny_from_the_menu(page: Page, agent: Agent, hub: HubProcess) -> None:
    """The narrowest rule is chosen; it is listed, and taken back."""
    held = agent.bash(FORCE)
    Card(page).shows("Danger").press("More answers")
    page.get_by_role("dialog").get_by_role("button", name="Always deny…").click()
    never = sheet(page, "Always deny")
    never.get_by_label("Every command that begins with “git push --force”.").check()
    assert checks.barriers(page) == []
    never.get_by_role("button", name="Deny, now and always").click()
    assert held.decision()["behavior"] == "deny"
    until(lambda: decided(agent, FORCE) == "deny", "the rule in force")
    page.keyboard.type("ga")
    row = page.locator(".grant", has_text="git push --force")
    expect(row).to_contain_text("Deny:")
    row.get_by_role("button", name="Take back").click()
    expect(row).to_have_count(0)


@pytest.mark.parametrize(("key", "title"), [("m", "Allow for some minutes"), ("N", "Always deny")])
def test_keys_open_the_other_lasting_answers(page: Page, agent: Agent, key: str, title: str) -> None:
    """As the menu does."""
    held = agent.bash(PUSH)
    Card(page).shows(PUSH).key(key)
    expect(sheet(page, title)).to_be_visible()
    assert held.is_waiting


def test_sheet_is_fetched_only_when_it_is_opened(visit: Visit, agent: Agent) -> None:
    """The first load stays as light as it was."""
    fetched: list[str] = []

    def note(request: Request) -> None:
        fetched.append(request.url)

    visit.context.on("request", note)
    page = visit.open()
    agent.bash(PUSH)
    card = Card(page).shows(PUSH)
    assert not any(url.endswith("/view/stay.js") for url in fetched)
    card.press(NAME)
    expect(sheet(page, NAME)).to_be_visible()
    assert any(url.endswith("/view/stay.js") for url in fetched)


def test_shape_is_shown_while_the_button_has_the_focus(page: Page, agent: Agent) -> None:
    """What would no longer be asked is read before the button is pressed, without a mouse, too."""
    agent.bash(PUSH)
    card = Card(page).shows(PUSH).read()
    shape = card.bar.get_by_role("tooltip", include_hidden=True)
    expect(shape).to_be_hidden()
    card.button("More answers").focus()
    page.keyboard.press("Tab")
    expect(card.button(NAME)).to_be_focused()
    expect(shape).to_be_visible()
    expect(shape).to_have_text(f"Stop asking for {SHAPE}")
