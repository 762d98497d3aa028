"""Rows of the inbox as they are drawn, without a hub."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import views

DRAW = """async (ask) => {
  const { drawRow } = await import("/static/rows.js");
  document.body.replaceChildren(drawRow(ask).item);
}"""


def subject(machine: str) -> views.Json:
    return {"harness": "claude-code", "project": "/src/webshop", "machine": machine}


@pytest.mark.parametrize(
    ("machine", "said"),
    [
        ("build-box (ada@example.org)", "webshop · on build-box (ada@example.org)"),
        ("<b>x</b>", "webshop · on <b>x</b>"),
    ],
)
def test_row_of_another_machine_names_it(canvas: Page, machine: str, said: str) -> None:
    """As text: another machine says what it is called."""
    canvas.evaluate(DRAW, views.an_ask("permission", {}, subject=subject(machine), flags=["other_machine"]))
    expect(canvas.locator(".row .second")).to_contain_text(said)


def test_row_of_this_machine_does_not(canvas: Page) -> None:
    """It goes without saying."""
    canvas.evaluate(DRAW, views.an_ask("permission", {}, subject=subject(""), flags=[]))
    expect(canvas.locator(".row .second")).to_contain_text("webshop")
    expect(canvas.locator(".row .second")).not_to_contain_text(" on ")
