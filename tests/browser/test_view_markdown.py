"""Markdown becomes elements of our own making, and nothing else."""

import pytest
from playwright.sync_api import Page, expect

from assent.text.markdown import parse
from tests.browser import views
from tests.markdown_corpus import CORPUS, outline

# What the renderer may make: nothing that loads, leads away, runs or takes input.
HARMLESS = {"div", "p", "h4", "h5", "h6", "ul", "ol", "li", "pre", "code", "strong", "em", "s", "span", "blockquote"}
HARMLESS |= {"hr", "table", "thead", "tbody", "tr", "th", "td", "button"}
# The plan around it: notes, the mode that follows.
AROUND = {"textarea", "fieldset", "legend", "label", "input"}


# What is drawn, in the form in which the hub's parser gives it.
OUTLINE = """
(box) => {
  const SPANS = { STRONG: "strong", EM: "em", S: "struck" };
  const LISTS = { UL: "bullets", OL: "numbers" };
  const words = (element) => {
    const made = [];
    for (const node of element.childNodes) {
      const text = node.textContent.replaceAll("\\n", " ");
      if (SPANS[node.nodeName]) made.push([SPANS[node.nodeName], ...words(node)]);
      else if (node.nodeName === "CODE") made.push(["code", text]);
      else if (typeof made.at(-1) === "string") made[made.length - 1] += text;
      else if (text) made.push(text);
    }
    return made;
  };
  const line = (element) => Number(element.dataset.line);
  const row = (one) => ["row", ...[...one.children].map((cell) => ["cell", ...words(cell)])];
  const blocks = (parent) => [...parent.children].filter((one) => !one.matches("button, .note, textarea"));
  const outline = (parent) => blocks(parent).map((one) => {
    const name = one.nodeName;
    if (/^H[456]$/.test(name)) return ["heading", line(one), Number(one.className.match(/h(\\d)/)[1]), ...words(one)];
    if (name === "P") return ["paragraph", line(one), ...words(one)];
    if (name === "PRE") return ["code", line(one), one.textContent];
    if (name === "HR") return ["rule"];
    if (name === "BLOCKQUOTE") return ["quote", ...outline(one)];
    if (one.matches(".scroll-x")) return ["table", ...[...one.querySelectorAll("tr")].map(row)];
    const mark = (at) => (name === "OL" ? [String(one.start + at)] : []);
    const items = [...one.children].map((item, at) => ["item", ...mark(at), ...outline(item)]);
    return [LISTS[name], ...items];
  });
  return outline(box.cloneNode(true));
}
"""


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


@pytest.mark.parametrize("name", CORPUS)
def test_page_draws_the_same_nodes_as_the_terminal(canvas: Page, name: str) -> None:
    """Kinds, lines, marks and words are those of the parser that the terminal UI draws from."""
    box = views.draw(canvas, _plan(CORPUS[name])).locator(".md")
    assert box.evaluate(OUTLINE) == outline(parse(CORPUS[name]))
