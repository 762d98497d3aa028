"""Checks of a page: accessible, without layout shifts, and small."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from scripts import get_axe

WEB = Path(__file__).parents[2] / "src" / "assent" / "web"
# Read when tests are collected: later HOME is one of the test's own.
AXE = get_axe.cached(os.environ)

OBSERVE_SHIFTS = """
window.layoutShifts = [];
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) {
    // A shift of nothing that was on the screen before does not count.
    const moved = (shift.sources ?? []).filter((source) => source.previousRect.width && source.currentRect.width);
    window.layoutShifts.push({
      value: shift.value,
      what: moved.map((source) => {
        const node = source.node;
        const name = node?.id ? `#${node.id}` : node?.className ? `.${node.className}` : node?.nodeName;
        return `${name} ${source.previousRect.top | 0} -> ${source.currentRect.top | 0}`;
      }),
    });
  }
}).observe({ type: "layout-shift", buffered: true });
"""
FIND_BARRIERS = """
async () => {
  // What is half faded in has no contrast that could be measured.
  const fading = document.getAnimations().filter((each) => each.effect.getComputedTiming().iterations !== Infinity);
  await Promise.allSettled(fading.map((each) => each.finished));
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations
    .filter((each) => ["serious", "critical"].includes(each.impact))
    .flatMap((each) => each.nodes.map((node) =>
      [each.id, node.target.join(" "), node.html.slice(0, 160), node.failureSummary].join(" | ")));
}
"""


def barriers(page: Page) -> list[str]:
    """What axe calls serious or critical on the page as it stands."""
    if not AXE.is_file():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(
            "axe-core is not in the cache; scripts/test-needs fetches it."
        )
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(FIND_BARRIERS)
    return found


def observe_shifts(context: BrowserContext) -> None:
    """From the next page on."""
    context.add_init_script(OBSERVE_SHIFTS)


def forget_shifts(page: Page) -> None:
    settle(page)
    page.evaluate("window.layoutShifts.length = 0")


def shifts(page: Page) -> list[str]:
    """What jumped since they were last forgotten."""
    settle(page)
    found: list[str] = page.evaluate(
        "window.layoutShifts.filter((each) => each.value > 0).map((each) => `${each.value.toFixed(5)} ${each.what}`)"
    )
    return found


def let_pass_on(page: Page, ms: float) -> None:
    """Time goes by for a page, and Playwright hears of its events."""
    page.wait_for_timeout(ms)


def settle(page: Page) -> None:
    """Two frames painted, and their entries delivered."""
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))"
    )
