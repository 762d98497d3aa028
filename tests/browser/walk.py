"""A walk over every screen of the page, with every kind of ask waiting and the sheets people open."""

import json
from collections.abc import Callable, Iterator

from playwright.sync_api import Page, expect

from tests.browser.agent import Agent, Json, question, shown, wait_for_ask
from tests.browser.card import Card
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess, until

SCREENS = {
    "/": "article[data-ask]",
    "/s": ".session-card",
    "/f": "li.event",
    "/log": ".decisions tbody tr",
    "/stats": ".stats-tables table",
    "/grants": ".grant",
    "/rules": "h1",
    "/set": ".setting",
    "/pair": ".devices li",
}
FORM = {
    "type": "object",
    "required": ["title"],
    "properties": {"title": {"type": "string", "title": "Title"}, "urgent": {"type": "boolean", "title": "Urgent"}},
}
PLAN = "## Plan\n\n1. Read `a.py`\n2. Change it\n"
# Keys that open a sheet, and what they open it on.
SHEETS = {"care": "eRDA", "danger": "D"}

Hold = Callable[[], object]
Agents = Callable[..., Agent]


def ask_everything(agents: Agents, hub: HubProcess) -> dict[str, str]:
    """One open ask of each kind, from several sessions so that they are no burst: its id by its name."""
    agent, other = agents(), agents()
    file = agent.cwd / "shop.py"
    file.write_text("a = 1\n", encoding="utf-8")
    edit = {"file_path": str(file), "old_string": "a = 1", "new_string": "a = 2"}
    kinds: dict[str, Hold] = {
        "danger": lambda: agent.bash("git clean -fdx && npm ci", description="Clean install"),
        "care": lambda: agent.bash("npm install --save left-pad", description="Add it"),
        "change": lambda: agent.wants("Edit", edit),
        "hidden": lambda: agent.bash("cat notes.txt \u202e# dne"),
        "question": lambda: other.question(
            question("Where?", "Here", "There"), question("Which?", "A", "B", multi=True)
        ),
        "plan": lambda: other.plan(PLAN),
    }
    _answered(agent, hub)
    return {kind: _asked(hub, hold) for kind, hold in kinds.items()}


def _asked(hub: HubProcess, hold: Hold) -> str:
    """The id of the ask that opens."""
    before = {ask["id"] for ask in _open(hub)}
    hold()
    return str(until(lambda: [ask["id"] for ask in _open(hub) if ask["id"] not in before], "the ask")[0])


def _open(hub: HubProcess) -> list[Json]:
    return [ask for ask in shown(hub) if ask["state"] == "open"]


def _answered(agent: Agent, hub: HubProcess) -> None:
    """For the log, the statistics and the grants."""
    held = agent.bash("touch notes.txt")
    ask = wait_for_ask(hub)
    said = {"rev": ask["rev"], "hash": ask["hash"], "choice": "allow_here", "grant": ask["stays"][0]["kind"]}
    status, answer = hub.api("POST", f"/api/asks/{ask['id']}/answer", json.dumps(said).encode())
    assert status == 202, answer
    held.decision()
    agent.ran(held)
    until(lambda: hub.api("GET", "/api/stats")[1]["report"]["totals"]["endings"], "a counted ask")


def stations(visit: Visit, agents: Agents, hub: HubProcess) -> Iterator[tuple[str, Page]]:
    """Each screen, each kind of ask and each sheet, with its name."""
    page = visit.open()
    ids = ask_everything(agents, hub)
    session = shown(hub)[0]["subject"]["session"]
    for path, there in SCREENS.items():
        page.goto(visit.address() + path)
        expect(page.locator(there).first).to_be_visible()
        yield path, page
    page.goto(f"{visit.address()}/s/{session}")
    expect(page.get_by_role("list", name="Feed").locator("> li").first).to_be_visible()
    yield "a session", page
    page.goto(f"{visit.address()}/log")
    page.locator(".decisions tbody tr").first.click()
    expect(page.locator("article.frozen, .records").first).to_be_visible()
    yield "a row of the log", page
    for kind, name in ids.items():

        def card(name: str = name) -> Card:
            page.goto(f"{visit.address()}/a/{name}")
            return Card(page).read()

        more = card().bar.get_by_role("button", name="More answers")
        yield f"ask {kind}", page
        if more.is_visible():
            more.click()
            expect(page.locator("dialog[open]")).to_be_visible()
            yield f"more answers to {kind}", page
        for key in SHEETS.get(kind, ""):
            card().key(key)
            expect(page.locator("dialog[open]")).to_be_visible()
            yield f"sheet {key} of {kind}", page
    # It is held for a few seconds only.
    form = _asked(hub, lambda: agents().form("What should it say?", FORM))
    page.goto(f"{visit.address()}/a/{form}")
    Card(page).read()
    yield "ask form", page
