"""Asks as large as they may be: the page stays alive."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.agent import Agent

OPTIONS = [{"label": f"l{number}", "description": ""} for number in range(6_000)]
QUESTION = {"question": "Which?", "header": "h", "multiSelect": True, "options": OPTIONS}
SHORT = QUESTION | {"options": OPTIONS[:2]}
LARGE: dict[str, tuple[str, dict[str, Any]]] = {
    "options": ("AskUserQuestion", {"questions": [QUESTION]}),
    "questions": ("AskUserQuestion", {"questions": [SHORT | {"question": f"q{n}"} for n in range(1_200)]}),
    "plan": ("ExitPlanMode", {"plan": "- [x](javascript:alert(1)) `a` **b** *c* _d_\n" * 5_000}),
    "emphasis": ("ExitPlanMode", {"plan": "*a" * 60_000 + "[" * 60_000 + "`" * 60_000}),
    "quotes": ("ExitPlanMode", {"plan": ">" * 200_000}),
    "hidden": ("Bash", {"command": "touch " + "\u202e\u0430" * 18_000}),
    "words": ("Bash", {"command": "echo " + "a'b\"c$(d" * 28_000}),
    "fields": ("mcp__lab__echo", {f"k{number}": number for number in range(15_000)}),
    "lines": ("Write", {"file_path": "/tmp/x.txt", "content": "x\n" * 80_000}),
}  # fmt: skip


@pytest.mark.parametrize("what", LARGE)
def test_page_survives_the_largest_ask(page: Page, agent: Agent, what: str) -> None:
    """It is drawn with what can be answered, and the page goes on to draw."""
    held = agent.wants(*LARGE[what])
    expect(page.get_by_role("group", name="Answer")).to_be_visible()
    page.wait_for_function(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
    )
    assert held.is_waiting
