"""What an agent wrote is text: seen as it is, and never obeyed."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.agent import Agent, question, wait_for_ask
from tests.browser.card import Card
from tests.component.hub_process import HubProcess

SCRIPT = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'><svg onload='window.hacked = 3'>"
BIDI = "echo \u202e}moc.elpmaxe{ \u2066safe\u2069 \u200b\u00ad"
ANSI = "echo \x1b[2K\x1b[1A\x1b]0;owned\x07 \x1b[8mhidden\x1b[0m \x00\x08"
MARKS = ("⟨U+202E⟩", "⟨U+2066⟩", "⟨U+200B⟩", "⟨U+00AD⟩")


def untouched(page: Page) -> bool:
    return bool(page.evaluate("window.hacked === undefined"))


def test_script_in_a_command_is_shown_and_does_not_run(page: Page, agent: Agent) -> None:
    """Every sign of it is on the screen, and nothing of it in the document."""
    agent.wants("Bash", {"command": f"echo {SCRIPT}", "description": SCRIPT})
    card = Card(page).shows(SCRIPT).read()
    assert untouched(page)
    assert card.article.locator("script, img, svg").count() == 0


@pytest.mark.parametrize("where", ["question", "plan", "form", "edit", "mcp", "title"])
def test_script_anywhere_else_is_text(page: Page, agent: Agent, where: str) -> None:
    """Whatever field it comes in."""
    if where == "question":
        agent.question(question(SCRIPT, SCRIPT, "Two", header=SCRIPT[:12]))
    elif where == "plan":
        agent.plan(f"# {SCRIPT}\n\n{SCRIPT}\n\n[a](javascript:alert(1)) ![i](https://example.com/i.png)\n")
    elif where == "form":
        schema = {"type": "object", "properties": {"a": {"type": "string", "title": SCRIPT, "description": SCRIPT}}}
        agent.form(SCRIPT, schema, server=SCRIPT)
    elif where == "edit":
        agent.wants("Write", {"file_path": str(agent.cwd / "x.html"), "content": f"{SCRIPT}\n{SCRIPT}\n"})
    elif where == "mcp":
        agent.wants("mcp__lab__echo", {SCRIPT: SCRIPT, "text": [SCRIPT]})
    else:
        agent.tell("UserPromptSubmit", prompt=SCRIPT, permission_mode="default")
        agent.bash("touch one.txt")
    card = Card(page)
    card.shows("one.txt" if where == "title" else "window.hacked")
    assert untouched(page)
    assert page.locator("#screen script, #screen img, #screen iframe, #screen a[href^=javascript]").count() == 0


def test_hidden_characters_are_drawn_and_raise_the_risk(page: Page, agent: Agent, hub: HubProcess) -> None:
    """Nothing turns text around or hides in it; hidden text takes more than one press."""
    agent.bash(BIDI)
    Card(page).shows(*MARKS, "hidden characters")
    ask = wait_for_ask(hub)
    assert ask["risk"]["level"] in ("care", "danger")
    text = page.locator("article.ask .thing").inner_text()
    assert not any(sign in text for sign in "\u202e\u2066\u2069\u200b\u00ad")


def test_terminal_codes_are_drawn(page: Page, agent: Agent) -> None:
    """An escape code does nothing here, but people should see it."""
    agent.bash(ANSI)
    Card(page).shows("⟨U+001B⟩", "⟨U+0007⟩", "⟨U+0008⟩", "hidden")


def test_long_command_shows_its_end_and_is_read_before_it_is_allowed(page: Page, agent: Agent, hub: HubProcess) -> None:
    """Twelve thousand characters: start and end are there, the middle says its size, and Allow waits for its word."""
    lines = "\n".join(f"echo line {number:04} of a long command nobody would like to read" for number in range(220))
    command = f"echo START\n{lines}\ntouch THE-END.txt"
    assert len(command) > 12_000
    held = agent.bash(command)
    card = Card(page).shows("START", "THE-END.txt", "characters ⋯")
    if card.button("Allow once").get_attribute("aria-disabled") == "true":
        card.key("a")
        expect(card.bar.get_by_role("alert")).to_contain_text("Read to its end first")
    assert held.is_waiting
    page.keyboard.press("End")
    expect(card.button("Allow once")).not_to_have_attribute("title", "Off until the end was in view")
    card.match.fill(wait_for_ask(hub)["risk"]["match"])
    expect(card.button("Allow once")).not_to_have_attribute("aria-disabled", "true")


def test_sixty_blank_lines_do_not_push_the_end_out_of_sight(page: Page, agent: Agent) -> None:
    """Runs of nothing are counted, not drawn."""
    agent.bash("echo harmless" + "\n" * 60 + " " * 200 + "touch THE-END.txt")
    card = Card(page).shows("THE-END.txt", "↵×60", "␣×200")
    expect(card.article.get_by_text("THE-END.txt").first).to_be_in_viewport()


def test_hostile_names_reach_the_journal_as_they_are(page: Page, agent: Agent, hub: HubProcess) -> None:
    """Marks are for eyes: what is recorded and sent back is what the agent said."""
    held = agent.question(question(f"Which {BIDI}?", "One", "Two"))
    Card(page).key("1").press_twice("Submit")
    assert json.dumps(held.decision()["updatedInput"]["answers"]) == json.dumps({f"Which {BIDI}?": "One"})
