"""Surfaces are connected at the desk: with the service's consent, and without a trace of the secret."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.component.hub.ask_client import WAITING
from tests.component.hub_process import HubProcess, until
from tests.component.signing import desk_browser
from tests.services.telegram import TOKEN, Telegram
from tests.waiting import HANG

ADA = 12345678
PATH = "/api/connect/telegram"
SECRET = TOKEN.partition(":")[2]


@dataclass
class Scene:
    root: Path
    hub: HubProcess
    service: Telegram

    def call(self, method: str, path: str = PATH, value: Any = None) -> Any:
        status, answer = self.hub.api(method, path, b"" if value is None else json.dumps(value).encode())
        assert status < 300, answer
        return answer

    def refused(self, method: str, path: str = PATH, value: Any = None) -> tuple[int, str, str]:
        status, answer = self.hub.api(method, path, json.dumps(value or {}).encode())
        return status, answer["error"]["code"], answer["error"]["message"]

    def connect(self) -> dict[str, Any]:
        """As far as the code, which the user has to send."""
        done: dict[str, Any] = self.call("PUT", value={"secrets": {"token": TOKEN}})
        return done

    def bind(self) -> None:
        code = re.search(r"\b\d{6}\b", self.connect()["todo"])
        assert code is not None
        self.service.say(ADA, code[0])
        until(lambda: self.state() == "connected", "a connected user")

    def state(self) -> str:
        return str(self.call("GET")["state"])

    def tested(self, name: str) -> dict[str, Any]:
        reply: dict[str, Any] = self.call("GET", f"{PATH}/test/{name}")
        return reply

    def started(self, *options: str) -> "subprocess.Popen[str]":
        """The real program."""
        return subprocess.Popen(
            [sys.executable, "-m", "assent", "connect", "telegram", *options],
            env=self.hub.environ | {"PYTHONUNBUFFERED": "1", "LANG": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def records(self) -> list[dict[str, Any]]:
        page: list[dict[str, Any]] = self.call("GET", "/api/log")["records"]
        return page

    def holding(self, secret: str) -> list[str]:
        """Files in which it stands."""
        files = [path for path in self.root.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
        return [path.name for path in files]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    root = tmp_path_factory.mktemp("h")
    hub = HubProcess(root, config='# mine\n[presence]\nladder = ["page@0s"]\n')
    with Telegram(ADA) as service:
        addresses = json.dumps({"telegram": service.address})
        hub.start(sys.executable, "-m", "tests.e2e.lab.connected_hub", addresses)
        try:
            yield Scene(root, hub, service)
        finally:
            hub.stop()


@pytest.fixture
def scene(shared: Scene) -> Iterator[Scene]:
    """Nothing is connected at the beginning, and nothing afterwards."""
    yield shared
    shared.service.blocked.clear()
    shared.service.token = TOKEN
    shared.call("DELETE")


def test_surface_is_connected_once_its_service_and_a_person_agree(scene: Scene) -> None:
    """Then its secret stands in one private file, and who may answer in the settings."""
    assert scene.state() == "off"
    done = scene.connect()
    assert (done["state"], done["said"]) == ("waiting", "This is @my_agents_bot.")
    assert "telegram@20s" in done["ladder"]
    scene.bind()
    config = scene.hub.paths.config.read_text()
    assert config.startswith("version = 1\n# mine\n")
    assert 'ladder = ["page@0s", "telegram@20s"]' in config
    assert f"[surface.telegram]\nusers = [{ADA}]\n" in config
    file = scene.hub.paths.keys / "telegram.token"
    assert (file.stat().st_mode & 0o777, scene.holding(SECRET)) == (0o600, ["telegram.token"])
    listed = {one["name"]: one for one in scene.call("GET", "/api/connect")["surfaces"]}
    assert listed["telegram"]["words"] == "Connected to 1 person."
    assert scene.call("GET", "/api/status")["surfaces"] == [listed["telegram"]]


def test_disconnected_surface_leaves_nothing_behind(scene: Scene) -> None:
    """Neither secret nor table, in no copy either; the rest of the settings stays."""
    scene.bind()
    scene.call("DELETE")
    assert scene.state() == "off"
    assert scene.holding(SECRET) == []
    assert "surface" not in scene.hub.paths.config.read_text()
    assert scene.hub.paths.config.read_text().startswith("version = 1\n# mine\n")


@pytest.mark.parametrize(
    ("wanted", "code", "says"),
    [
        ({}, "no-secret", "was not connected without this: The bot's token"),
        ({"secrets": {"token": "no token"}}, "refused", "This is no token of a bot."),
        ({"secrets": {"token": f"999999:{SECRET}"}}, "refused", "Nothing was kept."),
        ({"secrets": {"tokn": "x"}}, "no-such-secret", "it has token."),
        ({"secrets": {"token": TOKEN}, "settings": {"privcy": "masked"}}, "refused", "no setting “privcy”"),
        ({"secrets": {"token": TOKEN}, "settings": {"scope": "admin"}}, "bad-setting", "scope is one of"),
        ({"secrets": {"token": TOKEN}, "settings": {"users": ["Ada"]}}, "refused", "a list of numbers"),
        ({"secrets": {"token": TOKEN}, "settings": {"a.b": 1}}, "bad-setting", "no name of a setting"),
        ({"secrets": [SECRET]}, "bad-json", "This is not what connects a surface."),
    ],
)
def test_what_does_not_work_is_not_kept(scene: Scene, wanted: dict[str, Any], code: str, says: str) -> None:
    """No secret, no setting, and neither in the words about it."""
    status, reply, message = scene.refused("PUT", value=wanted)
    assert reply == code
    assert (status == 400) is (code == "bad-json")
    assert says in message
    assert SECRET not in message
    assert scene.state() == "off"
    assert scene.holding(SECRET) == []


def test_name_that_is_almost_one_is_named(scene: Scene) -> None:
    """A slip of the finger is told what was meant."""
    status, answer = scene.hub.api("GET", "/api/connect/telegramm")
    assert (status, answer["error"]["hint"]) == (404, "did you mean telegram?")


def test_test_ask_is_shown_there_alone_and_says_where_it_was_answered(scene: Scene) -> None:
    """The ladder has no part in it: it is there at once, and once."""
    scene.bind()
    test = scene.call("POST", f"{PATH}/test", {})["test"]
    card = until(lambda: next(iter(scene.service.cards(ADA)), None), "the test ask")
    assert scene.refused("POST", f"{PATH}/test")[:2] == (429, "too-many-tests")
    scene.service.tap(ADA, card, "Allow once")
    told = until(lambda: (one := scene.tested(test))["state"] == "answered" and one, "the answer")
    assert (told["surface"], told["words"].startswith("Allowed on Telegram")) == ("telegram", True)
    until(lambda: not scene.service.cards(ADA), "the card without buttons")
    assert sum("hello-from-assent" in message.text for message in scene.service.in_chat(ADA)) == 1


def test_test_ask_that_does_not_arrive_says_why(scene: Scene) -> None:
    """It does not take a minute to say so."""
    scene.bind()
    scene.service.blocked.add(ADA)
    test = scene.call("POST", f"{PATH}/test", {})["test"]
    told = until(lambda: (one := scene.tested(test))["state"] == "failed" and one, "the failure")
    assert told["words"]
    until(lambda: scene.call("GET", "/api/snapshot")["asks"][0]["state"] not in WAITING, "the end of the ask")


def test_test_of_what_is_not_connected_is_refused(scene: Scene) -> None:
    """It says how to connect it."""
    assert scene.refused("POST", f"{PATH}/test") == (409, "not-connected", "Nothing was sent. Not connected.")


def test_services_are_asked_how_they_are(scene: Scene) -> None:
    """A token that was revoked is found out, and not by a message that never comes."""
    scene.bind()
    (surface,) = scene.call("POST", "/api/connect/check", {})["surfaces"]
    assert (surface["why"], surface["after"]) == ("", [20.0])
    assert "@my_agents_bot" in surface["said"]
    scene.service.token = "another"
    (surface,) = scene.call("POST", "/api/connect/check", {})["surfaces"]
    assert surface["why"]
    assert SECRET not in json.dumps(surface)


def test_command_leads_through_it(scene: Scene) -> None:
    """From the token in a file to the answer on the phone, in words that have no secret in them."""
    (scene.root / "given").write_text(TOKEN)
    with scene.started("--token-file", str(scene.root / "given")) as command:
        lines = command.stdout
        assert lines is not None
        code = until(lambda: re.search(r"Send (\d{6}) to @my_agents_bot", lines.readline()), "the code")
        scene.service.say(ADA, code[1])
        output = command.communicate(timeout=HANG)[0]
    (scene.root / "given").unlink()
    assert (command.returncode, "✓ Telegram: connected to 1 person." in output) == (0, True)
    with scene.started("--test") as command:
        card = until(lambda: next(iter(scene.service.cards(ADA)), None), "the test ask")
        scene.service.tap(ADA, card, "Deny")
        output = command.communicate(timeout=HANG)[0]
    assert (command.returncode, "✓ Denied on Telegram, " in output) == (0, True)


def test_page_connects_nothing(scene: Scene) -> None:
    """Secrets come in by the desk socket: a page on this machine, which may do all else, is told so."""
    browser = desk_browser(scene.hub)
    for method, value in (("PUT", {"secrets": {"token": TOKEN}}), ("DELETE", None)):
        status, answer = browser.signed(method, PATH, value)
        assert (status, answer["error"]["code"]) == (403, "desk-only")
    assert browser.read("/api/connect")[0] == 200


def test_agents_may_look_and_no_more(scene: Scene) -> None:
    """What they start has the scope watch, and connecting needs more."""
    paths = scene.call("GET", "/openapi.json")["paths"]
    routes = [(path, one) for path, one in paths.items() if path.startswith("/api/connect")]
    needed = {(method, operation["x-scope"]) for _, one in routes for method, operation in one.items()}
    assert needed == {("get", "watch"), ("put", "admin"), ("post", "admin"), ("delete", "admin")}


def test_nothing_is_written_about_secrets(scene: Scene) -> None:
    """Connected and disconnected again: not in the journal, not in the log, not in a backup of the settings."""
    scene.bind()
    scene.call("DELETE")
    assert scene.holding(SECRET) == []
    until(lambda: any("was connected" in record["line"] for record in scene.records()), "the record of it")
