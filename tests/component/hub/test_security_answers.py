"""Whose answer counts: only that of a device which may give it, signed, once, about what was shown."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.agent import Agent, Held
from tests.component.hub_process import HubProcess, until
from tests.component.signing import Browser, desk_browser, paired_phone


@pytest.fixture
def held(hub: HubProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Held]:
    """An agent that waits for a person."""
    agent = Agent(hub, tmp_path_factory.mktemp("project")).start()
    yield agent.bash("cargo build")
    agent.hang_up()


def the_ask(hub: HubProcess) -> dict[str, Any]:
    ask: dict[str, Any] = until(lambda: hub.api("GET", "/api/snapshot")[1]["asks"], "the ask")[0]
    return ask


def an_answer(ask: dict[str, Any], choice: str) -> tuple[str, dict[str, Any]]:
    return f"/api/asks/{ask['id']}/answer", {"rev": ask["rev"], "hash": ask["hash"], "choice": choice}


def grown_up(hub: HubProcess, phone: Browser) -> None:
    """Its first ten minutes are over."""
    hub.stop()
    file = hub.paths.keys / "devices.json"
    content = json.loads(file.read_text())
    for entry in content["devices"]:
        entry["active_from"] = 0
    file.write_text(json.dumps(content))
    hub.start()
    # Named after the port, which a test's hub finds anew each time.
    phone.cookie = f"assent-{hub.port}={phone.cookie.partition('=')[2]}"


def test_desk_browser_answers(hub: HubProcess, held: Held) -> None:
    """And the record says who."""
    browser = desk_browser(hub)
    path, given_answer = an_answer(the_ask(hub), "allow")
    assert browser.signed("POST", path, given_answer)[0] == 202
    assert held.decision()["behavior"] == "allow"
    answer = until(lambda: hub.api("GET", "/api/log?q=by:person")[1]["records"], "the record")[-1]
    assert answer["by"] == "person:test"


def test_cookie_without_a_signature_answers_nothing(hub: HubProcess, held: Held) -> None:
    """Not even a no."""
    browser = desk_browser(hub)
    for choice in ("allow", "deny"):
        path, answer = an_answer(the_ask(hub), choice)
        headers = {"Cookie": browser.cookie, **hub.own_page()}
        assert hub.tcp("POST", path, json.dumps(answer).encode(), headers)[0] == 401
    assert held.is_waiting


def test_stolen_hook_token_answers_nothing(hub: HubProcess, held: Held) -> None:
    """It reports events; an agent that finds it in its settings cannot say yes to itself."""
    token = (hub.paths.keys / "post.token").read_text()
    path, answer = an_answer(the_ask(hub), "allow")
    headers = {"Authorization": f"Bearer {token}", **hub.own_page()}
    assert hub.tcp("POST", path, json.dumps(answer).encode(), headers)[0] == 403
    assert held.is_waiting


def test_replayed_answer_is_refused(hub: HubProcess, held: Held) -> None:
    """The bytes of a yes that was given are no second one."""
    browser = desk_browser(hub)
    path, given_answer = an_answer(the_ask(hub), "allow")
    body = json.dumps(given_answer).encode()
    headers = browser.headers("POST", path, body)
    assert hub.tcp("POST", path, body, headers)[0] == 202
    status, answer = hub.tcp("POST", path, body, headers)
    assert (status, answer["error"]["code"]) == (403, "replayed")


def test_signed_answer_is_bound_to_its_ask(hub: HubProcess, held: Held, tmp_path: Path) -> None:
    """A yes to one thing is not carried over to another."""
    browser = desk_browser(hub)
    first = the_ask(hub)
    other = Agent(hub, tmp_path).start()
    second = other.bash("cargo publish")
    asks = until(lambda: (found := hub.api("GET", "/api/snapshot")[1]["asks"])[1:] and found, "two asks")
    target = next(ask for ask in asks if ask["id"] != first["id"])
    path, answer = an_answer(first, "allow")
    body = json.dumps(answer).encode()
    moved = f"/api/asks/{target['id']}/answer"
    assert hub.tcp("POST", moved, body, browser.headers("POST", path, body))[0] == 403
    assert browser.signed("POST", moved, answer)[0] == 409
    assert second.is_waiting
    other.hang_up()


def test_new_phone_may_deny_and_not_allow(hub: HubProcess, held: Held) -> None:
    """It is offered no yes, its yes is refused, its no counts."""
    phone = paired_phone(hub)
    ask = the_ask(hub)
    shown = phone.read(f"/api/asks/{ask['id']}")[1]
    offered = {way["choice"] for way in shown["choices"]}
    assert "deny" in offered
    assert not {choice for choice in offered if choice.startswith("allow")}
    path, answer = an_answer(ask, "allow")
    assert phone.signed("POST", path, answer)[0] in (403, 409)
    assert held.is_waiting
    assert phone.signed("POST", *an_answer(ask, "deny"))[0] == 202
    assert held.decision()["behavior"] == "deny"


def test_phone_that_answers_grants_nothing_lasting(hub: HubProcess, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Once it is no longer new it says yes, once; what lasts and what is edited is not its to give."""
    phone = paired_phone(hub)
    grown_up(hub, phone)
    agent = Agent(hub, tmp_path_factory.mktemp("project")).start()
    held = agent.bash("cargo build")
    ask = the_ask(hub)
    offered = {way["choice"] for way in phone.read(f"/api/asks/{ask['id']}")[1]["choices"]}
    assert offered == {"deny", "deny_and_stop", "allow", "hand_back"}
    for choice in ("allow_session", "allow_project", "allow_user"):
        path, answer = an_answer(ask, choice)
        assert phone.signed("POST", path, answer | {"grant": "rule:Bash(cargo *)"})[0] in (403, 409)
    path, answer = an_answer(ask, "allow_edited")
    assert phone.signed("POST", path, answer | {"edited": {"command": "ls"}})[0] in (403, 409)
    assert held.is_waiting
    assert phone.signed("POST", *an_answer(ask, "allow"))[0] == 202
    assert held.decision()["behavior"] == "allow"
    agent.hang_up()


def test_phone_that_watches_answers_nothing(hub: HubProcess, held: Held) -> None:
    """Looking on is all it was let in for."""
    phone = paired_phone(hub, "watch")
    ask = the_ask(hub)
    assert phone.read(f"/api/asks/{ask['id']}")[1].get("choices", []) == []
    assert phone.signed("POST", *an_answer(ask, "deny"))[0] == 403
    assert held.is_waiting


def test_revoked_phone_answers_nothing(hub: HubProcess, held: Held) -> None:
    """Not even with a no it signed."""
    phone = paired_phone(hub)
    ask = the_ask(hub)
    assert hub.api("DELETE", f"/api/devices/{phone.device}")[0] == 200
    assert phone.signed("POST", *an_answer(ask, "deny"))[0] == 401
    assert held.is_waiting
