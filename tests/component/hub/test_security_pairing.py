"""How a phone is let in: a code good once, a person who compares three words, and no guessing."""

import json
from typing import Any

import pytest

from tests.component.hub_process import HubProcess, until
from tests.component.signing import Browser, desk_browser


def code_of(answer: tuple[int, Any]) -> tuple[int, str]:
    status, body = answer
    return status, body["error"]["code"]


def invited(hub: HubProcess, **wanted: str) -> str:
    code: str = hub.api("POST", "/api/pair", json.dumps({"for": "phone", **wanted}).encode())[1]["code"]
    return code


def confirm(hub: HubProcess, phone: Browser, *, match: bool) -> tuple[int, Any]:
    return hub.api("POST", "/api/pair/confirm", json.dumps({"id": phone.device, "match": match}).encode())


def test_phone_is_in_once_the_words_were_compared(hub: HubProcess) -> None:
    """Both screens show the same three words; until that is confirmed the phone has no scope."""
    phone = Browser(hub)
    status, waiting = phone.claim(invited(hub, name="Anna's phone"), "whatever it says")
    assert (status, waiting["state"]) == (202, "waiting")
    assert code_of(phone.signed("GET", "/api/me")) == (401, "unknown-device")
    assert phone.finish(waiting["claim"])[0] == 202
    (pending,) = hub.api("GET", "/api/pair/pending")[1]["pending"]
    assert (pending["words"], pending["name"], pending["address"]) == (waiting["words"], "Anna's phone", "127.0.0.1")
    assert confirm(hub, phone, match=True)[0] == 200
    assert phone.finish(waiting["claim"])[1]["state"] == "active"
    assert phone.read("/api/status")[0] == 200
    assert hub.api("GET", "/api/pair/pending")[1] == {"pending": []}


def test_other_words_turn_the_phone_away(hub: HubProcess) -> None:
    """A stranger was faster with the code: they are out, and it is on record."""
    phone = Browser(hub)
    _, waiting = phone.claim(invited(hub))
    assert confirm(hub, phone, match=False)[1] == {"state": "refused"}
    assert code_of(phone.finish(waiting["claim"])) == (403, "refused")
    assert code_of(phone.signed("GET", "/api/me")) == (401, "unknown-device")
    assert code_of(confirm(hub, phone, match=True)) == (409, "over")
    until(lambda: "turned away" in str(hub.api("GET", "/api/log?limit=5")[1]["records"]), "the record")


def test_replayed_pairing_code_is_refused(hub: HubProcess) -> None:
    """A code opens once, also for who claimed it first."""
    code = invited(hub)
    assert Browser(hub).claim(code)[0] == 202
    assert code_of(Browser(hub).claim(code)) == (403, "used-code")


def test_phone_cannot_confirm_itself(hub: HubProcess) -> None:
    """Letting in is the desk's: neither the phone nor a stranger nor a page's cookie does it."""
    phone, desk = Browser(hub), desk_browser(hub)
    phone.claim(invited(hub))
    body = json.dumps({"id": phone.device, "match": True}).encode()
    for headers in (hub.own_page(), {**hub.own_page(), "Cookie": desk.cookie}):
        assert hub.tcp("POST", "/api/pair/confirm", body, headers)[0] == 401
    assert phone.signed("POST", "/api/pair/confirm", {"id": phone.device, "match": True})[0] == 401
    assert desk.signed("POST", "/api/pair/confirm", {"id": phone.device, "match": True})[0] == 200


def test_wrong_codes_lock_the_address_out(hub: HubProcess) -> None:
    """Also with a good code in the end; the answer says how long."""
    for _ in range(5):
        assert code_of(Browser(hub).claim("guess")) == (403, "bad-code")
    status, answer = Browser(hub).claim(invited(hub))
    assert (status, answer["error"]["code"]) == (429, "locked-out")
    assert "wait" in answer["error"]["hint"]


def test_lock_out_does_not_hold_up_the_persons_own_link(hub: HubProcess) -> None:
    """Any process of this machine has the same address as the person's browser, and can be wrong in its name."""
    for _ in range(5):
        assert code_of(Browser(hub).claim("guess")) == (403, "bad-code")
    assert code_of(Browser(hub).claim("guess")) == (429, "locked-out")
    link = hub.api("POST", "/api/pair", b"{}")[1]["code"]
    assert Browser(hub).claim(link)[0] == 200
    assert code_of(Browser(hub).claim("guess")) == (429, "locked-out")


@pytest.mark.parametrize("key", ["AAAA", "x" * 5000, "é"])
def test_bad_key_does_not_use_up_the_code(hub: HubProcess, key: str) -> None:
    """What is no key is refused before the code counts."""
    code = invited(hub)
    assert code_of(Browser(hub).claim(code, key=key)) == (422, "bad-key")
    assert Browser(hub).claim(code)[0] == 202


def test_phone_that_cannot_sign_may_watch_and_deny(hub: HubProcess) -> None:
    """Over plain HTTP browsers have no keys: such a phone proves itself by a secret, and allows nothing."""
    phone = Browser(hub)
    _, waiting = phone.claim(invited(hub, scope="instruct"), key="")
    assert confirm(hub, phone, match=True)[0] == 200
    assert phone.finish(waiting["claim"])[0] == 200
    proof = {**hub.own_page(), "Assent-Device": phone.device, "Assent-Secret": waiting["secret"]}
    status, me = hub.tcp("GET", "/api/me", headers=proof)
    assert (status, me["scope"]) == (200, "deny")
    assert hub.tcp("GET", "/api/me", headers=proof | {"Assent-Secret": "guess"})[0] == 401
    assert hub.tcp("PUT", "/api/pause", b'{"seconds":60}', proof)[0] == 403


def test_pairing_secret_stands_in_the_fragment(hub: HubProcess) -> None:
    """What stands behind the # is sent to no server and stands in no log."""
    answer = hub.api("POST", "/api/pair", b'{"for":"phone"}')[1]
    address, _, fragment = answer["url"].partition("#")
    assert fragment == answer["code"]
    assert answer["code"] not in address


def test_no_code_for_cameras_where_no_phone_reaches_the_hub(hub: HubProcess) -> None:
    """An address of this machine is another machine for a phone: ways to get one are named instead."""
    answer = hub.api("POST", "/api/pair", b'{"for":"phone"}')[1]
    assert answer["url"].startswith("http://localhost:")
    assert answer["qr"] == []
    assert [way["title"] for way in answer["ways"]] == ["Tailscale", "This network", "A chat"]


def test_screen_of_the_pairing_is_served(hub: HubProcess) -> None:
    """The address in the QR code shows the page."""
    assert hub.raw("GET", "/pair")[0] == 200
