"""What holds on every screen, with every kind of ask and in every sheet."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import walk
from tests.browser.card import Card
from tests.browser.conftest import PHONE, Visitors
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess

LEAST = 44
# What can be pressed, with the label around it where there is one; behind an open sheet nothing can.
SMALL_TARGETS = """(least) => {
  const root = document.querySelector("dialog[open]") ?? document.body;
  const all = root.querySelectorAll("a[href], button, input, select, textarea, summary, [role=option], [role=button]");
  const found = [];
  for (const each of all) {
    const isTicked = each.matches("input[type=checkbox], input[type=radio]");
    const target = (isTicked && each.closest("label, .setting")) || each;
    const { width, height } = target.getBoundingClientRect();
    const isSeen = target.checkVisibility({ visibilityProperty: true }) && !each.matches(".skip") && width > 1;
    if (isSeen && (Math.round(width) < least || Math.round(height) < least)) {
      const name = `${each.tagName.toLowerCase()}.${each.className} ${each.textContent.trim().slice(0, 30)}`;
      found.push(`${name} ${Math.round(width)}x${Math.round(height)}`);
    }
  }
  return found;
}"""


WIDER = """() => {
  // What ends in an ellipsis is cut on purpose, and a row opens to show the rest.
  const isEllipsed = (each) =>
    each && (getComputedStyle(each).textOverflow === "ellipsis" || isEllipsed(each.parentElement));
  return [...document.querySelectorAll("#main *, dialog[open] *")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .filter((each) => !each.closest(".scroll-x, .lanes, .unseen"))
  .filter((each) => each.getBoundingClientRect().width > 1 && each.getBoundingClientRect().right > innerWidth + 1)
  .filter((each) => !isEllipsed(each.parentElement))
  .map((each) => `${each.tagName.toLowerCase()}.${each.className} ${each.textContent.slice(0, 30)}`);
}"""


def test_every_target_is_as_large_as_a_thumb(visitors: Visitors, agents: walk.Agents, hub: HubProcess) -> None:
    """At least 44 pixels high and wide on a phone."""
    found = {}
    for name, page in walk.stations(visitors(PHONE, has_touch=True), agents, hub):
        small = page.evaluate(SMALL_TARGETS, LEAST)
        if small:
            found[name] = small
    assert found == {}


def sideways(page: Page) -> list[str]:
    """What reaches over the right edge of the screen, outside of what is scrolled sideways on purpose."""
    found: list[str] = page.evaluate(WIDER)
    return found


def test_nothing_is_cut_on_a_phone(visitors: Visitors, agents: walk.Agents, hub: HubProcess) -> None:
    """No screen is wider than 390 pixels."""
    stations = walk.stations(visitors(PHONE, has_touch=True), agents, hub)
    assert {name: cut for name, page in stations if (cut := sideways(page))} == {}


# Signs that stand beside a word; what an agent wrote may hold any of them.
SPOKEN_SIGNS = """() => {
  const root = document.querySelector("dialog[open]") ?? document.body;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { data, parentElement: of } = walker.currentNode;
    const isOurs = !of.closest(".thing, code, pre, .line, .what, .fr-what, .verb, noscript");
    const isNamed = of.closest("[aria-hidden=true], [role=img][aria-label], :is(a, button)[aria-label]");
    if (/[◆◇■▲◐○●◌◔✓✕→←↳¶✎‹⋯]/.test(data) && isOurs && !isNamed && of.checkVisibility()) found.push(data.trim());
  }
  return found;
}"""


def test_signs_are_not_read_out(visitors: Visitors, agents: walk.Agents, hub: HubProcess) -> None:
    """A screen reader says the word beside a sign, and not the sign."""
    stations = walk.stations(visitors(), agents, hub)
    assert {name: spoken for name, page in stations if (spoken := page.evaluate(SPOKEN_SIGNS))} == {}


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_no_label_of_the_answer_bar_is_cut(
    visitors: Visitors, agents: walk.Agents, hub: HubProcess, width: int
) -> None:
    """Every button shows its whole label, and none lies over another."""
    page = visitors({"width": width, "height": 844}).open()
    cut = {}
    for kind, name in walk.ask_everything(agents, hub).items():
        page.goto(page.url.split("/a/")[0].rstrip("/") + f"/a/{name}")
        Card(page).read()
        cut[kind] = page.evaluate(CUT_LABELS)
    assert {kind: labels for kind, labels in cut.items() if labels} == {}


CUT_LABELS = """() => {
  const bar = document.querySelector(".bar");
  const shown = [...bar.querySelectorAll("button, input")].filter((each) => each.checkVisibility());
  const boxes = shown.map((each) => [each, each.getBoundingClientRect()]);
  const isOver = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const name = (each) => each.textContent || each.placeholder;
  const cut = shown.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => `cut: ${name(each)}`);
  const isOut = ([, box]) => box.left < 0 || box.right > innerWidth;
  const outside = boxes.filter(isOut).map(([each]) => `outside: ${name(each)}`);
  const over = boxes.flatMap(([a, one], at) => boxes.slice(at + 1).filter(([, other]) => isOver(one, other))
    .map(([b]) => `over one another: ${name(a)}, ${name(b)}`));
  return [...cut, ...outside, ...over];
}"""


# Where a screen's content ends, at most; the inbox and the feed take all there is.
ENDS = """() => [...document.querySelectorAll(":is(.one, .screen) > *")].filter((each) => each.checkVisibility())
  .map((each) => Math.round(each.getBoundingClientRect().right))"""


def test_screens_are_equally_wide(visit: Visit, agents: walk.Agents, hub: HubProcess) -> None:
    """Their titles begin and their content ends at the same places."""
    page = visit.open()
    page.set_viewport_size({"width": 1800, "height": 900})
    walk.ask_everything(agents, hub)
    found = {}
    for path, there in walk.SCREENS.items():
        if path in ("/", "/f"):
            continue
        page.goto(visit.address() + path)
        expect(page.locator(there).first).to_be_visible()
        head = page.locator("h1").bounding_box()
        assert head
        found[path] = (round(head["x"]), round(head["y"] + head["height"] / 2), max(page.evaluate(ENDS)))
    assert len(set(found.values())) == 1, found
