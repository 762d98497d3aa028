"""The log: what was decided, and the card as it was shown."""

import csv
import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import checks
from tests.browser.agent import Agent, wait_for_ask
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess, until


def answered(hub: HubProcess, agent: Agent, command: str, choice: str, **more: str) -> str:
    """The ask's id."""
    held = agent.bash(command)
    ask = wait_for_ask(hub)
    answer = {"rev": ask["rev"], "hash": ask["hash"], "choice": choice, **more}
    assert hub.api("POST", f"/api/asks/{ask['id']}/answer", json.dumps(answer).encode())[0] == 202
    held.output()
    if choice == "allow":
        agent.ran(held)
    until(lambda: hub.api("GET", "/api/decisions?q=by:person")[1]["rows"], "the decision")
    return str(ask["id"])


def opened(visit: Visit, path: str = "/log") -> Page:
    page = visit.open(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def test_row_tells_what_was_decided_and_opens_the_card_as_it_was(visit: Visit, hub: HubProcess, agent: Agent) -> None:
    """Who, where, how long, with what result; then what stood on the screen, with its hash."""
    ask = answered(hub, agent, "touch one.txt", "allow")
    page = opened(visit)
    row = page.locator(".decisions tbody tr", has_text="touch one.txt")
    for told in ("allowed once", "person", "desk", "ran"):
        expect(row).to_contain_text(told)
    assert checks.barriers(page) == []
    row.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Ask {ask}")
    expect(page.locator("article.frozen")).to_contain_text("touch one.txt")
    shown = hub.api("GET", f"/api/asks/{ask}")[1]["hash"]
    expect(page.locator(".hash")).to_contain_text(shown)
    expect(page.locator(".records")).to_contain_text(f"ask {ask} allowed by you")
    assert checks.barriers(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(".decisions")).to_be_visible()


def test_frozen_card_cannot_be_answered(visit: Visit, hub: HubProcess, agent: Agent) -> None:
    """Inputs of a question that is over are dead."""
    held = agent.question({"question": "Which one?", "header": "Choice", "multiSelect": False, "options": [
        {"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}]})  # fmt: skip
    ask = wait_for_ask(hub)
    held.hang_up()
    seq = until(
        lambda: next((r["seq"] for r in hub.api("GET", f"/api/log?q=ask:{ask['id']}")[1]["records"]), None), "the ask"
    )
    page = opened(visit, f"/log/{seq}")
    expect(page.locator("article.frozen input[type=radio]").first).to_be_disabled()


def test_filter_finds_by_the_words_of_a_command(visit: Visit, hub: HubProcess, agent: Agent) -> None:
    """The words of a command and who decided, in one box; a wrong filter says where."""
    answered(hub, agent, "touch one.txt", "allow")
    answered(hub, agent, "touch two.txt", "deny", message="not that one")
    page = opened(visit)
    rows = page.locator(".decisions tbody tr")
    field = page.get_by_role("searchbox", name="Filter")
    field.fill("two.txt by:person")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("not that one")
    field.fill("")
    page.get_by_role("button", name="denied").click()
    expect(rows).to_have_count(1)
    visit.expect("400")
    field.fill("colour:red")
    expect(page.locator(".filter .fault")).to_contain_text("There is no key colour:")


def test_log_is_taken_away_as_a_file(visit: Visit, hub: HubProcess, agent: Agent, tmp_path: Path) -> None:
    """All that the filter lets through, for programs and for tables."""
    answered(hub, agent, "touch one.txt", "deny", message="=1+1")
    page = opened(visit)
    for form in ("JSONL", "CSV"):
        with page.expect_download() as download:
            page.get_by_role("button", name=form).click()
        download.value.save_as(tmp_path / form)
    (row,) = [json.loads(line) for line in (tmp_path / "JSONL").read_text().splitlines()]
    assert (row["what"], row["decision"], row["why"]) == ("touch one.txt", "deny", "=1+1")
    with (tmp_path / "CSV").open(newline="") as file:
        (table,) = csv.DictReader(file)
    assert (table["what"], table["choice"]) == ("touch one.txt", "deny")
    assert table["why"] == "'=1+1", "a table program would take it for a formula"


def test_head_tells_about_today(visit: Visit, hub: HubProcess, agent: Agent) -> None:
    """How often people were asked, and what would have spared them."""
    for _ in range(3):
        answered(hub, agent, "git commit -m same", "allow")
    page = opened(visit)
    expect(page.locator(".figure", has_text="asks today")).to_contain_text("3")
    page.get_by_text("Rules that would have saved the most asks").click()
    expect(page.locator(".offers li").first).to_contain_text("Bash(git commit -m same)")
    expect(page.locator(".offers li").first).to_contain_text("saves 3 asks")
