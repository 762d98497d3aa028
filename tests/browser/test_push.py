"""What the page's worker does in the background."""

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, Worker, expect

from tests.browser.agent import Agent
from tests.browser.checks import let_pass_on
from tests.browser.conftest import Visitors
from tests.browser.visit import Visit
from tests.component.hub_process import HubProcess, until
from tests.push_service import Browser as Receiver
from tests.waiting import HANG, PAUSE

# Between two deliveries of the same probe.
AGAIN_MS = 500
PLAYED = (
    f"""
  let made = null;
  const keys = {{ p256dh: "{Receiver().p256dh}", auth: "AAAAAAAAAAAAAAAAAAAAAA" }};
"""
    """
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  PushManager.prototype.getSubscription = async () => made;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => (made = {
    options: { applicationServerKey: bytes(applicationServerKey) },
    toJSON: () => ({ endpoint: "https://push.example.com/send/abc", expirationTime: null, keys }),
    unsubscribe: async () => Boolean((made = null)),
  });
"""
)

LISTENING = """() => {
  self.told = [];
  const show = registration.showNotification.bind(registration);
  registration.showNotification = (title, more) => {
    told.push({ title, silent: more.silent, tag: more.tag });
    return show(title, more);
  };
}"""


@dataclass
class Phone:
    """A browser that is sent messages, as if its push service had delivered them."""

    visit: Visit
    page: Page
    worker: Worker
    session: CDPSession
    registration: str

    def deliver(self, **message: Any) -> None:
        origin = self.visit.address()
        told = {"origin": origin, "registrationId": self.registration, "data": json.dumps(message)}
        self.session.send("ServiceWorker.deliverPushMessage", told)

    def shown(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.worker.evaluate(
            """async () => (await registration.getNotifications()).map(({ title, body, tag, silent, actions, data }) =>
                 ({ title, body, tag, silent, actions: actions.map(({ action }) => action), data }))"""
        )
        return found

    def close_all(self) -> None:
        self.worker.evaluate(
            """async () => {
                 const shown = () => registration.getNotifications();
                 for (let open; (open = await shown()).length; ) for (const each of open) each.close();
               }"""
        )

    def told(self) -> list[dict[str, Any]]:
        """Everything that was shown since the beginning, also what is gone by now."""
        told: list[dict[str, Any]] = self.worker.evaluate("self.told")
        return told

    def press(self, action: str) -> None:
        """As if the button was pressed. What a test sends is not trusted with waiting, so the test waits itself."""
        self.worker.evaluate(
            """async (action) => {
                 const [notification] = await registration.getNotifications();
                 const event = new NotificationEvent("notificationclick", { notification, action });
                 let done;
                 event.waitUntil = (work) => (done = work);
                 dispatchEvent(event);
                 await done;
               }""",
            action,
        )


@pytest.fixture
def phone(visit: Visit) -> Phone:
    visit.context.grant_permissions(["notifications"], origin=visit.address())
    page = visit.open()
    session = visit.context.new_cdp_session(page)
    registrations: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registrations.extend(each["registrationId"] for each in told["registrations"]),
    )
    session.send("ServiceWorker.enable")
    page.wait_for_function("navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')")
    waited(page, lambda: registrations and visit.context.service_workers)
    made = Phone(visit, page, visit.context.service_workers[0], session, registrations[-1])
    # A browser drops messages for a worker that it has not yet written down.
    while not made.shown():
        made.deliver(tag="probe", title="probe", text="", url="/", loud=False)
        let_pass_on(page, AGAIN_MS)
    made.close_all()
    made.worker.evaluate(LISTENING)
    return made


def waited(page: Page, probe: Callable[[], object]) -> None:
    """Playwright hears of events only while it is waiting."""
    end = time.monotonic() + HANG
    while not probe():
        assert time.monotonic() < end, "not seen"
        let_pass_on(page, PAUSE * 1_000)


def ask_of(hub: HubProcess) -> dict[str, Any]:
    return until(lambda: next(iter(hub.api("GET", "/api/snapshot")[1]["asks"]), None), "the ask")


def test_a_message_becomes_a_notification_with_deny_and_open(phone: Phone) -> None:
    """Nothing that says yes can be pressed on a locked screen."""
    bound = {"id": "kptwm", "rev": 1, "hash": "5" * 64}
    phone.deliver(
        tag="kptwm", title="webshop needs you (Danger)", text="Open to review.", url="/a/kptwm", risk="danger",
        loud=True, deny=bound,
    )  # fmt: skip
    waited(phone.page, phone.shown)
    assert phone.shown() == [
        {
            "title": "webshop needs you (Danger)",
            "body": "Open to review.",
            "tag": "kptwm",
            "silent": False,
            "actions": ["deny", "open"],
            "data": {"url": "/a/kptwm", "deny": bound},
        }
    ]


def test_what_is_over_takes_its_place_without_a_sound_and_goes(phone: Phone) -> None:
    """It shows how it ended, and a moment later nothing."""
    phone.deliver(tag="kptwm", title="webshop needs you (Care)", text="", url="/a/kptwm", risk="care", loud=True)
    waited(phone.page, phone.shown)
    phone.deliver(tag="kptwm", over="Allowed once (iPhone)")
    waited(phone.page, lambda: len(phone.told()) == 2)
    assert phone.told()[1] == {"title": "Allowed once (iPhone)", "silent": True, "tag": "kptwm"}
    waited(phone.page, lambda: not phone.shown())


def test_an_address_elsewhere_is_not_opened(phone: Phone) -> None:
    """A notification leads to the page it belongs to, whatever it carries."""
    phone.deliver(tag="kptwm", title="x", text="", url="//evil.example/a", risk="care", loud=True)
    waited(phone.page, phone.shown)
    assert phone.shown()[0]["data"]["url"] == "/"


def test_deny_on_a_notification_reaches_the_agent(phone: Phone, agent: Agent, hub: HubProcess) -> None:
    """It is signed by the device as if it was pressed on the page, and bound to what was shown."""
    held = agent.bash("git clean -fdx")
    ask = ask_of(hub)
    bound = {name: ask[name] for name in ("id", "rev", "hash")}
    phone.deliver(tag=ask["id"], title="x", text="", url=f"/a/{ask['id']}", risk="care", loud=True, deny=bound)
    waited(phone.page, phone.shown)
    phone.press("deny")
    assert held.decision()["behavior"] == "deny"
    assert phone.shown() == []


def test_deny_that_comes_too_late_is_said_aloud(phone: Phone) -> None:
    """The user believes they refused it."""
    phone.visit.expect("404", "409")
    bound = {"id": "kptwm", "rev": 1, "hash": "5" * 64}
    phone.deliver(tag="kptwm", title="x", text="", url="/a/kptwm", risk="care", loud=True, deny=bound)
    waited(phone.page, phone.shown)
    phone.press("deny")
    [told] = phone.shown()
    assert told["title"] == "Not denied"
    assert told["body"]
    assert told["silent"] is False


def test_without_a_hub_the_page_says_so(phone: Phone, hub: HubProcess) -> None:
    """Not the browser's own error: what it means, and what still works."""
    phone.visit.expect("ERR_CONNECTION_REFUSED", "503", "Failed to load resource")
    address = phone.visit.address()
    hub.stop()
    phone.page.goto(address)
    expect(phone.page.locator("h1")).to_have_text("Hub unreachable")
    expect(phone.page.locator("body")).to_contain_text("Prompts work in the terminal.")


def test_turning_on_says_what_stands_in_the_way(visit: Visit) -> None:
    """Where a browser cannot be notified, Settings says why instead of failing."""
    page = visit.open()
    page.evaluate("import('/static/push.js').then(({ pushPanel }) => document.body.append(pushPanel()))")
    # A headless browser refuses the permission.
    page.get_by_role("button", name="Turn on").click()
    expect(page.locator("section.push")).to_contain_text(
        re.compile("blocks notifications from here|Nothing was turned on")
    )
    assert page.evaluate("fetch('/api/push').then((response) => response.json())")["on"] is False


def test_an_iphone_is_told_about_its_home_screen(visitors: Visitors) -> None:
    """Not that it cannot: what to do first."""
    page = visitors(user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1").open()
    page.evaluate("import('/static/push.js').then(({ pushPanel }) => document.body.append(pushPanel()))")
    hint = "Add to Home Screen first: Share ⇧ → Add to Home Screen. Then turn on here."
    expect(page.locator("section.push")).to_contain_text(hint)


def test_the_switch_shows_what_a_locked_screen_tells(visit: Visit) -> None:
    """Off, on without details, on with details, off: each is a press, and the hub knows."""
    visit.context.grant_permissions(["notifications"], origin=visit.address())
    # No push service here: the browser's part is played by a few lines.
    visit.context.add_init_script(PLAYED)
    page = visit.open()
    page.evaluate("import('/static/push.js').then(({ pushPanel }) => document.body.append(pushPanel()))")
    panel = page.locator("section.push")
    expect(panel).to_contain_text("Off.")
    panel.get_by_role("button", name="Turn on").click()
    expect(panel).to_contain_text("and no command")
    panel.get_by_role("button", name="Show details").click()
    expect(panel).to_contain_text("command included")
    assert page.evaluate("fetch('/api/push').then((response) => response.json())")["privacy"] == "open"
    panel.get_by_role("button", name="Turn off").click()
    expect(panel).to_contain_text("Off.")
    assert page.evaluate("fetch('/api/push').then((response) => response.json())")["on"] is False
