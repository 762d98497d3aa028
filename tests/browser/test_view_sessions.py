"""Sessions on the page: what each is, needs, did, and is to do next."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import checks
from tests.browser.agent import Agent
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess
from tests.tmux import HAS_TMUX, running_tmux
from tests.waiting import until


def _call(agent: Agent, tool: str, use: str, **given: object) -> None:
    call = {"tool_name": tool, "tool_input": {"pattern": use, "file_path": use}, "tool_use_id": use, **given}
    agent.tell("PreToolUse", permission_mode="default", **call)
    agent.tell("PostToolUse", permission_mode="default", tool_response={}, duration_ms=12, **call)


def test_list_tells_sessions_apart(visit: Visit, agents: Callable[..., Agent]) -> None:
    """Each has its name and state; one that never asks says so, and one that waits for an answer, too."""
    needy, bold = agents(), agents()
    needy.bash("touch one.txt")
    bold.tell("UserPromptSubmit", prompt="go", permission_mode="bypassPermissions")
    page = visit.open("/s")
    cards = page.locator(".session-card")
    expect(cards).to_have_count(2)
    expect(cards.filter(has_text=needy.session[:8])).to_contain_text("1 needs you")
    expect(cards.filter(has_text=needy.session[:8])).to_contain_text("waiting for you")
    expect(cards.filter(has_text=bold.session[:8])).to_contain_text("working")
    expect(cards.filter(has_text=bold.session[:8])).to_contain_text("bypass: nothing is asked here")
    assert checks.barriers(page) == []
    bold.tell("SessionEnd", reason="exit")
    expect(page.get_by_role("heading", name="Ended")).to_be_visible()
    cards.filter(has_text=needy.session[:8]).click()
    expect(page.get_by_role("heading", name="webshop")).to_be_visible()


def test_session_shows_what_it_needs_and_did(visit: Visit, agent: Agent) -> None:
    """One row for a call from its beginning to its end, newest first, as it happens; its asks lead to the inbox."""
    _call(agent, "Grep", "TODO")
    page = visit.open(f"/s/{agent.session}")
    rows = page.get_by_role("list", name="Feed").locator("> li")
    expect(rows.filter(has_text="Grep")).to_contain_text("12 ms")
    expect(rows.filter(has_text="Grep")).to_contain_text("✓ done")
    agent.bash("touch one.txt")
    expect(rows.first).to_contain_text("touch one.txt")
    assert checks.barriers(page) == []
    page.get_by_role("feed", name="Needs you").get_by_role("link").click()
    expect(page.locator("article.ask")).to_contain_text("touch one.txt")


def test_sub_agents_are_a_tree_that_sifts_the_feed(visit: Visit, agent: Agent) -> None:
    """A picked agent filters the feed, and a second press shows all again."""
    agent.tell("SubagentStart", agent_id="a1", agent_type="explorer")
    _call(agent, "Read", "own.py")
    _call(agent, "Grep", "theirs", agent_id="a1", agent_type="explorer")
    page = visit.open(f"/s/{agent.session}")
    rows = page.get_by_role("list", name="Feed").locator("> li")
    tree = page.get_by_role("navigation", name="Agents")
    expect(rows.filter(has_text="own.py")).to_have_count(1)
    tree.get_by_role("button", name="explorer").click()
    expect(rows.filter(has_text="theirs")).to_have_count(1)
    expect(rows.filter(has_text="own.py")).to_have_count(0)
    tree.get_by_role("button", name="explorer").click()
    expect(rows.filter(has_text="own.py")).to_have_count(1)


def test_queue_is_kept_in_order(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """Instructions are added, changed, moved and deleted, and every other screen sees it."""
    page = visit.open(f"/s/{agent.session}")
    other = visit.context.new_page()
    other.goto(page.url)
    queue = page.get_by_role("region", name="Queue")
    for text in ("Run the tests", "Commit"):
        queue.get_by_label("Next instruction").fill(text)
        queue.get_by_role("button", name="When it stops").click()
        expect(queue.locator("li").filter(has_text=text)).to_contain_text("delivered at next stop")
    queue.get_by_role("button", name="Move up").nth(1).click()
    expect(queue.locator("li p:first-child")).to_have_text(["Commit", "Run the tests"])
    queue.get_by_role("button", name="Edit").first.click()
    queue.get_by_label("Instruction", exact=True).fill("Commit all")
    queue.get_by_role("button", name="Save").click()
    expect(queue.locator("li p:first-child")).to_have_text(["Commit all", "Run the tests"])
    queue.get_by_role("button", name="Delete").nth(1).click()
    expect(queue.locator("li p:first-child")).to_have_text(["Commit all"])
    seen = other.get_by_role("region", name="Queue")
    expect(seen.locator("li p:first-child")).to_have_text(["Commit all"])
    told = agent.tell("Stop", permission_mode="default", stop_hook_active=False, last_assistant_message="Done.")
    assert "Commit all" in str(told)
    expect(seen.locator("li")).to_contain_text(["✓ told"])
    agent.tell("Stop", permission_mode="default", stop_hook_active=True, last_assistant_message="Committed.")
    expect(seen).to_contain_text("1 of 8 continuations used")


def test_session_is_read_to_its_end(visit: Visit, agent: Agent) -> None:
    """What does not fit the screen is scrolled to, and the screens' bar stays where it is."""
    for number in range(40):
        _call(agent, "Grep", f"part-{number}")
    page = visit.open(f"/s/{agent.session}")
    last = page.get_by_role("list", name="Feed").locator("> li").last
    expect(last).to_be_attached()
    page.mouse.move(700, 500)
    page.mouse.wheel(0, 20_000)
    expect(last).to_be_in_viewport()
    expect(page.get_by_role("navigation", name="Screens")).to_be_in_viewport()


def test_unknown_session_says_so(visit: Visit) -> None:
    """A link to nothing leads back to the list."""
    page = visit.open("/s/nobody")
    expect(page.get_by_role("heading", name="This session is not known")).to_be_visible()
    page.get_by_role("link", name="All sessions").click()
    expect(page.get_by_role("heading", name="Sessions")).to_be_visible()


def test_session_fits_a_phone(page: Page, visit: Visit, agent: Agent) -> None:
    """Nothing is wider than the screen, whatever stands in the feed."""
    _call(agent, "Grep", "x" * 200)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{visit.address()}/s/{agent.session}")
    expect(page.get_by_role("list", name="Feed")).to_contain_text("xxx")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def _task(agent: Agent, tool: str, given: dict[str, object], response: dict[str, object]) -> None:
    agent.tell("PostToolUse", tool_name=tool, tool_input=given, tool_use_id="t", tool_response=response)


def test_to_do_list_is_shown_as_it_changes(visit: Visit, agent: Agent) -> None:
    """What is done, what it is at and what is open, as text; a summary on its card."""
    for number, name in enumerate(("Find the clock", "<b>Freeze</b> it"), 1):
        task = {"id": str(number), "subject": name}
        _task(agent, "TaskCreate", {"subject": name}, {"task": task})
    page = visit.open(f"/s/{agent.session}")
    todo = page.get_by_role("region", name="To-do list")
    expect(todo.get_by_role("heading")).to_have_text("To-do: 0 of 2 done")
    for number, status in ((1, "completed"), (2, "in_progress")):
        given: dict[str, object] = {"taskId": str(number), "status": status}
        _task(agent, "TaskUpdate", given, {"success": True, "taskId": str(number)})
    expect(todo.get_by_role("heading")).to_have_text("To-do: 1 of 2 done")
    expect(todo.locator("li.done")).to_contain_text("Find the clock")
    expect(todo.locator("li.doing")).to_contain_text("<b>Freeze</b> it")
    assert checks.barriers(page) == []
    page.goto(f"{visit.address()}/s")
    expect(page.locator(".session-card")).to_contain_text("1 of 2 done, now: <b>Freeze</b> it")


def test_context_is_shown_in_percent_of_a_known_window(visit: Visit, agent: Agent, tmp_path: Path) -> None:
    """From the transcript, at the end of the turn."""
    file = tmp_path / "s1.jsonl"
    usage = {"input_tokens": 620_000}
    file.write_text(json.dumps({"type": "assistant", "message": {"model": "claude-opus-5-5", "usage": usage}}) + "\n")
    agent.tell("PostToolUse", transcript_path=str(file), tool_name="Read", tool_input={}, tool_response={})
    page = visit.open(f"/s/{agent.session}")
    expect(page.locator(".session-head")).to_contain_text("context 62 % of 1 M")


@pytest.mark.skipif(not HAS_TMUX, reason="tmux is not installed")
def test_button_goes_to_the_pane_of_the_session(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """At the session and on its card; it answers nothing. A session elsewhere has none."""
    page = visit.open(f"/s/{agent.session}")
    way = page.get_by_role("button", name="Go to terminal")
    expect(page.locator(".session-head h1")).to_be_visible()
    expect(way).to_have_count(0)
    with running_tmux() as tmux:
        shown, pane = tmux.pane("mine"), tmux.pane("agents")
        person = tmux.attach("mine")
        hub.send(agent.event("UserPromptSubmit", prompt="go"), env=tmux.env(pane))
        way.click()
        until(lambda: tmux.clients() == {person: pane}, "the switch")
        tmux.run("switch-client", "-c", person, "-t", shown)
        agent.bash("touch one.txt")
        page.goto(f"{visit.address()}/")
        page.get_by_role("button", name="go to terminal").click()
        until(lambda: tmux.clients() == {person: pane}, "the switch from the card")
        expect(page.locator("article.ask")).to_contain_text("touch one.txt")


def test_session_in_iterm_has_its_link(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """iTerm2's own address for the session."""
    name = "w0t1p0:8A9D1E2F-0B3C-4D5E-9F60-718293A4B5C6"
    env = {"TERM_PROGRAM": "iTerm.app", "ITERM_SESSION_ID": name}
    hub.send(agent.event("UserPromptSubmit", prompt="go"), env=env)
    page = visit.open(f"/s/{agent.session}")
    link = page.get_by_role("link", name="Go to terminal")
    expect(link).to_have_attribute("href", f"iterm2:reveal?sessionid={name}")


def test_session_in_an_editor_has_its_link(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """The editor's own address for the folder."""
    hub.send(agent.event("UserPromptSubmit", prompt="go"), env={"TERM_PROGRAM": "vscode"})
    page = visit.open(f"/s/{agent.session}")
    expect(page.get_by_role("link", name="Go to terminal")).to_have_attribute("href", re.compile("^vscode://file/.+/$"))
