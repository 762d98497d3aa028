"""Reaching people beyond the page, in a real hub."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.agent import Held
from tests.component.hub_process import HubProcess, bash, until
from tests.component.signing import Browser, desk_browser, paired_phone
from tests.push_service import Browser as Receiver
from tests.push_service import PushService, push_service

SUBSCRIPTION = {
    "endpoint": "https://push.example.com/send/abc",
    "keys": {"p256dh": Receiver().p256dh, "auth": "A" * 22},
}
# A hub whose push service may be on this machine.
LOCAL = """
import functools, sys
from assent.hub import daemon
daemon.run = functools.partial(daemon.run, may_be_local=True)
from assent.cli.main import main
sys.argv[1:] = ["up"]
main()
"""


def presence(hub: HubProcess, **wanted: Any) -> tuple[int, Any]:
    return hub.api("PUT", "/api/presence", json.dumps(wanted).encode())


def records(hub: HubProcess, kind: str) -> list[dict[str, Any]]:
    found = hub.api("GET", "/api/log?limit=500")[1]["records"]
    return [record for record in found if record["kind"] == kind]


def test_away_outlives_the_hub(start_hub: Callable[..., HubProcess]) -> None:
    """Who left is still away after a restart, until they say otherwise; both are on record."""
    hub = start_hub()
    assert presence(hub, away=True, seconds=3600)[1]["away"] is True
    hub.stop()
    hub.start()
    found = hub.api("GET", "/api/presence")[1]
    assert (found["away"], found["away_until"] - found["away_since"]) == (True, 3_600_000)
    assert hub.api("GET", "/api/snapshot")[1]["presence"]["away"] is True
    assert presence(hub, away=False)[1]["away"] is False
    what = ["its user is away", "its user is back"]
    until(
        lambda: [r["body"]["what"] for r in records(hub, "hub") if r["by"] == "person:desk"] == what, "both on record"
    )


def test_quiet_lasts_as_long_as_asked_for(hub: HubProcess) -> None:
    """A quarter of an hour, until morning, or no longer."""
    before = hub.api("GET", "/api/presence")[1]["quiet_until"]
    assert before is None
    assert presence(hub, quiet=900)[1]["quiet_until"] > 0
    assert presence(hub, quiet="morning")[1]["quiet_until"] % 60_000 == 0
    assert presence(hub, quiet=0)[1]["quiet_until"] is None


@pytest.mark.parametrize("wanted", [{"quiet": -1}, {"away": True, "seconds": 10**9}])
def test_an_absurd_time_is_refused(hub: HubProcess, wanted: dict[str, Any]) -> None:
    """Nothing changes."""
    status, answer = presence(hub, **wanted)
    assert (status, answer["error"]["code"]) == (422, "bad-time")
    assert hub.api("GET", "/api/presence")[1]["away"] is False


def test_what_an_agent_started_cannot_speak_for_a_person(hub: HubProcess) -> None:
    """Neither that a person is looking, nor that they want quiet: it would hold back what they should see."""
    hub.send(bash("ls"), env={"CLAUDE_PID": str(os.getpid())})
    until(lambda: presence(hub, focused=True)[0] == 403, "that the test counts as an agent's child")
    assert presence(hub, quiet=900)[0] == 403
    assert presence(hub, away=True)[0] == 403


def test_a_focused_page_and_a_typed_prompt_are_signs_of_life(hub: HubProcess) -> None:
    """A phone may say that its page is looked at, but not that its owner is away."""
    phone = paired_phone(hub)
    assert phone.signed("PUT", "/api/presence", {"focused": True})[1]["why"] == "the page is in front of you"
    assert phone.signed("PUT", "/api/presence", {"focused": False})[1]["at_desk"] is False
    assert phone.signed("PUT", "/api/presence", {"away": True})[1]["error"]["code"] == "scope"
    machine_made = {"session_id": "s1", "cwd": "/p", "hook_event_name": "UserPromptSubmit"}
    hub.send({**machine_made, "prompt": "<task-notification>done</task-notification>"})
    hub.send({**machine_made, "prompt": "go on"})
    until(lambda: hub.api("GET", "/api/presence")[1]["at_desk"], "the sign of life")
    assert hub.api("GET", "/api/presence")[1]["why"].startswith("you typed ")


def test_a_device_turns_notifications_on_and_off(hub: HubProcess) -> None:
    """With its own signature; what it gave is in one private file, and nowhere else."""
    browser = desk_browser(hub)
    before = browser.read("/api/push")[1]
    assert (before["on"], before["privacy"], len(before["key"])) == (False, "masked", 87)
    assert browser.signed("PUT", "/api/push", {**SUBSCRIPTION, "privacy": "open"})[1] == {
        "key": before["key"],
        "on": True,
        "privacy": "open",
    }
    file = hub.paths.keys / "push.json"
    until(file.exists, "the file")
    assert file.stat().st_mode & 0o777 == 0o600
    assert browser.read("/api/push")[1]["on"] is True
    assert browser.signed("DELETE", "/api/push")[1]["on"] is False
    until(lambda: "push.example.com" not in file.read_text(), "that it is forgotten")
    assert "push.example.com" not in hub.log() + json.dumps(hub.api("GET", "/api/log?limit=500")[1])


def test_a_cookie_turns_nothing_on(hub: HubProcess) -> None:
    """Another server on this host is sent it, too."""
    browser = desk_browser(hub)
    headers = {"Cookie": browser.cookie, **hub.own_page()}
    assert hub.tcp("PUT", "/api/push", json.dumps(SUBSCRIPTION).encode(), headers)[0] == 401
    assert hub.api("PUT", "/api/push", json.dumps(SUBSCRIPTION).encode())[1]["error"]["code"] == "no-device"


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.com/a",
        "https://push.example.com:8443/a",
        "https://localhost/a",
        "https://127.0.0.1/a",
        "https://[::1]/a",
        "https://[::ffff:10.0.0.1]/a",
        "https://10.1.2.3/a",
        "https://169.254.169.254/latest/meta-data",
        "https://printer.local/a",
        "https://user:pass@push.example.com/a",
        "https://push.example.com/a#b",
        "https://push.example.com/a b",
        "https://" + "a" * 3_000 + ".com/",
        "file:///etc/passwd",
        "",
    ],
)
def test_a_push_service_is_never_on_this_machine_or_network(shared_hub: HubProcess, endpoint: str) -> None:
    """An address that a page gives is not one that the hub walks up to."""
    browser = desk_browser(shared_hub)
    status, answer = browser.signed("PUT", "/api/push", {**SUBSCRIPTION, "endpoint": endpoint})
    assert (status, answer["error"]["code"]) == (422, "bad-subscription")
    assert browser.read("/api/push")[1]["on"] is False


@pytest.fixture
def local_hub(tmp_path: Path) -> Iterator[HubProcess]:
    hub = HubProcess(tmp_path, config='[presence]\nladder = ["page@0s", "push@20s"]\n').start(
        sys.executable, "-c", LOCAL
    )
    yield hub
    if hub.process is not None and hub.process.poll() is None:
        hub.stop()


@pytest.fixture
async def service(local_hub: HubProcess) -> AsyncIterator[PushService]:
    key = (await asyncio.to_thread(local_hub.api, "GET", "/api/push"))[1]["key"]
    async with push_service(key) as running:
        yield running


async def seen(probe: Callable[[], Any], what: str) -> Any:
    """In a thread: what is probed may answer only while the push service of this loop does."""
    return await asyncio.to_thread(until, probe, what)


def turn_on(hub: HubProcess, service: PushService, browser: Browser) -> None:
    endpoint, receiver = service.subscribe(browser.device)
    keys = {"p256dh": receiver.p256dh, "auth": receiver.auth}
    assert browser.signed("PUT", "/api/push", {"endpoint": endpoint, "keys": keys})[0] == 200


def line(hub: HubProcess, session: str) -> dict[str, Any]:
    found: dict[str, Any] = hub.api("GET", f"/api/line?session={session}")[1]
    return found


def request(command: str = "git clean -fdx") -> dict[str, Any]:
    event = bash(command, hook_event_name="PermissionRequest", cwd="/src/webshop")
    del event["tool_use_id"]
    return event


@pytest.mark.anyio
async def test_who_is_away_is_pushed_at_once_and_it_is_taken_back_when_answered(
    local_hub: HubProcess, service: PushService
) -> None:
    """The whole way: an agent asks, the phone shows it masked, an answer at the desk takes it away; all on record."""
    phone = await asyncio.to_thread(paired_phone, local_hub)
    await asyncio.to_thread(turn_on, local_hub, service, phone)
    await asyncio.to_thread(presence, local_hub, away=True)
    held = await asyncio.to_thread(Held, local_hub, request())
    [message] = (await seen(lambda: service.shown(phone.device), "the message")).values()
    assert message["title"] == "webshop needs you (Danger)"
    assert "git clean" not in json.dumps(message)
    # The status line of the session tells, and those of others only that something waits.
    own = await seen(lambda: line(local_hub, "s1").get("told") and line(local_hub, "s1"), "that the phone was told")
    assert (own["asks"], own["away"]) == ({"danger": 1}, True)
    assert own["told"] <= own["now"]
    other = await asyncio.to_thread(line, local_hub, "s2")
    assert (other.get("asks"), other["elsewhere"], other.get("told")) == (None, 1, None)
    bound = message["deny"]
    said = {"rev": bound["rev"], "hash": bound["hash"], "choice": "deny"}
    status, _ = await asyncio.to_thread(phone.signed, "POST", f"/api/asks/{bound['id']}/answer", said)
    assert status == 202
    assert (await asyncio.to_thread(held.decision))["behavior"] == "deny"
    await seen(lambda: not service.shown(phone.device), "that it was taken back")
    pushes = await asyncio.to_thread(records, local_hub, "push")
    assert [(push["ask"], push["body"]["sent"]) for push in pushes] == [(bound["id"], True)]
    assert service.delivered[-1][1]["over"].startswith("Denied")
    # A turn that ends in a failure is told as well, and taken back once its person goes on.
    own_words = {"session_id": "s1", "cwd": "/src/webshop"}
    prompt = {**own_words, "hook_event_name": "UserPromptSubmit", "prompt": "go on"}
    await asyncio.to_thread(local_hub.send, prompt)
    failure = {**own_words, "hook_event_name": "StopFailure", "error": "rate_limit"}
    await asyncio.to_thread(local_hub.send, failure)
    [notice] = (await seen(lambda: service.shown(phone.device), "the notice")).values()
    assert (notice["title"], notice["url"]) == ("webshop stopped with an error", "/s/s1")
    await asyncio.to_thread(local_hub.send, prompt)
    await seen(lambda: not service.shown(phone.device), "that the notice was taken back")
    told = (await asyncio.to_thread(records, local_hub, "push"))[-1]
    assert (told["line"], told["session"]) == ("sent to push about the turn that failed", "s1")
    # The address is a secret.
    assert "/send/" not in local_hub.log() + json.dumps((await asyncio.to_thread(local_hub.api, "GET", "/api/log"))[1])


@pytest.mark.anyio
async def test_user_who_looks_is_not_pushed_and_that_is_on_record(local_hub: HubProcess, service: PushService) -> None:
    """The reason can be read; when they look away it is sent."""
    phone = await asyncio.to_thread(paired_phone, local_hub)
    await asyncio.to_thread(turn_on, local_hub, service, phone)
    await asyncio.to_thread(presence, local_hub, away=True)
    await asyncio.to_thread(presence, local_hub, focused=True)
    held = await asyncio.to_thread(Held, local_hub, request("npm install left-pad"))
    push = (await seen(lambda: records(local_hub, "push"), "the reason"))[0]
    assert (push["body"]["sent"], push["body"]["why"]) == (False, "`assent watch` is in front of you")
    assert push["line"].startswith("not sent to push about ")
    assert not service.delivered
    await asyncio.to_thread(presence, local_hub, focused=False)
    await seen(lambda: service.shown(phone.device), "the message")
    held.hang_up()
    await seen(lambda: not service.shown(phone.device), "that it was taken back")


@pytest.mark.anyio
async def test_a_revoked_device_is_told_nothing_more(local_hub: HubProcess, service: PushService) -> None:
    """Even what was about to be sent."""
    phone = await asyncio.to_thread(paired_phone, local_hub)
    await asyncio.to_thread(turn_on, local_hub, service, phone)
    await asyncio.to_thread(local_hub.api, "DELETE", f"/api/devices/{phone.device}")
    await asyncio.to_thread(presence, local_hub, away=True)
    await asyncio.to_thread(Held, local_hub, request())
    push = (await seen(lambda: records(local_hub, "push"), "the reason"))[0]
    assert push["body"]["why"] == "no device has notifications turned on"
    assert not service.delivered


@pytest.mark.anyio
async def test_an_idle_dialog_is_pushed_at_once(local_hub: HubProcess, service: PushService) -> None:
    """The client says after six seconds that its dialog waits: the user is gone, so the push does not wait."""
    phone = await asyncio.to_thread(paired_phone, local_hub)
    await asyncio.to_thread(turn_on, local_hub, service, phone)
    said = {"session_id": "s1", "cwd": "/src/webshop"}
    await asyncio.to_thread(local_hub.send, {**said, "hook_event_name": "UserPromptSubmit", "prompt": "clean up"})
    held = await asyncio.to_thread(Held, local_hub, request())
    await seen(lambda: local_hub.api("GET", "/api/snapshot")[1]["asks"], "the ask")
    assert not service.delivered
    waits = {"hook_event_name": "Notification", "notification_type": "permission_prompt", "message": "Claude needs you"}
    await asyncio.to_thread(local_hub.send, {**said, **waits})
    await seen(lambda: service.shown(phone.device), "the message")
    held.hang_up()
