"""Statistics on the page: the figures of `assent stats`, readable for everybody."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import checks
from tests.browser.agent import Agent
from tests.browser.card import Card
from tests.browser.conftest import PHONE, Visitors
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess, until


def told(hub: HubProcess, asks: int) -> dict[str, Any]:
    """The report once so many asks are counted."""

    def found() -> dict[str, Any] | None:
        report: dict[str, Any] = hub.api("GET", "/api/stats")[1]["report"]
        return report if sum(report["totals"]["endings"].values()) == asks else None

    return until(found, f"{asks} counted asks")


def answered(page: Page, agent: Agent, command: str, answer: str) -> None:
    held = agent.bash(command)
    Card(page).shows(command).press(answer)
    held.decision()
    if answer != "Deny":
        agent.ran(held)


def section(page: Page, name: str) -> Any:
    return page.locator(".stats section").filter(has=page.get_by_role("heading", name=name))


def test_statistics_show_what_was_asked_and_who_decided(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """The same numbers as the report that the command line prints, each with what it is a part of."""
    page = visit.open()
    answered(page, agent, "touch one.txt", "Allow once")
    answered(page, agent, "touch two.txt", "Allow once")
    answered(page, agent, "touch three.txt", "Deny")
    report = told(hub, 3)
    page.goto(visit.address() + "/stats")
    expect(page.locator(".figure").filter(has_text="asks").locator("dd")).to_have_text("3")
    expect(page.locator(".figure").filter(has_text="median wait")).to_contain_text("of 3 answers")
    expect(section(page, "Who decided").get_by_role("row", name="a person on a screen")).to_contain_text("3")
    expect(section(page, "How asks ended").get_by_role("row", name="denied on a screen")).to_contain_text("33 %")
    (shape,) = report["shapes"]
    expect(section(page, "What prompted most").get_by_role("row")).to_have_count(2)
    expect(section(page, "What prompted most")).to_contain_text(shape["name"])
    expect(section(page, "by screen").get_by_role("row", name="the page")).to_contain_text("3")
    expect(section(page, "Busiest projects").get_by_role("row", name="webshop")).to_contain_text("3")
    expect(page.get_by_role("img", name="Asks per day")).to_have_attribute(
        "aria-label", f"Asks per day: {report['until']} 3"
    )
    assert checks.barriers(page) == []


def test_statistics_fit_a_phone(visitors: Visitors, agent: Agent, hub: HubProcess) -> None:
    """Nothing is wider than the screen; the way there is under More."""
    visit = visitors(viewport=PHONE)
    answered(visitors().open(), agent, "touch one.txt", "Allow once")
    told(hub, 1)
    page = visit.open()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Statistics").click()
    expect(section(page, "Who decided")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert checks.barriers(page) == []


def test_statistics_of_other_days_and_one_project(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """Chosen with a press; what was not recorded is said to be so."""
    agent.tell("UserPromptSubmit", prompt="again", permission_mode="default")
    until(lambda: hub.api("GET", "/api/stats")[1]["report"]["totals"]["prompts"] > 1, "counted prompts")
    page = visit.open("/stats")
    chosen = page.get_by_role("group", name="Days").get_by_role("button", pressed=True)
    expect(chosen).to_have_text("30 days")
    page.get_by_role("button", name="7 days").click()
    expect(chosen).to_have_text("7 days")
    page.get_by_role("combobox", name="Project").select_option(label="webshop")
    expect(page.locator(".figure").filter(has_text="asks").locator("dd")).to_have_text("0")


def test_statistics_without_records_say_so(visit: Visit) -> None:
    """Instead of charts of nothing."""
    page = visit.open("/stats")
    expect(page.locator(".stats-body")).to_contain_text("Nothing was recorded in these days.")


def test_statistics_offer_to_stop_asking(visit: Visit, agent: Agent, hub: HubProcess, project: Path) -> None:
    """Beside what prompted most, with the sheet that the card has; afterwards it passes."""
    page = visit.open()
    answered(page, agent, "touch one.txt", "Allow once")
    answered(page, agent, "touch two.txt", "Allow once")
    report = told(hub, 2)
    page.goto(visit.address() + "/stats")
    row = section(page, "What prompted most").get_by_role("row", name=report["shapes"][0]["name"])
    row.get_by_role("button", name="Stop asking").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("Passes from now on")
    expect(sheet).to_contain_text(project.name)
    assert checks.barriers(page) == []
    sheet.get_by_role("button", name="Allow from now on").click()
    expect(row.get_by_role("link", name="granted")).to_be_visible()
    (grant,) = hub.api("GET", "/api/grants")[1]["grants"]
    assert grant["kind"] == "shape"
    call = {"permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": "touch three.txt"}}
    answer = agent.tell("PreToolUse", **call, tool_use_id="toolu_3")
    assert "allow" in str(answer)


def test_statistics_never_offer_to_stop_asking_about_danger(visit: Visit, agent: Agent, hub: HubProcess) -> None:
    """What cannot be undone is asked about each time."""
    page = visit.open()
    answered(page, agent, "git push --force origin main", "Deny")
    told(hub, 1)
    page.goto(visit.address() + "/stats")
    expect(section(page, "What prompted most").get_by_role("row")).to_have_count(2)
    expect(page.get_by_role("button", name="Stop asking")).to_have_count(0)
