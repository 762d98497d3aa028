"""The real client asks, and people answer in a chat with the bot."""

import json
import shlex
import sys
from pathlib import Path

from assent.secrets_store import Vault
from tests.e2e.conftest import LabFactory
from tests.e2e.lab.hub import CONNECTED_HUB
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import bash, say
from tests.e2e.lab.terminal import Terminal
from tests.e2e.lab.waiting import until
from tests.services.telegram import TOKEN, Message, Telegram

ADA, BOB, EVE = 12345678, 23456789, 666
SETTINGS = f"""
[surface.telegram]
users = [{ADA}, {BOB}]

[presence]
ladder = ["page@0s", "telegram@0s"]
"""


def begin(lab: Lab, telegram: Telegram) -> Terminal:
    """A user who left the desk, and an agent at work."""
    lab.hub.configure(SETTINGS)
    Vault(lab.hub.paths).put("telegram", "token", TOKEN)
    lab.install()
    lab.hub.start(addresses={"telegram": telegram.address})
    lab.hub.leave_desk()
    terminal = lab.terminal()
    terminal.submit("go")
    return terminal


def card(telegram: Telegram, command: str, user: int = ADA) -> Message:
    """The message about this command, once it can be answered."""

    def look() -> Message | None:
        return next((one for one in telegram.cards(user) if command in one.text), None)

    return until(look, f"a card about {command!r}")


def made(lab: Lab) -> list[str]:
    return sorted(path.name for path in lab.project.glob("*.txt"))


def pushes(lab: Lab, *, sent: bool) -> int:
    return sum(entry.body.get("sent") is sent for entry in lab.hub.entries("push"))


def test_people_answer_in_the_chat(lab: LabFactory) -> None:
    """A tap, a race of two phones, a stranger, the terminal first, a tap before the message is known to be sent, and a
    turn that is kept going by a reply."""
    script = [
        [say("I make the first file."), bash("touch one.txt")],
        [bash("touch two.txt")],
        [bash("touch three.txt")],
        [bash("touch four.txt")],
        [say("All made.")],
        [say("Docs, too.")],
    ]
    here = lab(script)
    with Telegram(ADA, BOB) as telegram:
        terminal = begin(here, telegram)

        first = card(telegram, "one.txt")
        assert "You asked: go\nAgent says: I make the first file." in first.text
        assert "Allow once" in first.labels
        telegram.press(EVE, first, str((first.button("Allow") or {})["callback_data"]))
        strangers = "somebody who is not connected tried something on Telegram: pressed a button"
        until(lambda: strangers in [entry.body.get("what") for entry in here.hub.entries("hub")], "the stranger")
        assert (made(here), first.labels[0]) == ([], "Deny")
        telegram.tap(ADA, first, "Allow once")
        second = card(telegram, "two.txt")
        assert made(here) == ["one.txt"]
        until(lambda: "Allowed on Telegram" in first.text and "ran" in first.text, "what became of it")
        assert first.buttons == []

        theirs = card(telegram, "two.txt", BOB)
        taps = [telegram.tap(ADA, second, "Allow once"), telegram.tap(BOB, theirs, "Deny")]
        until(lambda: all(telegram.toasts[tap] for tap in taps), "both are told")
        told = {str(telegram.toasts[tap]) for tap in taps}
        assert len(told & {"Allowed", "Denied"}) == 1
        assert any(words.startswith(("Too late: ", "Another answer came first.")) for words in told)

        third = card(telegram, "three.txt")
        assert made(here) == ["one.txt", *(["two.txt"] if "Allowed" in told else [])]
        terminal.wait_for_dialog()
        telegram.on_message = lambda message: _tap(telegram, message)
        terminal.press("1")
        until(lambda: not third.buttons, "the message is changed")
        assert "in the terminal" in third.text

        # The fourth was allowed by a tap that came before the call that sent its card returned.
        stopped = until(lambda: next((one for one in telegram.cards(ADA) if "All made." in one.text), None), "the stop")
        assert {"one.txt", "three.txt", "four.txt"} <= set(made(here))
        telegram.say(ADA, "now the docs", reply_to=stopped)
        here.model.wait_for(6)
        assert "now the docs" in "\n".join(here.model.news()[5])
    assert telegram.refusals == []


def _tap(telegram: Telegram, message: Message) -> None:
    if message.chat == ADA and "four.txt" in message.text:
        telegram.tap(ADA, message, "Allow once")


def test_nothing_is_lost_while_service_or_hub_are_down(lab: LabFactory) -> None:
    """Without the service the agent asks at the terminal as ever, and the message comes later; a button outlives the
    hub that made it."""
    here = lab([[bash("touch one.txt")], [bash("touch two.txt")], [say("Done.")]])
    with Telegram(ADA, BOB) as telegram:
        terminal = begin(here, telegram)
        until(lambda: telegram.count("getUpdates"), "the hub listens")
        telegram.stop()
        ask = here.hub.wait_for_ask()
        terminal.wait_for_dialog()
        until(lambda: pushes(here, sent=False), "a try that failed")
        telegram.start()
        first = card(telegram, "one.txt")
        telegram.tap(ADA, first, "Allow once")
        second = card(telegram, "two.txt")
        assert (made(here), pushes(here, sent=True) >= 1) == (["one.txt"], True)
        assert here.hub.wait_for_ask(1, "closed")["id"] == ask["id"]

        # Where it stands is written down a moment after it was sent; a hub that dies before that sends it again.
        until(lambda: f"{ADA}:{second.id}:" in here.hub.paths.outreach.read_text(), "that it is written down")
        revived_as(here, telegram)
        here.hub.kill()
        until(here.hub.is_reachable, "the shim has started the hub again")
        telegram.tap(ADA, second, "Allow once")
        here.model.wait_for(3)
        assert made(here) == ["one.txt", "two.txt"]
        until(lambda: not second.buttons, "what became of it")
    log = here.hub.paths.log.read_text()
    assert TOKEN not in log


def revived_as(lab: Lab, telegram: Telegram) -> None:
    """The shim starts a hub that knows where the service is."""
    environ = {**lab.hub.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    env = [f"{name}={value}" for name, value in environ.items()]
    command = ["env", "-i", *env, sys.executable, "-m", CONNECTED_HUB, json.dumps({"telegram": telegram.address})]
    (lab.hub.paths.shim / "start-hub").write_text(f"#!/bin/sh\ncd /\nexec {shlex.join(command)}\n")
