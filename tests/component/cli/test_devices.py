"""Letting devices in and out from a terminal."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest

from tests.component.cli.conftest import Terminal
from tests.component.hub_process import HubProcess
from tests.component.signing import Browser

PATIENCE = 30.0


class Screen:
    """A program on a terminal: what it shows, and keys for it."""

    def __init__(self, terminal: Terminal, *argv: str) -> None:
        self.shown = ""
        self._fd, far = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "assent", *argv],
            env=terminal.environ | {"TERM": "xterm-256color"},
            stdin=far,
            stdout=far,
            stderr=far,
            start_new_session=True,
        )
        os.close(far)

    def wait_for(self, text: str) -> str:
        end = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < end, f"{text!r} is not there: {self.shown}"
            if select.select([self._fd], [], [], 0.2)[0]:
                try:
                    self.shown += os.read(self._fd, 65536).decode()
                except OSError:
                    # The program ended.
                    assert text in self.shown, f"{text!r} is not there: {self.shown}"
        return self.shown

    def type(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def end(self) -> int:
        code = self._process.wait(PATIENCE)
        os.close(self._fd)
        return code


@pytest.fixture
def hub(terminal: Terminal) -> HubProcess:
    """The hub of this terminal, with a name under which a phone would reach it."""
    terminal.configure('[hub]\nport = 0\n[remote]\nname = "desk.example.ts.net"\n')
    terminal.up()
    hub = HubProcess.__new__(HubProcess)
    hub.paths = terminal.paths
    return hub


def opened(shown: str, hub: HubProcess) -> Browser:
    """A phone that opened the address."""
    match = re.search(r"/pair#([\w-]+)", shown)
    assert match
    phone = Browser(hub)
    status, waiting = phone.claim(match[1], "Some phone")
    assert status == 202
    phone.cookie = " ".join(waiting["words"])
    return phone


def test_pair_draws_a_code_and_asks_about_the_words(terminal: Terminal, hub: HubProcess) -> None:
    """The device is in after y was typed."""
    pairing = Screen(terminal, "pair", "--name", "Anna's phone", "--scope", "deny")
    phone = opened(pairing.wait_for("Waiting for it"), hub)
    assert "█" in pairing.shown
    pairing.wait_for("[y/N]")
    assert all(word in pairing.shown for word in phone.cookie.split())
    pairing.type("y\n")
    pairing.wait_for("shuts it out")
    assert pairing.end() == 0
    assert "Anna's phone" in terminal.ok("devices")
    assert "new at" in terminal.ok("status")
    (device,) = json.loads(terminal.ok("devices", "--json"))["devices"]
    assert (device["id"], device["name"], device["scope"]) == (phone.device, "Anna's phone", "deny")
    assert "Shut out" in terminal.ok("devices", "revoke", phone.device)
    assert "No device was let in" in terminal.ok("devices")


def test_pair_with_other_words_lets_no_device_in(terminal: Terminal, hub: HubProcess) -> None:
    """Anything but a yes is a no."""
    pairing = Screen(terminal, "pair", "--ascii")
    opened(pairing.wait_for("Waiting for it"), hub)
    assert "█" not in pairing.shown
    pairing.wait_for("[y/N]")
    pairing.type("\n")
    pairing.wait_for("turned away")
    assert pairing.end() == 1
    assert "No device was let in" in terminal.ok("devices")


def test_pair_needs_a_terminal(terminal: Terminal) -> None:
    """Words that are not read are not compared."""
    done = terminal.run("pair")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no terminal" in done.stderr


def test_unknown_device_cannot_be_shut_out(terminal: Terminal, hub: HubProcess) -> None:
    """A typo shuts out no device, and says so."""
    done = terminal.run("devices", "revoke", "nobody")
    assert done.returncode == 1
    assert "There is no device nobody" in done.stderr
