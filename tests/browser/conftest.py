"""One Chromium for all tests, a context and a hub for each."""

import functools
import os
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from scripts import chromium
from tests.browser import views
from tests.browser.agent import Agent
from tests.browser.nursery import Nursery
from tests.browser.visit import AnyHub, Visit
from tests.component.hub_process import HubProcess
from tests.e2e import conftest as e2e
from tests.e2e.conftest import claude_binary, lab  # noqa: F401  fixtures of tests with the real client
from tests.waiting import HANG_MS

VISITS = pytest.StashKey[list[Visit]]()
# What a test sees of a page that failed it.
EVIDENCE = "ASSENT_BROWSER_EVIDENCE"
# The page may hang, and the picture is not worth it.
EVIDENCE_MS = 3_000
DESKTOP: Any = {"width": 1440, "height": 900}
PHONE: Any = {"width": 390, "height": 844}
Visitors = Callable[..., Visit]
expect.set_options(timeout=HANG_MS)


def pytest_configure(config: pytest.Config) -> None:
    e2e.pytest_configure(config)


def pytest_unconfigure(config: pytest.Config) -> None:
    e2e.pytest_unconfigure(config)


def missing(why: str) -> None:
    """A laptop may lack it; where CI is set it may not."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(why)


# Not for the whole session: its event loop keeps other tests of this process from running one.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    program = chromium.find()
    if program is None:
        missing(chromium.MISSING)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=chromium.flags())
        yield started
        started.close()


@pytest.fixture
def canvas(browser: Browser) -> Iterator[Page]:
    """An empty page of ours, for what is drawn without a hub."""
    with views.canvas(browser) as page:
        yield page


@pytest.fixture
def hub_config() -> str:
    """More of config.toml; a module that needs some overrides this."""
    return ""


@pytest.fixture(scope="package")
def nursery() -> Iterator[Nursery]:
    hubs = Nursery()
    yield hubs
    hubs.close()


@pytest.fixture
def hub(hub_config: str, nursery: Nursery) -> Iterator[HubProcess]:
    hub = nursery.take(hub_config)
    yield hub
    nursery.retire(hub)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "webshop"
    folder.mkdir()
    return folder


@pytest.fixture
def agents(hub: HubProcess, project: Path) -> Iterator[Callable[..., Agent]]:
    """Builds sessions that have just begun."""
    made: list[Agent] = []

    def build(session: str = "", cwd: Path = project) -> Agent:
        made.append(Agent(hub, cwd, session).start())
        return made[-1]

    yield build
    for agent in made:
        agent.hang_up()


@pytest.fixture
def agent(agents: Callable[..., Agent]) -> Agent:
    return agents()


@pytest.fixture
def visitors_of(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Callable[..., Visit]]:
    """Builds people who come to a hub, each with a browser of their own."""
    built: list[Visit] = request.node.stash.setdefault(VISITS, [])

    def build(hub: AnyHub, viewport: Any = DESKTOP, **options: Any) -> Visit:
        built.append(Visit(browser.new_context(viewport=viewport, **options), hub))
        return built[-1]

    yield build
    for each in built:
        each.context.close()
    troubles = [trouble for visit in built for trouble in visit.unexpected()]
    assert not troubles, "\n".join(troubles)


@pytest.fixture
def visitors(hub: HubProcess, visitors_of: Callable[..., Visit]) -> Visitors:
    """Builds people who come to this test's hub, which outlives their pages."""
    return functools.partial(visitors_of, hub)


@pytest.fixture
def visit(visitors: Visitors) -> Visit:
    return visitors()


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit.open()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failed test leaves a picture of each page it had open."""
    report = yield
    if report.failed and call.when == "call":
        item.stash[e2e.FAILED] = True
        for made in item.stash.get(e2e.LABS, []):
            made.keep_evidence()
            report.sections.append(("lab kept", str(made.folder)))
        folder = Path(os.environ.get(EVIDENCE) or tempfile.mkdtemp(prefix="assent-browser-"))
        for number, page in enumerate(page for visit in item.stash.get(VISITS, []) for page in visit.context.pages):
            try:
                picture = folder / f"{item.name}-{number}.png"
                page.screenshot(path=picture, timeout=EVIDENCE_MS)
                report.sections.append(
                    ("page", f"{page.url}\n{picture}\n{page.inner_text('body', timeout=EVIDENCE_MS)}")
                )
            except Exception as problem:
                report.sections.append(("page", f"no picture: {problem}"))
        for visit in item.stash.get(VISITS, []):
            report.sections.append(("console", "\n".join(visit.troubles)))
    return report
