"""Accessibility of every kind of ask, wide and narrow, dark and light."""

from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser import checks, views
from tests.browser.views import a_part, an_ask, command

QUESTION = {"question": "Which?", "options": [{"label": "A", "description": "First"}, {"label": "B"}]}
LINES = [" same", "-old word", "+new word"]
DIFF = {"path": "a.py", "added": 1, "removed": 1, "hunks": [{"old_start": 1, "new_start": 1, "lines": LINES}]}
FIELDS = [
    {"name": "name", "kind": "text", "title": "Name", "required": True, "description": "Yours"},
    {"name": "port", "kind": "integer", "title": "Port"},
    {"name": "dry", "kind": "boolean", "title": "Dry run"},
    {"name": "env", "kind": "choice", "title": "Where", "options": [["p", "Production"], ["s", "Staging"]]},
]
ASKS = {
    "command": command(a_part("git clean\u200b", "danger", why="Deletes"), a_part("; ls", "look", needs_you=False)),
    "change": an_ask("permission", {"tool": "Edit", "diffs": [DIFF, {**DIFF, "path": "b.py"}]}),
    "other": an_ask("permission", {"tool": "mcp__x__y", "facts": [["title", "A <b>bug</b>"]]}),
    "question": an_ask("question", {"questions": [QUESTION, {**QUESTION, "multi": True}]}),
    "plan": an_ask("plan", {"markdown": "# Do\n\n- one\n- `two`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```"}),
    "form": an_ask("form", {"form": {"server": "x", "message": "Please", "fields": FIELDS}}),
    "address": an_ask("form", {"form": {"server": "x", "mode": "url", "url": "https://example.com/x"}}),
    "stop": an_ask("stop", {"stop": {"message": "Done.", "used": 1, "background": ["npm run dev"]}}),
}


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("name", ASKS)
def test_view_is_accessible(canvas: Page, name: str, scheme: Literal["dark", "light"]) -> None:
    """axe finds nothing serious, and no view is wider than a narrow phone."""
    canvas.emulate_media(color_scheme=scheme)
    views.draw(canvas, ASKS[name])
    assert checks.barriers(canvas) == []
    canvas.set_viewport_size({"width": 360, "height": 740})
    assert canvas.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert checks.barriers(canvas) == []


@pytest.mark.parametrize("sheet", ["always", "edit"])
def test_sheet_is_accessible(canvas: Page, sheet: str) -> None:
    """The same for what opens over it."""
    offer: dict[str, Any] = {"grant": "rule:Bash(ls)", "words": "Exactly this", "scopes": ["session"], "covers": ["ls"]}
    ask = command(a_part("ls"), choices=[{"choice": "allow_session"}])
    ask["view"]["raw"] = {"command": "ls"}
    call = {"always": "openAlways", "edit": "openEdit"}[sheet]
    canvas.evaluate(
        "async ([file, call, given]) => { (await import(`/static/view/${file}.js`))[call](...given) }",
        [sheet, call, [ask, [offer]] if sheet == "always" else [ask]],
    )
    expect(canvas.get_by_role("dialog")).to_be_visible()
    assert checks.barriers(canvas) == []
