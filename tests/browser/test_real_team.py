"""The real Claude Code asks on one machine, and a person answers in a browser on another one."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from scripts.postgres_server import Server
from tests.browser.card import Card
from tests.browser.visit import Visit
from tests.component import postgres
from tests.component.team.near import NearTeam, is_connected
from tests.e2e.conftest import SECONDS, LabFactory
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import bash, say
from tests.services.oidc_provider import Provider, an_hour_ago
from tests.waiting import until

pytestmark = pytest.mark.timeout(SECONDS)
CALLS = [[bash("touch one.txt")], [bash("touch two.txt")], [say("Done.")]]
Visitors = Callable[..., Visit]


@pytest.fixture
def server() -> Iterator[Server]:
    postgres.url()  # Skips, or fails, where there is no PostgreSQL.
    server = Server()
    yield server
    server.remove()


@pytest.fixture
def team(tmp_path: Path, server: Server) -> Iterator[NearTeam]:
    with Provider(now=an_hour_ago) as provider:
        team = NearTeam(tmp_path, provider, server.place.url)
        try:
            yield team
        finally:
            team.close()


def made(lab: Lab) -> list[str]:
    return sorted(path.name for path in lab.project.glob("*.txt"))


def test_answered_in_a_browser_elsewhere_and_at_its_own_desk_once_the_team_is_gone(
    server: Server, team: NearTeam, lab: LabFactory, visitors_of: Visitors
) -> None:
    """With relay and database killed nothing is allowed from elsewhere, and the local desk goes on."""
    relay = team.relay()
    there = team.hub("there")
    here = lab(CALLS)
    here.install()
    team.join(here.hub.paths, "here")
    here.hub.start()
    until(lambda: is_connected(here.hub), "the link")
    visit = visitors_of(there)
    page = visit.open()
    terminal = here.terminal()
    terminal.submit("go")
    terminal.wait_for_dialog()
    Card(page).shows("touch one.txt").read().press("Allow once")
    here.model.wait_for(2)
    assert made(here) == ["one.txt"]

    second = Card(page).shows("touch two.txt").read()
    relay.kill()
    server.stop(signal.SIGQUIT)
    for hub in (here.hub, there):
        until(lambda hub=hub: not is_connected(hub), "the loss of the relay")  # type: ignore[misc]
    visit.expect("409")
    second.press("Allow once")
    expect(second.bar).to_contain_text("Nothing was sent")
    assert made(here) == ["one.txt"]
    terminal.wait_for_dialog()
    Card(visitors_of(here.hub).open()).shows("touch two.txt").read().press("Deny")
    here.model.wait_for(3)
    assert made(here) == ["one.txt"]
