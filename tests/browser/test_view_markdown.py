"""Markdown becomes elements of our own making, and nothing else."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import views

# What the renderer may make: nothing that loads, leads away, runs or takes input.
HARMLESS = {"div", "p", "h4", "h5", "h6", "ul", "ol", "li", "pre", "code", "strong", "em", "s", "span", "blockquote"}
HARMLESS |= {"hr", "table", "thead", "tbody", "tr", "th", "td", "button"}
# The plan around it: notes, the mode that follows.
AROUND = {"textarea", "fieldset", "legend", "label", "input"}


def _plan(text: str) -> views.Json:
    return views.an_ask("plan", {"markdown": text})


@pytest.mark.parametrize(
    "text",
    [
        "<script>window.ran = 1</script>",
        "<img src=x onerror='window.ran = 1'>",
        "<a href='javascript:window.ran=1'>x</a>",
        "[x](javascript:window.ran=1)",
        "![x](https://example.invalid/pixel.png)",
        "<https://example.invalid>",
        "| <b>a</b> | b |\n| --- | --- |\n| <iframe src=x> | `<svg onload=1>` |",
        "```html\n<script>window.ran = 1</script>\n```",
        "> - 1. > <form action=x><input></form>",
        "[a]: https://example.invalid\n[a]",
        "&lt;b&gt; &#60;b&#62;",
        "# <style>*{display:none}</style>",
    ],
)
def test_markdown_never_makes_html(canvas: Page, text: str) -> None:
    """Whatever stands in it, only our own few elements are made, and no request leaves."""
    asked: list[str] = []
    canvas.on("request", lambda request: asked.append(request.url))
    box = views.draw(canvas, _plan(text))
    assert views.made_of(box) <= HARMLESS | AROUND
    assert views.made_of(box.locator(".md")) <= HARMLESS
    expect(box.locator("a, [href], [src], [onclick], [onerror]")).to_have_count(0)
    assert canvas.evaluate("window.ran") is None
    assert not [url for url in asked if "/static/" not in url]


def test_link_shows_where_it_leads(canvas: Page) -> None:
    """The address stands beside the words, so that neither can pose as the other."""
    box = views.draw(canvas, _plan("See [the docs](https://example.invalid/x)."))
    expect(box.locator(".md p")).to_have_text("See the docs (https://example.invalid/x).")


def test_plan_is_read_as_it_was_meant(canvas: Page) -> None:
    """Headings, lists within lists, code, emphasis, quotes, tables and rules have their form."""
    text = "# Move\n\nDo *this* and **that** with `x`.\n\n1. One\n   goes on\n   - inner\n2. Two\n\n"
    text += "   ```\n   code\n   ```\n"
    text += "\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n- [x] done"
    box = views.draw(canvas, _plan(text)).locator(".md")
    expect(box.locator("h4")).to_have_text("Move")
    expect(box.locator("em")).to_have_text("this")
    expect(box.locator("strong")).to_have_text("that")
    expect(box.locator("p code")).to_have_text("x")
    expect(box.locator("ol > li")).to_have_count(2)
    expect(box.locator("ol > li").first.locator("> p")).to_have_text("One goes on")
    expect(box.locator("ol ul > li")).to_have_text(["inner"])
    expect(box.locator("ol > li").nth(1).locator("pre")).to_have_text("code")
    expect(box.locator("blockquote")).to_have_text("said")
    expect(box.locator("td")).to_have_text(["1", "2"])
    expect(box.locator("hr")).to_have_count(1)
    expect(box.locator("> ul > li")).to_have_text(["☑ done"])


def test_deep_and_long_markdown_does_not_stall(canvas: Page) -> None:
    """Nesting without end and lines without end are drawn in time, with all their text."""
    for text in (
        "> " * 3_000 + "x",
        "*" * 40_000,
        "[" * 40_000,
        "`" * 40_000,
        "- " * 2_000 + "x",
        "|" * 20_000 + "\n|-|",
    ):
        took = canvas.evaluate(
            """async (text) => {
              const { markdown } = await import("/static/view/markdown.js");
              const began = performance.now();
              markdown(text);
              return performance.now() - began;
            }""",
            text,
        )
        assert took < 3_000, text[:20]
