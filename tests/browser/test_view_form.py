"""Forms of MCP servers as they are filled in."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import views


def _form(*fields: views.Json, **more: Any) -> views.Json:
    return views.an_ask("form", {"form": {"server": "deploybot", "fields": list(fields), **more}})


def test_every_kind_of_field_gives_its_value(canvas: Page) -> None:
    """Text, numbers, yes or no, one of several, some of several, a moment: each as its schema wants it."""
    box = views.draw(
        canvas,
        _form(
            {"name": "name", "kind": "text", "title": "Name", "required": True},
            {"name": "empty", "kind": "text", "title": "Nothing"},
            {"name": "port", "kind": "integer", "title": "Port", "default": 80},
            {"name": "dry", "kind": "boolean", "title": "Dry run"},
            {"name": "env", "kind": "choice", "title": "Where", "options": [["p", "Production"], ["s", "Staging"]]},
            {"name": "tags", "kind": "choices", "title": "Tags", "options": [["a", "Alpha"], ["b", "Beta"]]},
            {"name": "at", "kind": "text", "title": "When", "format": "date-time"},
        ),
    )
    box.get_by_label("Name").fill("web")
    box.get_by_label("yes").check()
    box.get_by_label("Staging").check()
    box.get_by_label("Alpha").check()
    box.get_by_label("Beta").check()
    box.get_by_label("When").fill("2026-01-02T03:04")
    content = views.answer(canvas, "submit")["content"]
    assert content.pop("at").endswith(":04:00.000Z")
    assert content == {"name": "web", "port": 80, "dry": True, "env": "s", "tags": ["a", "b"]}


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ({"kind": "text", "required": True}, "", "X is required."),
        ({"kind": "integer"}, "1.5", "X must be a whole number."),
        ({"kind": "number", "minimum": 2}, "1", "X must be at least 2."),
        ({"kind": "number", "maximum": 2}, "3", "X must be at most 2."),
        ({"kind": "text", "min_length": 3}, "ab", "X needs at least 3 characters."),
        ({"kind": "text", "max_length": 1}, "ab", "X takes at most 1 character."),
        ({"kind": "text", "format": "email"}, "ab", "X must be an e-mail address."),
        ({"kind": "text", "format": "uri"}, "ab", "X must be a whole address, such as https://example.com."),
    ],
)
def test_wrong_value_is_told_in_a_sentence(canvas: Page, field: views.Json, typed: str, sentence: str) -> None:
    """Nothing is given while something is wrong; the field says what, and has the focus."""
    box = views.draw(canvas, _form({"name": "x", "title": "X", **field}))
    box.locator("input").fill(typed)
    assert views.answer(canvas, "submit") == {"problem": sentence}
    expect(box.locator(".fault")).to_have_text(sentence)
    expect(box.locator("input")).to_be_focused()


def test_secret_is_dots_and_is_not_kept(canvas: Page) -> None:
    """A secret is typed unseen, given once, and gone when the form is drawn again."""
    ask = _form({"name": "token", "kind": "text", "title": "Token", "secret": True})
    box = views.draw(canvas, ask)
    box.get_by_label("Token").fill("hunter2")
    expect(box.get_by_label("Token")).to_have_attribute("type", "password")
    assert views.answer(canvas, "submit") == {"content": {"token": "hunter2"}}
    expect(views.draw(canvas, ask).get_by_label("Token")).to_have_value("")


def test_address_is_opened_only_on_press_and_knows_nothing_of_us(canvas: Page) -> None:
    """The host stands large; the window that opens cannot reach back."""
    url = "https://login.example/authorize?x=1"
    canvas.evaluate("() => { window.opened = []; window.open = (...given) => window.opened.push(given); }")
    box = views.draw(canvas, _form(mode="url", url=url, host="login.example"))
    expect(box.locator(".host")).to_have_text("login.example")
    expect(box.locator(".path")).to_have_text(url)
    assert canvas.evaluate("window.opened") == []
    box.get_by_role("button", name="Open login.example").click()
    assert canvas.evaluate("window.opened") == [[url, "_blank", "noopener,noreferrer"]]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "not an address"])
def test_address_of_another_kind_is_not_opened(canvas: Page, url: str) -> None:
    """Only pages of the web can be opened."""
    box = views.draw(canvas, _form(mode="url", url=url, host=""))
    expect(box.get_by_role("button")).to_have_count(0)
    expect(box.locator(".trouble")).to_have_text("This address cannot be opened from here.")


def test_address_with_a_mark_in_it_is_not_opened(canvas: Page) -> None:
    """Where a secret is hidden, what would be opened is not what the server meant."""
    ask = _form(mode="url", url="https://login.example/?key=mark", host="login.example") | {"flags": ["redacted"]}
    box = views.draw(canvas, ask)
    expect(box.get_by_role("button")).to_have_count(0)
    expect(box.locator(".trouble")).to_contain_text("shown as a mark")


def test_host_that_poses_as_another_is_spelled_out(canvas: Page) -> None:
    """Letters of another script in a host are shown as the network sees them."""
    box = views.draw(canvas, _form(mode="url", url="https://\u0430pple.example/", host="\u0430pple.example"))
    expect(box.locator(".host")).to_have_text("xn--pple-43d.example")
