"""A phone is let in from the page, shows the same three words, and is shut out again."""

from playwright.sync_api import Page, expect

from tests.browser import checks
from tests.browser.agent import Agent
from tests.browser.card import Card, rows
from tests.browser.conftest import PHONE, Visitors
from tests.component.hub_process import HubProcess


def invited(desk: Page) -> str:
    """The address for another browser of this machine."""
    desk.get_by_role("link", name="Devices").click()
    desk.get_by_role("button", name="Let a phone in…").click()
    desk.get_by_text("Another browser on this machine").click()
    return desk.locator(".invitation details code").inner_text()


def words(page: Page) -> list[str]:
    expect(page.locator(".words span")).to_have_count(3)
    return page.locator(".words span").all_inner_texts()


def test_phone_is_let_in_by_comparing_words_and_shut_out_again(visitors: Visitors, agent: Agent) -> None:
    """Same words on both screens, a yes at the desk, a phone that may only deny, and a press that ends it."""
    desk = visitors().open()
    far = visitors(PHONE)
    far.expect("401", "ERR_INCOMPLETE_CHUNKED_ENCODING")
    phone = far.context.new_page()
    phone.goto(invited(desk))
    expect(phone).to_have_url(far.address() + "/pair")
    assert words(phone) == words(desk)
    assert checks.barriers(desk) == []
    assert checks.barriers(phone) == []
    desk.get_by_role("button", name="They match").click()
    expect(phone.get_by_role("heading", name="This device is in")).to_be_visible()
    phone.get_by_role("button", name="Open the inbox").click()
    held = agent.bash("touch one.txt")
    rows(phone).first.get_by_role("link").click()
    card = Card(phone).shows("touch one.txt").read()
    expect(card.button("Allow once")).to_be_hidden()
    card.press("Deny")
    assert held.decision()["behavior"] == "deny"
    row = desk.locator(".devices li").filter(has_text="may only deny")
    row.get_by_role("button", name="Shut out").click()
    row.get_by_role("button", name="Shut out: sure?").click()
    expect(row).to_have_count(0)
    expect(phone.locator("#hub")).to_contain_text("not let in")


def test_no_code_is_drawn_for_an_address_that_phones_cannot_open(visitors: Visitors) -> None:
    """Three ways instead, each with lines to copy; the first browser of this machine needs none of them."""
    desk = visitors().open()
    invited(desk)
    expect(desk.locator(".ways li")).to_have_count(3)
    expect(desk.get_by_role("img", name="QR code")).to_have_count(0)
    desk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk.get_by_role("button", name="Copy assent connect telegram").click()
    expect(desk.get_by_role("button", name="Copy assent connect telegram")).to_have_text("Copied")
    assert desk.evaluate("navigator.clipboard.readText()") == "assent connect telegram"
    assert checks.barriers(desk) == []


def test_phone_whose_words_differ_is_turned_away(visitors: Visitors, hub: HubProcess) -> None:
    """It is told so, and the link it came with opens nothing any more."""
    desk = visitors().open()
    far = visitors(PHONE)
    far.expect("401", "403")
    phone = far.context.new_page()
    address = invited(desk)
    phone.goto(address)
    words(phone)
    desk.get_by_role("button", name="No, turn it away").click()
    expect(phone.locator(".joining")).to_contain_text("The words did not match")
    other = far.context.new_page()
    other.goto(address)
    expect(other.locator(".joining")).to_contain_text("used already")


def test_key_of_a_browser_cannot_be_taken_out(visitors: Visitors) -> None:
    """A script on the page could use it while it runs, and carry nothing away."""
    page = visitors().open()
    said = page.evaluate(
        """async () => {
          const opened = await new Promise((done) => {
            const asked = indexedDB.open("assent", 1);
            asked.onsuccess = () => done(asked.result);
          });
          const kept = await new Promise((done) => {
            const asked = opened.transaction("kept").objectStore("kept").get("device");
            asked.onsuccess = () => done(asked.result);
          });
          opened.close();
          return crypto.subtle.exportKey("pkcs8", kept.keys.privateKey).then(() => "taken", (error) => error.name);
        }"""
    )
    assert said == "InvalidAccessError"


def test_clock_that_is_off_signs_again_with_the_hubs_time(visitors: Visitors) -> None:
    """The time of a phone need not be right for it to say no."""
    visit = visitors()
    visit.expect("403")
    page = visit.open()
    status = page.evaluate(
        """async () => {
          const { signed } = await import("/static/device.js");
          const now = Date.now;
          Date.now = () => now() + 600_000;
          return (await signed("PUT", "/api/pause", { seconds: 0 })).status;
        }"""
    )
    assert status == 200


def test_browser_that_keeps_nothing_still_answers_while_it_is_open(visitors: Visitors) -> None:
    """In private windows keys may not be stored: then the key lives as long as the page."""
    visit = visitors()
    page = visit.context.new_page()
    page.add_init_script("IDBObjectStore.prototype.put = () => { throw new DOMException('no', 'DataCloneError') }")
    page.goto(f"{visit.address()}/#open={visit.code()}")
    expect(page.locator("#hub")).to_have_class("up")
    asked = (
        "import('/static/device.js').then((d) => d.signed('PUT', '/api/pause', { seconds: 0 })).then((r) => r.status)"
    )
    assert page.evaluate(asked) == 200
