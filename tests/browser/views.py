"""Draws an ask on an empty page of ours, without a hub: what a view makes of it depends on nothing else."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Locator, Page, Route

from assent.hub.api.page import TYPES
from tests.browser.checks import WEB
from tests.waiting import HANG_MS

Json = dict[str, Any]

ORIGIN = "http://localhost"
EMPTY = """<!doctype html><html lang="en"><head><title>view</title>
<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/static/tokens.css">
<link rel="stylesheet" href="/static/page.css"><link rel="stylesheet" href="/static/view.css"></head>
<body><main></main></body></html>"""

DRAW = """
async (ask) => {
  const view = await import("/static/view/thing.js");
  const box = view.drawThing(ask);
  document.querySelector("main").replaceChildren(box);
  window.view = { ...view, box };
}
"""


@contextmanager
def canvas(browser: Browser) -> Iterator[Page]:
    """What is asked of it that is no file of the page, and every error, fails the test."""
    troubles: list[str] = []
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(HANG_MS)
    context.on("weberror", lambda error: troubles.append(str(error.error)))
    context.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        name = path.removeprefix("/static/")
        headers = {"Content-Security-Policy": "default-src 'self'"}
        if path == "/":
            route.fulfill(body=EMPTY, headers=headers | {"Content-Type": "text/html; charset=utf-8"})
        elif path != name and (WEB / name).is_file():
            kind = TYPES[(WEB / name).suffix]
            route.fulfill(body=(WEB / name).read_bytes(), headers=headers | {"Content-Type": f"{kind}; charset=utf-8"})
        else:
            troubles.append(f"asked for {route.request.url}")
            route.abort()

    context.route("**/*", serve)
    page = context.new_page()
    page.goto(f"{ORIGIN}/")
    yield page
    context.close()
    assert troubles == []


def an_ask(kind: str, view: Json, **more: Any) -> Json:
    return {
        "id": "kptwm",
        "rev": 1,
        "hash": "00",
        "kind": kind,
        "state": "open",
        "opened_at": 0,
        "view": {"verb": "Do it", **view},
        "subject": {"harness": "claude-code"},
        "risk": {"level": "care"},
        "choices": [],
        **more,
    }


def command(*segments: Json, **more: Any) -> Json:
    return an_ask("permission", {"tool": "Bash", "segments": list(segments)}, **more)


def a_part(text: str, risk: str = "care", *, needs_you: bool = True, why: str = "") -> Json:
    return {"text": text, "risk": risk, "needs_you": needs_you, "why": why}


def draw(page: Page, ask: Json) -> Locator:
    page.evaluate(DRAW, ask)
    return page.locator(".thing")


def answer(page: Page, choice: str) -> Json:
    """What an answer would take from what was filled in."""
    read: Json = page.evaluate("(choice) => window.view.readAnswer(window.view.box, choice)", choice)
    return read


def press(page: Page, *keys: str) -> None:
    for key in keys:
        assert page.evaluate("(key) => window.view.thingKey(window.view.box, { key })", key), f"{key} was not taken"


def made_of(box: Locator) -> set[str]:
    """The elements in it."""
    names: list[str] = json.loads(
        box.evaluate("(box) => JSON.stringify([...box.querySelectorAll('*')].map((each) => each.tagName))")
    )
    return {name.lower() for name in names}
