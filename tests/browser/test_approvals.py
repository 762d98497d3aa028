"""A call that several people have to agree to, on the page of one of them."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import structs
from playwright.sync_api import expect

from assent.team import membership
from tests.browser.agent import Agent, Held
from tests.browser.card import Card
from tests.browser.conftest import DESKTOP, PHONE, Visitors
from tests.component.hub_process import HubProcess
from tests.unit.team.test_membership import JOINED

RULES = """
[[approval]]
match = "effect:production"
from = ["owner", "group:sre-oncall"]
count = 2
ladder = ["group:sre-leads@4m"]
reason = "Production is changed by two people."

[[approval]]
match = "terraform"
from = ["group:sre-oncall"]
not_owner = true
"""
PRODUCTION = "kubectl --context prod rollout restart deployment/web"


@pytest.fixture
def hub() -> Iterator[HubProcess]:
    """In a team whose relay is away."""
    # Short on purpose: the sockets below it must fit into sun_path.
    home = Path(tempfile.mkdtemp(prefix="assent-page-"))
    hub = HubProcess(home, rules=RULES)
    membership.save(hub.paths.team, structs.replace(JOINED, urls=("https://127.0.0.1:9",)))
    hub.start()
    yield hub
    hub.stop()
    shutil.rmtree(home)


def held(hub: HubProcess, agent: Agent, command: str) -> Held:
    """Before the call, where no one at the terminal can answer it."""
    call = agent.event("PreToolUse", permission_mode="default", tool_name="Bash", tool_use_id="toolu_1")
    return Held(hub, {**call, "tool_input": {"command": command}}, env={"CLAUDE_CODE_SESSION_ATTENDED": "1"})


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_card_says_whose_yes_is_needed_and_who_said_it(
    hub: HubProcess, agents: Callable[..., Agent], visitors: Visitors, viewport: object
) -> None:
    """A yes that is not the last stays on the card, and leaves the no."""
    call = held(hub, agents(), PRODUCTION)
    page = visitors(viewport).open()
    if viewport is PHONE:
        page.locator(".row").first.click()
    card = Card(page).shows("Needs 2 of you or sre-oncall, after 4 min also sre-leads", "its relay is away")
    needs = card.article.locator(".approval")
    expect(needs).to_be_in_viewport()
    match = card.article.locator(".match-word b").inner_text()
    card.match.fill(match)
    card.press("Allow once")
    expect(needs).to_contain_text("ada@example.org said yes, 1 more is missing")
    expect(card.button("Allow once")).to_have_count(0)
    card.press("Deny")
    assert call.output()["permissionDecision"] == "deny"


def test_who_may_not_agree_may_say_no(hub: HubProcess, agents: Callable[..., Agent], visitors: Visitors) -> None:
    """The owner of the session is not asked for a yes where the rule does not count it."""
    call = held(hub, agents(), "terraform apply")
    card = Card(visitors().open()).shows("Needs 1 of sre-oncall, not you")
    expect(card.button("Allow once")).to_have_count(0)
    card.press("Deny")
    assert call.output()["permissionDecision"] == "deny"
