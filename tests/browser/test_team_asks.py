"""Asks of another machine on the page: who agreed to them so far, and what is left of them afterwards."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.agent import Agent, Held
from tests.browser.card import Card
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.test_real_team import server, team  # noqa: F401  fixtures
from tests.browser.visit import Visit
from tests.component.team.near import NearTeam

RULES = """
[[approval]]
match = "touch"
from = ["group:dev"]
count = 2
reason = "Two people look at this."
"""
BOB = "bob@example.org"
Visitors = Callable[..., Visit]


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_yeses_of_others_show_live_and_the_end_leaves_a_receipt(
    team: NearTeam,  # noqa: F811
    visitors_of: Visitors,
    tmp_path: Path,
    viewport: object,
) -> None:
    """Count and names, without a press; and once it is over no button that cannot be pressed."""
    team.relay()
    build, laptop, tablet = team.hub("build", rules=RULES), team.hub("laptop"), team.hub("tablet", BOB)
    project = tmp_path / "webshop"
    project.mkdir()
    agent = Agent(build, project).start()
    call = agent.event("PreToolUse", permission_mode="default", tool_name="Bash", tool_use_id="toolu_1")
    held = Held(build, {**call, "tool_input": {"command": "touch x"}}, env={"CLAUDE_CODE_SESSION_ATTENDED": "1"})
    page, other = visitors_of(laptop, viewport).open(), visitors_of(tablet).open()
    if viewport is PHONE:
        page.locator(".row").first.click()
    mine, theirs = Card(page).shows("touch x", "Needs 2 of dev"), Card(other).shows("touch x", "Needs 2 of dev")
    expect(page.locator("#notices")).to_contain_text("A new machine was joined in your name: build")
    expect(other.locator("#notices")).not_to_contain_text("joined in your name")
    theirs.press("Allow once")
    mine.shows(f"{BOB} said yes, 1 more is missing")
    expect(mine.bar.locator(".wait")).to_be_hidden()
    expect(mine.button("Allow once")).to_be_enabled()
    mine.press("Deny")
    assert held.output()["permissionDecision"] == "deny"
    theirs.says("Denied by ada@example.org")
    for card in (mine, theirs):
        expect(card.bar.locator(".buttons")).to_be_hidden()
        expect(card.bar.locator(".limit:visible")).to_have_count(0)
        expect(card.status).to_be_visible()
    agent.hang_up()
