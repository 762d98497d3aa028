"""Rules: what is in force, one more, one less, and what would be decided."""

from playwright.sync_api import Page, expect

from tests.browser import checks
from tests.browser.agent import Agent
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess, until


def opened(visit: Visit, path: str = "/rules") -> Page:
    page = visit.open(path)
    expect(page.get_by_role("heading", name="Rules", exact=True)).to_be_visible()
    return page


def test_command_is_judged_part_by_part(visit: Visit, hub: HubProcess, agent: Agent) -> None:
    """Each part with its risk and why, and nothing of it is recorded."""
    until(lambda: hub.api("GET", "/api/snapshot")[1]["sessions"], "the session")
    page = opened(visit)
    page.get_by_label("Where").select_option(str(agent.cwd))
    before = hub.api("GET", "/api/status")[1]["events"]
    page.get_by_label("A command.").fill("git status && rm -rf /")
    page.keyboard.press("Enter")
    expect(page.locator(".trial .would")).to_contain_text("It would be denied")
    expect(page.locator(".steps-tree li", has_text="git status")).to_contain_text("Look")
    expect(page.locator(".steps-tree li", has_text="rm -rf /")).to_contain_text("Danger")
    assert hub.api("GET", "/api/status")[1]["events"] == before
    assert checks.barriers(page) == []


def test_rule_is_written_after_it_was_shown_and_taken_back(visit: Visit, hub: HubProcess) -> None:
    """What allows from now on is shown with its file first; undo leaves nothing behind."""
    page = opened(visit)
    page.get_by_label("What it says").select_option("allow")
    page.get_by_label("What it matches").fill("Bash(make lint)")
    page.get_by_role("button", name="Add", exact=True).click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("Bash(make lint)")
    expect(sheet).to_contain_text("~/config/rules.toml")
    assert "make lint" not in (hub.paths.rules.read_text() if hub.paths.rules.exists() else "")
    sheet.get_by_role("button", name="Write the rule").click()
    expect(page.locator(".rule", has_text="Bash(make lint)")).to_contain_text("allow")
    assert "make lint" in hub.paths.rules.read_text()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".told")).to_contain_text("Undone")
    expect(page.locator(".rule", has_text="Bash(make lint)")).to_have_count(0)
    assert "make lint" not in hub.paths.rules.read_text()


def test_rule_is_removed_by_a_second_press(visit: Visit, hub: HubProcess) -> None:
    """One press only asks; and a removed rule can be put back."""
    page = opened(visit)
    page.get_by_label("What it matches").fill("Bash(deploy *)")
    page.get_by_label("Why").fill("Not from here.")
    page.get_by_role("button", name="Add", exact=True).click()
    rule = page.locator(".rule", has_text="Bash(deploy *)")
    rule.get_by_role("button").click()
    expect(rule.get_by_role("button")).to_have_text("Remove: sure?")
    assert "deploy" in hub.paths.rules.read_text()
    rule.get_by_role("button").click()
    expect(rule).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(rule).to_contain_text("Not from here.")


def test_rule_tells_how_often_it_decided(visit: Visit, hub: HubProcess, agent: Agent) -> None:
    """And leads to what it decided."""
    hub.paths.rules.write_text('version = 1\n[[rule]]\nmatch = "Bash(curl *)"\ndecision = "deny"\nreason = "Mirror."\n')
    until(lambda: "rules" in [r["kind"] for r in hub.api("GET", "/api/log?q=curl")[1]["records"]], "the new rules")
    call = {"permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": "curl https://example.org"}}
    agent.tell("PreToolUse", **call, tool_use_id="toolu_1")
    until(lambda: hub.api("GET", "/api/decisions?q=decision:deny")[1]["rows"], "the denial")
    page = opened(visit)
    hits = page.locator(".rule", has_text="Bash(curl *)").get_by_role("link")
    expect(hits).to_have_text("1 in 7 days")
    hits.click()
    expect(page.locator(".decisions tbody tr")).to_have_count(1)


def test_rule_that_is_none_is_refused_in_words(visit: Visit) -> None:
    """Nothing is written, and what was typed stays."""
    visit.expect("422")
    page = opened(visit)
    page.get_by_label("What it matches").fill("Bash(")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".add-rule .fault")).to_contain_text("This is no rule")
    expect(page.get_by_label("What it matches")).to_have_value("Bash(")


def test_rules_of_a_project_are_shown_for_its_sessions(visit: Visit, hub: HubProcess, agent: Agent) -> None:
    """The folder of a session can be picked, and what stands there is told with its file."""
    settings = agent.cwd / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"permissions": {"allow": ["Bash(make *)"]}}')
    until(lambda: hub.api("GET", "/api/snapshot")[1]["sessions"], "the session")
    page = opened(visit)
    page.get_by_label("Where").select_option(str(agent.cwd))
    expect(page.locator(".rule", has_text="Bash(make *)")).to_contain_text("came with the repository")


def test_approvals_are_listed_with_whose_yes_they_need(visit: Visit, hub: HubProcess) -> None:
    """Before the rules: nothing that is allowed there spares them."""
    hub.paths.rules.write_text(
        '[[approval]]\nmatch = "effect:production"\nfrom = ["group:sre-oncall"]\ncount = 2\nreason = "By two people."\n'
    )
    page = opened(visit)
    approvals = page.locator(".approvals")
    expect(approvals).to_contain_text("Your approvals")
    for text in ("effect:production", "the yes of 2 of group:sre-oncall", "By two people."):
        expect(approvals.locator("li")).to_contain_text(text)
    expect(page.locator(".in-force .empty")).to_have_count(0)
    assert checks.barriers(page) == []
