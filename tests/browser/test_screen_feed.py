"""The feed: what happens, as it happens."""

import json
import os
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser import checks
from tests.browser.agent import Agent, wait_for_ask
from tests.browser.card import Card
from tests.browser.conftest import PHONE, Visitors
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess

NEWEST = ".track ol > li:last-child"


def make(agent: Agent, command: str, **fields: object) -> None:
    use = f"toolu_{os.urandom(6).hex()}"
    call = {"permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": use}
    agent.tell("PreToolUse", **call, **fields)
    agent.tell("PostToolUse", **call, **fields, tool_response={"stdout": ""}, duration_ms=20)


def opened(visit: Visit) -> Page:
    page = visit.open("/f")
    expect(page.get_by_role("heading", name="Feed")).to_be_visible()
    return page


def test_rows_come_in_at_the_bottom_and_change_in_place(visit: Visit, agent: Agent) -> None:
    """A call is one row from its beginning to its end."""
    page = opened(visit)
    make(agent, "git status")
    row = page.locator("li.event", has_text="git status")
    expect(row).to_have_count(1)
    expect(row.locator(".chip.done")).to_be_visible()
    make(agent, "ls -la")
    expect(page.locator(NEWEST)).to_contain_text("ls -la")
    assert checks.barriers(page) == []


def test_scrolling_up_keeps_position(visit: Visit, agent: Agent) -> None:
    """New rows wait below until asked for."""
    for number in range(60):
        make(agent, f"ls part-{number}")
    page = opened(visit)
    expect(page.locator("li.event", has_text="part-59")).to_be_visible()
    page.locator(".track").evaluate("(box) => box.scrollTo(0, 200)")
    jump = page.get_by_role("button", name="Jump to live")
    expect(jump).to_be_visible()
    make(agent, "ls one-more")
    expect(jump).to_have_text("Jump to live · 1 new")
    assert page.locator(".track").evaluate("(box) => box.scrollTop") == 200
    jump.click()
    expect(page.locator(NEWEST)).to_contain_text("one-more")
    expect(jump).to_be_hidden()


def test_filter_speaks_the_grammar_of_the_log(visit: Visit, agent: Agent) -> None:
    """Keys, comparison, negation, quoted words; a chip writes its term; a wrong key is named."""
    make(agent, "git status")
    make(agent, "npm test -- login")
    page = opened(visit)
    field = page.get_by_role("searchbox", name="Filter")
    for typed, count in (
        ("tool:bash", 2),
        ("tool:Bash -npm", 1),
        ('"npm test"', 1),
        ("risk:>=care", 1),
        ("tool:Read", 0),
    ):
        field.fill(typed)
        expect(page.locator("li.event")).to_have_count(count)
    field.press_sequentially(" colour:red")
    expect(page.locator(".filter .fault")).to_contain_text("There is no key colour:")
    field.fill("-npm")
    page.get_by_role("button", name="Bash", exact=True).click()
    expect(field).to_have_value("-npm tool:Bash")
    expect(page.locator("li.event")).to_have_count(1)


def test_lanes_give_each_session_its_own(visit: Visit, agents: Callable[..., Agent]) -> None:
    """L puts sessions side by side, and back."""
    for session in ("aaaa1111", "bbbb2222"):
        make(agents(session), f"ls {session}")
    page = opened(visit)
    expect(page.locator("li.event", has_text="ls bbbb2222")).to_be_visible()
    page.keyboard.press("L")
    lanes = page.locator(".lane:has(li)")
    expect(lanes.filter(has_text="ls aaaa1111")).to_have_count(1)
    expect(lanes.filter(has_text="ls aaaa1111")).not_to_contain_text("bbbb2222")
    assert checks.barriers(page) == []
    page.keyboard.press("L")
    expect(page.locator(".lane")).to_have_count(0)


def test_burst_is_kept_up_with_and_kept_short(visitors: Visitors, agent: Agent) -> None:
    """However much happens, a thousand rows at most are in the page, the newest among them."""
    page = opened(visitors(viewport=PHONE))
    for number in range(550):
        make(agent, f"ls burst-{number}")
        if number % 50 == 0:
            agent.tell("Notification", message=json.dumps(number), notification_type="idle_prompt")
    expect(page.locator(NEWEST)).to_contain_text("burst-549")
    assert page.locator("li.event").count() <= 1_000
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_decision_is_one_line_that_opens(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """Who allowed what and how it went stand in one row; its ask, its notice and its events are in it when opened."""
    held = agent.bash("touch CHANGES.md")
    ask = wait_for_ask(hub, agent.session)
    agent.tell("Notification", message="Claude needs your permission", notification_type="permission_prompt")
    Card(visit.open(f"/a/{ask['id']}")).press("Allow once")
    held.decision()
    agent.ran(held)
    page = opened(visit)
    row = page.locator("li.event", has_text="touch CHANGES.md")
    expect(row).to_contain_text(re.compile(r"Bash touch CHANGES\.md ?allowed once by .+, after \d"))
    expect(row).to_contain_text("20 ms")
    expect(page.locator("li.event", has_text="needs your permission")).to_have_count(0)
    high = row.evaluate("(item) => item.getBoundingClientRect().height")
    assert high < 45
    row.click()
    parts = row.get_by_role("list", name="On record")
    for line in ("call Bash", "permission asked Bash", "waits for a person", "notice Claude needs", "call done Bash"):
        expect(parts).to_contain_text(line)
    assert checks.barriers(page) == []
    row.locator(".name").click()
    expect(parts).to_have_count(0)


def test_row_that_waits_leads_to_its_ask(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """A click or Enter opens what can be answered."""
    agent.bash("touch CHANGES.md")
    ask = wait_for_ask(hub, agent.session)
    page = opened(visit)
    row = page.locator("li.event", has_text="touch CHANGES.md")
    expect(row.get_by_title(f"Ask {ask['id']}")).to_have_text("? prompted")
    row.locator(".name").click()
    expect(page).to_have_url(re.compile(f"/a/{ask['id']}$"))


def test_plan_and_form_are_one_row_each(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """A plan is its title, and a form is not an event and an ask beside it."""
    page = opened(visit)
    agent.plan("## Move the guide\n\n1. Join `install.md`")
    wait_for_ask(hub, agent.session)
    agent.form("How urgent?", {"type": "object", "properties": {"text": {"type": "string"}}}, server="tickets")
    rows = page.locator("li.event:not(.is-hub)")
    expect(rows).to_have_count(4)
    expect(rows.locator("a.chip.prompted")).to_have_count(2)
    texts = [text.replace("\n", " ") for text in rows.locator(".main").all_inner_texts()]
    assert [text.split(" · ")[0].strip() for text in texts] == [
        "session started startup",
        "prompt go",
        "Plan Move the guide",
        "Form tickets: How urgent?",
    ]


def test_pulse_has_a_time_axis(visit: Visit, agent: Agent) -> None:
    """Five minutes, a label for each."""
    make(agent, "ls")
    page = opened(visit)
    expect(page.locator(".strip .axis span")).to_have_text(["5 min ago", "4 min", "3 min", "2 min", "1 min", "now"])
    expect(page.locator(".strip .pulse b").first).to_be_attached()


def test_session_page_shows_the_same_rows(visit: Visit, agent: Agent) -> None:
    """One fold for both."""
    make(agent, "git status")
    page = opened(visit)
    row = page.locator("li.event", has_text="git status")
    expect(row.locator(".chip.done")).to_be_visible()
    here = row.locator(".main").inner_text()
    page = visit.open(f"/s/{agent.session}")
    there = page.get_by_role("list", name="Feed").locator("> li", has_text="git status")
    expect(there.locator(".main")).to_have_text(here)
    there.locator(".name").click()
    expect(there.get_by_role("list", name="On record")).to_contain_text("call Bash")
