"""Sessions of other hubs that share a journal, on the page: to look at, marked by machine."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import checks
from tests.browser.agent import Agent
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess

NOW = int(time.time() * 1000)
OTHERS: list[dict[str, Any]] = [
    {
        "id": "0aa1b2c3-9",
        "harness": "claude-code",
        "state": "waiting",
        "needs": 2,
        "project": "/src/api",
        "title": "Upgrade the parser",
        "model": "claude-opus-5-5",
        "mode": "default",
        "calls": 41,
        "last": NOW,
        "hub": "bb11cc22",
        "machine": "devbox-7",
    },
    {"id": "1bb2", "project": "/src/" + "long-name-" * 12, "last": NOW, "hub": "dd33ee44", "machine": "x" * 60},
    {"id": "2cc3", "state": "ended", "project": "/src/old", "last": NOW, "hub": "dd33ee44"},
]


def told(route: Route, sessions: list[dict[str, Any]], hubs: int, trouble: str = "") -> None:
    body = json.dumps({"sessions": sessions, "hubs": hubs, "trouble": trouble})
    route.fulfill(status=200, content_type="application/json", body=body)


def opened(visit: Visit, sessions: list[dict[str, Any]], hubs: int, trouble: str = "") -> Page:
    visit.context.route("**/api/sessions/elsewhere", lambda route: told(route, sessions, hubs, trouble))
    return visit.open("/s")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_sessions_of_other_machines_are_told_apart(
    visitors_of: Callable[..., Visit], hub: HubProcess, agent: Agent, viewport: Any
) -> None:
    """Each names its machine, or its hub; none leads anywhere, and what waits there is said."""
    visit = visitors_of(hub, viewport)
    agent.tell("UserPromptSubmit", prompt="go", permission_mode="default")
    page = opened(visit, OTHERS, 2)
    expect(page.get_by_role("heading", name="On other machines")).to_be_visible()
    others = page.locator(".session-card.other")
    expect(others).to_have_count(3)
    first = others.filter(has_text="Upgrade the parser")
    for words in ("devbox-7", "2 wait there", "41 calls"):
        expect(first).to_contain_text(words)
    page.get_by_text("1 session ended there").click()
    expect(others.filter(has_text="old")).to_contain_text("dd33ee44")
    assert page.locator(".session-card.other[href], .session-card.other a, .session-card.other button").count() == 0
    expect(page.locator("a.session-card")).to_have_count(1)
    assert checks.barriers(page) == []
    right = page.locator(".session-card *").evaluate_all("all => all.map(each => each.getBoundingClientRect().right)")
    assert max(right) <= viewport["width"]


def test_page_of_a_hub_alone_says_nothing_of_others(visit: Visit, agent: Agent) -> None:
    """And asks once."""
    asked: list[str] = []
    visit.context.on("request", lambda request: asked.append(request.url) if "elsewhere" in request.url else None)
    page = visit.open("/s")
    expect(page.locator(".session-card")).to_have_count(1)
    agent.tell("UserPromptSubmit", prompt="go", permission_mode="default")
    expect(page.locator(".session-card")).to_contain_text("working")
    expect(page.get_by_role("heading", name="On other machines")).to_have_count(0)
    assert len(asked) == 1


def test_trouble_of_the_shared_journal_is_said(visit: Visit) -> None:
    """What is shown may be old."""
    page = opened(visit, [], 1, "The journal's server does not answer.")
    expect(page.get_by_text("The journal's server does not answer.")).to_be_visible()
    expect(page.get_by_text("No session is live there.")).to_be_visible()
