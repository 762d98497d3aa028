"""Settings: where you are, what is asked, how it looks."""

from playwright.sync_api import Page, expect

from tests.browser import checks
from tests.browser.conftest import PHONE, Visitors
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess, until


def opened(visit: Visit) -> Page:
    page = visit.open("/set")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    expect(page.locator(".about dd").first).to_be_visible()
    return page


def test_settings_are_accessible(visitors: Visitors) -> None:
    """axe finds nothing serious, and nothing runs off a phone."""
    for options in ({}, {"viewport": PHONE}):
        page = opened(visitors(**options))
        expect(page.get_by_label("When no answer comes")).to_be_visible()
        assert checks.barriers(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_setting_is_written_to_its_file_and_holds(visit: Visit, hub: HubProcess) -> None:
    """The file says so, the hub does so, and the screen says where it stands."""
    page = opened(visit)
    page.get_by_label("When no answer comes").select_option("deny")
    expect(page.locator(".settings .told")).to_contain_text("~/config/config.toml")
    assert 'on_expiry = "deny"' in hub.paths.config.read_text()
    page.get_by_label("Quiet hours every day").check()
    until(lambda: 'quiet = "22:00-07:00"' in hub.paths.config.read_text(), "the quiet hours")
    until(lambda: hub.api("GET", "/api/settings")[1]["settings"]["asks"]["on_expiry"] == "deny", "the setting")


def test_surfaces_are_listed_with_how_they_stand(visit: Visit, hub: HubProcess) -> None:
    """What is connected, and when it is told; what is not says how, and a change of the settings is seen at once."""
    page = opened(visit)
    section = page.locator("section section", has=page.get_by_role("heading", name="Chats and notifications"))
    expect(section).to_contain_text("TelegramNot connected.")
    expect(section).to_contain_text("assent connect telegram")
    hub.paths.config.write_text(hub.paths.config.read_text() + "\n[surface.telegram]\nusers = [1]\n")
    expect(section).to_contain_text("✕ TelegramIts token is not known.")
    expect(section).to_contain_text("Told after 20 s, and after 30 min.")


def test_bad_setting_changes_nothing_and_says_why(visit: Visit, hub: HubProcess) -> None:
    """The field shows again what holds."""
    visit.expect("422")
    page = opened(visit)
    before = hub.paths.config.read_text()
    field = page.get_by_label("How long an ask waits")
    field.fill("soon")
    field.press("Tab")
    expect(page.locator(".settings .told")).to_contain_text("a duration is written like")
    expect(page.get_by_label("How long an ask waits")).to_have_value("10m")
    assert hub.paths.config.read_text() == before


def test_away_and_quiet_are_told_to_the_hub(visit: Visit, hub: HubProcess) -> None:
    """Every screen hears of it."""
    page = opened(visit)
    page.get_by_role("button", name="I am away").click()
    expect(page.get_by_role("button", name="I am back")).to_be_visible()
    page.get_by_role("button", name="15 min").click()
    expect(page.locator("#rail-foot")).to_contain_text("Quiet till")
    presence = hub.api("GET", "/api/presence")[1]
    assert presence["away"] is True
    assert presence["quiet_until"]
    page.get_by_role("button", name="not any more").click()
    page.get_by_role("button", name="I am back").click()
    expect(page.get_by_role("button", name="I am away")).to_be_visible()
    assert hub.api("GET", "/api/presence")[1]["quiet_until"] is None


def test_look_is_kept_in_the_browser(visit: Visit) -> None:
    """Also after a reload."""
    page = opened(visit)
    page.get_by_label("dark", exact=True).check()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_label("dark", exact=True)).to_be_checked()


def test_own_replies_are_written_a_line_each(visit: Visit, hub: HubProcess) -> None:
    """As a list in the file; what is too long is refused with its reason."""
    visit.expect("422")
    page = opened(visit)
    field = page.get_by_label("Replies of your own")
    field.fill("Use pnpm here\n\n  Explain first  ")
    field.press("Tab")
    until(lambda: 'snippets = ["Use pnpm here", "Explain first"]' in hub.paths.config.read_text(), "the replies")
    page.get_by_label("Replies of your own").fill("x" * 201)
    page.get_by_label("Replies of your own").press("Tab")
    expect(page.locator(".settings .told")).to_contain_text("a reply has at most 200 characters")
    expect(page.get_by_label("Replies of your own")).to_have_value("Use pnpm here\nExplain first")
